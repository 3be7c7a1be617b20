import { exports } from 'cloudflare:workers'

/** A request to the Worker itself, as whoever holds a link sends it. */
export async function send(url: string, init: RequestInit = {}): Promise<Response> {
  return exports.default.fetch(new Request(url, init))
}

/** So many bytes that are the same for the same seed. */
export function bytesOf(length: number, seed = 1): Uint8Array<ArrayBuffer> {
  const words = new Uint32Array(Math.ceil(length / 4))
  let state = seed
  for (let i = 0; i < words.length; i += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    words[i] = state
  }
  return new Uint8Array(words.buffer, 0, length)
}

export async function identityOf(data: Uint8Array): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', data))
  return `1f:${Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** A body in pieces, of a length that nobody says, which may break off after so many of them. */
export function piecesOf(data: Uint8Array, cutAfter = Infinity): ReadableStream<Uint8Array> {
  let sent = 0
  return new ReadableStream({
    pull(controller) {
      if (sent >= cutAfter) controller.error(new Error('the sender is gone'))
      else if (sent >= data.length) controller.close()
      else controller.enqueue(data.slice(sent, (sent = Math.min(sent + 100_000, cutAfter))))
    },
  })
}
