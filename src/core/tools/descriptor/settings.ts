/** `limits` and `requirements`: what a run may use. */
import { LIMITS } from '../../limits.ts'
import { list, number, object, text } from './shape.ts'
import type { RunLimits } from './descriptor.ts'
import type { Read } from './shape.ts'

export const limits: Read<RunLimits> = object(
  {},
  {
    seconds: number({ ...LIMITS.seconds, isInteger: true }),
    memory_mb: number({ ...LIMITS.memoryMb, isInteger: true }),
  },
)

const PYTHON_PIN = String.raw`[A-Za-z0-9][\w.-]*(\[[\w,.-]+\])?==\d[\w.+!-]*`
const NODE_PIN = String.raw`(@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*@\d+\.\d+\.\d+([+-][\w.+-]+)?`

const pins = list(
  text({
    pattern: new RegExp(`^(${PYTHON_PIN}|${NODE_PIN})$`),
    says: 'one exact pin, like "requests==2.32.5" or "lodash@4.17.21"',
  }),
  { max: 100 },
)

/** Pinned packages. Their shape is checked, but nothing packs them yet: any at all is refused here, in one place. */
export const requirements: Read<string[]> = (value, path, report) => {
  const known = pins(value, path, report)
  if (Array.isArray(value) && value.length > 0) {
    report.refuse(
      path,
      'names packages, which are not available on this server yet',
      'use the standard library, or send the source of the package among the files',
    )
  }
  return known
}
