import { expect, test } from 'vitest'
import {
  fileIdentities,
  fileInputs,
  mapFiles,
  resultSelector,
  type Invoke,
} from '../../../../src/core/tools/descriptor/descriptor.ts'
import { EXAMPLE } from '../../../../src/core/tools/example.ts'

const container = { kind: 'container' as const, argv: ['ls'], stdin: 'none' as const }

test.each<[Invoke, string | undefined, string]>([
  [{ ...container, stdout: 'json' }, undefined, '.result'],
  [{ ...container, stdout: 'text' }, undefined, '.stdout'],
  [{ kind: 'model', model: '@cf/a/b', input: {} }, undefined, '.response'],
  [{ kind: 'http', url: 'https://a.test', method: 'GET' }, undefined, '$'],
  [{ ...container, stdout: 'json' }, '.files.video', '.files.video'],
])('the output of %j with selector %j is at %s', (invoke, result_selector, selector) => {
  expect(resultSelector({ ...EXAMPLE.descriptor, invoke, result_selector })).toBe(selector)
})

test('files are the inputs, or the items of them, that are said to be', () => {
  const file = { type: 'string', format: 'namespace-file' }
  const input_schema = {
    properties: { one: file, many: { type: 'array', items: file }, text: { type: 'string' }, any: true },
  }
  expect([...fileInputs({ input_schema })]).toEqual([
    ['one', 'one'],
    ['many', 'many'],
  ])
  const input = { one: 'a', many: ['b', 'a'], text: 'c' }
  expect(fileIdentities({ input_schema }, input)).toEqual([
    { path: 'input.one', identity: 'a' },
    { path: 'input.many[0]', identity: 'b' },
    { path: 'input.many[1]', identity: 'a' },
  ])
  expect(mapFiles({ input_schema }, input, (value, path) => `${path}=${String(value)}`)).toEqual({
    one: 'input.one=a',
    many: ['input.many[0]=b', 'input.many[1]=a'],
    text: 'c',
  })
  expect(fileIdentities({ input_schema }, { many: 'x', one: 5 })).toEqual([])
  expect(fileInputs({ input_schema: {} }).size).toBe(0)
})
