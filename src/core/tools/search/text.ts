import type { Descriptor } from '../descriptor/descriptor.ts'
import { words } from './words.ts'

/** What the index holds of a version, one text a column. */
export interface SearchText {
  name: string
  provider: string
  descr: string
  params: string
}

/** Most words that a column holds, so that no maker wins by length. */
const CAPS = { name: 12, provider: 24, descr: 160, params: 60 }

export function searchText(descriptor: Descriptor, handle: string): SearchText {
  const name = `${descriptor.id.replace(/^tool:/, '')} ${descriptor.label ?? ''}`
  return {
    name: words(name, CAPS.name).join(' '),
    provider: words(handle, CAPS.provider).join(' '),
    descr: words(descriptor.job, CAPS.descr).join(' '),
    params: words(paramText(descriptor.input_schema), CAPS.params).join(' '),
  }
}

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
