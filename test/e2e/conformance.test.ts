import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { serveFixture } from '../support/conformance.ts'
import { makeAccount } from '../support/suite.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const SUITES = { v1: '@modelcontextprotocol/conformance', v2: 'conformance-v2' }
const BASELINE = ['--expected-failures', 'test/conformance/expected-failures.yaml']

/** How a program ended, and all it said, without colours. */
function run(program: string, args: string[]): Promise<{ code: number; said: string }> {
  const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' }
  return new Promise((done) => {
    execFile(process.execPath, [program, ...args], { cwd: ROOT, env }, (error, stdout, stderr) => {
      const code = error === null ? 0 : Number(error.code ?? -1)
      done({ code, said: stdout + stderr })
    })
  })
}

describe('the MCP address', () => {
  let fixture: Awaited<ReturnType<typeof serveFixture>>
  let results: string
  beforeAll(async () => {
    results = mkdtempSync(join(tmpdir(), 'workshop-results-'))
    fixture = await serveFixture()
  })
  afterAll(async () => {
    await fixture.stop()
    rmSync(results, { recursive: true, force: true })
  })

  test.each([
    ['v1', ['--suite', 'all', ...BASELINE], 30],
    ['v2', ['--requirements', '2025-11-25', ...BASELINE], 63],
    ['v2', ['--requirements', '2026-07-28'], 150],
  ] as const)('conforms to the suite %s with %j', async (suite, args, least) => {
    const program = `node_modules/${SUITES[suite]}/dist/index.js`
    const { code, said } = await run(program, ['server', '--url', fixture.url, ...args, '-o', results])
    const summary = said.slice(said.indexOf('=== SUMMARY ==='))
    expect(code, summary).toBe(0)
    const [, passed] = /Total: (\d+) passed/.exec(summary) ?? []
    expect(Number(passed)).toBeGreaterThanOrEqual(least)
  })
})

describe('the announced tools', () => {
  test.each(['legacy', 'modern'])('are strict for every client of the %s era', async (era) => {
    const { token } = await makeAccount('inspector')
    const { mcpUrl } = inject('workshop')
    const args = `--cli ${mcpUrl} --transport http --method tools/list --strict --protocol-era ${era} --format json`
    const header = ['--header', `Authorization: Bearer ${token}`]
    const { code, said } = await run('node_modules/.bin/mcp-inspector', [...args.split(' '), ...header])
    expect(code, said.slice(-2_000)).toBe(0)
    expect(said).toContain('find_tool_for_job')
  })
})
