import { env } from 'cloudflare:workers'
import { beforeAll, expect, test } from 'vitest'
import { shownCode } from '../../src/core/tools/described/code.ts'
import { findAround } from '../../src/core/tools/described/store.ts'
import { findPriceOfVersion, putPrice, setToolPrice } from '../../src/core/prices/store.ts'
import { findVersion } from '../../src/core/tools/store.ts'
import { openDb } from '../../src/db/client.ts'
import { makeInside, type Inside } from '../support/inside.ts'
import { toolOf } from '../support/tools.ts'

const db = openDb(env.DB)
const printing = (word: string) => ({ 'main.py': `print('{"word": "${word}"}')\n` })

let maker: Inside
let stranger: Inside

beforeAll(async () => {
  maker = await makeInside('maker')
  stranger = await makeInside('stranger')
})

async function save(slug: string, files: Record<string, string>) {
  await maker.call('save_tool', toolOf(`tool:${slug}`, files))
  const version = await findVersion(db, maker.accountId, { slugKey: slug, pin: null })
  if (!version?.codeHash) throw new Error(`${slug} was not saved`)
  return { ...version, codeHash: version.codeHash }
}

/** The real bytes, and what was asked of them. */
function watched() {
  const asked: string[] = []
  const get = (key: string) => {
    asked.push(key)
    return env.FILES.get(key)
  }
  return { asked, bytes: { get } as unknown as R2Bucket }
}

test('code is read once while it is asked for, and forgotten after a hundred others', async () => {
  const { codeHash } = await save('kept', printing('kept'))
  const { asked, bytes } = watched()
  const first = await shownCode(bytes, codeHash)
  expect(first).toMatchObject([{ path: 'main.py', text: printing('kept')['main.py'] }])
  expect([await shownCode(bytes, codeHash), asked.length]).toEqual([first, 1])
  const tar = await (await env.FILES.get(`code/${codeHash}`))?.arrayBuffer()
  const other = { get: async () => new Response(tar) } as unknown as R2Bucket
  for (let i = 0; i < 100; i += 1) await shownCode(other, `other-${i}`)
  expect([await shownCode(bytes, codeHash), asked.length]).toEqual([first, 2])
})

test('code of very many files is not kept', async () => {
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`part-${i}.py`, `# ${i}\n`]))
  const { codeHash } = await save('many', { ...printing('many'), ...many })
  const { asked, bytes } = watched()
  await shownCode(bytes, codeHash)
  expect([(await shownCode(bytes, codeHash)).length, asked.length]).toEqual([31, 2])
})

test('what is kept of one version is shown of no other, and to nobody who may not see it', async () => {
  await save('changed', printing('one'))
  const describeIt = () => maker.call('describe_tool', { tool_id: 'tool:changed' })
  expect(await describeIt()).toMatchObject({ version: 1, files: [{ text: printing('one')['main.py'] }] })
  await save('changed', printing('two'))
  expect(await describeIt()).toMatchObject({ version: 2, files: [{ text: printing('two')['main.py'] }] })
  const foreign = { tool_id: `tool:${maker.handle}/changed` }
  expect(await stranger.call('describe_tool', foreign)).toMatchObject({ error: { code: 'unknown_tool' } })
  await maker.call('delete_tool', { tool_id: 'tool:changed' })
  expect(await describeIt()).toMatchObject({ error: { code: 'unknown_tool' } })
})

test('a version of which nothing is known yet has a record of zeros, no price and no daily check', async () => {
  const version = await save('new', printing('new'))
  expect(await findAround(db, version)).toEqual({
    versions: [
      {
        version: 1,
        hash: version.hash,
        savedAt: version.createdAt,
        publishedAt: null,
        isPublished: null,
      },
    ],
    record: { runs: 0, contract_passed: 0, reported_met: 0, reported_failed: 0, accounts: 0 },
    price: undefined,
    check: { publishedVersionId: null, taskId: null, failures: 0, failedSince: null, nextAt: null },
  })
})

test('a price reads the same beside the rest as by itself', async () => {
  const version = await save('priced', printing('priced'))
  const price = { id: 'price_x', slug: 'a-run', amount: 250, currency: 'eur', per: 'run' as const }
  await putPrice(db, { ...price, accountId: maker.accountId, now: 1_000 })
  await setToolPrice(db, version.toolRow, price.id)
  const expected = { ...price, accountId: maker.accountId, maker: maker.handle, withdrawnAt: null }
  expect((await findAround(db, version)).price).toEqual({ ...expected, versionId: version.id })
  expect(await findPriceOfVersion(db, version.id)).toEqual(expected)
})
