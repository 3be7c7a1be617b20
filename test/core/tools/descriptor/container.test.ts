import { describe, expect, test } from 'vitest'
import { checkDescriptor } from '../../../../src/core/tools/descriptor/index.ts'
import { CODE, faultsOfContainer, patched } from './patch.ts'

test('keeps env and outputs, and fills in keep_in', () => {
  const invoke = {
    kind: 'container',
    argv: ['node', '/work/lib/count.mjs', { from: 'text' }, ''],
    stdin: 'json',
    stdout: 'json',
    env: { MODE: 'fast', OPENAI_KEY: { secret_name: 'openai' } },
    outputs: [
      { name: 'video', path: '/work/out.mp4', media_type: 'video/mp4', keep_in: 'files' },
      { name: 'log', path: '/work/-logs/a b.txt', media_type: 'text/plain; charset=utf-8' },
    ],
  }
  const { descriptor, faults } = checkDescriptor(patched({ invoke }), CODE)
  const [video, log] = invoke.outputs
  expect({ faults, invoke: descriptor?.invoke }).toEqual({
    faults: [],
    invoke: { ...invoke, outputs: [video, { ...log, keep_in: 'files' }] },
  })
})

describe('argv', () => {
  const at = (index: number, below = '') => `descriptor.invoke.argv[${index}]${below}`
  const undeclared = (name: string) => `names "${name}", which input_schema does not declare`

  test.each([
    ['python3 main.py', [{ path: 'descriptor.invoke.argv', message: 'must be a list' }]],
    [[], [{ path: 'descriptor.invoke.argv', message: 'is empty' }]],
    [[''], [{ path: at(0), message: 'is empty', hint: 'the first element names the program' }]],
    [[{ from: 'text' }], [{ path: at(0), message: 'must be a text: an input never names the program' }]],
    [['ls', 1], [{ path: at(1), message: 'must be a text or {"from": "<input>"}' }]],
    [['ls', null], [{ path: at(1), message: 'must be a text or {"from": "<input>"}' }]],
    [['ls', 'a\0b'], [{ path: at(1), message: 'holds a NUL, which no argument can' }]],
    [
      ['ls', 'é'.repeat(65_536)],
      [{ path: at(1), message: 'has 131072 bytes; an argument has at most 131071' }],
    ],
    [
      ['ls', { from: 'txt' }],
      [{ path: at(1, '.from'), message: undeclared('txt'), hint: 'did you mean "text"?' }],
    ],
    [
      ['ls', { from: 'toString' }],
      [{ path: at(1, '.from'), message: undeclared('toString'), hint: 'known here: "text"' }],
    ],
    [['ls', { from: 3 }], [{ path: at(1, '.from'), message: 'must be the name of an input' }]],
    [
      ['ls', { form: 'text' }],
      [
        { path: at(1, '.form'), message: 'is not a known field', hint: 'did you mean "from"?' },
        { path: at(1, '.from'), message: 'is missing' },
      ],
    ],
  ])('%.60j is refused', (argv, faults) => {
    expect(faultsOfContainer({ argv })).toEqual(faults)
  })

  test('an argument may be as long as the system takes', () => {
    expect(faultsOfContainer({ argv: ['ls', 'x'.repeat(131_071)] })).toEqual([])
  })
})

describe('a script', () => {
  const missing = (index: number, name: string, hint: unknown) => ({
    path: `descriptor.invoke.argv[${index}]`,
    message: `names "${name}", which is not among the files of the code`,
    hint,
  })
  const KNOWN = 'known here: "main.py" or "lib/count.mjs"'

  test.each([
    [['python3', 'mian.py'], CODE, missing(1, 'mian.py', 'did you mean "main.py"?')],
    [['python3', './main.js'], CODE, missing(1, 'main.js', 'did you mean "main.py"?')],
    [['python3.12', '/work/lib/count.py'], CODE, missing(1, 'lib/count.py', 'did you mean "lib/count.mjs"?')],
    [['node', 'count.mjs'], CODE, missing(1, 'count.mjs', KNOWN)],
    [['./run.sh'], CODE, missing(0, 'run.sh', KNOWN)],
    [['/work/bin/run'], CODE, missing(0, 'bin/run', KNOWN)],
    [['python3', 'main.py'], { paths: [] }, missing(1, 'main.py', 'send it in files or bytes_base64')],
  ])('that is not among the files is missed: %j', (argv, code, fault) => {
    expect(checkDescriptor(patched({ invoke: { kind: 'container', argv } }), code).faults).toEqual([fault])
  })

  test.each([
    [['python3', 'other.py'], null],
    [['python3', './main.py'], CODE],
    [['python3', '/work/main.py'], CODE],
    [['python3', '-c', 'print("main.js")'], CODE],
    [['python3', '-m', 'json.tool'], CODE],
    [['python3', 'run'], CODE],
    [['python3', '/usr/lib/python3/x.py'], CODE],
    [['python3', { from: 'text' }], CODE],
    [['ffmpeg', '-i', 'clip.ts'], CODE],
    [['cp', 'x.py', 'y.py'], CODE],
  ])('is not looked for without need: %j', (argv, code) => {
    expect(checkDescriptor(patched({ invoke: { kind: 'container', argv } }), code).faults).toEqual([])
  })
})

