// The bytes that a QR code holds: data, padding and Reed-Solomon checks, interleaved.

/** By version, from 1: check bytes in a block, and the number of blocks. */
const CHECKS_IN_BLOCK = {
  L: [
    7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28, 28, 28, 30, 30, 26, 28, 30,
    30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
  ],
  M: [
    10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28, 28, 28, 28,
    28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
  ],
  Q: [
    13, 22, 18, 26, 18, 24, 18, 22, 20, 24, 28, 26, 24, 20, 30, 24, 28, 28, 26, 30, 28, 30, 30, 30, 30, 28,
    30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
  ],
  H: [
    17, 28, 22, 16, 22, 28, 26, 26, 24, 28, 24, 28, 22, 24, 24, 30, 28, 28, 26, 28, 30, 24, 30, 30, 30, 30,
    30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
  ],
}
const BLOCKS = {
  L: [
    1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17,
    18, 19, 19, 20, 21, 22, 24, 25,
  ],
  M: [
    1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25, 26, 28, 29,
    31, 33, 35, 37, 38, 40, 43, 45, 47, 49,
  ],
  Q: [
    1, 1, 2, 2, 4, 4, 6, 6, 8, 8, 8, 10, 12, 16, 12, 17, 16, 18, 21, 20, 23, 23, 25, 27, 29, 34, 34, 35, 38,
    40, 43, 45, 48, 51, 53, 56, 59, 62, 65, 68,
  ],
  H: [
    1, 1, 2, 4, 4, 4, 5, 6, 8, 8, 11, 11, 16, 16, 18, 16, 19, 21, 25, 25, 25, 34, 30, 32, 35, 37, 40, 42, 45,
    48, 51, 54, 57, 60, 63, 66, 70, 74, 77, 81,
  ],
}

/** Bytes of a version, checks and all. */
function capacity(version) {
  let modules = (16 * version + 128) * version + 64
  if (version >= 2) {
    const aligned = Math.floor(version / 7) + 2
    modules -= (25 * aligned - 10) * aligned - 55
    if (version >= 7) modules -= 36
  }
  return Math.floor(modules / 8)
}

const dataBytes = (version, level) =>
  capacity(version) - CHECKS_IN_BLOCK[level][version - 1] * BLOCKS[level][version - 1]

/** The mode and the count take 12 bits up to version 9, 20 bits after. */
const headerBits = (version) => (version <= 9 ? 12 : 20)

export function smallestVersion(length, level) {
  for (let version = 1; version <= 40; version += 1)
    if (headerBits(version) + length * 8 <= dataBytes(version, level) * 8) return version
  return undefined
}

/** Byte mode, the count, the data, an end, padding. */
function packed(data, version, level) {
  const size = dataBytes(version, level)
  const count = data.length.toString(2).padStart(headerBits(version) - 4, '0')
  let bits = `0100${count}${Array.from(data, (byte) => byte.toString(2).padStart(8, '0')).join('')}`
  bits += '0'.repeat(Math.min(4, size * 8 - bits.length))
  bits += '0'.repeat((8 - (bits.length % 8)) % 8)
  const bytes = (bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2))
  for (let pad = 0xec; bytes.length < size; pad ^= 0xec ^ 0x11) bytes.push(pad)
  return bytes
}

/** The product in the field of 256 elements, modulo x^8 + x^4 + x^3 + x^2 + 1. */
function multiply(a, b) {
  let product = 0
  for (let i = 7; i >= 0; i -= 1) {
    product = (product << 1) ^ ((product >> 7) * 0x11d)
    product ^= ((b >> i) & 1) * a
  }
  return product
}

function generator(degree) {
  const polynomial = [...Array(degree - 1).fill(0), 1]
  let root = 1
  for (let i = 0; i < degree; i += 1) {
    for (let j = 0; j < degree; j += 1)
      polynomial[j] = multiply(polynomial[j], root) ^ (polynomial[j + 1] ?? 0)
    root = multiply(root, 2)
  }
  return polynomial
}

function checksOf(data, polynomial) {
  const left = Array(polynomial.length).fill(0)
  for (const byte of data) {
    const factor = byte ^ left.shift()
    left.push(0)
    for (const [i, coefficient] of polynomial.entries()) left[i] ^= multiply(coefficient, factor)
  }
  return left
}

/** All bytes in the order in which they are drawn: one of each block in turn, the data first. */
export function codewords(data, version, level) {
  const count = BLOCKS[level][version - 1]
  const polynomial = generator(CHECKS_IN_BLOCK[level][version - 1])
  const bytes = packed(data, version, level)
  const shortest = Math.floor(bytes.length / count)
  const longer = bytes.length % count // so many blocks at the end have one byte more
  const blocks = Array.from({ length: count }, (_, i) => {
    const start = i * shortest + Math.max(0, i - (count - longer))
    return bytes.slice(start, start + shortest + (i >= count - longer ? 1 : 0))
  })
  const checks = blocks.map((block) => checksOf(block, polynomial))
  const inTurn = (lists) =>
    Array.from({ length: Math.max(...lists.map((list) => list.length)) }, (_, i) =>
      lists.flatMap((list) => (i < list.length ? [list[i]] : [])),
    ).flat()
  return [...inTurn(blocks), ...inTurn(checks)]
}
