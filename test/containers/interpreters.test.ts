import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Case } from './case.ts'
import { NODE, NODE_ENTRIES } from './node-cases.ts'
import { PYTHON } from './python-cases.ts'
import { Runner, processesWith, sha256 } from './runner.ts'

let ready: Runner
let plain: Runner
beforeAll(async () => {
  ready = await Runner.start({ RUNNER_POOL: '1' })
  plain = await Runner.start({ RUNNER_POOL: '0' })
})
afterAll(() => Promise.all([ready.stop(), plain.stop()]))

/** Runs a case in a waiting interpreter and in one started for it: both ends must be the same. */
async function compare(
  argv: string[],
  { name: _name, files, args = [], expected, ...wanted }: Case,
): Promise<void> {
  await ready.untilReady(3)
  const job = { ...wanted, argv: [...argv, ...args] }
  const [waited, started] = await Promise.all([ready.runFiles(files, job), plain.runFiles(files, job)])
  expect(started).toMatchObject(expected)
  expect({ ...waited, took_ms: 0 }).toEqual({ ...started, took_ms: 0 })
}

describe('a waiting Python is like one that is started', () => {
  test.each(PYTHON)('$name', (example) => compare(['python3', 'main.py'], example))
})

describe('a waiting Node is like one that is started', () => {
  test.each(NODE)('$name', (example) => compare(['node', 'main.js'], example))
  test.each(NODE_ENTRIES)('%s: $1.name', (entry, example) => compare(['node', entry], example))
})

test('the waiting interpreters are really used', async () => {
  const files = {
    'main.py': 'import sys; print("json" in sys.modules)',
    'main.js': 'console.log(process.moduleLoadList.includes("NativeModule zlib"))',
  }
  await ready.untilReady(3)
  expect((await ready.runFiles(files, { argv: ['python3', 'main.py'] })).stdout).toBe('True\n')
  expect((await ready.runFiles(files, { argv: ['node', 'main.js'] })).stdout).toBe('true\n')
  expect((await plain.runFiles(files, { argv: ['python3', 'main.py'] })).stdout).toBe('False\n')
  expect((await plain.runFiles(files, { argv: ['node', 'main.js'] })).stdout).toBe('false\n')
})

test('a waiting sandbox that ends is replaced', async () => {
  await ready.untilReady(3)
  const own = processesWith(`/run/workshop-${sha256(ready.data).slice(0, 8)}/`)
  expect(own.length).toBeGreaterThanOrEqual(3)
  for (const pid of own) process.kill(Number(pid), 'SIGKILL')
  await ready.untilReady(3)
  const end = await ready.runFiles({ 'main.js': 'console.log("fine")' }, { argv: ['node', 'main.js'] })
  expect(end.stdout).toBe('fine\n')
})
