import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { checkSample } from '../../../src/core/tools/checks/index.ts'
import { checkDescriptor } from '../../../src/core/tools/descriptor/index.ts'
import { EXAMPLE } from '../../../src/core/tools/example.ts'

test('the example can be saved as it is', () => {
  const { descriptor, files } = EXAMPLE
  const sent = JSON.parse(JSON.stringify(descriptor)) as unknown
  const faultless = { descriptor, faults: [], warnings: [] }
  expect(checkDescriptor(sent, { paths: Object.keys(files) })).toEqual(faultless)
})

test.each([
  ['the quick brown fox jumps', 5],
  ['', 0],
  ['  one\n\ttwo — drei ', 4],
])('the program of the example counts the words of %j', (text, words) => {
  const printed = execFileSync('python3', ['-c', EXAMPLE.files['main.py']!, text], { encoding: 'utf8' })
  expect(JSON.parse(printed)).toEqual({ words })
})

test('the sample of the example holds for the right answer alone', () => {
  const [sample] = EXAMPLE.descriptor.verify
  if (sample?.kind !== 'sample-run') throw new Error('no sample')
  expect([checkSample(sample, { words: 5 }).passed, checkSample(sample, { words: 4 }).passed]).toEqual([
    true,
    false,
  ])
})
