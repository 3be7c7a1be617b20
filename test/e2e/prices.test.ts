import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { APPS, type App } from '../support/clients.ts'
import { FormBrowser } from '../support/form-browser.ts'
import { FakeStripe } from '../support/fake-stripe.ts'
import { newKey, toolOf } from '../support/suite.ts'
import { newAccount, newToken, startWorkshop, type Workshop } from '../support/workshop.ts'

const data = mkdtempSync(join(tmpdir(), 'workshop-prices-'))
/** Stands for Stripe, which is outside. */
const stripe = new FakeStripe()
let workshop: Workshop
let maker: Member
let buyer: Member

// oxlint-disable-next-line typescript/no-explicit-any -- answers are looked into freely by tests
type Body = any

interface Member {
  handle: string
  app: App
  rest(method: string, path: string, body?: unknown): Promise<{ status: number; body: Body }>
}

async function newMember(handle: string): Promise<Member> {
  const { token } = await newAccount(data, handle).catch(() => newToken(data, handle))
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return {
    handle,
    app: await APPS['v2 stateless'](workshop.mcpUrl, token),
    async rest(method, path, body) {
      const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
      const response = await fetch(`${workshop.url}/v1${path}`, init)
      return { status: response.status, body: await response.json() }
    },
  }
}

beforeAll(async () => {
  workshop = await startWorkshop({
    data,
    env: {
      STRIPE_SECRET_KEY: 'sk_of_a_test',
      STRIPE_WEBHOOK_SECRET: stripe.secret,
      TEST_STRIPE_BASE: await stripe.start(),
    },
  })
  maker = await newMember('maker')
  buyer = await newMember('buyer')
}, 120_000)

afterAll(async () => {
  await workshop?.stop()
  stripe.stop()
  rmSync(data, { recursive: true, force: true })
})

let made = 0

/** A published tool of the maker with a price of its own. */
async function sell(per: 'run' | 'month') {
  made += 1
  const slug = `p${made}`
  expect((await maker.rest('PUT', `/prices/${slug}`, { amount: 5, currency: 'EUR', per })).status).toBe(200)
  const tool = toolOf(
    `tool:paid-${made}`,
    { 'main.py': 'print("{}")' },
    { job: `Print an empty object, number ${made}` },
  )
  await maker.app.call('save_tool', tool)
  const price_ref = `price:maker/${slug}`
  const published = await maker.app.call('publish_tool', { tool_id: tool.descriptor.id, price_ref })
  expect(published.answer).toMatchObject({ state: 'published' })
  return { slug, toolId: `tool:maker/paid-${made}`, ownId: tool.descriptor.id }
}

const run = async (member: Member, tool_id: string, more: Record<string, unknown> = {}) =>
  (await member.app.call('run_tool', { tool_id, input: {}, request_key: newKey(), ...more })).answer

const give = (slug: string, body: Record<string, unknown>) =>
  maker.rest('PUT', `/prices/${slug}/offers/buyer`, body)

const hold = async (slug: string) => {
  const { body } = await maker.rest('GET', '/prices')
  const price = body.prices.find(
    ({ price_ref }: { price_ref: string }) => price_ref === `price:maker/${slug}`,
  )
  return price.offers.find(({ handle }: { handle: string }) => handle === 'buyer')
}

