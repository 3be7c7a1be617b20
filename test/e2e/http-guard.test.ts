import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { NOT_PUBLIC, SPELLINGS, urlOf } from '../core/net/addresses.ts'
import type { App } from '../support/clients.ts'
import { makeAccount, newKey } from '../support/suite.ts'
import { countConnections, json, Upstream } from '../support/upstream.ts'

/** Everything that must not be reached: both edges of every range, and loopback in many spellings. */
const FORBIDDEN = [...NOT_PUBLIC.map(urlOf), ...SPELLINGS]

/** Listens where loopback addresses would be called. */
let counter: Awaited<ReturnType<typeof countConnections>>
let upstream: Upstream
let saving: App
let running: App

beforeAll(async () => {
  const [first, second] = [await makeAccount('guard'), await makeAccount('guard')]
  saving = await first.app()
  running = await second.app()
  counter = await countConnections(443)
  upstream = await Upstream.listen(inject('upstreams')[0], {
    '/0': (response) => json(response, { ok: true }),
    // Header values are bytes: the letters of another script go out as UTF-8.
    '*': (response, { url }) => {
      const location = Buffer.from(FORBIDDEN[Number(url.slice(1)) - 1] ?? '').toString('latin1')
      response.writeHead(302, { location }).end()
    },
  })
})

afterAll(async () => {
  counter?.close()
  await upstream.close()
})

const descriptorOf = (url: string, given: Record<string, unknown> = {}) => ({
  id: 'tool:guarded',
  job: 'Call an address that may or may not be called',
  input_schema: { type: 'object', properties: { n: { type: 'integer' } } },
  output_schema: true,
  invoke: { kind: 'http', url },
  placements: ['placement:public-web-address'],
  licence_class: 'licence:maker-own',
  verify: [{ kind: 'sample-run', input: { n: 0 }, output_selector: '$.ok', contains: 'true' }],
  ...given,
})

test.each(FORBIDDEN)('%s is refused when it is saved', async (url) => {
  const { isError, answer } = await saving.call('save_tool', { descriptor: descriptorOf(url) })
  expect(isError).toBe(true)
  expect(answer.error).toMatchObject({ code: 'invalid_descriptor', field: 'descriptor.invoke.url' })
  expect(counter?.hits() ?? 0).toBe(0)
})

test('no redirect leads there either', async () => {
  const saved = await running.call('save_tool', { descriptor: descriptorOf(upstream.url('/{n}')) })
  expect(saved.answer.sample_check, saved.text).toMatchObject({ passed: true })
  for (const [i, url] of FORBIDDEN.entries()) {
    const call = { tool_id: 'tool:guarded', input: { n: i + 1 }, request_key: newKey() }
    const { answer } = await running.call('run_tool', call)
    expect(answer, url).toMatchObject({ state: 'failed', end_reason: 'http_failed' })
    expect(answer.error.message, url).toMatch(
      /^The redirect was refused: it redirected to an address that may not/,
    )
  }
  expect(counter?.hits() ?? 0).toBe(0)
})

test('the counter would have seen them', async (context) => {
  if (!counter) return context.skip('port 443 cannot be listened on here')
  await fetch('https://127.0.0.1/').catch(() => {})
  await fetch('https://127.0.0.2/').catch(() => {})
  expect(counter.hits()).toBe(2)
})

const CASES = '../shared/cases/cases.jsonl'

interface UrlCase {
  id: string
  kind: string
  case: { urls?: string[]; must_pass?: string[]; url?: string; inputs?: string[] }
}

const cases = (): UrlCase[] =>
  readFileSync(CASES, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as UrlCase)
    .filter(({ kind }) => kind === 'http')

describe.skipIf(!existsSync(CASES))('the public cases', () => {
  const both = (urls: string[] = []) => urls.flatMap((url) => [url, url.replace(/^http:/, 'https:')])

  test('addresses that others let through', async () => {
    const urls = cases().flatMap((each) => both(each.case.urls))
    expect(urls.length).toBeGreaterThan(0)
    for (const url of urls) {
      const { answer } = await saving.call('save_tool', { descriptor: descriptorOf(url) })
      expect(answer.error, url).toMatchObject({ code: 'invalid_descriptor', field: 'descriptor.invoke.url' })
    }
  })

  test('addresses that must pass', async () => {
    const urls = cases().flatMap((each) => each.case.must_pass ?? [])
    expect(urls.length).toBeGreaterThan(0)
    for (const url of urls.map((each) => each.replace(/^http:/, 'https:'))) {
      const { answer, text } = await saving.call('save_tool', {
        descriptor: descriptorOf(url, { id: 'tool:passes' }),
      })
      expect(answer.version, text).toBeTruthy()
    }
  })
})
