import { machinePlace } from './container/place.ts'
import { describeInvoke } from './contract.ts'

describeInvoke('the container with sandboxes kept ready', () => machinePlace({}))
describeInvoke('the container without', () => machinePlace({ RUNNER_POOL: '0' }))
