import { expect, test } from 'vitest'
import { judgeModel, LIVE, mannerOf, nearestOf, RETIRED } from '../../../src/invokes/model/catalogue.ts'

test('every retired model has a successor that lives, and none is in both lists', () => {
  for (const [model, successor] of Object.entries(RETIRED)) {
    expect(Object.keys(LIVE)).toContain(successor)
    expect(Object.keys(LIVE)).not.toContain(model)
  }
})

test.each([
  ['@cf/meta/llama-3.1-8b-instruct', 'was retired on 2026-05-30', '@cf/meta/llama-3.1-8b-instruct-fp8'],
  ['@cf/moonshotai/kimi-k2.5', 'was retired on 2026-05-30', '@cf/moonshotai/kimi-k2.6'],
  [
    '@cf/meta/llama-3.3-70b',
    'is no text model that Workers AI has',
    '@cf/meta/llama-3.3-70b-instruct-fp8-fast',
  ],
  ['@cf/openai/gpt-oss-12b', 'is no text model that Workers AI has', '@cf/openai/gpt-oss-20b'],
  ['@cf/zai/glm-5.3', 'is no text model that Workers AI has', '@cf/zai-org/glm-5.3'],
])('%s is refused with the nearest live one', (model, message, nearest) => {
  expect(judgeModel(model, null)).toEqual({ message, nearest })
})

test('what the binding lists counts, whatever this list says', () => {
  const listed = ['@cf/new/model-1b', '@cf/meta/llama-3.1-8b-instruct', '@cf/meta/llama-3.2-3b-instruct']
  expect(judgeModel('@cf/new/model-1b', listed)).toBeNull()
  expect(judgeModel('@cf/meta/llama-3.1-8b-instruct', listed)).toBeNull()
  // Neither it nor the successor that this list knows is there any more.
  expect(judgeModel('@cf/meta/llama-3-8b-instruct', listed)).toEqual({
    message: 'was retired on 2026-05-30',
    nearest: '@cf/meta/llama-3.1-8b-instruct',
  })
  expect(judgeModel('@cf/qwen/qwq-32b', listed)?.message).toBe('is no text model that Workers AI has')
  expect(mannerOf('@cf/new/model-1b')).toBe('chat')
})

test.each([
  ['@cf/meta/llama-3.1-8b-instruct-fp8', 'llama3.1:8b-instruct'],
  ['@cf/qwen/qwen3-30b-a3b-fp8', 'qwen3:30b'],
  ['@cf/google/gemma-4-26b-a4b-it', 'gemma3:4b'],
])('for %s stands %s', (model, nearest) => {
  expect(
    nearestOf(model, ['mistral:7b', 'llama3.1:8b-instruct', 'llama3.2:1b', 'qwen3:30b', 'gemma3:4b']),
  ).toBe(nearest)
})
