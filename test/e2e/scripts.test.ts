import { beforeAll, describe, expect, test } from 'vitest'
import type { App } from '../support/clients.ts'
import { makeAccount, newKey, toolOf } from '../support/suite.ts'

let app: App

beforeAll(async () => {
  app = await (await makeAccount('scripts')).app()
})

const run = async (tool_id: string, input: Record<string, unknown>, more: Record<string, unknown> = {}) =>
  (await app.call('run_tool', { tool_id, input, request_key: newKey(), ...more })).answer

const ADD_VAT = `import json
import sys
from decimal import Decimal, ROUND_HALF_UP

args = json.load(sys.stdin)
net = Decimal(str(args["net"]))
rate = Decimal(str(args.get("rate", 20)))
vat = (net * rate / 100).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
print(json.dumps({"net": str(net), "rate": str(rate), "vat": str(vat), "gross": str(net + vat)}))
`
const HELLO_PYTHON = `import json
import sys

args = json.load(sys.stdin)
name = args.get("name", "world")
print(json.dumps({"message": f"Hello {name}"}))
`
const HELLO_NODE = `const fs = require('node:fs');

const args = JSON.parse(fs.readFileSync(0, 'utf8'));
const name = args.name || 'world';
console.log(JSON.stringify({ message: \`Hello \${name}\` }));
`
const ASYNC_NODE = `const fs = require('node:fs');

async function main() {
  const args = JSON.parse(fs.readFileSync(0, 'utf8'));
  await new Promise(resolve => setTimeout(resolve, 100)); // your async work here
  console.log(JSON.stringify({ ok: true, received: Object.keys(args) }));
}

main().catch(error => {
  console.error(error.message);
  process.exit(1);
});
`
const VAT_SCHEMA = {
  type: 'object',
  properties: {
    net: { type: 'number', minimum: 0, description: 'Amount before VAT, in pounds' },
    rate: {
      type: 'number',
      minimum: 0,
      maximum: 100,
      description: 'VAT rate in percent; defaults to 20',
    },
  },
  required: ['net'],
  additionalProperties: false,
}
const NAME_SCHEMA = { type: 'object', properties: { name: { type: 'string' } } }

describe('scripts as people write them today', () => {
  test.each<{
    id: string
    files: Record<string, string>
    input_schema: object
    input: Record<string, unknown>
    output: unknown
  }>([
    {
      id: 'tool:add-vat',
      files: { 'main.py': ADD_VAT },
      input_schema: VAT_SCHEMA,
      input: { net: 99.99 },
      output: { net: '99.99', rate: '20', vat: '20.00', gross: '119.99' },
    },
    {
      id: 'tool:hello-python',
      files: { 'main.py': HELLO_PYTHON },
      input_schema: NAME_SCHEMA,
      input: { name: 'Ada' },
      output: { message: 'Hello Ada' },
    },
    {
      id: 'tool:hello-node',
      files: { 'main.js': HELLO_NODE },
      input_schema: NAME_SCHEMA,
      input: {},
      output: { message: 'Hello world' },
    },
    {
      id: 'tool:async-node',
      files: { 'main.js': ASYNC_NODE },
      input_schema: { type: 'object' },
      input: { a: 1, b: [2] },
      output: { ok: true, received: ['a', 'b'] },
    },
  ])('$id', async ({ id, files, input_schema, input, output }) => {
    const verify = [{ kind: 'sample-run', input, output_selector: '$', contains: JSON.stringify(output) }]
    const saved = await app.call('save_tool', toolOf(id, files, { input_schema, verify }))
    expect(saved.answer.sample_check).toMatchObject({ passed: true, output })
    expect(await run(id, input)).toMatchObject({ state: 'completed', output, contract: { passed: true } })
  })

  test('a refused input names the field and the reason', async () => {
    expect(await run('tool:add-vat', { net: -1, extra: true })).toMatchObject({
      error: {
        code: 'invalid_input',
        problems: expect.arrayContaining([
          { path: 'input.net', message: expect.stringContaining('at least 0') },
        ]),
      },
    })
  })
})

/** Saves a tool whose sample is expected to fail, and gives back what the sample did. */
async function sampleOf(id: string, files: Record<string, string>, given: Record<string, unknown> = {}) {
  const { isError, answer } = await app.call('save_tool', toolOf(id, files, given))
  expect(isError, JSON.stringify(answer)).toBe(false)
  return {
    saved: answer,
    task: (await app.call('read_task', { task_id: answer.sample_check.task_id })).answer,
  }
}

