// A black and white PNG, one bit a pixel.
import { crc32, deflateSync } from 'node:zlib'

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const whole = Buffer.alloc(body.length + 8)
  whole.writeUInt32BE(data.length, 0)
  body.copy(whole, 4)
  whole.writeUInt32BE(crc32(body), body.length + 4)
  return whole
}

/** Squares of `scale` pixels for the modules, `border` modules of white around them. */
export function png(modules, { scale, border }) {
  const pixels = (modules.length + 2 * border) * scale
  const header = Buffer.alloc(13)
  header.writeUInt32BE(pixels, 0)
  header.writeUInt32BE(pixels, 4)
  header[8] = 1 // bits a pixel; the rest of the header is 0: grey, deflate, no interlace
  const bytesInRow = 1 + Math.ceil(pixels / 8)
  const rows = Buffer.alloc(bytesInRow * pixels)
  for (let y = 0; y < pixels; y += 1) {
    const line = modules[Math.floor(y / scale) - border] ?? []
    for (let x = 0; x < pixels; x += 1) {
      const isDark = line[Math.floor(x / scale) - border] === true
      if (!isDark) rows[y * bytesInRow + 1 + (x >> 3)] |= 0x80 >> (x & 7)
    }
  }
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  const bytes = Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
  return { bytes, pixels }
}
