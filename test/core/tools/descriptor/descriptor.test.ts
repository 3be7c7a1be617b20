import { expect, test } from 'vitest'
import { resultSelector, type Invoke } from '../../../../src/core/tools/descriptor/descriptor.ts'
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
