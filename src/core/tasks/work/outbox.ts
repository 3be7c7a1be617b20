import type { Context } from '../../context.ts'
import { grownAt } from '../../tools/evidence/grown.ts'
import { indexMetJobs, recordReport, recordRuns } from '../../tools/evidence/store.ts'
import { settleCheck } from '../../tools/publishing/daily.ts'
import { settlePublishing } from '../../tools/publishing/settle.ts'
import { setSampleState } from '../../tools/store.ts'
import { hasPassed, saysOfTool, type Task } from '../task.ts'
import { hostToStop, type Wheel } from './wheel.ts'

type Place = Pick<Context, 'db' | 'log' | 'now'>

/**
 * Does elsewhere what follows from ends: tells machines to stop, tells the catalogue how samples ended, what was run
 * and what people said. Each is dropped only after it was done, so it may be done twice; what fails is logged, stays
 * for the next time and holds up nothing else.
 */
export async function emptyOutbox(wheel: Wheel, place: Place): Promise<void> {
  const { store } = wheel
  const tried = await Promise.allSettled([
    ...store.outbox('stop').map((task) => stopMachine(task, wheel)),
    ...store.outbox('tell').map((task) => tellOfSample(task, wheel, place)),
    ...store.outbox('report').map((task) => tellReport(task, wheel, place)),
    tellRuns(wheel, place),
  ])
  for (const each of tried) {
    if (each.status === 'rejected') place.log('outbox_failed', { error: String(each.reason) })
  }
}

async function stopMachine(task: Task, wheel: Wheel): Promise<void> {
  const { store, invokes } = wheel
  const invoke = invokes[store.spec(task.specHash).descriptor.invoke.kind]
  if (task.handle) await invoke?.stop(task.handle, hostToStop(wheel))
  store.dropFromOutbox(task.id, 'stop')
}

async function tellOfSample(task: Task, { store }: Wheel, place: Place): Promise<void> {
  const { versionId, descriptor } = store.spec(task.specHash)
  if (task.sampleFor === 'publish') await settlePublishing(place, task, { id: versionId, descriptor })
  else if (task.sampleFor === 'daily_check') await settleCheck(place, task, versionId)
  else await setSampleState(place.db, versionId, hasPassed(task) ? 'passed' : 'failed')
  store.dropFromOutbox(task.id, 'tell')
}

async function tellReport(task: Task, { store }: Wheel, { db }: Place): Promise<void> {
  const { id: taskId, accountId, job, report, specHash } = task
  if (!report) return
  const { versionId } = store.spec(specHash)
  const said = { ...report, grown: grownAt(report.at) }
  await recordReport(db, { taskId, accountId, versionId, job, isRun: saysOfTool(task), ...said })
  await indexMetJobs(db, versionId)
  // Said anew meanwhile: that is still to be told.
  if (store.find(taskId)?.report?.at === report.at) store.dropFromOutbox(taskId, 'report')
}

async function tellRuns({ accountId, store }: Wheel, { db }: Place): Promise<void> {
  const tallies = store.evidence.untold()
  await recordRuns(db, accountId, tallies)
  store.evidence.markTold(tallies)
}
