import type { StripeSettings } from './core/prices/checkout.ts'
import { QUOTAS, type Quotas } from './core/limits.ts'

declare global {
  interface Env {
    /** A socket to public addresses, which the local start adds; deployed, the platform sees to it. */
    OUTSIDE?: Fetcher
  }
}

/** The Worker's variables, read once. Throws in words when one is missing or malformed. */
export interface Settings {
  /** The public address, without a slash at its end. */
  origin: string
  runnerSecret: string
  /** Where the runner is a program of its own; null: it is in the deployed container. */
  runnerUrl: string | null
  /** What links to files are signed with. Throws when it is asked for and missing. */
  linkSecret: () => string
  /** What passwords are peppered with. Throws when it is asked for and missing. */
  passwordPepper: () => string
  /** `host:port` of places that tests may reach by http tools although they are not public. */
  httpAllowed: ReadonlySet<string>
  /** Whoever knows it sets up the first account; empty where nobody does. */
  setupCode: string
  /** How the deployment is known to those who say who somebody is. Absent: that way in is not offered. */
  providers: Partial<Record<'github' | 'google', { id: string; secret: string }>>
  /** What connections are encrypted with. Throws when it is asked for and missing. */
  connectionKeys: () => string
  /** Where models are served when there is no Workers AI binding; null: nowhere. */
  modelAddress: { url: string; key: string | null } | null
  /** How payments are taken; null: by hand alone. */
  stripe: StripeSettings | null
  /** What one account may have and do. */
  quotas: Quotas
  /** Calls that one isolate works on at once. */
  callsAtOnce: number
}

export function readSettings(env: Env): Settings {
  return {
    origin: new URL(needed('ORIGIN', env.ORIGIN)).origin,
    runnerSecret: needed('RUNNER_SECRET', env.RUNNER_SECRET),
    runnerUrl: env.RUNNER_URL || null,
    linkSecret: () => needed('LINK_SECRET', env.LINK_SECRET),
    passwordPepper: () => needed('PASSWORD_PEPPER', env.PASSWORD_PEPPER),
    httpAllowed: new Set((env.TEST_HTTP_ALLOW || undefined)?.split(',').map((each) => each.trim())),
    setupCode: env.SETUP_CODE ?? '',
    providers: {
      github: clientOf(env.GITHUB_CLIENT_ID, env.GITHUB_CLIENT_SECRET),
      google: clientOf(env.GOOGLE_CLIENT_ID, env.GOOGLE_CLIENT_SECRET),
    },
    connectionKeys: () => needed('CONNECTION_KEYS', env.CONNECTION_KEYS),
    modelAddress: modelAddressOf(env),
    stripe: stripeOf(env),
    quotas: {
      callsAMinute: countOf(env, 'LIMIT_CALLS_A_MINUTE', QUOTAS.callsAMinute),
      tasksAtOnce: countOf(env, 'LIMIT_TASKS_AT_ONCE', QUOTAS.tasksAtOnce),
      tasksWaiting: countOf(env, 'LIMIT_TASKS_WAITING', QUOTAS.tasksWaiting),
      tools: countOf(env, 'LIMIT_TOOLS', QUOTAS.tools),
      schedules: countOf(env, 'LIMIT_SCHEDULES', QUOTAS.schedules),
      fileBytes: countOf(env, 'LIMIT_FILE_BYTES', QUOTAS.fileBytes),
      containerSecondsADay: countOf(env, 'LIMIT_CONTAINER_SECONDS_A_DAY', QUOTAS.containerSecondsADay),
      modelTokensADay: countOf(env, 'LIMIT_MODEL_TOKENS_A_DAY', QUOTAS.modelTokensADay),
    },
    callsAtOnce: countOf(env, 'CALLS_AT_ONCE', 32),
  }
}

function stripeOf(env: Env): StripeSettings | null {
  if (!env.STRIPE_SECRET_KEY) return null
  return {
    secretKey: env.STRIPE_SECRET_KEY,
    webhookSecret: needed('STRIPE_WEBHOOK_SECRET', env.STRIPE_WEBHOOK_SECRET),
    base: env.TEST_STRIPE_BASE || null,
  }
}

function needed(name: string, value: string | undefined): string {
  if (value) return value
  throw new Error(`${name} is not set: see .dev.vars.example`)
}

const clientOf = (id: string | undefined, secret: string | undefined) =>
  id && secret ? { id, secret } : undefined

function modelAddressOf({ MODEL_BASE_URL: text, MODEL_API_KEY: key }: Env): Settings['modelAddress'] {
  if (!text) return null
  const url = URL.parse(text)
  if (url && /^https?:$/.test(url.protocol)) return { url: text.replace(/\/+$/, ''), key: key || null }
  throw new Error('MODEL_BASE_URL must be a web address, like http://localhost:11434/v1')
}

type CountName = Extract<keyof Env, `LIMIT_${string}` | 'CALLS_AT_ONCE'>

function countOf(env: Env, name: CountName, otherwise: number): number {
  const text = env[name]
  if (!text) return otherwise
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new Error(`${name} must be a whole number, not "${text}"`)
}
