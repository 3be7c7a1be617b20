import type { Scope } from '../../../core/caller.ts'
import { BASIC_SCOPES } from '../server.ts'

/** What each scope lets an app do, as people say it. */
export const SCOPE_WORDS: Record<Scope, string> = {
  read: 'Find and read tools, tasks and files',
  write: 'Run and save tools, write and delete files',
  publish: 'Publish tools for everyone, and withdraw them',
}

/** One tick for each scope that an app asks for; what the main job needs when it names none. */
export function ScopeTicks({ asked }: { asked: string[] }) {
  const known = (Object.keys(SCOPE_WORDS) as Scope[]).filter((scope) => asked.includes(scope))
  const shown = known.length > 0 ? known : BASIC_SCOPES
  return (
    <fieldset>
      <legend>It may</legend>
      {shown.map((scope) => (
        <label class="tick">
          <input type="checkbox" name="scope" value={scope} checked /> {SCOPE_WORDS[scope]}
        </label>
      ))}
      {asked.includes('offline_access') && <input type="hidden" name="scope" value="offline_access" />}
    </fieldset>
  )
}
