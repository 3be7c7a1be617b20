/**
 * JSON Schema 2020-12 as tools use it: `checkSchema` when a schema is saved, `validate` on every value.
 *
 * Left out: `$dynamicRef`, references out of the document, and `format` as an assertion (but for
 * `namespace-file`). Patterns run on a linear-time engine, all work is counted, and only own properties exist.
 */
export { checkSchema, type SchemaCheck } from './check.ts'
export { validate } from './evaluate.ts'
export { isFileIdentity } from './file-identity.ts'
