const MINUTE_MS = 60_000
const DAY_MINUTES = 1_440

/**
 * When a published tool's sample is next run: once a day, at a minute that the tool's id picks, so that all tools
 * together are spread over the day. Strictly after a time.
 */
export function nextCheckAt(toolRow: string, after: number): number {
  const minute = hashOf(toolRow) % DAY_MINUTES
  const day = Math.floor(after / MINUTE_MS / DAY_MINUTES)
  const today = (day * DAY_MINUTES + minute) * MINUTE_MS
  return today > after ? today : today + DAY_MINUTES * MINUTE_MS
}

/** FNV-1a of 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
