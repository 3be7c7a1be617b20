import { beforeAll, describe, expect, test } from 'vitest'
import {
  expectRefusal,
  expectScript,
  ofText,
  openBench,
  run,
  runText,
  save,
  type Bench,
  type ScriptCase,
} from '../cases/case.ts'

let bench: Bench
beforeAll(async () => {
  bench = await openBench('case-script')
})

const COMPLETED: ScriptCase[] = [
  {
    from: 'windmill-labs/windmill#1696',
    what: 'the word nan and an escaped newline stay as they were printed',
    files: {
      'main.py':
        "import json\nprint(json.dumps({'food': 'nan', 'lines': 'Dear all,\\nan early note', 'list': ['Nan', 'banana']}))\n",
    },
    output: { food: 'nan', lines: 'Dear all,\nan early note', list: ['Nan', 'banana'] },
  },
  {
    from: 'langgenius/dify#21200',
    what: 'a very small decimal is a number',
    files: { 'main.py': "import json\nprint(json.dumps({'rate': 0.00000012}))\n" },
    given: {
      output_schema: {
        type: 'object',
        properties: { rate: { type: 'number', exclusiveMinimum: 0 } },
        required: ['rate'],
      },
    },
    output: { rate: 1.2e-7 },
  },
  {
    from: 'UKGovernmentBEIS/inspect_k8s_sandbox#206',
    what: 'bytes that are no text, before the result, spoil nothing',
    files: {
      'main.py':
        "import sys, json\nsys.stdout.buffer.write(b'progress \\xff\\xfe done\\n')\nsys.stdout.flush()\nprint(json.dumps({'ok': True}))\n",
    },
    output: { ok: true },
  },
  {
    from: 'UKGovernmentBEIS/inspect_k8s_sandbox#206',
    what: 'and are shown as U+FFFD in the log',
    files: { 'main.js': "process.stdout.write(Buffer.from([0x61, 0xff, 0xfe, 0x0a]))\nconsole.log('{}')\n" },
    given: { result_selector: '.stdout' },
    output: 'a\uFFFD\uFFFD\n{}\n',
  },
  {
    from: 'judge0/judge0#130',
    what: 'text of every language is printed and read as UTF-8',
    files: {
      'main.py':
        "import json\nprint('あいう — ok')\nprint(json.dumps({'word': '日本語', 'emoji': '🧪'}, ensure_ascii=False))\n",
    },
    output: { word: '日本語', emoji: '🧪' },
  },
  {
    from: 'circonus-labs/nad#23',
    what: 'a last line without a newline is the last line',
    files: { 'main.js': "process.stdout.write('log line\\n' + JSON.stringify({n: 3}));\n" },
    output: { n: 3 },
  },
  {
    from: 'whyboris/Video-Hub-App#129',
    what: 'a flood of progress on stderr stops nothing and is kept to its last part, which says so',
    files: {
      'main.py':
        "import sys, json\nfor i in range(60000):\n    sys.stderr.write('frame=%06d fps=25 size=1024kB time=00:00:01\\r' % i)\nprint(json.dumps({'ok': True}))\n",
    },
    output: { ok: true },
    task: { stderr: expect.stringMatching(/^\[cut: the last 4000 characters\]\n.{3900,4000}$/s) },
  },
  {
    from: 'ping/odmpy#13',
    what: 'ffmpeg finds no input to read and asks nobody',
    files: {
      'main.py': `import subprocess, json
make = ['ffmpeg', '-hide_banner', '-loglevel', 'error', '-f', 'lavfi', '-i', 'sine=d=0.1', 'tone.wav']
first = subprocess.run(make).returncode
second = subprocess.run(make)
print(json.dumps({'first': first, 'second_fails': second.returncode != 0}))
`,
    },
    given: {
      invoke: { kind: 'container', argv: ['python3', 'main.py'], stdout: 'json' },
      limits: { seconds: 15 },
    },
    output: { first: 0, second_fails: true },
  },
  {
    from: 'the contract: nothing of the platform',
    what: 'the environment is the promised one and no process shows another',
    files: {
      'main.py': `import os, json, glob
seen = [open(p).read() for p in glob.glob('/proc/[0-9]*/environ') if os.access(p, os.R_OK)]
leaks = [w for w in ('SECRET', 'WORKSHOP', 'RUNNER', 'TOKEN', 'npm_') if any(w in s for s in seen)]
print(json.dumps({'env': dict(os.environ), 'leaks': leaks, 'fds': sorted(os.listdir('/proc/self/fd'))[:3]}))
`,
    },
    given: {
      invoke: { kind: 'container', argv: ['python3', 'main.py'], stdout: 'json', env: { COLOUR: 'blue' } },
    },
    output: {
      env: {
        PATH: expect.stringMatching(/^\/[^ ]+$/),
        HOME: '/work',
        TMPDIR: '/tmp',
        LANG: 'C.UTF-8',
        TZ: 'UTC',
        PWD: '/work',
        COLOUR: 'blue',
      },
      leaks: [],
      fds: ['0', '1', '2'],
    },
  },
]

