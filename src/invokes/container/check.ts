import type { Fault } from '../../core/problem.ts'
import type { ContainerInvoke, Descriptor } from '../../core/tools/descriptor/descriptor.ts'

/** The container spec of a descriptor that came here because it is one. */
export function specOf({ invoke }: Descriptor): ContainerInvoke {
  if (invoke.kind !== 'container') throw new Error(`a ${invoke.kind} invoke was sent to the container`)
  return invoke
}

/** What this place cannot do is refused when it is saved, not when it is run. */
export function placeFaults(descriptor: Descriptor): Fault[] {
  const faults: Fault[] = []
  if (descriptor.placements.includes('placement:own-computer')) {
    faults.push({
      path: 'descriptor.placements',
      message: 'this server runs no tools on own computers',
      hint: 'use ["placement:deployed-container"]',
    })
  }
  return faults
}
