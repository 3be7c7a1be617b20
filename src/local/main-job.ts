import { EXAMPLE } from '../core/tools/example.ts'
import { call, type Address } from './call.ts'

/** The main job by the real operations: saves `count-words`, finds it, runs it. Prints what happens. */
export async function doMainJob(address: Address): Promise<void> {
  console.log('\nThe main job, once, by the same calls that an AI app makes:')
  const saved = await call(address, 'save_tool', { ...EXAMPLE })
  const { passed } = saved.sample_check
  console.log(`  save_tool          ${saved.tool_id}, its sample ${passed ? 'passed' : 'FAILED'}`)
  const job = 'count the words in a text'
  const found = await call(address, 'find_tool_for_job', { job })
  const [best] = found.candidates
  console.log(`  find_tool_for_job  "${job}" found ${best?.tool_id}`)
  const text = 'Workshop keeps small tools and runs them sealed'
  const began = performance.now()
  const task = await call(address, 'run_tool', {
    tool_id: best?.tool_id,
    input: { text },
    request_key: `first-start-${crypto.randomUUID()}`,
  })
  const took = Math.round(performance.now() - began)
  console.log(`  run_tool           ${JSON.stringify(task.output)} for "${text}"`)
  console.log(`  task               ${task.task_id}, ${task.state}, in ${took} ms`)
}
