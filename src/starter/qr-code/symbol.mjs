// The modules of a QR code, after ISO/IEC 18004.
import { codewords, smallestVersion } from './codewords.mjs'

/** `{version, modules}`, modules as rows of true for dark; undefined when the bytes do not fit in any version. */
export function encode(data, level) {
  const version = smallestVersion(data.length, level)
  if (version === undefined) return undefined
  const size = version * 4 + 17
  const base = drawFunctions(version, size)
  drawData(base, codewords(data, version, level))
  const masked = MASKS.map((mask, number) => {
    const modules = base.modules.map((row, y) =>
      row.map((dark, x) => (base.isFunction[y][x] ? dark : dark !== mask(x, y))),
    )
    drawFormat(modules, level, number)
    return modules
  })
  const costs = masked.map(penalty)
  return { version, modules: masked[costs.indexOf(Math.min(...costs))] }
}

const MASKS = [
  (x, y) => (x + y) % 2 === 0,
  (_x, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

/** Finders, timing, alignment and version; the place of the format is kept free for it. */
function drawFunctions(version, size) {
  const grid = () => Array.from({ length: size }, () => Array(size).fill(false))
  const modules = grid()
  const isFunction = grid()
  const set = (x, y, dark) => {
    if (x < 0 || y < 0 || x >= size || y >= size) return
    modules[y][x] = dark
    isFunction[y][x] = true
  }
  const rings = (x, y, { radius, light }) => {
    for (let dy = -radius; dy <= radius; dy += 1)
      for (let dx = -radius; dx <= radius; dx += 1)
        set(x + dx, y + dy, !light.includes(Math.max(Math.abs(dx), Math.abs(dy))))
  }
  for (let i = 0; i < size; i += 1) {
    set(6, i, i % 2 === 0)
    set(i, 6, i % 2 === 0)
  }
  const far = size - 4
  for (const [x, y] of [
    [3, 3],
    [far, 3],
    [3, far],
  ])
    rings(x, y, { radius: 4, light: [2, 4] })
  const places = alignmentPlaces(version, size)
  const last = places.length - 1
  for (const [i, x] of places.entries()) {
    for (const [j, y] of places.entries()) {
      const isFinder = (i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0)
      if (!isFinder) rings(x, y, { radius: 2, light: [1] })
    }
  }
  for (let i = 0; i < 9; i += 1) {
    for (const [x, y] of [
      [8, i],
      [i, 8],
    ])
      if (!isFunction[y][x]) set(x, y, false)
    if (i < 8)
      for (const [x, y] of [
        [size - 1 - i, 8],
        [8, size - 1 - i],
      ])
        set(x, y, false)
  }
  if (version >= 7) {
    const bits = (version << 12) | remainder(version, 12, 0x1f25)
    for (let i = 0; i < 18; i += 1) {
      const dark = ((bits >> i) & 1) === 1
      const [a, b] = [size - 11 + (i % 3), Math.floor(i / 3)]
      set(a, b, dark)
      set(b, a, dark)
    }
  }
  return { modules, isFunction }
}

function alignmentPlaces(version, size) {
  if (version === 1) return []
  const count = Math.floor(version / 7) + 2
  const step = Math.floor((version * 8 + count * 3 + 5) / (count * 4 - 4)) * 2
  const places = [6]
  for (let i = count - 2; i >= 0; i -= 1) places.push(size - 7 - i * step)
  return places
}

/** The check bits of BCH codes: what is left of `value` shifted by `bits` after division by `divisor`. */
function remainder(value, bits, divisor) {
  let left = value
  for (let i = 0; i < bits; i += 1) left = (left << 1) ^ ((left >> (bits - 1)) * divisor)
  return left
}

const FORMAT_LEVELS = { L: 1, M: 0, Q: 3, H: 2 }

function drawFormat(modules, level, mask) {
  const size = modules.length
  const data = (FORMAT_LEVELS[level] << 3) | mask
  const bits = ((data << 10) | remainder(data, 10, 0x537)) ^ 0x5412
  const bit = (i) => ((bits >> i) & 1) === 1
  for (let i = 0; i < 15; i += 1) {
    // Beside the upper left finder, going round its corner and leaving out the timing lines.
    const [x, y] = i < 8 ? [8, i < 6 ? i : i + 1] : [i < 9 ? 7 : 14 - i, 8]
    modules[y][x] = bit(i)
    if (i < 8) modules[8][size - 1 - i] = bit(i)
    else modules[size - 15 + i][8] = bit(i)
  }
  modules[size - 8][8] = true
}

/** Two columns at a time from the right, going up and down, around what is drawn already. */
function drawData({ modules, isFunction }, bytes) {
  const size = modules.length
  let i = 0
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5
    const isUp = ((right + 1) & 2) === 0
    for (let step = 0; step < size; step += 1) {
      const y = isUp ? size - 1 - step : step
      for (const x of [right, right - 1]) {
        if (isFunction[y][x] || i >= bytes.length * 8) continue
        modules[y][x] = ((bytes[i >> 3] >> (7 - (i & 7))) & 1) === 1
        i += 1
      }
    }
  }
}

const FINDER_LIKE = ['10111010000', '00001011101']

/** How badly a masked code can be read: long runs, blocks, false finders, an uneven share of dark. */
function penalty(modules) {
  const size = modules.length
  const lines = modules.flatMap((row, i) => [row, modules.map((other) => other[i])])
  let cost = 0
  for (const line of lines) {
    const text = line.map(Number).join('')
    for (const [run] of text.matchAll(/0{5,}|1{5,}/g)) cost += run.length - 2
    for (const pattern of FINDER_LIKE)
      for (let at = text.indexOf(pattern); at >= 0; at = text.indexOf(pattern, at + 1)) cost += 40
  }
  let dark = 0
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const here = modules[y][x]
      if (here) dark += 1
      if (
        y + 1 < size &&
        x + 1 < size &&
        modules[y][x + 1] === here &&
        modules[y + 1][x] === here &&
        modules[y + 1][x + 1] === here
      )
        cost += 3
    }
  }
  return cost + 10 * Math.floor(Math.abs(dark * 20 - size * size * 10) / (size * size))
}
