import { isRecord } from '../../../json-schema/path.ts'

/** Longest schema, in characters of JSON, that a list of candidates shows whole. */
const SHOWN_CHARS = 900
/** Fields that a shortened schema names. */
const FIELDS = 20

/** An input schema as a list of candidates shows it: whole when short, else the fields, their types and what is required. */
export function shortSchema(schema: Record<string, unknown>, chars = SHOWN_CHARS): Record<string, unknown> {
  if (JSON.stringify(schema).length <= chars) return schema
  const fields = isRecord(schema.properties) ? Object.entries(schema.properties) : []
  const short = {
    type: 'object',
    properties: Object.fromEntries(fields.slice(0, FIELDS).map(([name, field]) => [name, typeOf(field)])),
    ...(Array.isArray(schema.required) && { required: schema.required.slice(0, FIELDS) }),
    $comment: 'Shortened: describe_tool gives the whole schema.',
  }
  return JSON.stringify(short).length <= chars
    ? short
    : { type: 'object', $comment: 'Too long for a list: describe_tool gives it.' }
}

const typeOf = (schema: unknown): Record<string, unknown> =>
  isRecord(schema) && schema.type !== undefined ? { type: schema.type } : {}
