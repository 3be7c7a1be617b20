import { describe, expect, test } from 'vitest'
import { OPERATIONS } from '../../src/core/operations.ts'
import { announce, INSTRUCTIONS } from '../../src/routes/mcp/catalogue.ts'
import { filesBelow, read } from './files.ts'

/** A token is counted as four characters of text. */
const TOKEN_CHARS = 4

const endToEnd = filesBelow('test/e2e').map(read).join('\n')

describe.each(OPERATIONS.map((operation) => [operation.name, operation] as const))(
  '%s',
  (name, operation) => {
    test('its name and description are within what clients show', () => {
      expect(name).toMatch(/^[a-z][a-z_]{1,23}$/)
      expect(operation.title.length).toBeGreaterThan(0)
      expect(operation.description.length).toBeLessThanOrEqual(2_000)
    })

    test('it has a worked example that its own schema takes', () => {
      const [, example = ''] = /^Example: (\{.*\})$/m.exec(operation.description) ?? []
      const given = JSON.parse(example) as Record<string, unknown>
      for (const field of operation.input.required ?? []) expect(given).toHaveProperty(field)
      for (const field of Object.keys(given)) expect(operation.input.properties).toHaveProperty(field)
    })

    test('all four hints are set', () => {
      const { annotations } = announce(operation)
      for (const hint of ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']) {
        expect(annotations).toHaveProperty(hint, expect.any(Boolean))
      }
      expect(operation.hints.readOnly).toBe(operation.scope === 'read')
    })

    test('its schemas are plain objects that every client takes', () => {
      for (const schema of [operation.input, operation.output]) {
        expect(schema.type).toBe('object')
        expect(JSON.stringify(schema)).not.toMatch(/"(\$ref|\$defs|oneOf|anyOf|allOf)"/)
      }
      expect(operation.output.required).toBeUndefined()
      expect(operation.output.properties).toHaveProperty('error')
      for (const [field, schema] of Object.entries(operation.input.properties)) {
        expect(schema.description, `${field} is described`).toBeTruthy()
      }
    })

    test('it is called by an end-to-end test', () => {
      expect(endToEnd).toContain(`'${name}'`)
    })
  },
)

test('the whole list costs a model little', () => {
  const sizes = OPERATIONS.map((operation) => JSON.stringify(announce(operation)).length / TOKEN_CHARS)
  expect(sizes.reduce((sum, size) => sum + size, 0) / sizes.length).toBeLessThanOrEqual(350)
})

test('the instructions are within what clients show', () => {
  expect(INSTRUCTIONS.length).toBeLessThanOrEqual(2_000)
})
