/** Why a check fails, in words; undefined when it holds. */
export type Failing = string | undefined

/** A text as it is, anything else as compact JSON. What is no JSON at all is the empty text. */
export function compact(value: unknown): string {
  if (typeof value === 'string') return value
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return ''
  }
}

const SHOWN_CHARS = 80

/** A value in a message: quoted as JSON and cut. */
export function shown(value: unknown): string {
  const text = compact(value)
  const cut = text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS).toWellFormed()}…` : text
  return typeof value === 'string' ? JSON.stringify(cut) : cut
}
