/** The noisy account of the fairness bench, in a process of its own: it is told of a burst, and says how it ended. */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { callsOf, type Burst, type Ended } from './fairness-calls.ts'

/** Whether a call was done or refused, known before anybody asks. */
const BOTH = [() => true, () => false] as const

const told = once(process, 'message')
process.send?.('ready')
const [{ mcpUrl, token, sort, calls, spreadMs }] = (await told) as [Burst]
const noisy = callsOf(mcpUrl, token)
const sent: Promise<boolean>[] = []
for (let i = 0; i < calls; i += 1) {
  sent.push(noisy[sort]().then(...BOTH))
  await sleep(spreadMs / calls)
}
const done = (await Promise.all(sent)).filter(Boolean).length
noisy.address.close()
const ended: Ended = { done, refused: calls - done }
process.send?.(ended, () => process.disconnect())
