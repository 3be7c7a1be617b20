import { LIMITS } from '../../core/limits.ts'
import type { Descriptor, ModelInvoke, Schema } from '../../core/tools/descriptor/descriptor.ts'

/** What is asked of a model, whoever serves it. */
export interface Question {
  model: string
  /** The input of the invoke, filled. Holds `messages` or `prompt`. */
  input: Record<string, unknown>
  /** The answer is to be JSON: of this schema, or of any when it is `true`. Null: it is a text. */
  json: Schema | null
}

/** The model spec of a descriptor that came here because it is one. */
export function specOf({ invoke }: Pick<Descriptor, 'invoke'>): ModelInvoke {
  if (invoke.kind !== 'model') throw new Error(`a ${invoke.kind} invoke was sent to a model`)
  return invoke
}

export function questionOf(descriptor: Descriptor, input: Record<string, unknown>): Question {
  const spec = specOf(descriptor)
  const filled = fill(spec.input, input) as Record<string, unknown>
  const { max_tokens = filled.max_completion_tokens ?? LIMITS.modelTokens.default } = filled
  return { model: spec.model, input: { ...filled, max_tokens }, json: wantedJson(descriptor) }
}

/** The schema of the whole answer, where the tool returns that as JSON; any JSON where it returns a part of it. */
function wantedJson({ invoke, result_selector = '.response', output_schema }: Descriptor): Schema | null {
  if (specOf({ invoke }).input.response_format !== undefined) return true
  const [, below] = /^\$?\.response(.*)$/.exec(result_selector) ?? []
  if (below === undefined || (below === '' && mayBeText(output_schema))) return null
  return below === '' ? output_schema : true
}

function mayBeText(schema: Schema): boolean {
  if (typeof schema === 'boolean') return true
  const { type } = schema
  if (type === undefined) return Object.keys(schema).every((key) => DESCRIBES.has(key))
  return type === 'string' || (Array.isArray(type) && type.includes('string'))
}

/** Keywords that say nothing of what a value is. */
const DESCRIBES = new Set([
  'title',
  'description',
  '$comment',
  '$schema',
  '$id',
  '$defs',
  'examples',
  'default',
])

/** Where a model takes texts alone. */
const TEXTS = new Set(['content', 'prompt'])

/**
 * The value with each `{"fill": {"from": "input", "field"}}` replaced by that input, which keeps its type; as `content`
 * or `prompt` it becomes text. A missing one is left out, as a text it is empty.
 */
function fill(value: unknown, input: Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((part) => fill(part, input)).filter((part) => part !== undefined)
  if (typeof value !== 'object' || value === null) return value
  const field = fieldOf(value)
  if (field !== undefined) return Object.hasOwn(input, field) ? input[field] : undefined
  const filled = Object.entries(value).map(([name, part]) => {
    const made = fill(part, input)
    return [name, TEXTS.has(name) && part !== made && !Array.isArray(part) ? asText(made) : made]
  })
  return Object.fromEntries(filled.filter(([, part]) => part !== undefined))
}

/** The inputs that a question is filled with, each once. */
export function filledFields(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const field = fieldOf(value)
  return field === undefined ? [...new Set(Object.values(value).flatMap(filledFields))] : [field]
}

function fieldOf(value: object): string | undefined {
  // `checkDescriptor` has seen that a `fill` has this form and nothing beside it.
  const { fill } = value as { fill?: { field?: string } }
  return fill?.field
}

function asText(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
