import type { Descriptor } from '../descriptor/descriptor.ts'
import { distinctStems, stems } from './words.ts'

/**
 * Number of the chain from a maker's texts to the words of the index: raised whenever it makes other words of the same
 * texts. What an older one made is then made anew (`../reindex/`).
 */
export const TEXT_CHAIN = 1

/** Columns of the index, in their order, and how much a word in each counts. */
export const COLUMN_WEIGHTS = { name: 4, provider: 2, descr: 1, params: 1, jobs: 1 }

export type Column = keyof typeof COLUMN_WEIGHTS
export const COLUMNS = Object.keys(COLUMN_WEIGHTS) as Column[]

/** What the index holds of a version: word stems, parted by spaces, one text a column. */
export type SearchText = Record<Column, string>

/** Most words that a column holds, so that no maker wins by length. */
const CAPS = { name: 12, provider: 24, descr: 160, params: 60, jobs: 400 }

/** What a text is made from, before it was split into words. */
export interface RawText {
  name: string
  provider: string
  descr: string
  params: string
}

/** The one way from a maker's texts to the index, for saving and for measuring alike. */
export const searchTextOf = ({ name, provider, descr, params }: RawText): SearchText => ({
  // An id and its label mostly say the same: once is enough.
  name: distinctStems(name, CAPS.name).join(' '),
  provider: stems(provider, CAPS.provider).join(' '),
  descr: stems(descr, CAPS.descr).join(' '),
  params: stems(params, CAPS.params).join(' '),
  jobs: '',
})

export const searchText = (descriptor: Descriptor, handle: string): SearchText =>
  searchTextOf({
    name: `${descriptor.id.replace(/^tool:/, '')} ${descriptor.label ?? ''}`,
    provider: handle,
    descr: descriptor.job,
    params: paramText(descriptor.input_schema),
  })

/** Names and descriptions of the inputs. */
function paramText({ properties }: Record<string, unknown>): string {
  if (properties === null || typeof properties !== 'object') return ''
  return Object.entries(properties)
    .map(([name, schema]) => `${name} ${descriptionOf(schema)}`)
    .join(' ')
}

function descriptionOf(schema: unknown): string {
  if (schema === null || typeof schema !== 'object' || !('description' in schema)) return ''
  return typeof schema.description === 'string' ? schema.description : ''
}
