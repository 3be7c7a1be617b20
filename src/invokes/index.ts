import type { Web } from '../core/net/web.ts'
import { containerInvoke, type Runner } from './container/index.ts'
import { httpInvoke } from './http/index.ts'
import type { InvokeKind, Invoke } from './invoke.ts'

/** Every place that this code can run a tool in. */
export const invokesOf = ({ runner, web }: { runner: Runner; web: Web }) =>
  ({ container: containerInvoke(runner), http: httpInvoke(web) }) satisfies Partial<
    Record<InvokeKind, Invoke>
  >
