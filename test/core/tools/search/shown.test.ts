import { describe, expect, test } from 'vitest'
import type { Descriptor } from '../../../../src/core/tools/descriptor/descriptor.ts'
import { EXAMPLE } from '../../../../src/core/tools/example.ts'
import { NO_EVIDENCE } from '../../../../src/core/tools/search/outcome.ts'
import type { Ranked } from '../../../../src/core/tools/search/rank.ts'
import { answersOf, readDescriptor, type Shown } from '../../../../src/core/tools/search/shown/answer.ts'
import { shortSchema } from '../../../../src/core/tools/search/shown/short-schema.ts'
import { searchText } from '../../../../src/core/tools/search/text.ts'

describe('a schema in a list', () => {
  test('stays whole when it is short', () => {
    expect(shortSchema(EXAMPLE.descriptor.input_schema)).toEqual(EXAMPLE.descriptor.input_schema)
  })

  test('is cut to fields and types, then to a pointer', () => {
    const field = { type: 'string', description: 'x'.repeat(1_000) }
    expect(shortSchema({ type: 'object', properties: { text: field }, required: ['text'] })).toEqual({
      type: 'object',
      properties: { text: { type: 'string' } },
      required: ['text'],
      $comment: expect.stringContaining('describe_tool'),
    })
    const long = Object.fromEntries(
      Array.from({ length: 20 }, (_, i) => ['x'.repeat(100) + String(i), field]),
    )
    expect(shortSchema({ type: 'object', properties: long })).toEqual({
      type: 'object',
      $comment: expect.stringContaining('describe_tool'),
    })
  })
})

describe('candidates as they are shown', () => {
  const source = { now: () => 0, random: (count: number) => new Uint8Array(count) }
  const ranked: Ranked = {
    id: 1,
    maker: 'acc_1',
    isOwn: false,
    hasFailed: false,
    text: searchText(EXAMPLE.descriptor, 'ada'),
    evidence: { ...NO_EVIDENCE, runs: 3, reported_met: 1 },
    score: 0.9,
    matchedOn: 'its job',
    fits: true,
  }
  const shown = (descriptor: Descriptor, more: Partial<Ranked> = {}): Shown => ({
    ranked: { ...ranked, ...more },
    version: {
      id: 1,
      slug: 'count-words',
      handle: 'ada',
      version: 4,
      descriptor: JSON.stringify(descriptor),
      sampleState: 'passed',
    },
    descriptor,
    needs: [],
  })

  test('one whole answer', () => {
    const { job, label, input_schema, placements } = EXAMPLE.descriptor
    expect(answersOf(source, [shown(EXAMPLE.descriptor)], 8_000)).toEqual([
      {
        tool_id: 'tool:ada/count-words',
        version: 4,
        label,
        job,
        input_schema,
        runs_on: placements,
        made_by: 'ada',
        needs_connections: [],
        sample_state: 'passed',
        earlier_runs: { runs: 3, contract_passed: 0, reported_met: 1, reported_failed: 0, accounts: 0 },
        match: { score: 0.9, matched_on: 'its job' },
        next_call: {
          tool: 'run_tool',
          arguments: {
            tool_id: 'tool:ada/count-words',
            input: { text: 'the quick brown fox jumps' },
            request_key: expect.stringMatching(/^run_/),
          },
        },
      },
    ])
  })

  test('five of the longest stay within 2,000 tokens, and say where the rest is', () => {
    const field = (i: number) => [
      `field_${i}_${'n'.repeat(40)}`,
      { type: 'string', description: 'd'.repeat(300) },
    ]
    const long: Descriptor = {
      ...EXAMPLE.descriptor,
      job: '"\\'.repeat(250),
      label: '"'.repeat(60),
      input_schema: {
        type: 'object',
        properties: Object.fromEntries(Array.from({ length: 60 }, (_, i) => field(i))),
      },
      verify: [
        { kind: 'sample-run', input: { text: 'long '.repeat(90) }, output_selector: '$', contains: '5' },
      ],
    }
    const answers = answersOf(
      source,
      Array.from({ length: 5 }, () => shown(long)),
      6_500,
    )
    expect(answers).toHaveLength(5)
    expect(JSON.stringify(answers).length).toBeLessThan(6_510)
    expect(answers[0]).toMatchObject({
      input_schema: { $comment: expect.stringContaining('describe_tool') },
      next_call: { tool: 'describe_tool', arguments: { tool_id: 'tool:ada/count-words' } },
    })
  })

  test('what a short one leaves free, a long one may take', () => {
    const schema = {
      type: 'object',
      properties: { text: { type: 'string', description: 'd'.repeat(700) } },
      required: ['text'],
    }
    const long = { ...EXAMPLE.descriptor, job: 'j'.repeat(500), input_schema: schema }
    const [, , last] = answersOf(
      source,
      [shown(EXAMPLE.descriptor), shown(EXAMPLE.descriptor), shown(long)],
      4_600,
    )
    expect(last).toMatchObject({ job: long.job, input_schema: schema, next_call: { tool: 'run_tool' } })
  })

  test('a sample with a file of its maker is nothing that others can run', () => {
    const file = { file: `1f:${'a'.repeat(64)}` }
    const sample = { kind: 'sample-run' as const, input: file, output_selector: '$', contains: '5' }
    const withFile = { ...EXAMPLE.descriptor, verify: [sample] }
    const tools = answersOf(source, [shown(withFile), shown(withFile, { isOwn: true })], 8_000).map(
      ({ next_call }) => (next_call as { tool: string }).tool,
    )
    expect(tools).toEqual(['describe_tool', 'run_tool'])
  })

  test.each([
    '',
    '{',
    'null',
    '[]',
    '{"job": 1}',
    JSON.stringify({ ...EXAMPLE.descriptor, input_schema: 'x' }),
  ])('a damaged row %j is none to be shown', (damaged) => {
    expect(readDescriptor(damaged)).toBeUndefined()
  })

  test('a whole one is', () => {
    expect(readDescriptor(JSON.stringify(EXAMPLE.descriptor))).toEqual(EXAMPLE.descriptor)
  })
})
