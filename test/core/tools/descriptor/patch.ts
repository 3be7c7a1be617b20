import { checkDescriptor } from '../../../../src/core/tools/descriptor/index.ts'
import { EXAMPLE } from '../../../../src/core/tools/example.ts'
import type { Fault } from '../../../../src/core/problem.ts'

export const CODE = { paths: ['main.py', 'lib/count.mjs'] }

export const MODEL = {
  invoke: {
    kind: 'model',
    model: '@cf/meta/llama-3.1-8b-instruct-fp8',
    input: { messages: [{ role: 'user', content: { fill: { from: 'input', field: 'text' } } }] },
  },
  placements: ['placement:rented-model-runtime'],
  licence_class: 'licence:permissive',
}

export const HTTP = {
  invoke: { kind: 'http', url: 'https://api.example.test/v1/count', method: 'POST', body: { q: '{text}' } },
  placements: ['placement:public-web-address'],
}

type Fields = Record<string, unknown>

/** The example with other fields; `undefined` takes one away. */
export function patched(patch: Fields): Fields {
  return JSON.parse(JSON.stringify({ ...EXAMPLE.descriptor, ...patch })) as Fields
}

export function faultsOf(patch: Fields): Fault[] {
  return checkDescriptor(patched(patch), CODE).faults
}

/** The faults of an example whose container invoke has other fields. */
export function faultsOfContainer(patch: Fields): Fault[] {
  return faultsOf({ invoke: { ...EXAMPLE.descriptor.invoke, ...patch } })
}

export function faultsOfHttp(patch: Fields): Fault[] {
  return faultsOf({ ...HTTP, invoke: { ...HTTP.invoke, ...patch } })
}

export function faultsOfModel(patch: Fields): Fault[] {
  return faultsOf({ ...MODEL, invoke: { ...MODEL.invoke, ...patch } })
}

/** The faults of an example with one more check, whose path is left out of theirs. */
export function faultsOfCheck(check: unknown): Fault[] {
  const faults = faultsOf({ verify: [...EXAMPLE.descriptor.verify, check] })
  return faults.map((fault) => ({ ...fault, path: fault.path.replace('descriptor.verify[1]', '') }))
}
