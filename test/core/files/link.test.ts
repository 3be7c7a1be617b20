import { expect, test } from 'vitest'
import { linksOf, type Link } from '../../../src/core/files/link.ts'

const links = linksOf({ origin: 'https://w.example', secret: () => 'secret' })
const link: Link = { kind: 'get', hash: 'ab', name: '要求 🧪.txt', mediaType: 'text/plain', expiresAt: 5 }

test('a link is read again here and nowhere else', async () => {
  const url = await links.url(link)
  expect(url).toMatch(/^https:\/\/w\.example\/files\/[\w-]+\.[\w-]{43}$/)
  const token = url.split('/').at(-1) ?? ''
  expect(await links.read(token)).toEqual(link)
  expect(await linksOf({ origin: 'https://w.example', secret: () => 'other' }).read(token)).toBeNull()
  expect(await links.url({ kind: 'put', uploadId: 'u' })).toContain('/files/upload/')
})

test('a changed link is none', async () => {
  const token = (await links.url(link)).split('/').at(-1) ?? ''
  for (let at = 0; at < token.length; at += 7) {
    const other = token[at] === 'A' ? 'B' : 'A'
    expect(await links.read(token.slice(0, at) + other + token.slice(at + 1))).toBeNull()
  }
  for (const text of ['', '.', 'a.b', token.slice(0, -1), `${token}A`, `${token}.${token}`]) {
    expect(await links.read(text)).toBeNull()
  }
})
