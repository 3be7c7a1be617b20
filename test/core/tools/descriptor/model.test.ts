import { expect, test } from 'vitest'
import { faultsOfModel } from './patch.ts'

test.each([
  ['llama-3.1-8b-instruct'],
  ['@cf/meta'],
  ['@cf/meta/llama/8b'],
  ['@hf/meta/llama'],
  ['@cf/meta/llama 3'],
  [''],
])('the model %j is refused', (model) => {
  const message = 'must be the id of a model, like "@cf/meta/llama-3.1-8b-instruct-fp8"'
  expect(faultsOfModel({ model })).toEqual([{ path: 'descriptor.invoke.model', message }])
})

test('an input is filled only by declared fields, in the one form', () => {
  const fill = (value: unknown) => ({ fill: value })
  const input = {
    a: fill({ from: 'input', field: 'text' }),
    b: [fill({ from: 'input', field: 'txt' })],
    c: fill({ from: 'task', field: 'text' }),
    d: fill('text'),
    e: { ...fill({ from: 'input', field: 'text' }), role: 'user' },
    f: fill({ field: 'text', form: 'input' }),
    g: { temperature: 0.2, stream: false, stop: null, text: '{text}' },
  }
  expect(faultsOfModel({ input })).toEqual([
    {
      path: 'descriptor.invoke.input.b[0].fill.field',
      message: 'names "txt", which input_schema does not declare',
      hint: 'did you mean "text"?',
    },
    { path: 'descriptor.invoke.input.c.fill.from', message: 'must be "input"' },
    { path: 'descriptor.invoke.input.d.fill', message: 'must be an object' },
    { path: 'descriptor.invoke.input.e.role', message: 'is not a known field', hint: 'known here: "fill"' },
    {
      path: 'descriptor.invoke.input.f.fill.form',
      message: 'is not a known field',
      hint: 'did you mean "from"?',
    },
    { path: 'descriptor.invoke.input.f.fill.from', message: 'is missing' },
  ])
})

test.each([
  [undefined, 'is missing', undefined],
  [[], 'must be an object', 'like {"messages": [{"role": "user", …}]}'],
  ['{text}', 'must be an object', 'like {"messages": [{"role": "user", …}]}'],
])('the input %j is refused', (input, message, hint) => {
  expect(faultsOfModel({ input })).toEqual([
    { path: 'descriptor.invoke.input', message, ...(hint && { hint }) },
  ])
})
