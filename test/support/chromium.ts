import { existsSync } from 'node:fs'
import { ensurePackages } from '../../src/local/packages.ts'

/** End-to-end suites drive Chromium: installed like what the start itself needs, or at `CHROMIUM`. */
export function setup(): void {
  if (existsSync(process.env.CHROMIUM ?? '/usr/bin/chromium')) return
  ensurePackages({ chromium: 'chromium' })
}
