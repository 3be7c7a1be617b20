import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { EXAMPLE } from '../../src/core/tools/example.ts'
import { jobsText } from '../../src/core/tools/search/index/jobs.ts'
import { keyOf, placeWord, withKey } from '../../src/core/tools/search/index/keys.ts'
import { searchText, searchTextOf, TEXT_CHAIN } from '../../src/core/tools/search/text.ts'

/**
 * SHA-256 of what each chain makes of the texts below. A line is never changed, only added: what is indexed is made
 * anew where the number of the chain is higher than the one that made it, and nowhere else.
 */
const MADE: Record<number, string> = {
  1: 'd2712c87dbcf9fad98669e24cadf42e526975eb40d8b4c35a69abbc1d906a308',
}

/** Words that differ from each other, more than any column holds. */
const MANY = Array.from({ length: 900 }, (_, i) =>
  [i / 81, (i / 9) % 9, i % 9]
    .map((at) => 'bdfgkmprt'.charAt(Math.floor(at) % 9) + 'aeiou'.charAt(i % 5))
    .join(''),
).join(' ')

const ROOTS = 'comput relat organiz hop happ run pars convert embed analy decid creat generat transl summar'
const ENDS = ' s ed er ing ion ations izer ational fulness iveness ability ly ness y ies ement ance'
const FORMS = ROOTS.split(' ').flatMap((root) => ENDS.split(' ').map((end) => root + end))

const COMMON = `a about above after again against all also am an and any are as at back be because been
  before being below best between both but by call can cannot check could d day did do does doing don't done
  down during each even every few find first for from further get give go good great had has have having he
  help her here hers him his how i if in into is it its itself just keep know last let like list ll long
  look looking m made make many me more most much my name need needs new no nor not now of off old on once
  one only or other our out over own people please provide put re read s same save say see set she should
  show so some such t take tell text than that the their them then there these they thing this those through
  time to too turn two under until up us use used using ve very want wants was way we well were what when
  where which while who whom why will with word work would write year you your yours`

const SCRIPTS = `résumé ＡＢＣ Straße ÅNGSTRÖM naïve ﬁle 使用必应搜索 カタカナとひらがな 中 ไทย ខ្មែរ Ελληνικά привет עברית عربي
  हिन्दी 한국어 😀 👍🏽 camelCase parseHTTPResponse snake_case src/main-file.ts mp3 utf8 3D x2y2 v1.2.3 C++ a.b@c.org`

const LONG = `${'longword'.repeat(20)} ${'vat '.repeat(50)} ${MANY}`

test('what the chain from texts to the index makes is what its number stands for', () => {
  const words = [FORMS.join(' '), COMMON, SCRIPTS, LONG]
  const made = {
    texts: words.map((text) => searchTextOf({ name: text, provider: text, descr: text, params: text })),
    parts: words.flatMap((text) =>
      // Few enough words at a time that no cap hides one.
      text.split(/\s+/).map((word) => searchTextOf({ name: word, provider: '', descr: word, params: '' })),
    ),
    example: searchText(EXAMPLE.descriptor, 'ada'),
    jobs: jobsText([LONG, SCRIPTS, ...FORMS].map((job, i) => ({ reporter: `r${i}`, job }))),
    manyJobs: jobsText(MANY.match(/.{1,400}( |$)/g)?.map((job, i) => ({ reporter: `r${i}`, job })) ?? []),
    key: withKey(keyOf('acct_01ABC'), 'one two'),
    place: placeWord('placement:own-computer'),
  }
  const hash = createHash('sha256').update(JSON.stringify(made)).digest('hex')
  const message = `The words that the index holds of the same texts have changed: raise TEXT_CHAIN and give it ${hash} here.`
  expect(hash, message).toBe(MADE[TEXT_CHAIN])
})
