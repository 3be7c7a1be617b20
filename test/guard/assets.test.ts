import { expect, test } from 'vitest'
import { read } from './files.ts'

test('the script for passkeys that browsers load is that of the package', () => {
  const path = 'node_modules/@simplewebauthn/browser/dist/bundle/index.umd.min.js'
  expect(read('src/routes/web/assets/simplewebauthn.js'), `copy ${path} there`).toBe(read(path))
})
