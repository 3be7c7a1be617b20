import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { composeFiles } from '../../src/compose.ts'
import { taskFilesIn } from '../../src/core/tasks/files/port.ts'
import { seeded } from '../support/faults.ts'
import { makeInside, type Inside } from '../support/inside.ts'
import { bytesOf, identityOf, piecesOf, send } from '../support/links.ts'
import { toolOf } from '../support/tools.ts'

let account: Inside
let keys = 0
const run = (tool_id: string, input: Record<string, unknown>) => {
  keys += 1
  return account.call('run_tool', { tool_id, input, request_key: `files-${keys}`, wait_seconds: 50 })
}

const COPY = (sample: string) =>
  toolOf(
    'tool:copy',
    {
      'main.py': `import json, shutil, sys
asked = json.load(sys.stdin)
shutil.copyfile(asked["from"], "/work/copy")
with open("/work/copy", "a") as copy: copy.write(asked.get("more", ""))
print("x" * asked.get("pad", 0) and json.dumps({"pad": "x" * asked["pad"]}) or "{}")
`,
    },
    {
      input_schema: {
        type: 'object',
        properties: {
          from: { type: 'string', format: 'namespace-file' },
          more: { type: 'string' },
          pad: { type: 'integer' },
        },
        required: ['from'],
      },
      invoke: {
        kind: 'container',
        argv: ['python3', 'main.py'],
        stdin: 'json',
        stdout: 'json',
        outputs: [{ name: 'copy', path: '/work/copy', media_type: 'text/plain' }],
      },
      verify: [{ kind: 'sample-run', input: { from: sample }, output_selector: '$', contains: '{' }],
    },
  )

beforeAll(async () => {
  account = await makeInside('taskfiles')
  const { identity } = await account.call('write_file', { path: 'sample.txt', text: 'the sample' })
  expect((await account.call('save_tool', COPY(identity))).sample_check).toMatchObject({ passed: true })
})

const write = async (text: string): Promise<string> =>
  (await account.call('write_file', { path: 'in.txt', text })).identity

test('a file goes through a tool and on through the next', async () => {
  const first = await run('tool:copy', { from: await write('one'), more: ' two' })
  const second = await run('tool:copy', {
    from: { from_task: first.task_id, output_selector: '$.files.copy' },
    more: ' three',
  })
  expect(second).toMatchObject({
    state: 'completed',
    files: { copy: { size: 13, media_type: 'text/plain' } },
  })
  const { text } = await account.call('read_file', { identity: second.files.copy.identity })
  expect(text).toBe('one two three')
  const large = await run('tool:copy', { from: await write('one'), pad: 30_000 })
  expect(large).toMatchObject({ state: 'completed', output_file: { size: 30_010 } })
  expect((await account.call('read_file', { identity: large.output_file.identity })).size).toBe(30_010)
})

test('what is no file of the account ends a chained task before it runs', async () => {
  const teller = toolOf('tool:tell', {
    'main.py': `print('{"identity": "1f:${'0'.repeat(64)}"}')\n`,
  })
  await account.call('save_tool', teller)
  const told = await run('tool:tell', {})
  const task = await run('tool:copy', { from: { from_task: told.task_id, output_selector: '$.identity' } })
  expect(task).toMatchObject({
    state: 'failed',
    end_reason: 'input_unavailable',
    error: { message: expect.stringContaining(`input.from names 1f:${'0'.repeat(64)}`) },
  })
  expect(task.started_at).toBeUndefined()
})

test('an input whose bytes are gone ends the task, which names it', async () => {
  const identity = await write('soon to be gone')
  await env.FILES.delete(`files/${identity.slice(3)}`)
  const task = await run('tool:copy', { from: identity })
  expect(task).toMatchObject({
    state: 'failed',
    end_reason: 'never_started',
    error: { message: `The run never started, because the bytes of ${identity} are gone.` },
  })
})

