import type { ContainerInvoke } from '../../core/tools/descriptor/descriptor.ts'
import type { Host } from '../invoke.ts'

/** The variables of a run: literals as they are, connections by their values. Rejects when one is not there. */
export async function fillEnv(
  { env = {} }: ContainerInvoke,
  { secret }: Pick<Host, 'secret'>,
): Promise<Record<string, string>> {
  const filled: Record<string, string> = {}
  for (const [name, given] of Object.entries(env)) {
    const value = typeof given === 'string' ? given : await secret(given.secret_name)
    if (value === null) throw new Error(`the connection for ${name} is not set`)
    filled[name] = value
  }
  return filled
}