const RESERVED = 'PATH, HOME, LD_*, PYTHON* and NODE_* belong to the container'
const NO_VARIABLE = 'is not the name of a variable: a letter or "_", then letters, digits, "_"'

test.each([
  ['PATH', 'x', { message: 'may not be set', hint: RESERVED }],
  ['HOME', 'x', { message: 'may not be set', hint: RESERVED }],
  ['LD_PRELOAD', 'x', { message: 'may not be set', hint: RESERVED }],
  ['PYTHONPATH', 'x', { message: 'may not be set', hint: RESERVED }],
  ['NODE_OPTIONS', { secret_name: 'x' }, { message: 'may not be set', hint: RESERVED }],
  ['1ST', 'x', { message: NO_VARIABLE }],
  ['KEY', 1, { message: 'must be a text or {"secret_name": "<connection>"}' }],
  ['KEY', 'a\0b', { message: 'holds a NUL, which no argument can' }],
])('env %s = %j is refused', (name, value, fault) => {
  const path = name === '1ST' ? 'descriptor.invoke.env["1ST"]' : `descriptor.invoke.env.${name}`
  expect(faultsOfContainer({ env: { [name]: value } })).toEqual([{ path, ...fault }])
})

test('a secret of env is a name of a connection and nothing more', () => {
  const env = {
    A: { secret_name: 'open ai' },
    B: {},
    C: { secret_name: 'openai', prefix: 'Bearer ' },
    PATHS: '',
    HOMES: '',
  }
  const says = 'must be the name of a connection: a letter, then up to 63 letters, digits, ".", "_" or "-"'
  expect(faultsOfContainer({ env })).toEqual([
    { path: 'descriptor.invoke.env.A.secret_name', message: says },
    { path: 'descriptor.invoke.env.B.secret_name', message: 'is missing' },
    {
      path: 'descriptor.invoke.env.C.prefix',
      message: 'is not a known field',
      hint: 'known here: "secret_name"',
    },
  ])
})

const BELOW_WORK = 'must be the path of a file below /work, like "/work/out.mp4"'
const PLAIN = 'without ., .., // or a / at the end'

test.each([
  ['/work/../etc/passwd', { hint: PLAIN }],
  ['/etc/hostname', {}],
  ['-rf', {}],
  ['relative.mp4', {}],
  ['/work', {}],
  ['/work/', { hint: PLAIN }],
  ['/work/dir/', { hint: PLAIN }],
  ['/work/./a', { hint: PLAIN }],
  ['/work//a', { hint: PLAIN }],
  ['/work/a\0b', { hint: PLAIN }],
  [7, {}],
])('an output at %j is refused', (path, hint) => {
  const outputs = [{ name: 'video', path, media_type: 'video/mp4' }]
  expect(faultsOfContainer({ outputs })).toEqual([
    { path: 'descriptor.invoke.outputs[0].path', message: BELOW_WORK, ...hint },
  ])
})

test('outputs have names of their own', () => {
  const output = { name: 'a', path: '/work/a', media_type: 'text/plain' }
  const outputs = [
    output,
    output,
    { ...output, name: 'a b' },
    { ...output, name: 'c', media_type: 'text', keep_in: 'memory' },
  ]
  expect(faultsOfContainer({ outputs })).toEqual([
    {
      path: 'descriptor.invoke.outputs[2].name',
      message: 'must be a name: a letter, then up to 62 letters, digits, "_" or "-"',
    },
    { path: 'descriptor.invoke.outputs[3].media_type', message: 'must be a media type, like "video/mp4"' },
    { path: 'descriptor.invoke.outputs[3].keep_in', message: 'must be "files"' },
    { path: 'descriptor.invoke.outputs[1].name', message: 'is the name of an earlier output too' },
  ])
})
