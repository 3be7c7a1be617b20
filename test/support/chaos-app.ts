import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { makeInside, type Inside } from './inside.ts'
import { toolOf } from './tools.ts'

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
}

type Call = (name: string, args: Record<string, unknown>) => Promise<Answer>

/** An account whose task object dies again and again. */
export interface Account {
  id: string
  call: Call
  /** Calls again, as an AI app does, while the answer is that something broke on our side. */
  insist: Call
  /** Its task object: a new stub each time, for one that saw its object die is of no use. */
  object(): Inside['object']
  /** Its task object dies, and all that it was doing with it. */
  die(): Promise<void>
}

export async function makeAccount(prefix: string): Promise<Account> {
  const inside = await makeInside(prefix)
  const id = inside.accountId
  const call: Call = (name, args) => inside.call(name, args)
  const object = () => env.ACCOUNT_TASKS.getByName(id)
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

/** A tool that does what it is told to: every kind of end in one script. */
export const ACT = toolOf(
  'tool:act',
  {
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
  {
    input_schema: {
      type: 'object',
      properties: { do: { type: 'string' }, n: { type: 'integer' }, s: { type: 'number' } },
      required: ['do', 'n'],
    },
    output_schema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
    verify: [{ kind: 'sample-run', input: { do: 'ok', n: 1 }, output_selector: '$', contains: '1' }],
  },
)
