import { LIMITS } from '../../core/limits.ts'
import type { Web } from '../../core/net/web.ts'
import type { Fault } from '../../core/problem.ts'
import type { Descriptor, HttpInvoke } from '../../core/tools/descriptor/descriptor.ts'
import { partsOf } from '../../core/tools/descriptor/http.ts'

/** The http spec of a descriptor that came here because it is one. */
export function specOf({ invoke }: Descriptor): HttpInvoke {
  if (invoke.kind !== 'http') throw new Error(`a ${invoke.kind} invoke was sent to a web address`)
  return invoke
}

/** What can be told of an address and its request before any input is known. */
export function saveFaults(descriptor: Descriptor, web: Pick<Web, 'fault'>): Fault[] {
  const { url, headers = {}, body } = specOf(descriptor)
  const faults: Fault[] = []
  const at = 'descriptor.invoke'
  const parts = partsOf(url)
  const fault = web.fault(parts.map((part) => (typeof part === 'string' ? part : 'x')).join(''))
  if (fault) {
    const hint = 'name a public host as it is usually written, like https://api.example.com/v1/rates'
    faults.push({ path: `${at}.url`, message: `may not be called: ${fault}`, hint })
  }
  if (parts.some((part, i) => typeof part === 'string' && /%[\da-f]?$/i.test(part) && i < parts.length - 1)) {
    faults.push({ path: `${at}.url`, message: 'has an unfinished % before a field', hint: 'write % as %25' })
  }
  for (const [name, value] of Object.entries(headers)) {
    if (name.toLowerCase() !== 'content-type' || body === undefined) continue
    if (typeof value === 'string' && isJsonType(value)) continue
    const message = 'must be application/json: the body is sent as JSON'
    faults.push({ path: `${at}.headers.${name}`, message, hint: 'leave it out' })
  }
  return [...faults, ...limitFaults(descriptor)]
}

function limitFaults({ limits = {} }: Descriptor): Fault[] {
  const faults: Fault[] = []
  if ((limits.seconds ?? 0) > LIMITS.httpSeconds) {
    const message = `must be at most ${LIMITS.httpSeconds} for a web address`
    faults.push({ path: 'descriptor.limits.seconds', message })
  }
  if (limits.memory_mb !== undefined) {
    faults.push({
      path: 'descriptor.limits.memory_mb',
      message: 'says nothing of a web address',
      hint: 'leave it out',
    })
  }
  return faults
}

/** `application/json`, `application/geo+json; charset=utf-8` and the like. */
export const isJsonType = (type: string): boolean =>
  /^\s*(application\/json|text\/json|[\w.+-]+\/[\w.+-]+\+json)\s*(;|$)/i.test(type)
