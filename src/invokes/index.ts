import { containerInvoke, type Runner } from './container/index.ts'
import type { InvokeKind, Invoke } from './invoke.ts'

/** Every place that this code can run a tool in. */
export const invokesOf = ({ runner }: { runner: Runner }) =>
  ({ container: containerInvoke(runner) }) satisfies Partial<Record<InvokeKind, Invoke>>
