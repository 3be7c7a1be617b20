import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { source } from '../../../src/compose.ts'
import { noteAct } from '../../../src/core/accounts/audit/act.ts'
import { openDb } from '../../../src/db/client.ts'
import { signUp, Visitor } from '../../support/visitor.ts'

const accountOf = (handle: string) =>
  env.DB.prepare('select id from account where handle = ?').bind(handle).first<string>('id')

test('a person reads what was done in their account alone, page by page', async () => {
  const [mine, other] = [await signUp('reader'), await signUp('other')]
  const place = { ...source, db: openDb(env.DB) }
  const note = async (handle: string, subject: string) => {
    const accountId = (await accountOf(handle)) ?? ''
    const via = { kind: 'app' as const, id: 'app-1', name: '<b>Some</b> app' }
    await noteAct(place, { accountId, act: 'tool_published', subject, via })
  }
  await note(other.handle, 'tool:canary')
  for (let i = 0; i < 55; i += 1) await note(mine.handle, `tool:number-${i}.`)
  const { visitor } = mine
  const seen = new Set<string>()
  await visitor.get('/activity')
  expect(visitor.page).toContain('Published a tool</strong> tool:number-')
  expect(visitor.page).toContain('by &lt;b&gt;Some&lt;/b&gt; app')
  for (let pages = 0; pages < 3; pages += 1) {
    for (const [subject] of visitor.page.matchAll(/tool:number-\d+\./g)) seen.add(subject)
    expect(visitor.page).not.toContain('canary')
    const [, older] = /href="(\/activity\?before=[^"]+)"/.exec(visitor.page) ?? []
    if (!older) break
    await visitor.get(older)
  }
  expect(seen.size).toBe(55)
})

test('a person sees every limit, and what is left', async () => {
  const { visitor } = await signUp('limited')
  expect((await visitor.get('/limits')).status).toBe(200)
  expect(visitor.page).toMatch(/Calls in a minute<\/strong><br\/>0 of 300 used, 300 left/)
  expect(visitor.page).toContain('0 of 10,000,000,000 used')
  expect(visitor.page.match(/ left/g)).toHaveLength(8)
})

test.each(['/activity', '/limits'])('%s asks who it is', async (path) => {
  const answer = await new Visitor().get(path)
  expect(answer.status).toBe(303)
  expect(answer.headers.get('location')).toBe(`/sign-in?next=${encodeURIComponent(path)}`)
})
