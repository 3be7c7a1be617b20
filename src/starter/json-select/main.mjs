// Takes parts out of JSON by a path. Own names only; nothing of the path is ever run.
import { readFileSync } from 'node:fs'

const STEP =
  /\s*(?:\.\s*([\p{L}_$][\p{L}\p{N}_$-]*)|\[\s*(?:(-?\d+)|(\*)|(-?\d*)\s*:\s*(-?\d*)|("(?:[^"\\]|\\.)*")|'((?:[^'\\]|\\.)*)')\s*\]|\.\s*(\*))/uy

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

const short = (text) => (text.length > 80 ? `${text.slice(0, 80)}…` : text)

/** `$.items[*].name` as steps: a name, an index, every item, or a slice. */
function parse(path) {
  const text = path.trim().replace(/^\$/, '')
  const steps = []
  STEP.lastIndex = 0
  while (STEP.lastIndex < text.trimEnd().length) {
    const at = STEP.lastIndex
    const [whole, name, index, all, from, to, quoted, single, star] = STEP.exec(text) ?? []
    if (whole === undefined)
      fail(
        `the path is not understood from "${short(text.slice(at))}" on: use .name, ["name"], [0], [-1], [1:3] or [*]`,
      )
    if (name !== undefined) steps.push({ name })
    else if (index !== undefined) steps.push({ index: Number(index) })
    else if (all ?? star) steps.push({ all: true })
    else if (from !== undefined)
      steps.push({ from: from === '' ? 0 : Number(from), to: to === '' ? Infinity : Number(to) })
    else steps.push({ name: quoted ? JSON.parse(quoted) : single.replace(/\\(.)/gs, '$1') })
  }
  return steps
}

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value)

/** The parts of one value that one step leads to. */
function take(value, step) {
  if (step.all) return Array.isArray(value) ? value : isObject(value) ? Object.values(value) : []
  if (step.name !== undefined)
    return isObject(value) && Object.hasOwn(value, step.name) ? [value[step.name]] : []
  if (!Array.isArray(value)) return []
  if (step.index === undefined) return value.slice(step.from, step.to)
  const index = step.index < 0 ? value.length + step.index : step.index
  return index >= 0 && index < value.length ? [value[index]] : []
}

/** What stands where the path ended, so that a misspelt name is seen. */
function lookedAt(values) {
  const [value] = values
  if (isObject(value))
    return `there are the names ${
      short(
        Object.keys(value)
          .map((name) => JSON.stringify(name))
          .join(', '),
      ) || 'of an empty object'
    }`
  return Array.isArray(value)
    ? `there is a list of ${value.length}`
    : `there is ${value === null ? 'null' : `a ${typeof value}`}`
}

const asked = JSON.parse(readFileSync(0, 'utf8'))
if (Object.hasOwn(asked, 'json') === Object.hasOwn(asked, 'value'))
  fail('give one of json (a text) and value')
let root = asked.value
if (asked.json !== undefined) {
  try {
    root = JSON.parse(asked.json.replace(/^\ufeff/, ''))
  } catch (fault) {
    fail(`the text is not JSON: ${short(fault.message)}`)
  }
}
let values = [root]
let note = null
for (const [number, step] of parse(asked.path).entries()) {
  const found = values.flatMap((value) => take(value, step))
  if (found.length === 0 && values.length > 0)
    note = `step ${number + 1} of the path finds nothing: ${lookedAt(values)}`
  values = found
}
console.log(JSON.stringify({ count: values.length, values, note }))
