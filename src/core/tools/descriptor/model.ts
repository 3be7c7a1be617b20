/** `invoke.kind: "model"`: a question to a hosted model. */
import { childPath, isRecord } from '../../json-schema/path.ts'
import { inputField } from './schemas.ts'
import { object, oneOf, text } from './shape.ts'
import type { ModelInvoke } from './descriptor.ts'
import type { Inputs } from './schemas.ts'
import type { Read, Report } from './shape.ts'

/** Reads a model invoke. Whether the model lives is asked elsewhere. */
export function modelInvoke(inputs: Inputs): Read<ModelInvoke> {
  return object(
    {
      kind: oneOf(['model']),
      model: text({
        pattern: /^@cf\/[\w.-]+\/[\w.-]+$/,
        says: 'the id of a model, like "@cf/meta/llama-3.1-8b-instruct-fp8"',
      }),
      input: modelInput(inputs),
    },
    {},
  )
}

function modelInput(inputs: Inputs): Read<Record<string, unknown>> {
  const fill = object({ fill: object({ from: oneOf(['input']), field: inputField(inputs) }, {}) }, {})

  function checkFills(value: unknown, path: string, report: Report): void {
    if (Array.isArray(value)) value.forEach((item, index) => checkFills(item, childPath(path, index), report))
    if (!isRecord(value)) return
    if (Object.hasOwn(value, 'fill')) fill(value, path, report)
    else for (const [name, part] of Object.entries(value)) checkFills(part, childPath(path, name), report)
  }

  return (value, path, report) => {
    if (!isRecord(value))
      return report.refuse(path, 'must be an object', 'like {"messages": [{"role": "user", …}]}')
    checkFills(value, path, report)
    return value
  }
}
