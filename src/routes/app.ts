import { Hono } from 'hono'
import { mcp } from './mcp/index.ts'
import { oauth } from './oauth/index.ts'
import { files } from './rest/files.ts'
import { stripe } from './rest/stripe.ts'
import { v1 } from './rest/v1.ts'
import { web } from './web/index.ts'

/** Everything that this Worker answers. */
export const app = new Hono<{ Bindings: Env }>()

app.get('/healthz', (c) => c.json({ ok: true }))
app.route('/mcp', mcp)
app.route('/', oauth)
app.route('/files', files)
app.route('/v1', v1)
app.route('/stripe', stripe)
app.route('/', web)
app.notFound((c) => c.json({ error: { code: 'not_found', message: 'There is nothing here.' } }, 404))
app.onError((error, c) => {
  const id = crypto.randomUUID()
  console.error(JSON.stringify({ event: 'defect', id, error: error.stack ?? String(error) }))
  return c.json({ error: { code: 'internal', message: `Something went wrong on our side (${id}).` } }, 500)
})