describe('a maker and their prices', () => {
  test.each([
    [{ amount: 5, currency: 'EUR', per: 'run' }, 200, undefined],
    [{ amount: 0, currency: 'EUR', per: 'run' }, 400, 'amount'],
    [{ amount: 1.5, currency: 'EUR', per: 'run' }, 400, 'amount'],
    [{ amount: 5, currency: 'XXX', per: 'run' }, 400, 'currency'],
    [{ amount: 5, currency: 'eur', per: 'run' }, 400, 'currency'],
    [{ amount: 5, currency: 'EUR', per: 'year' }, 400, 'per'],
    [{ amount: 5, currency: 'EUR' }, 400, 'per'],
    [[], 400, undefined],
  ])('PUT %j is answered with %i', async (body, status, field) => {
    const answer = await maker.rest('PUT', '/prices/tried', body)
    expect(answer.status).toBe(status)
    expect(answer.body.error?.field).toBe(field)
  })

  test('nobody touches the prices of others', async () => {
    const { slug, toolId } = await sell('run')
    for (const [method, path, body] of [
      ['DELETE', `/prices/${slug}`, undefined],
      ['PUT', `/prices/${slug}/offers/buyer`, { runs: 9 }],
    ] as const) {
      expect((await buyer.rest(method, path, body)).body.error).toMatchObject({ code: 'not_found' })
    }
    expect((await buyer.rest('GET', '/prices')).body.prices).toEqual([])
    expect((await run(buyer, toolId)).error.code).toBe('payment_required')
    await buyer.app.call('save_tool', toolOf('tool:mine', { 'main.py': 'print("{}")' }))
    const theirs = { tool_id: 'tool:mine', price_ref: `price:maker/${slug}` }
    const refused = await buyer.app.call('publish_tool', theirs)
    expect(refused.answer.error.problems[0]).toMatchObject({ path: 'price_ref' })
    expect((await give('none', { runs: 1 })).status).toBe(404)
    expect((await maker.rest('PUT', `/prices/${slug}/offers/nobody`, { runs: 1 })).status).toBe(404)
    expect((await give(slug, { until: '2027-01-01T00:00:00Z' })).body.error).toMatchObject({ field: 'runs' })
  })

  test('what was taken stays good when the price is withdrawn, or made dearer', async () => {
    const { slug, toolId, ownId } = await sell('run')
    await give(slug, { runs: 2 })
    expect((await run(buyer, toolId)).state).toBe('completed')
    expect((await maker.rest('DELETE', `/prices/${slug}`)).body).toMatchObject({ withdrawn: true })
    expect((await maker.rest('DELETE', `/prices/${slug}`)).body).toMatchObject({ is_unchanged: true })
    expect((await run(buyer, toolId)).state).toBe('completed')
    expect((await run(buyer, toolId)).error).toMatchObject({
      code: 'payment_required',
      price: { withdrawn: true },
    })
    expect((await run(maker, ownId)).state).toBe('completed')
    const again = await maker.app.call('publish_tool', { tool_id: ownId, price_ref: `price:maker/${slug}` })
    expect(again.answer.error.problems[0].message).toContain('withdrawn')
    const byMonth = { amount: 900, currency: 'EUR', per: 'month' }
    expect((await maker.rest('PUT', `/prices/${slug}`, byMonth)).body.error).toMatchObject({ field: 'per' })
    expect(
      (await maker.rest('PUT', `/prices/${slug}`, { ...byMonth, per: 'run' })).body.withdrawn,
    ).toBeUndefined()
  })
})

describe('running a tool with a price', () => {
  test('without the offer nothing runs, and the refusal says what it costs and where it is taken', async () => {
    const { slug, toolId, ownId } = await sell('run')
    const refused = await run(buyer, toolId)
    expect(refused.error).toMatchObject({
      code: 'payment_required',
      price: {
        price_ref: `price:maker/${slug}`,
        amount: 5,
        currency: 'EUR',
        per: 'run',
        text: '0.05 EUR a run',
        offer_page: `${workshop.url}/offers/maker/${slug}`,
      },
    })
    expect(refused.error.hint).toContain(`/offers/maker/${slug}`)
    expect((await buyer.app.call('list_tasks', { tool_id: toolId })).answer.tasks).toEqual([])
    expect((await run(maker, ownId)).state).toBe('completed')
    expect((await buyer.app.call('describe_tool', { tool_id: toolId })).answer.price).toMatchObject({
      amount: 5,
    })
  })

  test('a run is counted once, whatever is sent again', async () => {
    const { slug, toolId } = await sell('run')
    await give(slug, { runs: 2 })
    const request_key = newKey()
    for (let sent = 0; sent < 3; sent += 1)
      expect((await run(buyer, toolId, { request_key })).state).toBe('completed')
    expect(await hold(slug)).toMatchObject({ runs_left: 1, runs_used: 1 })
    await give(slug, { runs: 0 })
    expect(await hold(slug)).toMatchObject({ runs_left: 0, runs_used: 1 })
  })

  test('of many that want the last runs as many begin as there are', async () => {
    const { slug, toolId } = await sell('run')
    await give(slug, { runs: 3 })
    const all = await Promise.all(Array.from({ length: 8 }, () => run(buyer, toolId, { wait_seconds: 30 })))
    const begun = all.filter(({ state }) => state === 'completed')
    expect(begun).toHaveLength(3)
    for (const { error } of all.filter((each) => !begun.includes(each)))
      expect(error.code).toBe('payment_required')
    expect(await hold(slug)).toMatchObject({ runs_left: 0, runs_used: 3 })
  })

  test('a slot without the offer never starts, and says why', async () => {
    const { slug, toolId } = await sell('run')
    await give(slug, { runs: 1 })
    const run_at = new Date(Date.now() + 3_000).toISOString()
    const slot = await run(buyer, toolId, { run_at })
    expect(slot.state).toBe('scheduled')
    expect((await run(buyer, toolId)).state).toBe('completed')
    await expect
      .poll(async () => (await buyer.app.call('read_task', { task_id: slot.task_id })).answer, {
        timeout: 30_000,
      })
      .toMatchObject({
        state: 'failed',
        end_reason: 'never_started',
        error: { code: 'payment_required', hint: expect.stringContaining(`/offers/maker/${slug}`) },
      })
  })

  test('a month lasts until its last moment', async () => {
    const { slug, toolId } = await sell('month')
    const soon = new Date(Date.now() + 60_000).toISOString()
    expect((await give(slug, { until: soon })).body).toMatchObject({ until: soon })
    expect((await run(buyer, toolId)).state).toBe('completed')
    expect((await run(buyer, toolId)).state).toBe('completed')
    await give(slug, { until: '2026-01-01T00:00:00Z' })
    expect((await run(buyer, toolId)).error.code).toBe('payment_required')
  })
})