const FAILED: ScriptCase[] = [
  {
    from: 'PrefectHQ/fastmcp#5150',
    what: 'NaN where a number should be is refused by its place, never turned into null',
    files: {
      'main.py':
        "import json, sys\nvals = []\nmean = sum(vals) / len(vals) if vals else float('nan')\nprint(json.dumps({'count': len(vals), 'mean': mean}))\n",
    },
    task: {
      end_reason: 'output_invalid',
      exit_code: 0,
      stdout: '{"count": 0, "mean": NaN}\n',
      error: {
        code: 'output_invalid',
        message: expect.stringMatching(/last printed line .*\$\.mean: is NaN/),
        hint: expect.stringContaining('null'),
      },
    },
  },
  {
    from: 'langgenius/dify#20194',
    what: 'JSON inside a code fence is told by its last line',
    files: { 'main.py': "print('```json')\nprint('{\"n\": 1}')\nprint('```')\n" },
    task: {
      end_reason: 'output_invalid',
      stdout: '```json\n{"n": 1}\n```\n',
      error: {
        message: expect.stringMatching(/^The last printed line is not strict JSON .*begins with "```"\.$/),
      },
    },
  },
  {
    from: 'langgenius/dify#20194',
    what: 'a long last line is shown by its beginning',
    files: { 'main.js': "console.log('no json '.repeat(5000))\n" },
    task: {
      end_reason: 'output_invalid',
      error: { message: expect.stringMatching(/^.{1,300}begins with "no json .{60,80}…"\.$/) },
    },
  },
  {
    from: 'MCPJam/inspector#2724',
    what: 'a non-zero exit fails whatever was printed, and what was printed is kept apart',
    files: {
      'main.py':
        "import json, sys\nprint(json.dumps({'half': 'done'}))\nprint('disk is full', file=sys.stderr)\nsys.exit(7)\n",
    },
    task: {
      end_reason: 'tool_failed',
      exit_code: 7,
      stdout: '{"half": "done"}\n',
      stderr: 'disk is full\n',
      error: {
        code: 'tool_failed',
        message: 'The script ended with exit code 7.',
        hint: expect.stringContaining('"disk is full"'),
      },
    },
  },
  {
    from: 'cloudflare/sandbox-sdk#873',
    what: 'a crash is named by its signal, never taken for success',
    files: {
      'main.py':
        "import os, signal, json\nprint(json.dumps({'n': 1}), flush=True)\nos.kill(os.getpid(), signal.SIGSEGV)\n",
    },
    task: {
      end_reason: 'tool_failed',
      stdout: '{"n": 1}\n',
      error: { message: expect.stringContaining('SIGSEGV') },
    },
  },
]

describe('scripts that do their work', () => {
  test.concurrent.each(COMPLETED)('$what ($from)', (script) => expectScript(bench, script), 30_000)
})

describe('scripts that do not', () => {
  test.concurrent.each(FAILED)('$what ($from)', (script) => expectScript(bench, script))
})

describe('arguments', () => {
  const ECHO = `import sys, os, json
text = sys.argv[1]
print(json.dumps({'count': len(sys.argv) - 1, 'chars': len(text), 'begin': text[:100], 'files': os.listdir('/work')}))
`
  const sample = (text: unknown) => ({
    kind: 'sample-run',
    input: { text },
    output_selector: '$.count',
    contains: '1',
  })
  let toolId: string
  let countId: string
  beforeAll(async () => {
    const echo = ofText(ECHO)
    toolId = (await save(bench, echo.files, { ...echo.given, verify: [sample('a')] })).toolId
    const count = ofText(ECHO, { type: 'integer' })
    countId = (await save(bench, count.files, { ...count.given, verify: [sample(1)] })).toolId
  })

  test.concurrent.each([
    ['two dashes are no option (awslabs/agentcore-samples#1649)', '--version'],
    ['no text is still an argument', ''],
    [
      'nothing of it is run by a shell (cloudflare/vibesdk#86)',
      '\'; touch /work/pwn; echo "$(id)" `id` \n second line \\ \t end $HOME *',
    ],
    ['as long as an argument can be', 'y'.repeat(131_071)],
  ])('%s', async (_, text) => {
    const { answer } = await run(bench, toolId, { text })
    expect(answer).toMatchObject({ state: 'completed', end_reason: 'done' })
    expect(answer.output).toEqual({
      count: 1,
      chars: text.length,
      begin: text.slice(0, 100),
      files: ['main.py'],
    })
  })

  test('a million characters are refused with the most there may be (langgenius/dify#5261)', async () => {
    const refused = await run(bench, toolId, { text: 'y'.repeat(1_000_000) })
    expectRefusal(refused, 'invalid_input', ['input.text'])
    expect(refused.answer.error.message).toMatch(/input\.text has 1000000 bytes.* at most 131071/)
    expect(refused.answer.error.hint).toContain('"stdin": "json"')
  })

  test('a zero byte is refused by its field (python-discord/snekbox#100)', async () => {
    const refused = await runText(bench, toolId, '{"text":"a\\u0000b"}')
    expectRefusal(refused, 'invalid_input', ['input.text'])
    expect(refused.answer.error.message).toContain('NUL')
  })

  test('a number of 19 digits never changes its last ones (n8n-io/n8n#26925)', async () => {
    const kept = await runText(bench, countId, '{"text": 9007199254740991}')
    expect(kept.answer).toMatchObject({ state: 'completed', output: { begin: '9007199254740991' } })
    for (const literal of ['9007199254740993', '-9007199254740993', '1234567890123456789']) {
      const refused = await runText(bench, countId, `{"text": ${literal}}`)
      expectRefusal(refused, 'invalid_input', ['input.text'])
      expect(refused.text).toContain('9007199254740991')
    }
  })

  test('a number too large to hold is refused, never null', async () => {
    expectRefusal(await runText(bench, countId, '{"text": 1e400}'), 'invalid_input', ['input.text'])
  })
})
