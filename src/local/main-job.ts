import { EXAMPLE } from '../core/tools/example.ts'

interface Answer {
  error?: { message: string }
  tool_id: string
  task_id: string
  state: string
  output: unknown
  sample_check: { passed: boolean }
  candidates: { tool_id: string }[]
}

/** Calls one tool of the MCP address, as an AI app does. Throws when it is refused. */
async function call(
  address: { mcpUrl: string; token: string },
  name: string,
  args: Record<string, unknown>,
): Promise<Answer> {
  const response = await fetch(address.mcpUrl, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${address.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  })
  const body = await response.text()
  const line = body.split('\n').find((each) => each.startsWith('data: '))
  const { result } = JSON.parse(line?.slice('data: '.length) ?? body)
  const answer: Answer = result.structuredContent
  if (result.isError) throw new Error(`${name} was refused: ${answer.error?.message}`)
  return answer
}

/** The main job by the real operations: saves `count-words`, finds it, runs it. Prints what happens. */
export async function doMainJob(address: { mcpUrl: string; token: string }): Promise<void> {
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