describe('taking an offer', () => {
  const tell = async ({ body, header }: { body: string; header: string }) => {
    const init = { method: 'POST', body, headers: { 'stripe-signature': header } }
    return (await fetch(`${workshop.url}/stripe/webhook`, init)).status
  }

  test('a person takes it on its page, pays, and the runs are theirs once', async () => {
    const { slug, toolId } = await sell('run')
    const person = await FormBrowser.signUp(workshop.url, 'person')
    const page = await person.get(`/offers/maker/${slug}`)
    expect(page).toContain('0.05 EUR a run')
    expect(page).toContain('You have 0 runs left')
    expect(await person.post(`/offers/maker/${slug}`, { quantity: '0' })).toMatchObject({ status: 400 })
    const paying = await person.post(`/offers/maker/${slug}`, { quantity: '40' })
    expect(paying).toMatchObject({
      status: 303,
      location: expect.stringMatching(/^https:\/\/checkout\.stripe\.com\//),
    })
    const session = stripe.sessions.at(-1) ?? {}
    expect(session).toMatchObject({
      key: 'Bearer sk_of_a_test',
      amount_total: 200,
      currency: 'eur',
      success_url: `${workshop.url}/offers/maker/${slug}?paid`,
    })

    const told = stripe.message(session)
    const forged = { ...told, body: told.body.replace('"quantity":"40"', '"quantity":"9999"') }
    expect(await tell(forged)).toBe(401)
    expect(await tell(stripe.message(session, { ageSeconds: 3_600 }))).toBe(401)
    expect(await tell({ ...told, header: '' })).toBe(401)
    expect(await tell(stripe.message({ ...session, payment_status: 'unpaid' }))).toBe(200)
    expect(await person.get(`/offers/maker/${slug}`)).toContain('You have 0 runs left')

    const late = stripe.message(session, { type: 'checkout.session.async_payment_succeeded', ageSeconds: 60 })
    const answers = await Promise.all([tell(told), tell(told), tell(late), tell(stripe.message(session))])
    expect(answers).toEqual([200, 200, 200, 200])
    expect(await person.get(`/offers/maker/${slug}`)).toContain('You have 40 runs left')
    const member = await newMember('person')
    expect((await run(member, toolId)).state).toBe('completed')
    expect(await person.get(`/offers/maker/${slug}`)).toContain('You have 39 runs left')
  })

  test('a withdrawn offer is not sold, but what was paid meanwhile is kept', async () => {
    const { slug } = await sell('month')
    const person = await FormBrowser.signUp(workshop.url, 'late-person')
    await person.post(`/offers/maker/${slug}`, { quantity: '2' })
    await maker.rest('DELETE', `/prices/${slug}`)
    expect(await tell(stripe.message(stripe.sessions.at(-1) ?? {}))).toBe(200)
    expect(await person.get(`/offers/maker/${slug}`)).toMatch(/You have it until 20\d\d-/)
    expect((await person.post(`/offers/maker/${slug}`, { quantity: '1' })).status).toBe(400)
  })

  test('a maker makes, gives and withdraws prices on a page', async () => {
    const person = await FormBrowser.signUp(workshop.url, 'page-maker')
    const form = { slug: 'tea', amount: '250', currency: 'gbp', per: 'month' }
    expect(await person.post('/prices', { ...form, currency: 'abc' })).toMatchObject({ status: 400 })
    expect(await person.post('/prices', form)).toMatchObject({ status: 303 })
    await person.post('/prices/tea/offers', { handle: 'buyer', until: '2031-05-01' })
    const page = await person.get('/prices')
    for (const text of ['price:page-maker/tea', '2.50 GBP a month', 'buyer: until 2031-05-01']) {
      expect(page).toContain(text)
    }
    await person.post('/prices/tea/withdraw', {})
    expect(await person.get('/prices')).toContain('withdrawn')
  })
})
