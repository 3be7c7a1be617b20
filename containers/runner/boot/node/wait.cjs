'use strict'
/*
 * Lets a Node that was started as `node -r wait.cjs /opt/entry/main` wait for its job. Node runs this file before it
 * looks at the entry, a link that then leads to the job's real file. It says on descriptor 3 that it is ready, sleeps
 * until the job comes there (the form is in ../init.pl), and leaves Node as if it had just been started with the job's
 * arguments and variables.
 */
const { closeSync, openSync, readSync, writeSync } = require('node:fs')
const { resolve } = require('node:path')
const { inspect } = require('node:util')

const CONTROL = 3

/** What many scripts use, and what takes long to load. */
const LOADED_AHEAD = [
  'child_process',
  'crypto',
  'events',
  'fs/promises',
  'os',
  'readline',
  'stream',
  'url',
  'zlib',
]

function receive(wanted) {
  const bytes = Buffer.alloc(wanted)
  for (let got = 0; got < wanted;) {
    const count = readSync(CONTROL, bytes, got, wanted - got)
    if (count === 0) process.reallyExit(0)
    got += count
  }
  return bytes
}

function waitForJob() {
  for (const name of LOADED_AHEAD) require(`node:${name}`)
  // Not process.stdout and process.stderr: they make the pipes non-blocking, which a script's own writes would feel.
  inspect({ list: [1, 'two'] })
  writeSync(CONTROL, 'ready\n')
  const [stdin, count, ...parts] = receive(receive(4).readUInt32BE()).toString().split('\0')
  closeSync(CONTROL)
  const [, entry, ...rest] = parts.splice(Number(count))
  for (const variable of parts) {
    const at = variable.indexOf('=')
    process.env[variable.slice(0, at)] = variable.slice(at + 1)
  }
  process.argv.splice(1, process.argv.length, resolve(entry), ...rest)
  process.execArgv.length = 0
  process._preload_modules.length = 0
  delete require.cache[__filename]
  if (stdin === 'none') {
    closeSync(0)
    openSync('/dev/null', 'r')
  }
}

// Node loads this file again in every worker of the job: there is nothing to wait for.
if (require('node:worker_threads').isMainThread) waitForJob()
