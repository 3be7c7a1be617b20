/** `invoke.kind: "container"`: a program that runs in `/work`. */
import { childPath, isRecord } from '../../json-schema/path.ts'
import { quoteName } from '../../json-schema/wording.ts'
import { inputField } from './schemas.ts'
import { list, nameHint, named, object, oneOf, text } from './shape.ts'
import type { ContainerInvoke, Output, SecretRef } from './descriptor.ts'
import type { Inputs } from './schemas.ts'
import type { Read, Report } from './shape.ts'

/** Paths of a version's code below `/work`, like `lib/a.py`. */
export interface Code {
  paths: string[]
}

/** The name of a connection. */
export const secretName = text({
  pattern: /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/,
  says: 'the name of a connection: a letter, then up to 63 letters, digits, ".", "_" or "-"',
})

/** Reads a container invoke. `code: null` means that the files are not known, and they are not looked for. */
export function containerInvoke(inputs: Inputs, code: Code | null): Read<ContainerInvoke> {
  const read = object(
    { kind: oneOf(['container']), argv: argv(inputs) },
    { stdin: oneOf(['none', 'json']), stdout: oneOf(['json', 'text']), env, outputs },
  )
  return (value, path, report) => {
    const invoke = read(value, path, report)
    if (code && isRecord(value)) {
      checkScript(value.argv, code.paths, { path: childPath(path, 'argv'), report })
    }
    return invoke && { ...invoke, stdin: invoke.stdin ?? 'none', stdout: invoke.stdout ?? 'text' }
  }
}

function argv(inputs: Inputs): Read<ContainerInvoke['argv']> {
  const from = object({ from: inputField(inputs) }, {})
  const parts = list<string | { from: string }>(
    (value, path, report) => {
      if (typeof value === 'string') return argument(value, path, report)
      const isObject = typeof value === 'object' && value !== null
      return isObject
        ? from(value, path, report)
        : report.refuse(path, 'must be a text or {"from": "<input>"}')
    },
    { min: 1, max: 256 },
  )
  return (value, path, report) => {
    const first: unknown = Array.isArray(value) ? value[0] : undefined
    const at = childPath(path, 0)
    if (first === '') report.refuse(at, 'is empty', 'the first element names the program')
    if (typeof first === 'object' && first !== null) {
      report.refuse(at, 'must be a text: an input never names the program')
    }
    return parts(value, path, report)
  }
}

/** Bytes of one argument of a program (the kernel's MAX_ARG_STRLEN less its closing NUL). */
const LONGEST_ARGUMENT = 131_071

const argument: Read<string> = (value, path, report) => {
  if (typeof value !== 'string') return report.refuse(path, 'must be a text')
  if (value.includes('\0')) return report.refuse(path, 'holds a NUL, which no argument can')
  const size = new TextEncoder().encode(value).length
  return size > LONGEST_ARGUMENT
    ? report.refuse(path, `has ${size} bytes; an argument has at most ${LONGEST_ARGUMENT}`)
    : value
}

const RESERVED_ENV = /^(PATH|HOME|LD_.*|PYTHON.*|NODE_.*)$/

const envName: Read<string> = (name, path, report) => {
  if (typeof name !== 'string' || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    return report.refuse(path, 'is not the name of a variable: a letter or "_", then letters, digits, "_"')
  }
  return RESERVED_ENV.test(name)
    ? report.refuse(path, 'may not be set', 'PATH, HOME, LD_*, PYTHON* and NODE_* belong to the container')
    : name
}

const secretRef = object({ secret_name: secretName }, {})

const env = named<string | SecretRef>((value, path, report) => {
  if (typeof value === 'string') return argument(value, path, report)
  const isObject = typeof value === 'object' && value !== null
  return isObject
    ? secretRef(value, path, report)
    : report.refuse(path, 'must be a text or {"secret_name": "<connection>"}')
}, envName)

const outputPath: Read<string> = (value, path, report) => {
  const says = 'must be the path of a file below /work, like "/work/out.mp4"'
  if (typeof value !== 'string' || !value.startsWith('/work/')) return report.refuse(path, says)
  const segments = value.split('/').slice(1)
  const isPlain = segments.every((segment) => segment !== '' && segment !== '.' && segment !== '..')
  return isPlain && !/\p{Cc}/u.test(value)
    ? value
    : report.refuse(path, says, 'without ., .., // or a / at the end')
}

const output = object(
  {
    name: text({
      pattern: /^[A-Za-z][A-Za-z0-9_-]{0,62}$/,
      says: 'a name: a letter, then up to 62 letters, digits, "_" or "-"',
    }),
    path: outputPath,
    media_type: text({
      pattern: /^[\w.+-]+\/[\w.+-]+(;[ \w.+=-]+)*$/,
      says: 'a media type, like "video/mp4"',
    }),
  },
  { keep_in: oneOf(['files']) },
)

const outputs: Read<Output[]> = (value, path, report) => {
  const known = list(output, { max: 100 })(value, path, report)
  const given: unknown[] = known ?? (Array.isArray(value) ? value.slice(0, 100) : [])
  const names = given.map((item) => (isRecord(item) ? item.name : undefined))
  for (const [index, name] of names.entries()) {
    if (typeof name === 'string' && names.indexOf(name) !== index) {
      report.refuse(childPath(childPath(path, index), 'name'), 'is the name of an earlier output too')
    }
  }
  return known?.map(({ name, path, media_type }) => ({ name, path, keep_in: 'files', media_type }))
}

const INTERPRETER = /^(python3?|python3\.\d+|node)$/
const SCRIPT = /\.(py|js|mjs|cjs|ts)$/

/** A program or script of the code itself, as `main.py`, `./main.py` or `/work/main.py`, must be among its files. */
function checkScript(
  argv: unknown,
  paths: string[],
  { path, report }: { path: string; report: Report },
): void {
  const [program, script]: unknown[] = Array.isArray(argv) ? argv : []
  const isScript = typeof program === 'string' && INTERPRETER.test(program) && typeof script === 'string'
  if (isScript && SCRIPT.test(script)) mustExist(script, childPath(path, 1))
  if (typeof program === 'string' && /^(\.|\/work)\//.test(program)) mustExist(program, childPath(path, 0))

  function mustExist(name: string, at: string): void {
    const file = name.replace(/^\/work\//, '').replace(/^(\.\/)+/, '')
    if (file.startsWith('/') || paths.includes(file)) return
    const hint = () => (paths.length === 0 ? 'send it in files or bytes_base64' : nameHint(file, paths))
    report.refuse(at, `names ${quoteName(file)}, which is not among the files of the code`, hint)
  }
}
