import type { ObjectSchema } from '../operation.ts'

/** The announced shape of a task: open, nothing required. */
export const TASK_OUTPUT: ObjectSchema = {
  type: 'object',
  properties: {
    task_id: { type: 'string' },
    state: { type: 'string' },
    output: {},
    contract: { type: 'object' },
    error: { type: 'object' },
  },
}

export const WAIT_SECONDS = { type: 'integer', minimum: 0, maximum: 50 }
