import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { DataFolder } from './folder.ts'

/** Variables that a start takes over from its own environment. */
const TAKEN =
  /^(LIMIT_\w+|CALLS_AT_ONCE|(GITHUB|GOOGLE)_CLIENT_(ID|SECRET)|STRIPE_(SECRET_KEY|WEBHOOK_SECRET)|MODEL_(BASE_URL|API_KEY)|TEST_HTTP_ALLOW|TEST_STRIPE_BASE)$/

export function takenFromEnvironment(): Record<string, string> {
  const all = Object.entries(process.env).flatMap(([name, value]) => (value ? [[name, value]] : []))
  return Object.fromEntries(all.filter(([name = '']) => TAKEN.test(name)))
}

/** Secrets of a data folder, made once: what was encrypted or hashed with them stays readable at the next start. */
export function secretsOf(folder: DataFolder): Record<string, string> {
  const path = folder.file('secrets.json')
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>
  const hex = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex')
  const secrets = {
    LINK_SECRET: hex(),
    PASSWORD_PEPPER: hex(),
    CONNECTION_KEYS: `k1:${hex()}`,
    SETUP_CODE: hex().slice(0, 32),
  }
  writeFileSync(path, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  return secrets
}
