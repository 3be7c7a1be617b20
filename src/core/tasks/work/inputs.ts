import type { Invokes } from '../../../invokes/invoke.ts'
import { validate } from '../../json-schema/index.ts'
import type { Fault } from '../../problem.ts'
import { readStrictJson } from '../../strict-json.ts'
import type { Descriptor } from '../../tools/descriptor/descriptor.ts'

/** Everything that keeps an input from being run: its shape, values that were lost on the way, what the place cannot take. */
export function inputFaults(
  descriptor: Descriptor,
  input: Record<string, unknown>,
  invokes: Invokes,
): Fault[] {
  const faults = [...validate(descriptor.input_schema, input, 'input'), ...lossFaults(input)]
  return faults.length > 0 ? faults : (invokes[descriptor.invoke.kind]?.checkInput(descriptor, input) ?? [])
}

/**
 * A value that a tool would not get as it was sent: a whole number past 2^53, which may have lost its last digits on
 * its way here, or half a character.
 */
function lossFaults(input: Record<string, unknown>): Fault[] {
  const read = readStrictJson(JSON.stringify(input), 'input')
  return read.ok ? [] : [{ path: read.path, message: read.message, hint: read.hint }]
}
