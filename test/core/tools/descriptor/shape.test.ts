import { expect, test } from 'vitest'
import {
  boolean,
  list,
  named,
  nameHint,
  number,
  object,
  oneOf,
  Report,
  text,
} from '../../../../src/core/tools/descriptor/shape.ts'
import type { Read } from '../../../../src/core/tools/descriptor/shape.ts'

function readWith<T>(read: Read<T>, value: unknown) {
  const report = new Report()
  const known = read(value, 'x', report)
  return { known, faults: report.faults }
}

const fits = (known: unknown) => ({ known, faults: [] })
const fails = (path: string, message: string, hint?: string) => ({
  known: undefined,
  faults: [hint === undefined ? { path, message } : { path, message, hint }],
})

test.each([
  [text(), '', fits('')],
  [text({ min: 1, max: 3 }), '🧪🧪🧪', fits('🧪🧪🧪')],
  [text({ max: 3 }), '🧪🧪🧪🧪', fails('x', 'has 4 characters; at most 3 are allowed')],
  [text({ min: 1 }), ' \n', fails('x', 'is empty')],
  [text({ min: 2 }), 'a', fails('x', 'must be at least 2 characters long')],
  [text({ pattern: /^a$/, says: 'an a' }), 'b', fails('x', 'must be an a')],
  [text(), null, fails('x', 'must be a text')],
  [number(), -1.5, fits(-1.5)],
  [number(), NaN, fails('x', 'must be a number')],
  [number({ min: 0 }), -1, fails('x', 'must be a number, 0 or more')],
  [number({ min: 0, max: 2, isInteger: true }), 3, fails('x', 'must be a whole number, from 0 to 2')],
  [number({ isInteger: true }), 1.5, fails('x', 'must be a whole number')],
  [boolean, false, fits(false)],
  [boolean, 0, fails('x', 'must be true or false')],
  [oneOf(['json', 'text']), 'text', fits('text')],
  [oneOf(['json', 'text']), 'Text', fails('x', 'must be "json" or "text"', 'did you mean "text"?')],
  [oneOf(['json', 'text']), 'image', fails('x', 'must be "json" or "text"')],
  [list(boolean, { max: 2 }), [true, false], fits([true, false])],
  [list(boolean, { min: 1, max: 2 }), [], fails('x', 'is empty')],
  [list(boolean, { min: 2, max: 2 }), [true], fails('x', 'must have at least 2 items')],
  [list(boolean, { max: 2 }), [true, 1], fails('x[1]', 'must be true or false')],
  [list(boolean, { max: 2 }), [true, true, true], fails('x', 'has 3 items; at most 2 are allowed')],
  [list(boolean, { max: 2 }), { length: 0 }, fails('x', 'must be a list')],
  [named(boolean, text({ min: 1 })), { a: true, 'b c': false }, fits({ a: true, 'b c': false })],
  [named(boolean, text({ min: 1 })), { 'b c': 1 }, fails('x["b c"]', 'must be true or false')],
  [named(boolean, text()), [], fails('x', 'must be an object')],
])('a reader reads %j: %#', (read, value, outcome) => {
  expect(readWith<unknown>(read, value)).toEqual(outcome)
})

test('a name that is wrong is a fault even when its value is right', () => {
  expect(readWith(named(boolean, text({ min: 1 })), { '': true }).faults).toEqual([
    { path: 'x[""]', message: 'is empty' },
  ])
})

test('an object has its fields and no other', () => {
  const read = object({ a: boolean, b: text() }, { c: number() })
  expect([
    readWith(read, { a: true, b: 'x', c: null }),
    readWith(read, { a: true, b: 'x', c: 1 }),
    readWith(read, { a: null, c: 'x', bb: 1, toString: 2 }),
    readWith(read, '{"a": true}'),
  ]).toEqual([
    fits({ a: true, b: 'x' }),
    fits({ a: true, b: 'x', c: 1 }),
    {
      known: undefined,
      faults: [
        { path: 'x.bb', message: 'is not a known field', hint: 'known here: "a", "b" or "c"' },
        { path: 'x.toString', message: 'is not a known field', hint: 'known here: "a", "b" or "c"' },
        { path: 'x.a', message: 'is missing' },
        { path: 'x.b', message: 'is missing' },
        { path: 'x.c', message: 'must be a number' },
      ],
    },
    fails('x', 'must be an object', 'send the object itself, not its JSON as a text'),
  ])
})

test('a report tells 50 faults, asks for the hints of those alone, and counts the others', () => {
  const report = new Report()
  let asked = 0
  const hint = () => `hint ${(asked += 1)}`
  for (let index = 0; index < 70; index += 1) report.refuse(`x[${index}]`, 'is wrong', hint)
  const { faults, count } = report
  expect({ asked, count, told: faults.length, last: faults.at(-1) }).toEqual({
    asked: 50,
    count: 70,
    told: 50,
    last: { path: 'x[49]', message: 'is wrong', hint: 'hint 50' },
  })
})

test('a report notes a fault once', () => {
  const report = new Report()
  report.add([{ path: 'a', message: 'is missing' }])
  report.refuse('a', 'is missing')
  report.refuse('b', 'is missing', 'add it')
  expect(report.faults).toEqual([
    { path: 'a', message: 'is missing' },
    { path: 'b', message: 'is missing', hint: 'add it' },
  ])
})

test.each([
  ['inputSchema', ['id', 'input_schema'], 'did you mean "input_schema"?'],
  ['license_class', ['id', 'licence_class'], 'did you mean "licence_class"?'],
  ['verifiy', ['id', 'verify'], 'did you mean "verify"?'],
  ['name', ['id', 'job'], 'known here: "id" or "job"'],
  ['name', [], undefined],
])('the hint for %s among %j', (name, known, hint) => {
  expect(nameHint(name, known)).toBe(hint)
})
