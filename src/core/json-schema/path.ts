const BARE = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u
const SHOWN_KEY = 40
const SHOWN_PATH = 300

/**
 * The path of one part of a value: `input.text`, `input.list[0]`, `input["a.b"]`.
 * Long keys and paths are cut, so that a path never repeats much of what was sent.
 */
export function childPath(path: string, key: string | number): string {
  if (path.length > SHOWN_PATH) return path.endsWith('…') ? path : `${path}…`
  if (typeof key === 'number') return `${path}[${key}]`
  const shown = key.length > SHOWN_KEY ? `${key.slice(0, SHOWN_KEY).toWellFormed()}…` : key
  return shown === key && BARE.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(shown)}]`
}

/** Whether a value is a JSON object: neither null nor an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
