import { describeInvoke } from './contract.ts'
import { webPlace } from './http/place.ts'

describeInvoke('a web address', webPlace, { isHere: true })
