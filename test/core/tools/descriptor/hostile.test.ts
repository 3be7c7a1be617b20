import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkDescriptor } from '../../../../src/core/tools/descriptor/check.ts'
import { CODE, HTTP, MODEL, patched } from './patch.ts'

test('the faults of a hostile descriptor are bounded in number and in time', () => {
  const names = Array.from({ length: 500 }, (_, index) => `${'n'.repeat(57)}${index}`)
  const body = Array.from({ length: 3_000 }, (_, index) => `{${'m'.repeat(57)}${index}}`)
  const input_schema = { type: 'object', properties: Object.fromEntries(names.map((name) => [name, {}])) }
  const startedAt = performance.now()
  const { faults } = checkDescriptor(
    patched({ ...HTTP, input_schema, invoke: { ...HTTP.invoke, body } }),
    null,
  )
  expect([faults.length, faults.at(-1)]).toEqual([
    51,
    { path: 'descriptor', message: 'has 2950 more faults' },
  ])
  expect(performance.now() - startedAt).toBeLessThan(3_000)
})

/** Every place in a JSON value, as the keys that lead there. */
function placesIn(value: unknown, place: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [place]
  return [place, ...Object.entries(value).flatMap(([key, part]) => placesIn(part, [...place, key]))]
}

function replaceAt(value: unknown, [key, ...rest]: string[], other: unknown): unknown {
  if (key === undefined) return other
  const copy = structuredClone(value) as Record<string, unknown>
  copy[key] = replaceAt(copy[key], rest, other)
  return copy
}

test('whatever stands in any place is accepted, or refused in words, and never throws', () => {
  const tools = [{}, HTTP, MODEL].map(patched)
  const anywhere = fc
    .constantFrom(...tools)
    .chain((tool) => fc.tuple(fc.constant(tool), fc.constantFrom(...placesIn(tool)), fc.jsonValue()))
  fc.assert(
    fc.property(anywhere, ([tool, place, other]) => {
      const { descriptor, faults } = checkDescriptor(replaceAt(tool, place, other), CODE)
      expect(descriptor === null).toBe(faults.length > 0)
      for (const { path, message } of faults) {
        expect(path).toMatch(/^descriptor/)
        expect(message).toMatch(/^[a-z"]/)
      }
      expect(descriptor && checkDescriptor(descriptor, CODE).descriptor).toEqual(descriptor)
    }),
    { numRuns: 500 },
  )
})
