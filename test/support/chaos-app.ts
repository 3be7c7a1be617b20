import { runInDurableObject } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { source } from '../../src/compose.ts'
import { createAccount } from '../../src/core/accounts/create.ts'
import { openDb } from '../../src/db/client.ts'

/** What a test looks at in an answer; a refusal has only `error`. */
export interface Answer {
  task_id: string
  state: string
  end_reason?: string
  exit_code?: number
  output?: unknown
  output_file?: { identity: string; size: number }
  error?: { code: string; message: string; retryable?: boolean }
  tasks: Answer[]
  next_cursor?: string
  sample_check: { passed: boolean }
}

/** An account of this Worker, and its task object. */
export interface Account {
  id: string
  call(name: string, args: Record<string, unknown>): Promise<Answer>
  /** Calls again, as an AI app does, while the answer is that something broke on our side. */
  insist(name: string, args: Record<string, unknown>): Promise<Answer>
  object(): ReturnType<typeof env.ACCOUNT_TASKS.getByName>
  /** Its task object dies, and all that it was doing with it. */
  die(): Promise<void>
}

let made = 0

export async function makeAccount(prefix: string): Promise<Account> {
  made += 1
  const handle = `${prefix}-${made}`
  const { token } = await createAccount(openDb(env.DB), source, handle)
  const id = await env.DB.prepare('select id from account where handle = ?').bind(handle).first<string>('id')
  if (!id) throw new Error(`the account ${handle} was not made`)
  const object = () => env.ACCOUNT_TASKS.getByName(id)
  const call = (name: string, args: Record<string, unknown>) => callTool(token, name, args)
  return {
    id,
    call,
    async insist(name, args) {
      for (;;) {
        const answer = await call(name, args)
        if (answer.error?.code !== 'internal') return answer
        await scheduler.wait(50)
      }
    },
    object,
    die: () => runInDurableObject(object(), (_, state) => state.abort('killed by the test')).catch(() => {}),
  }
}

async function callTool(token: string, name: string, args: Record<string, unknown>): Promise<Answer> {
  const response = await exports.default.fetch(
    new Request('http://localhost:8787/mcp', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        host: 'localhost:8787',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: args },
      }),
    }),
  )
  const text = await response.text()
  const line = text.split('\n').find((each) => each.startsWith('data: '))
  const { result, error } = JSON.parse(line?.slice(6) ?? text)
  if (error) throw new Error(`${name}: ${error.message}`)
  return result.structuredContent
}

/** A tool that does what it is told to: every kind of end in one script. */
export const ACT = {
  descriptor: {
    id: 'tool:act',
    job: 'Do what the test tells it to do',
    input_schema: {
      type: 'object',
      properties: { do: { type: 'string' }, n: { type: 'integer' }, s: { type: 'number' } },
      required: ['do', 'n'],
    },
    output_schema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
    invoke: { kind: 'container', argv: ['python3', 'main.py'], stdin: 'json', stdout: 'json' },
    placements: ['placement:deployed-container'],
    licence_class: 'licence:maker-own',
    verify: [{ kind: 'sample-run', input: { do: 'ok', n: 1 }, output_selector: '$', contains: '1' }],
  },
  files: {
    'main.py': `import json, sys, time
asked = json.load(sys.stdin)
time.sleep(asked.get("s", 0))
if asked["do"] == "fail":
    sys.exit(3)
if asked["do"] == "silent":
    sys.exit(0)
pad = "x" * 30_000 if asked["do"] == "large" else ""
print(json.dumps({"n": asked["n"], "pad": pad}))
`,
  },
}
