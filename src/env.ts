import { LIMITS } from './core/limits.ts'

/** The Worker's variables, read once. Throws in words when one is missing. */
export interface Settings {
  /** The public address, without a slash at its end. */
  origin: string
  runnerSecret: string
  /** Where the runner is a program of its own; null: it is in the deployed container. */
  runnerUrl: string | null
  /** What links to files are signed with. Throws when it is asked for and missing. */
  linkSecret: () => string
  /** Bytes of files that an account may have. */
  fileQuota: number
}

export function readSettings(env: Env): Settings {
  return {
    origin: new URL(needed('ORIGIN', env.ORIGIN)).origin,
    runnerSecret: needed('RUNNER_SECRET', env.RUNNER_SECRET),
    runnerUrl: env.RUNNER_URL || null,
    linkSecret: () => needed('LINK_SECRET', env.LINK_SECRET),
    fileQuota: Number(env.FILE_QUOTA_BYTES || LIMITS.accountFiles),
  }
}

function needed(name: string, value: string | undefined): string {
  if (value) return value
  throw new Error(`${name} is not set: see .dev.vars.example`)
}
