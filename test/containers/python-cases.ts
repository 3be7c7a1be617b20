import { lines } from './case.ts'
import type { Case } from './case.ts'

export const PYTHON: Case[] = [
  {
    name: 'arguments',
    files: { 'main.py': 'import sys\nprint(sys.argv, sys.orig_argv, sys.flags, sys.executable)' },
    args: ['', 'a b', 'ünï✓', 'x\ny'],
    expected: { exit_code: 0 },
  },
  {
    name: 'what __main__ is',
    files: {
      'main.py': 'import sys\nprint(__name__, __file__, __spec__, __builtins__, sorted(globals()), sys.path)',
    },
    expected: { exit_code: 0 },
  },
  {
    name: 'its streams',
    files: {
      'main.py': lines(
        'import sys',
        'for s in (sys.stdin, sys.stdout, sys.stderr):',
        '    print(s, s.errors, s.line_buffering, s.write_through, s.newlines, s.buffer, s.buffer.raw, s.isatty(), s.seekable())',
        'print(sys.stdout is sys.__stdout__, sys.stdin.fileno(), sys.stdout.buffer.raw.closefd)',
        'sys.stderr.write("half"); sys.stderr.buffer.write(b" raw"); print("a\\nb\\r\\nc", end="")',
      ),
    },
    stdin: 'x',
    expected: { exit_code: 0 },
  },
  {
    name: 'its environment',
    files: { 'main.py': 'import os, subprocess\nprint(dict(os.environ)); subprocess.run(["env"])' },
    env: { GREETING: 'hé=llo', EMPTY: '' },
    expected: { exit_code: 0 },
  },
  {
    name: 'a stdin that is given',
    files: {
      'main.py':
        'import sys, json\nprint(json.load(sys.stdin), sys.stdin.encoding, open("/dev/stdin").read())',
    },
    stdin: '{"word": "✓"}',
    expected: { exit_code: 0 },
  },
  {
    name: 'no stdin',
    files: {
      'main.py':
        'import sys, os\nprint(repr(sys.stdin.read()), os.readlink("/proc/self/fd/0"), os.isatty(0))',
    },
    expected: { exit_code: 0, stdout: "'' /dev/null False\n" },
  },
  {
    name: 'the descriptors that are open',
    files: { 'main.py': 'import os\nprint(sorted(os.listdir("/proc/self/fd")))' },
    expected: { stdout: "['0', '1', '2', '3']\n" },
  },
  {
    name: 'an error that nobody catches',
    files: { 'main.py': 'import inner\ninner.fail()', 'inner.py': 'def fail():\n    raise ValueError("né")' },
    expected: { exit_code: 1 },
  },
  { name: 'a syntax error', files: { 'main.py': 'x = (' }, expected: { exit_code: 1 } },
  { name: 'sys.exit(3)', files: { 'main.py': 'import sys\nsys.exit(3)' }, expected: { exit_code: 3 } },
  {
    name: 'sys.exit(text)',
    files: { 'main.py': 'import sys\nsys.exit("bye")' },
    expected: { exit_code: 1, stderr: 'bye\n' },
  },
  {
    name: 'os._exit(9)',
    files: { 'main.py': 'import os\nprint("lost?"); os._exit(9)' },
    expected: { exit_code: 9, stdout: '' },
  },
  {
    name: 'a signal to itself',
    files: { 'main.py': 'import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)' },
    expected: { outcome: 'signalled', signal: 'SIGSEGV' },
  },
  {
    name: 'signal handlers',
    files: {
      'main.py':
        'import signal\nprint({s.name: str(signal.getsignal(s))[:20] for s in signal.valid_signals() if hasattr(s, "name")})',
    },
    expected: { exit_code: 0 },
  },
  {
    name: 'files named like modules',
    files: {
      'main.py': 'import random, json.decoder, re\nprint(random.mine, re.__file__, json.decoder.__file__)',
      'random.py': 'mine = 1',
    },
    expected: { exit_code: 0 },
  },
  {
    name: 'what runs at the end',
    files: {
      'main.py': lines(
        'import atexit, gc, json, re, sys, threading, time',
        'class Last:',
        '    def __init__(self, name): self.name = name; self.own = self',
        '    def __del__(self): print("deleted", json.dumps([self.name, re.sub("a", "b", "aa")])); sys.stderr.write("x")',
        'last, json.mine, re.mine = Last("global"), Last("json"), Last("re")',
        'del last.own',
        'Last("garbage"); print(gc.collect(), gc.isenabled(), gc.get_threshold())',
        'atexit.register(print, "atexit")',
        'threading.Thread(target=lambda: (time.sleep(0.05), print("thread"))).start()',
      ),
    },
    expected: { exit_code: 0 },
  },
  {
    name: 'processes started afresh',
    files: {
      'main.py': lines(
        'import multiprocessing, sys',
        'def work(n): return n * n, sys.argv, sys.path',
        'if __name__ == "__main__":',
        '    multiprocessing.set_start_method("spawn")',
        '    with multiprocessing.Pool(2) as pool: print(pool.map(work, [1, 2]))',
      ),
    },
    args: ['one'],
    expected: { exit_code: 0 },
  },
  {
    name: 'output that is not UTF-8, and unflushed output',
    files: { 'main.py': 'import sys\nsys.stdout.buffer.write(b"\\xff")\nsys.stdout.write("no newline")' },
    expected: { stdout_utf8: false },
  },
  {
    name: 'a variable that Python reads at its start',
    files: { 'main.py': 'import sys\nprint(sys.flags.optimize, sys.dont_write_bytecode)' },
    env: { PYTHONOPTIMIZE: '2' },
    expected: { stdout: '2 False\n' },
  },
  {
    name: 'files of its own',
    files: {
      'main.py': 'import os\nprint(sorted(os.listdir(".")), open("data/x.txt").read(), os.getcwd())',
      'data/x.txt': 'here',
    },
    expected: { stdout: "['data', 'main.py'] here /work\n" },
  },
]
