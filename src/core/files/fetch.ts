import type { Context } from '../context.ts'
import { LIMITS } from '../limits.ts'
import { WebRefusal } from '../net/web.ts'
import { Problem } from '../problem.ts'
import { BrokenOff, keepStream, tooLarge, type Kept } from './bytes/keep.ts'
import { checkRoom } from './name.ts'

/** How long an address may take to send all of a file. */
const FETCH_MS = 300_000

/** Takes in what a public address sends, as it comes. Nothing points at it before all of it came. */
export async function fetchFile(ctx: Context, url: string): Promise<Kept> {
  const clock = AbortSignal.timeout(FETCH_MS)
  try {
    const response = await open(ctx, url, clock)
    const length = lengthOf(response)
    if ((length ?? 0) > LIMITS.upload) throw tooLarge(LIMITS.upload)
    await checkRoom(ctx, { accountId: ctx.caller.accountId, size: length ?? 0 })
    const body = response.body ?? new Blob([]).stream()
    return await keepStream(ctx, body, length === null ? {} : { length })
  } catch (error) {
    if (clock.aborted) throw failed(`did not send all of it within ${FETCH_MS / 1_000} s`)
    if (error instanceof BrokenOff) throw failed('broke off before all of it had come')
    throw error
  }
}

async function open(ctx: Context, url: string, signal: AbortSignal): Promise<Response> {
  // Packed on its way it would have another length, and another hash than the file that is meant.
  const headers = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'workshop' }
  try {
    const response = await ctx.web.open({ url, method: 'GET', headers }, signal)
    if (response.status === 200) return response
    await response.body?.cancel()
    throw failed(`answered with status ${response.status}`)
  } catch (error) {
    throw error instanceof WebRefusal ? refused(error) : error
  }
}

/** The bytes that are to come; null when that is not said, or said of a packed form. */
function lengthOf({ headers }: Response): number | null {
  const length = headers.get('content-length')
  return length === null || headers.has('content-encoding') ? null : Number(length)
}

const failed = (what: string): Problem =>
  new Problem('http_failed', `The address of from_url ${what}, so nothing was kept.`, {
    field: 'from_url',
    hint: 'Try again, or leave from_url out and PUT the bytes to the upload_url that is returned.',
    retryable: true,
  })

function refused({ kind, message }: WebRefusal): Problem {
  if (kind === 'connection' || kind === 'resolver') return failed(`could not be reached: ${message}`)
  return new Problem('invalid_request', `The address of from_url may not be fetched: ${message}.`, {
    field: 'from_url',
    hint: 'Name a file at a public https address, or leave from_url out and PUT the bytes to the upload_url that is returned.',
  })
}
