/** The part of a file that a `Range` header asks for; null: all of it; `unsatisfiable`: none there is. */
export type Range = { offset: number; length: number } | null | 'unsatisfiable'

/** Reads one range of bytes. Several ranges, other units and malformed ones are answered with the whole file. */
export function readRange(header: string | undefined, size: number): Range {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return null
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { offset: size - length, length }
  }
  const offset = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < offset) return null
  return offset >= size ? 'unsatisfiable' : { offset, length: end - offset + 1 }
}

/** Shown by browsers in place: nothing of these runs a script. */
const INLINE = /^(image\/(png|jpeg|gif|webp|avif)|audio\/|video\/|text\/plain$|application\/pdf$)/

/** What a download is sent with, so that no browser runs it and every client finds its name. */
export function downloadHeaders({
  name,
  mediaType,
  hash,
}: {
  name: string
  mediaType: string
  hash: string
}) {
  return {
    'content-type': /^text\/(plain|markdown|csv)$/.test(mediaType)
      ? `${mediaType}; charset=utf-8`
      : mediaType,
    'content-disposition': disposition(INLINE.test(mediaType) ? 'inline' : 'attachment', name),
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'private, max-age=900',
    'accept-ranges': 'bytes',
    etag: `"${hash}"`,
  }
}

/** The name twice: in ASCII for old clients, and whole (RFC 6266, RFC 8187). */
function disposition(kind: string, name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]|["\\%]/gu, '_')
  const whole = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
  return `${kind}; filename="${plain}"; filename*=UTF-8''${whole}`
}
