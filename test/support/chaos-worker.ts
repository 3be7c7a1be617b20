import type { Place } from '../../src/compose.ts'
import type { Submission } from '../../src/core/tasks/port.ts'
import { AccountTasks as RealAccountTasks } from '../../src/durable-objects/account-tasks.ts'
import { perilous, perilousEnv, type Victim } from './faults.ts'

export { default } from '../../src/index.ts'
export { ToolContainer } from '../../src/durable-objects/tool-container.ts'

/** The real task object, with faults in all that it reaches for. */
export class AccountTasks extends RealAccountTasks {
  /** Called before the object begins, so that even its first alarm is set in peril. */
  protected override place(env: Env): Place {
    const { storage } = this.ctx
    const setAlarm = storage.setAlarm.bind(storage)
    storage.setAlarm = (at) => perilous(victimOf(this.ctx), 'set alarm', () => setAlarm(at))
    return super.place(perilousEnv(env, victimOf(this.ctx)))
  }

  /** The wait is no part of what is in peril: faults come right before and after the task is kept. */
  override async submit(submission: Submission, waitMs: number) {
    const submitted = await perilous(victimOf(this.ctx), 'submit', () => super.submit(submission, 0))
    return 'task' in submitted
      ? { ...(await super.submit(submission, waitMs)), isNew: submitted.isNew }
      : submitted
  }
}

const victimOf = (ctx: DurableObjectState): Victim => ({
  accountId: ctx.id.name ?? '',
  die: () => ctx.abort('a fault of the test'),
})
