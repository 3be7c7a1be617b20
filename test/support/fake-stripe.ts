import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import type { AddressInfo } from 'node:net'
import { Stripe } from 'stripe'

/** Plays Stripe: takes the checkouts that are begun, and makes the messages that Stripe would send of them. */
export class FakeStripe {
  readonly secret = 'whsec_of_a_test'
  readonly sessions: Record<string, unknown>[] = []
  #server = createServer(async (request, response) => {
    const form = new URLSearchParams(await text(request))
    const id = `cs_test_${this.sessions.length + 1}`
    const metadata = ['price_id', 'account_id', 'quantity'].map((name) => [
      name,
      form.get(`metadata[${name}]`),
    ])
    const session = {
      id,
      object: 'checkout.session',
      mode: form.get('mode'),
      payment_status: 'paid',
      amount_total: Number(form.get('line_items[0][price_data][unit_amount]')),
      currency: form.get('line_items[0][price_data][currency]'),
      metadata: Object.fromEntries(metadata),
      url: `https://checkout.stripe.com/c/pay/${id}`,
    }
    this.sessions.push({
      ...session,
      key: request.headers.authorization,
      success_url: form.get('success_url'),
    })
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(session))
  })

  async start(): Promise<string> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  stop(): void {
    this.#server.close()
  }

  /** A message that a checkout is over, as Stripe signs it; `ageSeconds` old. */
  message(session: Record<string, unknown>, { type = 'checkout.session.completed', ageSeconds = 0 } = {}) {
    const created = Math.floor(Date.now() / 1000) - ageSeconds
    const event = {
      id: `evt_${crypto.randomUUID()}`,
      object: 'event',
      type,
      created,
      data: { object: session },
    }
    const body = JSON.stringify(event)
    const { webhooks } = new Stripe('sk_of_a_test')
    const header = webhooks.generateTestHeaderString({
      payload: body,
      secret: this.secret,
      timestamp: created,
    })
    return { body, header }
  }
}
