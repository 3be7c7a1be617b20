import { expect, test } from 'vitest'
import { faultsOf } from './patch.ts'

test.each([[{}], [{ seconds: 1, memory_mb: 64 }], [{ seconds: 3_600, memory_mb: 4_096 }]])(
  'limits %j',
  (limits) => {
    expect(faultsOf({ limits })).toEqual([])
  },
)

test.each([
  [{ seconds: 0 }, 'seconds', 'must be a whole number, from 1 to 3600'],
  [{ seconds: 3_601 }, 'seconds', 'must be a whole number, from 1 to 3600'],
  [{ seconds: 1.5 }, 'seconds', 'must be a whole number'],
  [{ seconds: '30' }, 'seconds', 'must be a whole number'],
  [{ memory_mb: 63 }, 'memory_mb', 'must be a whole number, from 64 to 4096'],
  [{ memory_mb: 4_097 }, 'memory_mb', 'must be a whole number, from 64 to 4096'],
])('limits %j are refused', (limits, field, message) => {
  expect(faultsOf({ limits })).toEqual([{ path: `descriptor.limits.${field}`, message }])
})

const NOT_YET = {
  path: 'descriptor.requirements',
  message: 'names packages, which are not available on this server yet',
  hint: 'use the standard library, or send the source of the package among the files',
}

test.each([
  ['requests==2.32.5'],
  ['typing_extensions==4.12.2.post1'],
  ['uvicorn[standard]==0.30.0'],
  ['lodash@4.17.21'],
  ['@scope/pkg.js@1.0.0-rc.1'],
])('the pin %j has the right shape', (pin) => {
  expect(faultsOf({ requirements: [pin] })).toEqual([NOT_YET])
})

test.each([
  ['requests'],
  ['requests>=2'],
  ['requests==2.*'],
  ['requests == 2.32.5'],
  ['lodash@^4.17.21'],
  ['lodash@latest'],
  ['lodash@4'],
  ['-e ./x'],
  ['git+https://example.test/x@1.0.0'],
  ['requests==2.32.5 --index-url https://example.test'],
  ['requests==2.32.5\nflask==1.0'],
  [7],
])('the pin %j is refused', (pin) => {
  const message =
    typeof pin === 'string'
      ? 'must be one exact pin, like "requests==2.32.5" or "lodash@4.17.21"'
      : 'must be a text'
  expect(faultsOf({ requirements: [pin] })).toEqual([
    { path: 'descriptor.requirements[0]', message },
    NOT_YET,
  ])
})

test('no packages are no fault', () => {
  expect([faultsOf({ requirements: [] }), faultsOf({ requirements: 'requests==2.32.5' })]).toEqual([
    [],
    [{ path: 'descriptor.requirements', message: 'must be a list' }],
  ])
})
