import type { Scrubber } from '../../connections/scrub.ts'

/** Whether bytes hold, as text, the value of a connection. Reads them once, piece by piece. */
export async function holdsSecret(
  bytes: ReadableStream<Uint8Array>,
  { finds, longest }: Pick<Scrubber, 'finds' | 'longest'>,
): Promise<boolean> {
  const decoder = new TextDecoder()
  let before = ''
  for await (const piece of bytes) {
    const text = before + decoder.decode(piece, { stream: true })
    if (finds(text)) return true
    before = text.slice(-longest)
  }
  return false
}
