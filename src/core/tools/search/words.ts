import { stemmer } from 'stemmer'

/** Words that say nothing about a job. */
const STOP_WORDS = new Set(
  `a about above after again against all also am an and any are as at be because been before being below between both
  but by can cannot could did do does doing down during each few find for from further get give had has have having he
  help her here hers him his how i if in into is it its itself just know let like looking make me more most my need
  needs no nor not of off on once only or other our out over own please provide same she should show so some such tell
  than that the their them then there these they this those through to too under until up us use using very want wants
  was we were what when where which while who whom why will with would you your yours d ll m re s t ve`.split(
    /\s+/,
  ),
)

/** Scripts that put no space between words. */
const UNSPACED =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]+/gu

/** Each word counts at most so often, so that no text wins by saying one over and over. */
const TIMES = 2

/**
 * The word stems of a text, in its order, as the index holds them and as a job is looked for: camelCase, snake_case
 * and paths split, marks and case gone, no stop words, each at most twice, at most `cap` of them. Scripts without
 * spaces give pairs of letters.
 */
export function stems(text: string, cap: number): string[] {
  const seen = new Map<string, number>()
  const kept: string[] = []
  for (const word of words(text)) {
    if (STOP_WORDS.has(word)) continue
    const stem = stemOf(word)
    const times = seen.get(stem) ?? 0
    if (times === TIMES) continue
    seen.set(stem, times + 1)
    kept.push(stem)
    if (kept.length === cap) break
  }
  return kept
}

/** Distinct word stems of a text, at most `cap`. */
export const distinctStems = (text: string, cap: number): string[] =>
  [...new Set(stems(text, cap * TIMES))].slice(0, cap)

/** Longest word that is kept whole, in characters: longer ones are keys or noise. */
const WORD_CHARS = 40

function words(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .normalize('NFC')
    .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replaceAll(/(\p{L})(\p{N})/gu, '$1 $2')
    .toLowerCase()
    .replaceAll(UNSPACED, (run) => ` ${pairs(run).join(' ')} `)
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.slice(0, WORD_CHARS))
}

function pairs(run: string): string[] {
  const letters = Array.from(run)
  return letters.length === 1 ? letters : letters.slice(1).map((letter, i) => `${letters[i]}${letter}`)
}

/** Porter's stems are for words of the Latin alphabet. */
const stemOf = (word: string): string => (/^[a-z]+$/.test(word) ? stemmer(word) : word)
