import { resolve } from 'node:path'
import { order } from './accounts.ts'
import { StartFailure } from './failure.ts'

/**
 * `npm run account -- <handle>` makes a further local account, `npm run token -- <handle>` a further token of an
 * account. Both print `{handle, token}`.
 */
const [what, handle] = process.argv.slice(2)
try {
  if (!handle) throw new StartFailure(`Name the account: npm run ${what} -- <handle>`)
  const path = what === 'token' ? '/tokens' : '/accounts'
  console.log(await order(resolve(process.env.WORKSHOP_DATA ?? '.workshop'), path, handle))
} catch (error) {
  console.error(error instanceof StartFailure ? error.message : error)
  process.exitCode = 1
}
