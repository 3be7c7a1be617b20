import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ContainerInvoke } from '../../../src/core/tools/descriptor/descriptor.ts'
import type { End } from '../../../src/invokes/invoke.ts'
import { endOf, hostOf } from '../contract.ts'
import { descriptorOf, Machine, Shelf } from './place.ts'

/** A sandbox may have waited with its interpreter up, or be made for the job: what a script sees is the same. */
const shelf = new Shelf()
let warm: Machine
let cold: Machine
beforeAll(async () => {
  warm = await Machine.start({ RUNNER_POOL: '1' })
  cold = await Machine.start({ RUNNER_POOL: '0' })
})
afterAll(() => Promise.all([warm.stop(), cold.stop()]))

/** What a script did, without how long it took. */
async function endOn(
  machine: Machine,
  given: { main: string; text: string; invoke?: Partial<ContainerInvoke> },
): Promise<Omit<End, 'raw'> & { raw: object }> {
  const { main, text, invoke = {} } = given
  const job = {
    id: `task_${randomUUID()}`,
    accountId: 'account_1',
    handle: null,
    codeHash: await shelf.put({ [main]: text, 'other.py': 'N = 4\n', 'other.mjs': 'export const n = 4\n' }),
    descriptor: descriptorOf({ argv: [main.endsWith('.py') ? 'python3' : 'node', main], ...invoke }),
    input: { a: 'ä "b"\n', n: 1 },
  }
  const host = hostOf(shelf, { sliceMs: 10_000 })
  const { raw, ...end } = await endOf(machine.invoke, await machine.invoke.start(job, host), host)
  const { took_ms: _, ...rest } = raw ?? {}
  return { ...end, raw: rest }
}

const ARGS = [{ from: 'a' }, { from: 'n' }, { from: 'absent' }]
const PYTHON_ARGS: Partial<ContainerInvoke> = { argv: ['python3', 'main.py', ...ARGS] }
const NODE_ARGS: Partial<ContainerInvoke> = { argv: ['node', 'main.js', ...ARGS] }
const PY_STATE = `import sys, os, json, time
print(json.dumps([sys.argv, dict(os.environ), os.getcwd(), sorted(os.listdir('.')), __name__, __file__,
  sys.path, sys.stdin.read(), sys.stdout.encoding, sys.flags.utf8_mode, os.getuid() != 0, time.tzname]))
`
const JS_STATE = `const fs = require('node:fs')
console.log(JSON.stringify([process.argv, process.execArgv, process.env, process.cwd(), fs.readdirSync('.').sort(),
  require.main === module, __filename, fs.readFileSync(0, 'utf8'), process.getuid() !== 0,
  Intl.DateTimeFormat().resolvedOptions().timeZone]))
`

test.each<{
  what: string
  main: string
  text: string
  invoke?: Partial<ContainerInvoke>
  end: object
}>([
  {
    what: 'all that Python sees, with arguments',
    main: 'main.py',
    text: PY_STATE,
    invoke: PYTHON_ARGS,
    end: {
      reason: 'done',
      raw: { stdout: expect.stringContaining('["main.py", "\\u00e4 \\"b\\"\\n", "1"]') },
    },
  },
  {
    what: 'all that Python sees, with stdin and a variable',
    main: 'main.py',
    text: PY_STATE,
    invoke: { stdin: 'json', env: { GREETING: 'hi there' } },
    end: { reason: 'done', raw: { stdout: expect.stringContaining('"GREETING": "hi there"') } },
  },
  {
    what: 'all that Node sees, with arguments',
    main: 'main.js',
    text: JS_STATE,
    invoke: NODE_ARGS,
    end: { reason: 'done', raw: { stdout: expect.stringContaining('/work/main.js","ä \\"b\\"\\n","1"]') } },
  },
  {
    what: 'all that Node sees, with stdin and a variable',
    main: 'main.js',
    text: JS_STATE,
    invoke: { stdin: 'json', env: { GREETING: 'hi there' } },
    end: { reason: 'done', raw: { stdout: expect.stringContaining('"GREETING":"hi there"') } },
  },
  {
    what: 'a Python traceback',
    main: 'main.py',
    text: 'print("so far", flush=True)\ndef f(): return {}["key"]\nf()\n',
    end: {
      reason: 'tool_failed',
      raw: {
        exit_code: 1,
        stdout: 'so far\n',
        stderr: expect.stringMatching(/^Traceback .*main\.py.*KeyError/s),
      },
    },
  },
  {
    what: 'a Python syntax error',
    main: 'main.py',
    text: 'print("a"\n',
    end: { reason: 'tool_failed', raw: { exit_code: 1, stderr: expect.stringContaining('SyntaxError') } },
  },
  {
    what: 'a Node stack',
    main: 'main.js',
    text: 'console.log("so far")\nnull.x\n',
    end: {
      reason: 'tool_failed',
      raw: { exit_code: 1, stdout: 'so far\n', stderr: expect.stringContaining('/work/main.js:2') },
    },
  },
  {
    what: 'a Node syntax error',
    main: 'main.js',
    text: 'let = ;\n',
    end: { reason: 'tool_failed', raw: { exit_code: 1, stderr: expect.stringContaining('SyntaxError') } },
  },
  {
    what: 'an ES module, its import and top-level await',
    main: 'main.mjs',
    text: "import { n } from './other.mjs'\nawait null\nconsole.log(n, import.meta.filename)\n",
    end: { reason: 'done', raw: { stdout: '4 /work/main.mjs\n' } },
  },
  {
    what: 'a module beside the script',
    main: 'main.py',
    text: 'import other\nprint(other.N, other.__file__)\n',
    end: { reason: 'done', raw: { stdout: '4 /work/other.py\n' } },
  },
  {
    what: 'exit code 124',
    main: 'main.py',
    text: 'import sys\nsys.exit(124)\n',
    end: { reason: 'tool_failed', message: expect.stringContaining('exit code 124') },
  },
  {
    what: 'a signal',
    main: 'main.py',
    text: 'import os, signal\nprint(1, flush=True)\nos.kill(os.getpid(), signal.SIGSEGV)\n',
    end: { reason: 'tool_failed', message: expect.stringContaining('SIGSEGV'), raw: { stdout: '1\n' } },
  },
  {
    what: 'one write of more than a pipe holds',
    main: 'main.js',
    text: "require('node:fs').writeFileSync(1, 'x'.repeat(700_000))\n",
    end: { reason: 'done', raw: { stdout: expect.stringMatching(/^x{700000}$/) } },
  },
  {
    what: 'more output than there may be',
    main: 'main.js',
    text: "for (;;) require('node:fs').writeFileSync(1, 'x'.repeat(65536))\n",
    end: { reason: 'output_too_large' },
  },
  {
    what: 'a child process of the same interpreter',
    main: 'main.py',
    text: 'import subprocess, sys\nprint(subprocess.run([sys.executable, "-c", "print(6 * 7)"], capture_output=True))\n',
    end: { reason: 'done', raw: { stdout: expect.stringContaining("stdout=b'42\\n', stderr=b''") } },
  },
])('$what', async ({ end, ...given }) => {
  await Promise.all([warm.hasReady(3), cold.hasReady(0)])
  const [fromWarm, fromCold] = await Promise.all([endOn(warm, given), endOn(cold, given)])
  expect(fromWarm).toMatchObject(end)
  expect(fromCold).toEqual(fromWarm)
})