describe('runs that fail say why, in words that help', () => {
  test('exit code 7 with its stderr apart, also after output', async () => {
    const { saved, task } = await sampleOf('tool:exits', {
      'main.py': 'import sys\nprint("{}")\nprint("failure details", file=sys.stderr)\nsys.exit(7)\n',
    })
    expect(saved.sample_check).toMatchObject({ passed: false, state: 'failed', stderr: 'failure details\n' })
    expect(task).toMatchObject({
      state: 'failed',
      end_reason: 'tool_failed',
      exit_code: 7,
      stderr: 'failure details\n',
      stdout: '{}\n',
      error: {
        code: 'tool_failed',
        message: 'The script ended with exit code 7.',
        hint: expect.stringContaining('stderr'),
      },
    })
    expect(task.output).toBeUndefined()
  })

  test('exit code 124 is an exit code', async () => {
    const { task } = await sampleOf('tool:exits-124', { 'main.js': 'process.exit(124)' })
    expect(task).toMatchObject({ end_reason: 'tool_failed', exit_code: 124 })
  })

  test('nothing printed', async () => {
    const { task } = await sampleOf('tool:silent', { 'main.py': 'pass\n' })
    expect(task).toMatchObject({
      state: 'failed',
      end_reason: 'output_invalid',
      exit_code: 0,
      error: {
        message: expect.stringContaining('printed nothing'),
        hint: expect.stringContaining('print(json.dumps'),
      },
    })
  })

  test('a syntax error is found when it is saved', async () => {
    const { saved, task } = await sampleOf('tool:broken', { 'main.py': 'print("a"\n' })
    expect(saved.sample_check).toMatchObject({
      passed: false,
      stderr: expect.stringContaining('SyntaxError'),
    })
    expect(task).toMatchObject({ end_reason: 'tool_failed', exit_code: 1 })
    const { answer } = await app.call('find_tool_for_job', { job: 'tool:broken' })
    expect(answer.candidates[0]).toMatchObject({ tool_id: 'tool:broken', sample_state: 'failed' })
  })

  test('past its time limit, with what it had printed', async () => {
    const { task } = await sampleOf(
      'tool:sleeps',
      { 'main.py': 'import time\nprint("so far", flush=True)\ntime.sleep(60)\n' },
      { limits: { seconds: 1 } },
    )
    expect(task).toMatchObject({
      state: 'failed',
      end_reason: 'timed_out',
      stdout: 'so far\n',
      error: {
        message: expect.stringContaining('time limit of 1 s'),
        hint: expect.stringContaining('limits.seconds'),
      },
    })
  })

  test('a connection out fails at once', async () => {
    const { task } = await sampleOf('tool:connects', {
      'main.py': `import json, socket, time
began = time.time()
try:
    socket.create_connection(("1.1.1.1", 80), timeout=20)
    reached = True
except OSError as error:
    reached = type(error).__name__
print(json.dumps({"reached": reached, "fast": time.time() - began < 2}))
`,
    })
    expect(task).toMatchObject({ state: 'completed', output: { reached: 'OSError', fast: true } })
  })

  test('output that is not what the schema promises', async () => {
    const { task } = await sampleOf(
      'tool:wrong-shape',
      { 'main.py': 'print("log line")\nprint(\'{"words": "two"}\')\n' },
      { output_schema: { type: 'object', properties: { words: { type: 'integer' } } } },
    )
    expect(task).toMatchObject({
      end_reason: 'output_invalid',
      stdout: 'log line\n{"words": "two"}\n',
      error: { message: expect.stringContaining('output.words') },
    })
  })

  test('output that is not strict JSON names the place', async () => {
    const { task } = await sampleOf('tool:nan', {
      'main.py': 'import json\nprint(json.dumps({"mean": float("nan")}))\n',
    })
    expect(task).toMatchObject({
      end_reason: 'output_invalid',
      error: { message: expect.stringMatching(/mean.*NaN/) },
    })
  })

  test('an argument that no program can take is refused before anything runs', async () => {
    const echo = toolOf(
      'tool:echo',
      { 'main.py': 'import sys\nprint(sys.argv[1])\n' },
      {
        input_schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
        invoke: { kind: 'container', argv: ['python3', 'main.py', { from: 'text' }], stdout: 'text' },
        verify: [{ kind: 'sample-run', input: { text: 'hey' }, output_selector: '$', contains: 'hey' }],
      },
    )
    expect((await app.call('save_tool', echo)).answer.sample_check).toMatchObject({
      passed: true,
      output: 'hey\n',
    })
    for (const text of ['a\0b', 'x'.repeat(131_072)]) {
      expect(await run('tool:echo', { text })).toMatchObject({
        error: { code: 'invalid_input', field: 'input.text', hint: expect.stringContaining('stdin') },
      })
    }
  })

  test('a failed verify check leaves the task completed', async () => {
    const verify = [
      { kind: 'sample-run', input: {}, output_selector: '$.n', contains: '5' },
      { kind: 'output-number-within', output_selector: '$.n', min: 0, max: 3 },
    ]
    const { saved, task } = await sampleOf('tool:within', { 'main.py': 'print(\'{"n": 5}\')\n' }, { verify })
    expect(saved.sample_check.passed).toBe(false)
    expect(task).toMatchObject({
      state: 'completed',
      output: { n: 5 },
      contract: {
        passed: false,
        checks: [
          { kind: 'output-number-within', passed: false },
          { kind: 'sample-run', passed: true },
        ],
      },
    })
  })

  test('a large output comes as a preview, its parts by selector', async () => {
    const { task } = await sampleOf('tool:large', {
      'main.py': 'import json\nprint(json.dumps({"rows": ["x" * 1000] * 100, "n": 100}))\n',
    })
    expect(task.output).toBeUndefined()
    expect(task.output_preview.length).toBeLessThanOrEqual(2_000)
    expect(task.hint).toContain('output_selector')
    const { answer } = await app.call('read_task', { task_id: task.task_id, output_selector: '$.n' })
    expect(answer.output).toBe(100)
  })
})
