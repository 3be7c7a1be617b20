import { describe, expect, test } from 'vitest'
import { keyringOf } from '../../../src/core/connections/keyring.ts'

const KEY = 'ab'.repeat(32)
const OTHER = 'cd'.repeat(32)
const random = (count: number) => crypto.getRandomValues(new Uint8Array(count))
const OWNER = { accountId: 'acc_1', name: 'openai' }

test('what is sealed opens again, differs each time and shows nothing', async () => {
  const keyring = keyringOf(`k1:${KEY}`, random)
  const [one, two] = await Promise.all([
    keyring.seal(OWNER, 'sk-canary-1'),
    keyring.seal(OWNER, 'sk-canary-1'),
  ])
  expect(await keyring.open(OWNER, one)).toBe('sk-canary-1')
  expect(one.keyName).toBe('k1')
  expect(one.sealed).not.toBe(two.sealed)
  expect(atob(one.sealed)).not.toContain('canary')
})

describe('it opens nowhere else', () => {
  const keyring = keyringOf(`k1:${KEY}`, random)

  test.each([
    ['for another account', { ...OWNER, accountId: 'acc_2' }],
    ['under another name', { ...OWNER, name: 'openaj' }],
    ['where account and name are split elsewhere', { accountId: 'acc_1openai', name: '' }],
  ])('%s', async (_, owner) => {
    const sealed = await keyring.seal(OWNER, 'sk-canary-1')
    await expect(keyring.open(owner, sealed)).rejects.toThrow()
  })

  test('with another key under the same name', async () => {
    const sealed = await keyring.seal(OWNER, 'sk-canary-1')
    await expect(keyringOf(`k1:${OTHER}`, random).open(OWNER, sealed)).rejects.toThrow()
  })

  test('when a bit of it was changed', async () => {
    const { sealed } = await keyring.seal(OWNER, 'sk-canary-1')
    const changed = (sealed.startsWith('A') ? 'B' : 'A') + sealed.slice(1)
    await expect(keyring.open(OWNER, { keyName: 'k1', sealed: changed })).rejects.toThrow()
  })
})

test('a new first key encrypts, the old one still opens', async () => {
  const old = await keyringOf(`k1:${KEY}`, random).seal(OWNER, 'sk-canary-1')
  const rotated = keyringOf(`k2:${OTHER}, k1:${KEY}`, random)
  expect(rotated).toMatchObject({ current: 'k2', names: ['k2', 'k1'] })
  expect(await rotated.open(OWNER, old)).toBe('sk-canary-1')
  expect((await rotated.seal(OWNER, 'x')).keyName).toBe('k2')
  await expect(keyringOf(`k2:${OTHER}`, random).open(OWNER, old)).rejects.toThrow(/not in CONNECTION_KEYS/)
})

test.each([
  ['nothing', ''],
  ['a key without a name', KEY],
  ['a short key', `k1:${KEY.slice(2)}`],
  ['a trailing comma', `k1:${KEY},`],
  ['a name twice', `k1:${KEY},k1:${OTHER}`],
])('%s is refused without being repeated', (_, text) => {
  const make = () => keyringOf(text, random)
  expect(make).toThrow(/CONNECTION_KEYS/)
  expect(make).not.toThrow(/abab|cdcd/)
})
