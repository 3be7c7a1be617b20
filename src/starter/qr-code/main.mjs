// Makes a QR code (ISO/IEC 18004, byte mode, versions 1 to 40) as a PNG picture, without packages.
import { readFileSync, writeFileSync } from 'node:fs'
import { encode } from './symbol.mjs'
import { png } from './png.mjs'

const asked = JSON.parse(readFileSync(0, 'utf8'))
const data = Buffer.from(asked.text, 'utf8')
const symbol = encode(data, asked.error_correction ?? 'M')
if (!symbol) {
  process.stderr.write(
    `the text has ${data.length} bytes, too many for one code: make it shorter, or use error_correction L (2,953 bytes)\n`,
  )
  process.exit(1)
}
const picture = png(symbol.modules, { scale: asked.scale ?? 8, border: asked.border ?? 4 })
writeFileSync('qr.png', picture.bytes)
console.log(
  JSON.stringify({
    version: symbol.version,
    modules: symbol.modules.length,
    pixels: picture.pixels,
    text_bytes: data.length,
  }),
)
