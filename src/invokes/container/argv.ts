import { LIMITS } from '../../core/limits.ts'
import type { Fault } from '../../core/problem.ts'
import { fileInputs, type ContainerInvoke, type Descriptor } from '../../core/tools/descriptor/descriptor.ts'

/**
 * The words of a command: literals as they are, inputs as text, a missing optional input left out, a list of files as
 * one word each.
 */
export function fillArgv(
  { argv }: ContainerInvoke,
  input: Record<string, unknown>,
  descriptor: Pick<Descriptor, 'input_schema'> = { input_schema: {} },
): string[] {
  const files = fileInputs(descriptor)
  return argv.flatMap((part) => {
    if (typeof part === 'string') return [part]
    if (!Object.hasOwn(input, part.from)) return []
    const value = input[part.from]
    return files.get(part.from) === 'many' && Array.isArray(value)
      ? value.map(asArgument)
      : [asArgument(value)]
  })
}

/** Inputs that cannot be an argument of a program. */
export function argumentFaults({ argv }: ContainerInvoke, input: Record<string, unknown>): Fault[] {
  return argv.flatMap((part) => {
    if (typeof part === 'string' || !Object.hasOwn(input, part.from)) return []
    const text = asArgument(input[part.from])
    const path = `input.${part.from}`
    if (text.includes('\0')) {
      return [{ path, message: 'holds a NUL character, which no program argument can', hint: USE_STDIN }]
    }
    const bytes = new TextEncoder().encode(text).length
    if (bytes <= LIMITS.argument) return []
    const message = `has ${bytes} bytes; a program argument has at most ${LIMITS.argument}`
    return [{ path, message, hint: USE_STDIN }]
  })
}

const USE_STDIN =
  'Save the tool with "stdin": "json" in its invoke and read the input from stdin instead of argv.'

const asArgument = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
