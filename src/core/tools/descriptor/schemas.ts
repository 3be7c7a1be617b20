/** The two schemas of a descriptor, and the input fields that the rest of it may name. */
import { checkSchema } from '../../json-schema/index.ts'
import { childPath, isRecord } from '../../json-schema/path.ts'
import { subschemas } from '../../json-schema/subschemas.ts'
import { quoteName } from '../../json-schema/wording.ts'
import { nameHint } from './shape.ts'
import type { Schema } from './descriptor.ts'
import type { Read, Report } from './shape.ts'

/** What is known of a tool's inputs while the rest of its descriptor is read. */
export interface Inputs {
  /** Undefined when it has faults: then nothing can be validated against it. */
  schema: Record<string, unknown> | undefined
  /** Names in `properties`; undefined when they cannot be told. */
  fields: string[] | undefined
}

const NO_INPUTS = { type: 'object', properties: {}, additionalProperties: false }

/** Reads `input_schema`. A missing or empty one means that the tool takes no inputs. */
export function readInputs(value: unknown, path: string, report: Report): Inputs {
  if (value === undefined || value === null) return { schema: structuredClone(NO_INPUTS), fields: [] }
  if (!isRecord(value)) {
    report.refuse(path, 'must be a JSON Schema object with "type": "object"')
    return { schema: undefined, fields: undefined }
  }
  if (Object.keys(value).length === 0) return { schema: structuredClone(NO_INPUTS), fields: [] }
  const known = report.count
  if (value.type !== 'object') {
    report.refuse(childPath(path, 'type'), 'must be "object" at the root', 'add "type": "object"')
  }
  schema(value, path, report)
  checkFileInputs(value, path, report)
  const { properties = {} } = value
  return {
    schema: report.count === known ? value : undefined,
    fields: isRecord(properties) ? Object.keys(properties) : undefined,
  }
}

/** Any JSON Schema that `checkSchema` accepts. */
export const schema: Read<Schema> = (value, path, report) => {
  const { faults, warnings } = checkSchema(value, path)
  report.add(faults)
  report.warnings.push(...warnings)
  return faults.length === 0 && (typeof value === 'boolean' || isRecord(value)) ? value : undefined
}

/** The name of an input that `input_schema` declares. */
export function inputField({ fields }: Inputs): Read<string> {
  return (value, path, report) => {
    if (typeof value !== 'string') return report.refuse(path, 'must be the name of an input')
    if (fields === undefined || fields.includes(value)) return value
    return report.refuse(
      path,
      `names ${quoteName(value)}, which input_schema does not declare`,
      () => nameHint(value, fields) ?? 'declare it in input_schema.properties',
    )
  }
}

/** A `namespace-file` may be an input of its own or the items of one: only there it becomes a local path. */
function checkFileInputs(schema: Record<string, unknown>, path: string, report: Report): void {
  for (const { place, type } of fileSchemas(schema, [])) {
    const [keyword, name, items, ...deeper] = place
    const isInput = keyword === 'properties' && name !== undefined && deeper.length === 0
    const at = place.reduce(childPath, path)
    if (!isInput || (items !== undefined && items !== 'items')) {
      report.refuse(
        childPath(at, 'format'),
        '"namespace-file" may stand only in an input or in the items of one',
      )
    } else if (type !== 'string') {
      report.refuse(
        childPath(at, 'type'),
        'must be "string" for a file, whose value is 1f: and 64 hex digits',
      )
    }
  }
}

interface FileSchema {
  /** Keywords, names and indexes from the root. */
  place: (string | number)[]
  type: unknown
}

function fileSchemas(schema: unknown, place: (string | number)[]): FileSchema[] {
  if (!isRecord(schema)) return []
  const below = subschemas(schema).flatMap(({ schema: part, keyword, key }) =>
    fileSchemas(part, key === undefined ? [...place, keyword] : [...place, keyword, key]),
  )
  return schema.format === 'namespace-file' ? [{ place, type: schema.type }, ...below] : below
}
