import { Container } from '@cloudflare/containers'

/** The sealed machine of one account: the image of `containers/`, no internet, asleep when it has nothing to do. */
export class ToolContainer extends Container<Env> {
  override defaultPort = 8080
  override sleepAfter = '5m'
  override enableInternet = false
  override pingEndpoint = 'runner/health'
  override envVars = {
    RUNNER_SECRET: this.env.RUNNER_SECRET,
    RUNNER_HOST: '0.0.0.0',
    RUNNER_PORT: '8080',
  }
}
