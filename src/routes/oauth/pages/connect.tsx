import { Hono } from 'hono'
import { readSettings } from '../../../env.ts'
import { Page } from '../../web/page.tsx'
import { readSession, type Web } from '../../web/session.ts'
import { resourceOf } from '../server.ts'

/** How each AI app gets to know this address. */
export const connect = new Hono<Web>()

interface App {
  name: string
  /** What to do, with the address or a line to copy after it. */
  steps: string
  line: (url: string) => string
  afterwards?: string
  /** It calls from its maker's servers, which do not reach this machine. */
  isElsewhere?: boolean
}

const APPS: App[] = [
  {
    name: 'Claude',
    steps: 'On claude.ai or in Claude Desktop: Settings, Connectors, Add custom connector. Its address:',
    line: (url) => url,
    afterwards: 'Then Connect.',
    isElsewhere: true,
  },
  {
    name: 'ChatGPT',
    steps:
      'Settings, Apps, Advanced settings: turn on Developer mode. Then Create app, with OAuth and this address:',
    line: (url) => url,
    isElsewhere: true,
  },
  {
    name: 'Claude Code',
    steps: 'In a terminal:',
    line: (url) => `claude mcp add --transport http workshop ${url}`,
    afterwards: 'Then /mcp in Claude Code, and Authenticate.',
  },
  {
    name: 'Cursor',
    steps: 'In ~/.cursor/mcp.json:',
    line: (url) => JSON.stringify({ mcpServers: { workshop: { url } } }),
    afterwards: 'Then Settings, MCP, and Connect.',
  },
  {
    name: 'VS Code',
    steps: 'In a terminal:',
    line: (url) => `code --add-mcp '${JSON.stringify({ name: 'workshop', type: 'http', url })}'`,
    afterwards: 'Then start the server from the Extensions view; it asks you to sign in.',
  },
  {
    name: 'Codex',
    steps: 'In a terminal:',
    line: (url) => `codex mcp add workshop --url ${url} && codex mcp login workshop`,
  },
  {
    name: 'Gemini CLI',
    steps: 'In a terminal:',
    line: (url) => `gemini mcp add --transport http workshop ${url}`,
    afterwards: 'Then /mcp auth workshop in Gemini CLI.',
  },
  {
    name: 'Anything else',
    steps: 'MCP over Streamable HTTP, signing in by OAuth, at:',
    line: (url) => url,
    afterwards:
      'A program that no person sits at sends a personal access token: Authorization: Bearer <token>.',
  },
]

connect.get('/connect', async (c) => {
  const { origin } = readSettings(c.env)
  const url = resourceOf(origin)
  const isLocal = new URL(origin).protocol === 'http:'
  return c.html(
    <Page title="Connect an AI app" person={await readSession(c)}>
      <p>
        Each app gets one address. It then sends you here once, to say what it may do. Every app of yours sees
        the same tools, tasks and files.
      </p>
      {APPS.map(({ name, steps, line, afterwards, isElsewhere }) => (
        <section>
          <h2>{name}</h2>
          {isElsewhere && isLocal && (
            <p class="hint">Calls from its maker's servers: it cannot reach a Workshop on this machine.</p>
          )}
          <p>{steps}</p>
          <pre tabindex={0}>
            <code>{line(url)}</code>
          </pre>
          {afterwards && <p>{afterwards}</p>}
        </section>
      ))}
    </Page>,
  )
})
