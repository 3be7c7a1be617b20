import type { Web } from '../core/net/web.ts'
import { containerInvoke, type Runner } from './container/index.ts'
import { httpInvoke } from './http/index.ts'
import type { InvokeKind, Invoke } from './invoke.ts'
import { modelInvoke, type ModelServer } from './model/index.ts'

/** Every place that this code can run a tool in. */
export const invokesOf = ({
  runner,
  web,
  models,
}: {
  runner: Runner
  web: Web
  models: ModelServer | null
}) =>
  ({
    container: containerInvoke(runner),
    http: httpInvoke(web),
    model: modelInvoke(models),
  }) satisfies Record<InvokeKind, Invoke>
