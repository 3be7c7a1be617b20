/** Which placements and licence classes go with which kind of invoke. */
import { childPath, isRecord } from '../../json-schema/path.ts'
import { LICENCE_CLASSES, PLACEMENTS } from './descriptor.ts'
import { list, oneOf } from './shape.ts'
import type { Invoke, LicenceClass, Placement } from './descriptor.ts'
import type { Report } from './shape.ts'

type Kind = Invoke['kind']

interface Pairing {
  placement: Placement
  licences: LicenceClass[]
}

const PAIRINGS: Record<Kind, Pairing[]> = {
  container: [
    { placement: 'placement:deployed-container', licences: ['licence:maker-own'] },
    { placement: 'placement:own-computer', licences: ['licence:maker-own', 'licence:own-computer-only'] },
  ],
  model: [{ placement: 'placement:rented-model-runtime', licences: ['licence:permissive'] }],
  http: [{ placement: 'placement:public-web-address', licences: ['licence:maker-own'] }],
}

export const KINDS = ['container', 'model', 'http'] as const satisfies readonly Kind[]
export const placements = list(oneOf(PLACEMENTS), { min: 1, max: PLACEMENTS.length })
export const licenceClass = oneOf(LICENCE_CLASSES)

/** Reports a placement or licence that does not go with the kind. Parts that are wrong by themselves are left out. */
export function checkPairing(raw: Record<string, unknown>, path: string, report: Report): void {
  const kind = KINDS.find((known) => isRecord(raw.invoke) && raw.invoke.kind === known)
  if (!kind || !Array.isArray(raw.placements)) return
  const given: unknown[] = raw.placements
  if (given.length === 0 || !given.every((name) => PLACEMENTS.some((known) => known === name))) return
  const at = childPath(path, 'placements')
  if (given.length > 1) report.refuse(at, 'must name exactly one place', together(kind))
  const pairings = PAIRINGS[kind].filter(({ placement }) => given.includes(placement))
  if (pairings.length === 0) {
    report.refuse(at, `${JSON.stringify(given[0])} does not go with a ${kind} invoke`, together(kind))
  }
  const licence = LICENCE_CLASSES.find((known) => known === raw.licence_class)
  const mayHave = (pairings.length > 0 ? pairings : PAIRINGS[kind]).flatMap(({ licences }) => licences)
  if (licence && !mayHave.includes(licence)) {
    const what = pairings.length > 0 ? `a ${kind} invoke in ${JSON.stringify(given[0])}` : `a ${kind} invoke`
    report.refuse(childPath(path, 'licence_class'), `"${licence}" does not go with ${what}`, together(kind))
  }
}

function together(kind: Kind): string {
  const pairs = PAIRINGS[kind].map(
    ({ placement, licences }) => `["${placement}"] with "${licences.join('" or "')}"`,
  )
  return `${kind} goes with ${pairs.join(', or ')}`
}
