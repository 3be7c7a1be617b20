/**
 * Which IP addresses are public: by the special-purpose registries of IANA (RFC 6890 and what followed), and stricter.
 * Ranges that only wrap another address (mapped, translated, tunnelled) are refused whole.
 */

/** Narrower ranges first. */
const RANGES: [range: string, what: string][] = [
  ['0.0.0.0/8', 'an address of "this network"'],
  ['10.0.0.0/8', 'a private address'],
  ['100.64.0.0/10', 'a shared (carrier-grade NAT) address'],
  ['127.0.0.0/8', 'a loopback address'],
  ['169.254.0.0/16', 'a link-local address'],
  ['172.16.0.0/12', 'a private address'],
  ['192.0.0.0/24', 'a reserved address'],
  ['192.0.2.0/24', 'a documentation address'],
  ['192.88.99.0/24', 'a 6to4 relay address'],
  ['192.168.0.0/16', 'a private address'],
  ['198.18.0.0/15', 'a benchmarking address'],
  ['198.51.100.0/24', 'a documentation address'],
  ['203.0.113.0/24', 'a documentation address'],
  ['224.0.0.0/4', 'a multicast address'],
  ['240.0.0.0/4', 'a reserved address'],
  ['::/128', 'the unspecified address'],
  ['::1/128', 'a loopback address'],
  ['::ffff:0:0/96', 'an IPv4-mapped address'],
  ['::ffff:0:0:0/96', 'an IPv4-translated address'],
  ['::/96', 'an IPv4-compatible address'],
  ['64:ff9b::/96', 'a NAT64 address'],
  ['64:ff9b:1::/48', 'a NAT64 address'],
  ['100::/64', 'a discard-only address'],
  ['2001::/32', 'a Teredo address'],
  ['2001:2::/48', 'a benchmarking address'],
  ['2001::/23', 'a reserved address'],
  ['2001:db8::/32', 'a documentation address'],
  ['2002::/16', 'a 6to4 address'],
  ['3fff::/20', 'a documentation address'],
  ['fc00::/7', 'a private (unique local) address'],
  ['fe80::/10', 'a link-local address'],
  ['fec0::/10', 'a site-local address'],
  ['ff00::/8', 'a multicast address'],
]

/** All public IPv6 addresses lie in it. */
const PUBLIC_V6 = '2000::/3'

interface Range {
  bytes: number[]
  bits: number
  what: string
}

const readRange = ([range, what]: [string, string]): Range => {
  const [address = '', bits] = range.split('/')
  return { bytes: readIp(address) ?? [], bits: Number(bits), what }
}

const TABLE = RANGES.map(readRange)
const GLOBAL_V6 = readRange([PUBLIC_V6, ''])

/** What an IP address is when it is not public, like "a loopback address"; null when it is public. */
export function notPublic(address: string): string | null {
  const ip = readIp(address)
  if (ip === null) return 'no IP address'
  const found = TABLE.find((range) => isWithin(ip, range))
  if (found) return found.what
  return ip.length === 4 || isWithin(ip, GLOBAL_V6) ? null : 'a reserved address'
}

function isWithin(ip: number[], { bytes, bits }: Range): boolean {
  if (ip.length !== bytes.length) return false
  return bytes.every((byte, i) => {
    const shift = 8 - Math.min(Math.max(bits - i * 8, 0), 8)
    return byte >> shift === (ip[i] ?? 0) >> shift
  })
}

/** The 4 or 16 bytes of an address in its usual spellings, without brackets; null when it is none. */
export function readIp(text: string): number[] | null {
  return text.includes(':') ? readV6(text) : readV4(text)
}

function readV4(text: string): number[] | null {
  const parts = text.split('.')
  const isRight = parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256)
  return isRight ? parts.map(Number) : null
}

function readV6(text: string): number[] | null {
  const [head = '', tail, ...more] = text.split('::')
  const left = readGroups(head)
  const right = readGroups(tail ?? '')
  // A dotted part may only be the last one of all.
  if (more.length > 0 || !left || !right || (tail !== undefined && head.includes('.'))) return null
  const missing = 16 - left.length - right.length
  if (tail === undefined ? missing !== 0 : missing < 2) return null
  return [...left, ...Array.from({ length: missing }, () => 0), ...right]
}

/** The bytes of groups between colons; the last may be an IPv4 address. */
function readGroups(text: string): number[] | null {
  if (text === '') return []
  const groups = text.split(':').map((group, i, all) => {
    if (i === all.length - 1 && group.includes('.')) return readV4(group)
    const value = /^[\da-f]{1,4}$/i.test(group) ? parseInt(group, 16) : null
    return value === null ? null : [value >> 8, value & 255]
  })
  return groups.includes(null) ? null : groups.flatMap((bytes) => bytes ?? [])
}
