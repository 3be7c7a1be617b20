import type { ObjectSchema } from '../operation.ts'

/** The announced shape of a task: open, nothing required. */
export const TASK_OUTPUT: ObjectSchema = {
  type: 'object',
  properties: {
    task_id: { type: 'string' },
    state: { type: 'string', enum: ['scheduled', 'working', 'for_you_to_run', 'completed', 'failed'] },
    output: { description: 'What the tool returned' },
    contract: { type: 'object', description: 'Had the output the right shape?' },
    error: { type: 'object' },
    end_reason: { type: 'string' },
    next_call: { type: 'object' },
  },
}

export const WAIT_SECONDS = { type: 'integer', minimum: 0, maximum: 50 }
