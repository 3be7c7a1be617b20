/**
 * The metaschema of draft 2020-12, its vocabularies in one document. `format` of its own (regex, uri) is left
 * out: patterns and references are checked by compiling and resolving them.
 */
export const DIALECT = 'https://json-schema.org/draft/2020-12/schema'

const one = { $ref: '#' }
const list = { type: 'array', minItems: 1, items: one }
const map = { type: 'object', additionalProperties: one }
const text = { type: 'string' }
const flag = { type: 'boolean' }
const number = { type: 'number' }
const size = { type: 'integer', minimum: 0 }
const names = { type: 'array', items: text, uniqueItems: true }
const anchor = { type: 'string', pattern: '^[A-Za-z_][-A-Za-z0-9._]*$' }
const type = { enum: ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] }

export const METASCHEMA = {
  type: ['object', 'boolean'],
  properties: {
    $schema: text,
    $id: { type: 'string', pattern: '^[^#]*#?$' },
    $ref: text,
    $anchor: anchor,
    $dynamicAnchor: anchor,
    $vocabulary: { type: 'object', additionalProperties: flag },
    $comment: text,
    $defs: map,
    definitions: map,

    allOf: list,
    anyOf: list,
    oneOf: list,
    not: one,
    if: one,
    then: one, // oxlint-disable-line unicorn/no-thenable -- a keyword
    else: one,
    dependentSchemas: map,
    dependencies: { type: 'object', additionalProperties: { anyOf: [one, names] } },
    properties: map,
    patternProperties: map,
    additionalProperties: one,
    propertyNames: one,
    unevaluatedProperties: one,
    prefixItems: list,
    items: one,
    contains: one,
    unevaluatedItems: one,

    type: { anyOf: [type, { type: 'array', items: type, minItems: 1, uniqueItems: true }] },
    const: true,
    enum: { type: 'array' },
    multipleOf: { type: 'number', exclusiveMinimum: 0 },
    maximum: number,
    exclusiveMaximum: number,
    minimum: number,
    exclusiveMinimum: number,
    maxLength: size,
    minLength: size,
    pattern: text,
    maxItems: size,
    minItems: size,
    uniqueItems: flag,
    maxContains: size,
    minContains: size,
    maxProperties: size,
    minProperties: size,
    required: names,
    dependentRequired: { type: 'object', additionalProperties: names },

    title: text,
    description: text,
    default: true,
    deprecated: flag,
    readOnly: flag,
    writeOnly: flag,
    examples: { type: 'array' },
    format: text,
    contentEncoding: text,
    contentMediaType: text,
    contentSchema: one,
  },
}
