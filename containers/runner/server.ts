/** The program that runs scripts in sandboxes. `wire.ts` says how it is spoken to, `settings.ts` what it is told. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Bundles } from './bundles.ts'
import { claim } from './claim.ts'
import { Inputs } from './files/inputs.ts'
import { Outputs } from './files/outputs.ts'
import { Jobs } from './jobs/jobs.ts'
import { Turnstile } from './jobs/turnstile.ts'
import { answer } from './routes.ts'
import { closeMachine } from './sandbox/machine.ts'
import { Pool } from './sandbox/pool.ts'
import { prepare } from './sandbox/prepare.ts'
import { readSettings } from './settings.ts'

const settings = readSettings(process.env)
process.umask(0o022)
await claim(settings.data)
const boot = randomUUID()
const { machine, sandbox } = await prepare(settings)
const bundles = await Bundles.open(join(settings.data, 'bundles'), settings.bundleBytes)
const inputs = await Inputs.open(join(settings.data, 'inputs'), settings.inputBytes)
const outputs = await Outputs.open(join(settings.data, 'outputs'), settings.outputBytes)
const turnstile = new Turnstile({ places: settings.jobs, young: settings.young, queue: settings.queue })
// Only with namespaces are sandboxes kept ready: waiting interpreters know their files by the paths in there.
const pool = machine && new Pool(machine, machine.seal === 'bubblewrap' ? settings.pool : 0)
const jobs = pool && new Jobs({ boot, pool, bundles, inputs, outputs, turnstile })
const parts = { secret: settings.secret, boot, sandbox, bundles, inputs, outputs, jobs, pool }

const server = createServer((request, response) => void answer(parts, request, response))
// Longer than any caller keeps one: a request then never meets a connection that is just being closed.
server.keepAliveTimeout = 120_000
// A file of 5 GB on its way here.
server.requestTimeout = 900_000
server.listen(settings.port, settings.host)
await once(server, 'listening')
pool?.fill()
console.log(JSON.stringify({ listening: (server.address() as AddressInfo).port, boot }))

let isStopping = false
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop())
if (settings.exitWithStdin) process.stdin.on('end', () => void stop()).resume()

async function stop(): Promise<void> {
  if (isStopping) return
  isStopping = true
  server.close()
  await jobs?.close()
  await pool?.close()
  if (machine) await closeMachine(machine)
  process.exit(0)
}
