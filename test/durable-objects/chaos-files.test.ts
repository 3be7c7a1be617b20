import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeAccount, type Account } from '../support/chaos-app.ts'
import { faults, type Fault, type Point } from '../support/faults.ts'
import { toolOf } from '../support/tools.ts'

const FAULTS: Fault[] = ['lost before', 'lost after', 'dies before', 'dies after']

/** Each call on the way of a file into a run and out of it. */
const POINTS: Point[] = [
  'D1 read',
  'D1 write',
  'R2 get',
  'R2 put',
  'runner bundle',
  'runner job',
  'runner poll',
]

interface Ended {
  state: string
  error?: { message: string; retryable?: boolean }
  files?: { out: { identity: string; size: number } }
  text?: string
  identity: string
}

let account: Account
let rounds = 0
const call = async (name: string, args: Record<string, unknown>) =>
  (await account.insist(name, args)) as unknown as Ended

const write = async (text: string) => (await call('write_file', { path: 'in.txt', text })).identity

beforeAll(async () => {
  account = await makeAccount('chaos-files')
  const { descriptor, files } = toolOf(
    'tool:shout',
    { 'main.py': 'import sys\nopen("out", "w").write(open(sys.argv[1]).read().upper())\nprint("{}")\n' },
    {
      input_schema: {
        type: 'object',
        properties: { text: { type: 'string', format: 'namespace-file' } },
        required: ['text'],
      },
      invoke: {
        kind: 'container',
        argv: ['python3', 'main.py', { from: 'text' }],
        stdout: 'json',
        outputs: [{ name: 'out', path: '/work/out', media_type: 'text/plain' }],
      },
      verify: [
        { kind: 'sample-run', input: { text: await write('sample') }, output_selector: '$', contains: '{' },
      ],
    },
  )
  await account.insist('save_tool', { descriptor, files })
}, 120_000)

describe.each(POINTS)('%s', (point) => {
  test.each(FAULTS)('%s: a completed run has its file, a failed one none', async (fault) => {
    rounds += 1
    const said = `round ${rounds} of ${point} ${fault}`
    const text = await write(said)
    faults.plan(account.id, point, fault)
    const key = { tool_id: 'tool:shout', input: { text }, request_key: `chaos-file-${rounds}` }
    let task = await call('run_tool', { ...key, wait_seconds: 50 })
    if (task.state === 'working') task = await call('run_tool', { ...key, wait_seconds: 50 })
    if (task.state === 'failed') {
      expect(task.files).toBeUndefined()
      expect(task.error?.retryable).toBe(true)
      return
    }
    expect(task).toMatchObject({ state: 'completed', files: { out: { size: said.length } } })
    const identity = task.files?.out.identity ?? ''
    expect((await call('read_file', { identity })).text).toBe(said.toUpperCase())
    expect((await env.FILES.head(`files/${identity.slice(3)}`))?.size).toBe(said.length)
  })
})
