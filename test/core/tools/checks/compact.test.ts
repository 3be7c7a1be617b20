import { expect, test } from 'vitest'
import { compact, shown } from '../../../../src/core/tools/checks/compact.ts'

test.each([
  ['a "b"', 'a "b"', '"a \\"b\\""'],
  ['', '', '""'],
  [1.5, '1.5', '1.5'],
  [null, 'null', 'null'],
  [{ a: [1, 'é'] }, '{"a":[1,"é"]}', '{"a":[1,"é"]}'],
  [undefined, '', ''],
  [10n, '', ''],
  ['x'.repeat(81), 'x'.repeat(81), `"${'x'.repeat(80)}…"`],
  [['x'.repeat(81)], `["${'x'.repeat(81)}"]`, `["${'x'.repeat(78)}…`],
])('%s is %s in short and %s in a message', (value, text, message) => {
  expect([compact(value), shown(value)]).toEqual([text, message])
})

test('a cut never halves a character', () => {
  expect(shown(`${'x'.repeat(79)}🧪`)).toBe(`"${'x'.repeat(79)}\ufffd…"`)
})
