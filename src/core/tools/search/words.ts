import { stemmer } from 'stemmer'

/** Words that say nothing about a job. */
const STOP_WORDS = new Set(
  `a about after all also an and any are as at be but by can could do does for from get give go has have how i if in
  into is it its just like me my need of on or our out please so some tell than that the their them then there these
  they this to up us use using want was we what when where which who will with would you your`.split(/\s+/),
)

/**
 * The words of a text as the index holds them: camelCase, snake_case and paths split, lower case, no stop words,
 * each at most twice, at most `cap` of them.
 */
export function words(text: string, cap: number): string[] {
  const parts = text
    .normalize('NFKC')
    .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu)
  const seen = new Map<string, number>()
  const kept: string[] = []
  for (const word of parts ?? []) {
    const times = seen.get(word) ?? 0
    if (STOP_WORDS.has(word) || times === 2) continue
    seen.set(word, times + 1)
    kept.push(word)
    if (kept.length === cap) break
  }
  return kept
}

/** Distinct word stems of a text: what two texts must share to be about the same thing. */
export const stems = (text: string, cap: number): Set<string> => new Set(words(text, cap).map(stemmer))
