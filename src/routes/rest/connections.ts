import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { removeConnection, setConnection } from '../../core/connections/change.ts'
import { MOST_BYTES } from '../../core/connections/connection.ts'
import type { Context } from '../../core/context.ts'
import { isRecord } from '../../core/json-schema/path.ts'
import { Problem } from '../../core/problem.ts'

/** Named secrets of the caller's account, for programs of a person: `PUT` {"value"}, `DELETE`. No answer holds a value. */
export const connections = new Hono<{ Bindings: Env; Variables: { ctx: Context } }>()

/** A value whose every byte is escaped in JSON, and its frame. */
const maxSize = MOST_BYTES * 6 + 1_024

const tooLarge = bodyLimit({
  maxSize,
  onError: () => {
    throw new Problem('too_large', `The value of a connection has at most ${MOST_BYTES} bytes.`, {
      field: 'value',
    })
  },
})

connections.put('/:name', tooLarge, async (c) => {
  const body: unknown = await c.req.json().catch(() => undefined)
  if (!isRecord(body) || Object.keys(body).join() !== 'value') {
    throw new Problem('invalid_request', 'The body must be a JSON object with "value" and nothing else.', {
      hint: 'Send {"value": "<the key>"}, or a JSON object or list in its place.',
    })
  }
  const { name, kind } = await setConnection(c.get('ctx'), c.req.param('name'), body.value)
  return c.json({ name, kind, is_set: true })
})

connections.delete('/:name', async (c) => {
  await removeConnection(c.get('ctx'), c.req.param('name'))
  return c.json({ name: c.req.param('name'), is_set: false })
})