test('a task holds what it read and made, whatever becomes of their names', async () => {
  const identity = await write('to be held by a task')
  const { files } = await run('tool:copy', { from: identity, more: '!' })
  await account.call('delete_file', { path: 'in.txt' })
  await account.call('delete_file', { path: files.copy.path })
  expect((await account.call('read_file', { identity })).text).toBe('to be held by a task')
  expect((await account.call('read_file', { identity: files.copy.identity })).text).toBe(
    'to be held by a task!',
  )
})

test('a task lets go of its files when it is forgotten', async () => {
  const task = await run('tool:copy', { from: await write('let go of'), more: '!' })
  const held = () =>
    env.DB.prepare('select count(*) as n from file_use where holder = ?')
      .bind(`task:${task.task_id}`)
      .first('n')
  expect(await held()).toBe(2)
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(Date.now() + 31 * 86_400_000)
  await runDurableObjectAlarm(account.object)
  await vi.waitFor(async () => expect(await held()).toBe(0), 5_000)
  expect((await account.call('read_task', { task_id: task.task_id })).error.code).toBe('unknown_task')
  vi.useRealTimers()
})

describe('keeping what a run made', () => {
  const vault = composeFiles(env)
  const files = taskFilesIn(vault)
  const made = async (data: Uint8Array<ArrayBuffer>, path: string) => ({
    path,
    size: data.length,
    sha256: (await identityOf(data)).slice(3),
  })

  test('bytes with another hash or size than was told are not kept', async () => {
    const task = { id: 'task_wrong', accountId: account.accountId }
    const data = bytesOf(100_000, 5)
    const told = await made(data, 'wrong.bin')
    const other = bytesOf(100_000, 6)
    for (const body of [other, data.slice(1), bytesOf(100_001, 5)]) {
      await expect(files.keep(task, told, async () => piecesOf(body))).rejects.toThrow()
    }
    expect((await account.call('read_file', { path: 'wrong.bin' })).error.code).toBe('unknown_file')
    await files.keep(task, told, async () => piecesOf(data))
    expect((await account.call('read_file', { path: 'wrong.bin' })).size).toBe(100_000)
  })

  test('a put that fails leaves no name', async () => {
    const data = bytesOf(1_000, 8)
    const task = { id: 'task_put', accountId: account.accountId }
    const put = vi.spyOn(vault.bytes, 'put').mockRejectedValueOnce(new Error('R2 is busy'))
    const told = await made(data, 'put.bin')
    await expect(files.keep(task, told, async () => piecesOf(data))).rejects.toThrow('R2 is busy')
    expect((await account.call('read_file', { path: 'put.bin' })).error.code).toBe('unknown_file')
    put.mockRestore()
    await files.keep(task, told, async () => piecesOf(data))
    expect((await account.call('read_file', { path: 'put.bin' })).size).toBe(1_000)
  })

  const { count: CUTS, seed: SEED } = inject('cuts')

  test(`no name points at a part of a file after ${CUTS} cuts (seed ${SEED})`, async () => {
    const random = seeded(SEED)
    for (let round = 0; round < CUTS; round += 1) {
      const task = { id: `task_cut${round}`, accountId: account.accountId }
      const data = bytesOf(1 + Math.floor(random() * 6_000_000), 1_000 + round)
      const told = await made(data, `outputs/cut/${round}`)
      const cutAt = Math.floor(random() * data.length)
      await expect(files.keep(task, told, async () => piecesOf(data, cutAt))).rejects.toThrow()
      expect((await account.call('read_file', { path: told.path })).error.code).toBe('unknown_file')
      expect(await env.FILES.head(`files/${told.sha256}`)).toBeNull()
      if (round % 3 > 0) continue
      await files.keep(task, told, async () => piecesOf(data))
      const { download_url } = await account.call('read_file', { path: told.path, max_bytes: 1 })
      const whole = new Uint8Array(await (await send(download_url)).arrayBuffer())
      expect(await identityOf(whole)).toBe(`1f:${told.sha256}`)
    }
  }, 600_000)
})
