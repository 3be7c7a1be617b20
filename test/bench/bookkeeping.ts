/**
 * What keeping tasks costs in accounts with few and with very many, and what a minute in which very many schedules
 * are due costs: `node test/bench/bookkeeping.ts` prints one line of JSON. The stores are the product's own, on Node's
 * SQLite in place of the platform's. BENCH_TASKS (1,000,000) is the size of the largest account, BENCH_SCHEDULES
 * (10,000) how many schedules are due, spread over a tenth as many accounts.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dueMinute } from './bookkeeping-minute.ts'
import { compareSizes } from './bookkeeping-sizes.ts'

const TASKS = Number(process.env['BENCH_TASKS'] ?? 1_000_000)
const SCHEDULES = Number(process.env['BENCH_SCHEDULES'] ?? 10_000)

const folder = mkdtempSync(join(tmpdir(), 'bench-tasks-'))
try {
  const sizes = compareSizes(folder, [10, 10_000, TASKS])
  const minute = await dueMinute({ schedules: SCHEDULES, accounts: Math.ceil(SCHEDULES / 10) })
  console.log(JSON.stringify({ sqlite: 'node:sqlite stands in', ratios: 'to 10 tasks', sizes, minute }))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
