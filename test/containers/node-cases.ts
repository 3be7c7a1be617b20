import { lines } from './case.ts'
import type { Case } from './case.ts'

export const NODE: Case[] = [
  {
    name: 'arguments',
    files: {
      'main.js':
        'console.log(JSON.stringify([process.argv, process.argv0, process.execArgv, process.title, process.cwd()]))',
    },
    args: ['', 'a b', 'ünï✓', 'x\ny'],
    expected: { exit_code: 0 },
  },
  {
    name: 'what a module knows of itself',
    files: {
      'main.js':
        'console.log(__filename, require.main === module, Object.keys(require.cache), module.paths, module.parent, require("./b"))',
      'b.js': 'module.exports = [__filename, module.parent?.filename, process._preload_modules]',
    },
    expected: { exit_code: 0 },
  },
  {
    name: 'its environment',
    files: {
      'main.js': 'console.log(process.env); require("child_process").execFileSync("env", {stdio: "inherit"})',
    },
    env: { GREETING: 'hé=llo', EMPTY: '' },
    expected: { exit_code: 0 },
  },
  {
    name: 'a stdin that is given',
    files: {
      'main.js':
        'const fs = require("fs"); console.log(fs.readFileSync("/dev/stdin", "utf8"), fs.readFileSync(0, "utf8"))',
    },
    stdin: '✓',
    expected: { stdout: '✓ ✓\n' },
  },
  {
    name: 'a stdin that is streamed',
    files: {
      'main.js':
        'let all = ""; process.stdin.on("data", (d) => (all += d)).on("end", () => console.log(all.length))',
    },
    stdin: 'x'.repeat(200_000),
    expected: { stdout: '200000\n' },
  },
  {
    name: 'no stdin',
    files: {
      'main.js':
        'const fs = require("fs"); console.log(fs.readFileSync(0, "utf8").length, fs.readlinkSync("/proc/self/fd/0"))',
    },
    expected: { stdout: '0 /dev/null\n' },
  },
  {
    name: 'an error that nobody catches',
    files: { 'main.js': 'function f() { throw new TypeError("né") }\nf()' },
    expected: { exit_code: 1 },
  },
  {
    name: 'a rejection that nobody handles',
    files: { 'main.js': 'Promise.reject(new Error("late"))' },
    expected: { exit_code: 1 },
  },
  { name: 'a syntax error', files: { 'main.js': 'let = (' }, expected: { exit_code: 1 } },
  {
    name: 'a module that is not there',
    files: { 'main.js': 'require("nothing")' },
    expected: { exit_code: 1 },
  },
  {
    name: 'an exit code',
    files: { 'main.js': 'process.on("exit", (c) => console.log(c)); process.exitCode = 5' },
    expected: { exit_code: 5, stdout: '5\n' },
  },
  {
    name: 'a signal to itself',
    files: { 'main.js': 'process.kill(process.pid, "SIGTERM"); setTimeout(() => {}, 9e3)' },
    expected: { signal: 'SIGTERM' },
  },
  {
    name: 'a worker and a child',
    files: {
      'main.js': lines(
        'const { Worker, isMainThread } = require("worker_threads")',
        'const { fork } = require("child_process")',
        'if (process.argv[2] === "child") console.log("child", process.execArgv, process.env.GREETING)',
        'else if (!isMainThread) console.log("worker", process.argv.length)',
        'else new Worker(__filename).on("exit", () => fork(__filename, ["child"]))',
      ),
    },
    env: { GREETING: 'hello' },
    expected: { exit_code: 0 },
  },
  {
    name: 'much output right before an exit',
    files: { 'main.js': 'process.stdout.write("x".repeat(900000)); process.exit(2)' },
    expected: { exit_code: 2, stdout_bytes: 900_000 },
    limits: { stdout_bytes: 1_000_000 },
  },
]

/** The same with other entries: what Node is told to run, and the case. */
export const NODE_ENTRIES: [string, Case][] = [
  [
    'main.mjs',
    {
      name: 'an ES module',
      files: {
        'main.mjs': lines(
          'import { word } from "./b.mjs"',
          'const { url, filename, main } = import.meta',
          'console.log(word, url, filename, main, await Promise.resolve(1), process.argv, import.meta.resolve("./b.mjs"))',
        ),
        'b.mjs': 'export const word = "hello"',
      },
      args: ['x'],
      expected: { exit_code: 0 },
    },
  ],
  [
    'main.mjs',
    {
      name: 'an await that never ends',
      files: { 'main.mjs': 'await new Promise(() => {})' },
      expected: { exit_code: 13 },
    },
  ],
  [
    'main.js',
    {
      name: 'an ES module by package.json',
      files: { 'main.js': 'console.log(import.meta.url)', 'package.json': '{"type":"module"}' },
      expected: { exit_code: 0 },
    },
  ],
  [
    'main.js',
    {
      name: 'an ES module by its syntax',
      files: { 'main.js': 'import os from "node:os"\nconsole.log(typeof os.cpus, typeof require)' },
      expected: { exit_code: 0 },
    },
  ],
  [
    'main.cjs',
    {
      name: 'a CommonJS module',
      files: { 'main.cjs': 'console.log(__filename)', 'package.json': '{"type":"module"}' },
      expected: { exit_code: 0 },
    },
  ],
  [
    'main.ts',
    {
      name: 'TypeScript',
      files: { 'main.ts': 'const n: number = 4\nconsole.log(n, __filename)' },
      expected: { exit_code: 0, stdout: '4 /work/main.ts\n' },
    },
  ],
  [
    'src/tool.js',
    {
      name: 'an entry in a folder',
      files: {
        'src/tool.js': 'console.log(__filename, process.argv[1], require("./b"))',
        'src/b.js': 'module.exports = 1',
      },
      expected: { exit_code: 0 },
    },
  ],
  [
    'main',
    {
      name: 'an entry without its ending',
      files: { 'main.js': 'console.log(__filename, process.argv)' },
      expected: { exit_code: 0 },
    },
  ],
  [
    './main.js',
    {
      name: 'an entry with a dot',
      files: { 'main.js': 'console.log(__filename, process.argv)' },
      expected: { exit_code: 0 },
    },
  ],
  [
    'nothing.js',
    { name: 'an entry that is not there', files: { 'main.js': '' }, expected: { exit_code: 1 } },
  ],
]
