import { describe, expect, test } from 'vitest'
import { order, type Placed } from '../../../../src/core/tools/search/order.ts'
import { NO_EVIDENCE, outcome, usualShare, type Evidence } from '../../../../src/core/tools/search/outcome.ts'

const WORDS = 'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi'.split(' ')

/** Candidates with texts of their own, the first the best; what is given replaces what is here. */
const candidates = (given: Partial<Placed>[]): Placed[] =>
  given.map((more, i) => ({
    id: i + 1,
    maker: `maker-${i}`,
    isOwn: false,
    hasFailed: false,
    text: { name: WORDS[i] ?? '', provider: '', descr: `${WORDS[i]} ${WORDS[i]}s`, params: '', jobs: '' },
    evidence: { ...NO_EVIDENCE, runs: 50 },
    relevance: 1 - i / 100,
    score: 1 - i / 100,
    parts: new Map(),
    ...more,
  }))

const idsOf = (given: Partial<Placed>[]): number[] => order(candidates(given)).map(({ id }) => id)

describe('the order of candidates', () => {
  test('is by score, failing samples last', () => {
    expect(idsOf([{ hasFailed: true }, {}, { score: 2 }])).toEqual([3, 2, 1])
  })

  test('gives a maker two of the first five places', () => {
    const eve = { maker: 'eve' }
    expect(idsOf([eve, eve, eve, eve, {}, {}, {}, {}])).toEqual([1, 2, 5, 6, 7, 3, 4, 8])
    const own = { maker: 'me', isOwn: true }
    expect(idsOf([own, own, own, own, {}])).toEqual([1, 2, 3, 4, 5])
  })

  test('shows one of tools with the same text: the one with more reports, at the better place', () => {
    const text = { name: 'count word', provider: '', descr: 'count word text', params: '', jobs: '' }
    const proven = { text, evidence: { ...NO_EVIDENCE, met_weight: 4 } }
    expect(idsOf([{ text }, {}, proven])).toEqual([3, 2])
    expect(idsOf([{ text, isOwn: true }, {}, proven])).toEqual([1, 2, 3])
    expect(idsOf([{ text, hasFailed: true }, proven])).toEqual([2, 1])
  })

  test('lets a good match without history be tried, and no poor one', () => {
    const unknown = { evidence: NO_EVIDENCE }
    expect(idsOf([{}, {}, {}, {}, {}, {}, unknown])).toEqual([1, 2, 3, 4, 7, 5, 6])
    expect(idsOf([{}, unknown, {}, {}, {}, {}, unknown])).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(idsOf([{}, {}, {}, {}, {}, {}, { ...unknown, relevance: 0.7 }])).toEqual([1, 2, 3, 4, 5, 6, 7])
  })
})

describe('what was reported', () => {
  const told = (met: number, failed: number, reporters = met + failed): Evidence => ({
    ...NO_EVIDENCE,
    met_weight: met,
    failed_weight: failed,
    reporters,
  })

  test('moves a tool by a tenth at most, and by a third of that on the word of few', () => {
    expect(outcome(NO_EVIDENCE, 0.8)).toBeCloseTo(0)
    expect(outcome(told(1_000, 0), 0.8)).toBe(0.1)
    expect(outcome(told(0, 1_000), 0.8)).toBe(-0.1)
    expect(outcome(told(1_000, 0, 2), 0.8)).toBe(0.03)
    expect(outcome(told(0, 1_000, 2), 0.8)).toBe(-0.03)
  })

  test('three lucky reports do not beat a hundred good ones', () => {
    expect(outcome(told(3, 0), 0.8)).toBeLessThan(outcome(told(97, 3), 0.8))
  })

  test('is compared with what is usual among the candidates', () => {
    expect(usualShare([])).toBeCloseTo(0.8)
    expect(usualShare([told(10, 90)])).toBeLessThan(0.3)
    expect(outcome(told(5, 5), usualShare([told(10, 90)]))).toBeGreaterThan(0)
  })
})
