import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { composePlace } from '../../src/compose.ts'
import { removeConnection, setConnection } from '../../src/core/connections/change.ts'
import { keyringOf, type Keyring } from '../../src/core/connections/keyring.ts'
import { connectionsListed } from '../../src/core/connections/list.ts'
import { resealOld, secretsIn } from '../../src/core/connections/secrets.ts'
import type { Caller } from '../../src/core/caller.ts'
import { makeInside, type Inside } from '../support/inside.ts'
import { toolOf } from '../support/tools.ts'

const HOUR = 3_600_000
const VALUE = 'sk-canary-inside-0123'

let account: Inside
let caller: Caller
beforeAll(async () => {
  account = await makeInside('connected')
  const via = { kind: 'token', id: 't', name: 'a token' } as const
  caller = { accountId: account.accountId, handle: 'connected', scopes: new Set(['read', 'write']), via }
})

const desk = (keyring = composePlace(env).keyring, who = caller) => ({
  ...composePlace(env),
  keyring,
  caller: who,
})

describe('a connection that is withdrawn', () => {
  let now = Date.parse('2027-02-01T08:00:00Z')
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime(now)
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const call = (name: string, args: Record<string, unknown>) => account.call(name, args)
  const saving = toolOf(
    'tool:connected',
    { 'main.py': 'import json, os\nprint(json.dumps({"length": len(os.environ["KEY"])}))\n' },
    {
      invoke: {
        kind: 'container',
        argv: ['python3', 'main.py'],
        stdout: 'json',
        env: { KEY: { secret_name: 'slot-key' } },
      },
    },
  )

  async function ring(time: number): Promise<void> {
    now = time
    vi.setSystemTime(now)
    await runDurableObjectAlarm(account.object)
  }

  test('ends a slot as never started, with its code and the page; the schedule goes on', async () => {
    await setConnection(desk(), 'slot-key', VALUE)
    expect((await call('save_tool', saving)).sample_check).toMatchObject({ passed: true })
    const schedule = await call('run_tool', {
      tool_id: 'tool:connected',
      request_key: 'slots',
      run_at: new Date(now + HOUR).toISOString(),
      repeat_every_hours: 1,
    })
    await removeConnection(desk(), 'slot-key')
    await ring(now + HOUR + 1)
    const lastTask = async () => {
      const { last_task_id } = await call('read_task', { task_id: schedule.task_id })
      return call('read_task', { task_id: last_task_id, wait_seconds: 20 })
    }
    const slot = await lastTask()
    expect(slot).toMatchObject({
      state: 'failed',
      end_reason: 'never_started',
      error: {
        code: 'connection_missing',
        message: expect.stringContaining('slot-key'),
        hint: expect.stringContaining('/connections?name=slot-key'),
      },
    })
    expect(slot).not.toHaveProperty('started_at')
    await setConnection(desk(), 'slot-key', VALUE)
    await ring(now + HOUR)
    expect(await lastTask()).toMatchObject({ state: 'completed', output: { length: VALUE.length } })
    await call('cancel_task', { task_id: schedule.task_id })
  })

  test('is kept by a task only while it works, and sealed', async () => {
    const rows = await runInDurableObject(account.object, (_, state) =>
      state.storage.sql.exec('select * from secret').toArray(),
    )
    expect(rows).toEqual([])
  })
})

describe('another key', () => {
  const random = (count: number) => crypto.getRandomValues(new Uint8Array(count))
  const old = keyringOf(`k1:${'11'.repeat(32)}`, random)
  const rotated = keyringOf(`k2:${'22'.repeat(32)},k1:${'11'.repeat(32)}`, random)
  const alone = keyringOf(`k2:${'22'.repeat(32)}`, random)
  const read = async (keyring: Keyring, name: string) => {
    const secrets = secretsIn({ ...composePlace(env), keyring: () => keyring }, '')
    const taken = await secrets.take(account.accountId, [name])
    return Promise.all(taken.map((secret) => secrets.open(account.accountId, secret)))
  }
  const keyOf = (name: string) =>
    env.DB.prepare('select key_name from connection where account_id = ? and name = ?')
      .bind(account.accountId, name)
      .first<string>('key_name')

  test('encrypts anew what is used, and each hour what is not', async () => {
    for (const name of ['used', 'unused'])
      await setConnection(
        desk(() => old),
        name,
        `${VALUE}-${name}`,
      )
    expect([await keyOf('used'), await keyOf('unused')]).toEqual(['k1', 'k1'])
    expect(await read(rotated, 'used')).toEqual([`${VALUE}-used`])
    expect([await keyOf('used'), await keyOf('unused')]).toEqual(['k2', 'k1'])
    await resealOld({ ...composePlace(env), keyring: () => rotated })
    expect(await keyOf('unused')).toBe('k2')
    expect(await read(alone, 'unused')).toEqual([`${VALUE}-unused`])
  })

  test('that is gone leaves a connection that counts as not set', async () => {
    await setConnection(
      desk(() => old),
      'stranded',
      VALUE,
    )
    expect(await read(alone, 'stranded')).toEqual([])
    const listed = await connectionsListed(desk(() => alone))
    expect(listed.find(({ name }) => name === 'stranded')).toMatchObject({
      is_set: false,
      note: expect.stringContaining('set it again'),
    })
    expect(JSON.stringify(listed)).not.toContain('canary')
  })
})

test('an app may not set or remove a connection, and a hundred are all that an account has', async () => {
  const app = desk(undefined, { ...caller, via: { kind: 'app', id: 'a', name: 'An app' } })
  const refusal = {
    code: 'insufficient_scope',
    details: { hint: expect.stringContaining('/connections') },
  }
  await expect(setConnection(app, 'mine', VALUE)).rejects.toMatchObject(refusal)
  await expect(removeConnection(app, 'mine')).rejects.toMatchObject(refusal)
  const full = await makeInside('connected-full')
  const filled = desk(undefined, { ...caller, accountId: full.accountId })
  await Promise.all(Array.from({ length: 100 }, (_, i) => setConnection(filled, `c${i}`, VALUE)))
  await expect(setConnection(filled, 'one-more', VALUE)).rejects.toMatchObject({ code: 'quota_exceeded' })
  await setConnection(filled, 'c0', `${VALUE}-anew`)
})
