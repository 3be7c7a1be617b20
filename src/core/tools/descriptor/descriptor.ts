/**
 * What a maker says about a tool, as it is stored and shown. These are the types of a descriptor that
 * `checkDescriptor` has accepted: defaults are filled in, absent optional parts are left out.
 */

import { childPath, isRecord } from '../../json-schema/path.ts'

/** A JSON Schema 2020-12 that `checkSchema` has accepted. */
export type Schema = boolean | Record<string, unknown>

export const PLACEMENTS = [
  'placement:deployed-container',
  'placement:rented-model-runtime',
  'placement:public-web-address',
  'placement:own-computer',
] as const
export type Placement = (typeof PLACEMENTS)[number]

export const LICENCE_CLASSES = [
  'licence:maker-own',
  'licence:permissive',
  'licence:own-computer-only',
] as const
export type LicenceClass = (typeof LICENCE_CLASSES)[number]

/** A connection of whoever runs the tool. Its value stands in the place of this object at each run. */
export interface SecretRef {
  secret_name: string
}

/** A file that a container run makes: a path below `/work`, returned as `files.<name>`. */
export interface Output {
  name: string
  path: string
  keep_in: 'files'
  media_type: string
}

/** Runs a program in `/work`. `{from}` becomes that input; `stdout: "json"` reads the last printed line. */
export interface ContainerInvoke {
  kind: 'container'
  argv: (string | { from: string })[]
  stdin: 'none' | 'json'
  stdout: 'json' | 'text'
  env?: Record<string, string | SecretRef>
  outputs?: Output[]
}

/** Asks a hosted model. `{"fill": {"from": "input", "field": "text"}}` anywhere in `input` becomes that input. */
export interface ModelInvoke {
  kind: 'model'
  model: string
  input: Record<string, unknown>
}

export const HTTP_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** A header or query value that is a connection's value behind a fixed text like `Bearer `. */
export interface PrefixedSecretRef extends SecretRef {
  prefix?: string
}

/** Calls a web address that answers JSON. `{field}` in any text becomes that input. */
export interface HttpInvoke {
  kind: 'http'
  url: string
  method: (typeof HTTP_METHODS)[number]
  headers?: Record<string, string | PrefixedSecretRef>
  query?: Record<string, string | number | boolean | PrefixedSecretRef>
  body?: unknown
}

export type Invoke = ContainerInvoke | ModelInvoke | HttpInvoke

/** Runs the tool on a real input, when it is saved and published. */
export interface SampleRun {
  kind: 'sample-run'
  input: Record<string, unknown>
  output_selector: string
  contains: string
}

/** A check of the output that follows every run. */
export type OutputCheck =
  | { kind: 'output-contains'; output_selector: string; text: string }
  | { kind: 'output-contains-input'; output_selector: string; field: string }
  | { kind: 'output-number-within'; output_selector: string; min: number; max: number }
  | { kind: 'output-numbers-close'; output_selector: string; to: number | number[]; within: number }
  | { kind: 'output-numbers-close'; output_selector: string; to_field: string; within: number }

export type VerifyCheck = SampleRun | OutputCheck

/** What a run may use: wall time in seconds, memory in megabytes. */
export interface RunLimits {
  seconds?: number
  memory_mb?: number
}

export interface Descriptor {
  /** `tool:<slug>`, without the handle of its account. */
  id: string
  job: string
  label?: string
  input_schema: Record<string, unknown>
  output_schema: Schema
  invoke: Invoke
  result_selector?: string
  placements: Placement[]
  licence_class: LicenceClass
  verify: VerifyCheck[]
  limits?: RunLimits
}

/** The selector that takes the output from the raw result of a run. */
export function resultSelector({ invoke, result_selector }: Descriptor): string {
  if (result_selector !== undefined) return result_selector
  if (invoke.kind === 'container') return invoke.stdout === 'json' ? '.result' : '.stdout'
  return invoke.kind === 'model' ? '.response' : '$'
}

/** The connections that a run needs, each once, in the order in which they are named. */
export function secretNames({ invoke }: Pick<Descriptor, 'invoke'>): string[] {
  if (invoke.kind === 'model') return []
  const places = invoke.kind === 'container' ? [invoke.env] : [invoke.headers, invoke.query]
  const values = places.flatMap((place): unknown[] => Object.values(place ?? {}))
  return [...new Set(values.flatMap((value) => (isSecretRef(value) ? [value.secret_name] : [])))]
}

const isSecretRef = (value: unknown): value is SecretRef =>
  isRecord(value) && typeof value.secret_name === 'string'

/** Inputs that are files: the name of each, and whether it is a list of them. */
export function fileInputs({ input_schema }: Pick<Descriptor, 'input_schema'>): Map<string, 'one' | 'many'> {
  const { properties } = input_schema
  const inputs = new Map<string, 'one' | 'many'>()
  for (const [name, schema] of Object.entries(isRecord(properties) ? properties : {})) {
    if (!isRecord(schema)) continue
    if (schema.format === 'namespace-file') inputs.set(name, 'one')
    else if (isRecord(schema.items) && schema.items.format === 'namespace-file') inputs.set(name, 'many')
  }
  return inputs
}

/** An input with what stands in the place of each file changed. `path` is like `input.clips[0]`. */
export function mapFiles(
  descriptor: Pick<Descriptor, 'input_schema'>,
  input: Record<string, unknown>,
  change: (value: unknown, path: string) => unknown,
): Record<string, unknown> {
  const mapped = { ...input }
  for (const [name, how] of fileInputs(descriptor)) {
    if (!Object.hasOwn(input, name)) continue
    const value = input[name]
    const path = childPath('input', name)
    if (how === 'one') mapped[name] = change(value, path)
    else if (Array.isArray(value)) mapped[name] = value.map((part, i) => change(part, childPath(path, i)))
  }
  return mapped
}

/** The identities that a valid input names, and where each stands. */
export function fileIdentities(
  descriptor: Pick<Descriptor, 'input_schema'>,
  input: Record<string, unknown>,
): { path: string; identity: string }[] {
  const found: { path: string; identity: string }[] = []
  mapFiles(descriptor, input, (value, path) => {
    if (typeof value === 'string') found.push({ path, identity: value })
  })
  return found
}
