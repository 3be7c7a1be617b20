import { inject } from 'vitest'
import type { Account } from './suite.ts'
import { toolOf } from './tools.ts'

const SCRIPT = `import hashlib, json, os
key = os.environ["KEY"]
print(json.dumps({"sha256": hashlib.sha256(key.encode()).hexdigest(), "said": key}))
`

/** A script that uses the connection `name` as its variable KEY. */
export const usingKey = (id: string, name: string, script = SCRIPT) =>
  toolOf(
    id,
    { 'main.py': script },
    {
      invoke: {
        kind: 'container',
        argv: ['python3', 'main.py'],
        stdout: 'json',
        env: { KEY: { secret_name: name }, PLAIN: 'as it is' },
      },
    },
  )

/** `PUT` or `DELETE /v1/connections/<name>`, as a program of the account's does it. */
export async function change(
  { token }: Pick<Account, 'token'>,
  name: string,
  value?: unknown,
): Promise<{ status: number; body: Record<string, unknown>; text: string }> {
  const response = await fetch(`${inject('workshop').url}/v1/connections/${name}`, {
    method: value === undefined ? 'DELETE' : 'PUT',
    headers: { authorization: `Bearer ${token}` },
    ...(value !== undefined && { body: JSON.stringify({ value }) }),
  })
  const text = await response.text()
  return { status: response.status, body: JSON.parse(text), text }
}
