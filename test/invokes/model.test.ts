import { describeInvoke } from './contract.ts'
import { addressPlace, bindingPlace } from './model/place.ts'

describeInvoke('a model of Workers AI, by a fake of its binding', bindingPlace, { isHere: true })
describeInvoke('a model of an OpenAI-compatible address, by a fake server', addressPlace, { isHere: true })
