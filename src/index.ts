import { composePlace } from './compose.ts'
import { pruneActs } from './core/accounts/audit/act.ts'
import { dropEnded } from './core/accounts/sign-in/store.ts'
import { resealOld } from './core/connections/secrets.ts'
import { sweepFiles } from './core/files/bytes/sweep.ts'
import { sweep } from './core/tasks/watch/sweep.ts'
import { beginChecks } from './core/tools/publishing/daily.ts'
import { reindexOld } from './core/tools/reindex/pass.ts'
import { app } from './routes/app.ts'
import { purgeExpired } from './routes/oauth/store.ts'

export { AccountTasks } from './durable-objects/account-tasks.ts'
export { ToolContainer } from './durable-objects/tool-container.ts'

export default {
  fetch: app.fetch,
  /** Each minute: lost alarms made good, due samples begun, the index made whole. Each hour: what is old goes or is renewed. */
  async scheduled({ scheduledTime }, env) {
    const place = composePlace(env)
    const { db, now } = place
    const tasksOf = (accountId: string) => env.ACCOUNT_TASKS.getByName(accountId)
    await sweep(db, now(), (accountId) => tasksOf(accountId).poke())
    await beginChecks(place, (submission) => tasksOf(submission.accountId).submit(submission, 0))
    await reindexOld(place)
    if (new Date(scheduledTime).getUTCMinutes() !== 0) return
    await sweepFiles(place)
    await pruneActs(place)
    await purgeExpired(db, now())
    await dropEnded(db, now())
    await resealOld(place)
  },
} satisfies ExportedHandler<Env>
