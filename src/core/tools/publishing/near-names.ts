/**
 * Names that could be taken for those of a published tool of another maker. Two names that a person cannot tell apart
 * are refused; names that are merely close, or the same under another handle, are flagged for callers to see.
 */
import type { Fault } from '../../problem.ts'

export interface Name {
  handle: string
  slug: string
  label: string | null
}

export interface NearNames {
  /** Published tools that this one could be taken for, and may not: `tool:<handle>/<slug>`. */
  refused: string[]
  /** Published tools with a name like this one's. */
  similar: string[]
}

export function nearNames(own: Name, others: Name[]): NearNames {
  const near: NearNames = { refused: [], similar: [] }
  for (const other of others) {
    const id = `tool:${other.handle}/${other.slug}`
    if (isLookAlike(own, other)) near.refused.push(id)
    else if (isSimilar(own, other)) near.similar.push(id)
  }
  return near
}

/** Names that look the same but are not: of the tool, or of the maker of a tool of the same name. */
function isLookAlike(own: Name, other: Name): boolean {
  if (looksLike(own.slug, other.slug)) return true
  if (own.label !== null && other.label !== null && looksLike(own.label, other.label)) return true
  const isSameName = skeleton(own.slug) === skeleton(other.slug)
  return isSameName && own.handle !== other.handle && skeleton(own.handle) === skeleton(other.handle)
}

const looksLike = (a: string, b: string): boolean => plain(a) !== plain(b) && skeleton(a) === skeleton(b)

function isSimilar(own: Name, other: Name): boolean {
  if (own.label !== null && other.label !== null && plain(own.label) === plain(other.label)) return true
  const [a, b] = [plain(own.slug), plain(other.slug)]
  return isWithin(a, b, mostEdits(Math.min(a.length, b.length)))
}

/** Short names differ by little anyway: of those only equal ones are similar. */
const mostEdits = (length: number): number => (length < 5 ? 0 : length < 10 ? 1 : 2)

/** Whether at most so many letters changed, added, dropped or swapped with their neighbour make one text the other. */
export function isWithin(a: string, b: string, most: number): boolean {
  if (Math.abs(a.length - b.length) > most) return false
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const at = (list: number[], place: number): number => list[place] ?? Infinity
      const isSame = a[i - 1] === b[j - 1]
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      next[j] = Math.min(
        at(row, j) + 1,
        at(next, j - 1) + 1,
        at(row, j - 1) + (isSame ? 0 : 1),
        isSwap ? at(before, j - 2) + 1 : Infinity,
      )
    }
    before = row
    row = next
  }
  return (row[b.length] ?? Infinity) <= most
}

/** A name without case, width and separators. */
const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s_./-]+/gu, '')

/** Letters of other scripts, digits and pairs that are drawn like Latin letters. */
const DRAWN_LIKE: Record<string, string> = {
  a: 'аαɑ',
  b: 'ьЬ',
  c: 'сϲ',
  d: 'ԁ',
  e: 'еєҽ',
  g: 'ɡ',
  h: 'һ',
  i: 'іıι',
  j: 'јϳ',
  k: 'кκ',
  l: '1ӏ|',
  n: 'ո',
  o: '0оοσօ',
  p: 'рρ',
  q: 'ԛ',
  r: 'г',
  s: 'ѕ',
  t: 'тτ',
  u: 'υս',
  v: 'νѵ',
  w: 'ԝω',
  x: 'хχ',
  y: 'уγү',
}
const LATIN = new Map(
  Object.entries(DRAWN_LIKE).flatMap(([letter, others]) => Array.from(others, (other) => [other, letter])),
)

/** What a name looks like. A capital I is drawn like a small l. */
function skeleton(text: string): string {
  const drawn = plain(text.normalize('NFKC').replaceAll('I', 'l')).normalize('NFD').replaceAll(/\p{M}/gu, '')
  return Array.from(drawn, (character) => LATIN.get(character) ?? character)
    .join('')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
}

/** Code points that show nothing or turn the text around: what a reader cannot see, a maker may not write. */
const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u115f\u1160\u2800\u3164\uffa0]|\u034f|\u17b4|\u17b5|[\ufe00-\ufe0e]/u

/** Joiners as emoji and the scripts that need them have them. */
const JOINED =
  /(?<=\p{Extended_Pictographic}\ufe0f?)\u200d(?=\p{Extended_Pictographic})|(?<=[^\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Common}])[\u200c\u200d]/gu

/** A fault for each text that holds something hidden; line breaks and tabs are none. */
export function hiddenFaults(texts: Record<string, string | undefined>): Fault[] {
  return Object.entries(texts).flatMap(([path, text = '']) => {
    const [hidden] = HIDDEN.exec(text.replaceAll(JOINED, '').replaceAll(/[\n\r\t]/g, ' ')) ?? []
    if (hidden === undefined) return []
    const code = (hidden.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    return [{ path, message: `holds the hidden character U+${code}`, hint: 'save it again without it' }]
  })
}
