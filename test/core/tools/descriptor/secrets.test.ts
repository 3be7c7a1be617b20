import { describe, expect, test } from 'vitest'
import { checkDescriptor } from '../../../../src/core/tools/descriptor/check.ts'
import { findSecret, findSecretInCode, maskSecrets } from '../../../../src/core/tools/descriptor/secrets.ts'
import { CODE, HTTP, patched } from './patch.ts'

const BODY = 'FAKEfake0123FAKEfake0123'

/** Made-up secrets, in pieces so that no scanner takes this file for a leak. */
const SECRETS = [
  ['a Stripe key', 'sk_', 'live_', BODY],
  ['a Stripe key', 'rk_', 'test_', BODY],
  ['an API key', 'sk-', BODY, BODY],
  ['an API key', 'sk-', 'proj-', BODY, '_', BODY],
  ['an API key', 'sk-', 'ant-api03-', BODY, '-', BODY, '-AA'],
  ['a GitHub token', 'ghp_', BODY, BODY.slice(12)],
  ['a GitHub token', 'github_', 'pat_11', BODY, '_', BODY],
  ['a GitLab token', 'glpat-', BODY],
  ['a Hugging Face token', 'hf_', BODY, 'abcdefghij'],
  ['an npm token', 'npm_', BODY, BODY.slice(12)],
  ['an AWS key', 'AKIA', 'FAKE0123FAKE4567'],
  ['a Slack token', 'xoxb-', '123456789012-', BODY],
  ['a Google key', 'AIza', 'Sy', BODY, '012345_-9'],
  ['a SendGrid key', 'SG.', BODY, '.', BODY],
  ['a private key', '-----BEGIN ', 'RSA PRIVATE KEY-----\nMIIE'],
  ['a private key', '-----BEGIN ', 'PRIVATE KEY-----'],
  ['a signed token (JWT)', 'eyJ', 'hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NSJ9.c2lnbmF0dXJl'],
  ['a bearer token', 'Bearer ', '0123456789abcdef0123'],
  ['a password in an address', 'postgres://app:', 'hunter2', '@db.example.test/x'],
  ['a password in an address', 'see https://me:', 'pass', '@example.test'],
  ['a password or key', 'password=', 'hunter2-long'],
  ['a password or key', 'DB_PASSWORD = "', 'hunterlong', '"'],
  ['a password or key', '{"user": "u1", "password": "', 'hunter2-long', '"}'],
  ['a password or key', 'https://a.test/?api_key=', 'abcdef123'],
  ['a password or key', 'client-secret: ', 's3cr3t-value'],
].map(([says, ...pieces]) => ({ says, secret: pieces.join('') }))

test.each(SECRETS)('$says is found in the middle of a text: %#', ({ says, secret }) => {
  expect([findSecret(secret), findSecret(`Use (${secret}) here`)]).toEqual([says, says])
})

test.each([
  ['Count the words in a text and say how many tokens, keys and passwords it has'],
  ['Turns a bearer of news into a Basic understanding of authorization-dependent matters'],
  ['Bearer <your token>'],
  ['Bearer {token}'],
  ['sk_live_...'],
  ['sk_test_xxxxxxxxxxxxxxxxxxxxxxxx'],
  ['ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'],
  ['sk-learn, sk-learn-pipeline-for-text-classification'],
  ['task-0123456789-and-risk-management-2026'],
  [`1f:${'0123456789abcdef'.repeat(4)}`],
  ['0123456789abcdef'.repeat(4)],
  ['123e4567-e89b-42d3-a456-426614174000'],
  ['password: required, at least 8 characters; secret: see below'],
  ['password=<your password>&api_key={key}'],
  ['password = getpass.getpass(); token = sys.argv[1]; secret=os.environ["SECRET"]'],
  ['api_key=your_api_key'],
  ['https://example.test:443/a@b, http://user@example.test, git@github.com:a/b'],
  ['https://user:{password}@example.test and https://user:<password>@example.test'],
  ['eyJust a word. eyJ and more'],
  ['<your prompt>'],
  ['-----BEGIN PUBLIC KEY-----'],
  ['iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='],
])('no secret is seen in %.60j', (text) => {
  expect(findSecret(text)).toBe(undefined)
})

const HINT = 'keep it in a connection and name that: {"secret_name": "<connection>"}'

describe('a descriptor', () => {
  test.each(SECRETS)('with $says is refused, and the secret is never told: %#', ({ secret }) => {
    const places: Record<string, unknown> = {
      job: `Count words with ${secret}`,
      label: secret,
      id: `tool:${secret}`,
      input_schema: { type: 'object', properties: { [secret]: { description: secret, default: [secret] } } },
      output_schema: { pattern: secret, $comment: secret, enum: [secret], [secret]: 1 },
      result_selector: `$['${secret}']`,
      placements: [secret],
      licence_class: secret,
      requirements: [secret],
      limits: { seconds: secret, [secret]: 1 },
      verify: [{ kind: secret, input: { text: { a: secret } }, output_selector: secret, contains: secret }],
      invoke: {
        kind: 'container',
        argv: [secret, { from: secret }, { [secret]: 1 }],
        env: { A: secret, [secret]: 'x', B: { secret_name: secret } },
        outputs: [{ name: secret, path: secret, media_type: secret }],
      },
      [secret]: secret,
    }
    for (const [field, value] of Object.entries(places)) {
      const { descriptor, faults } = checkDescriptor(patched({ [field]: value }), CODE)
      expect([field, descriptor, faults.some(({ hint }) => hint === HINT)]).toEqual([field, null, true])
      const told = JSON.stringify(faults)
      for (const part of secret.split(/[^A-Za-z0-9]+/).filter((word) => /\d/.test(word) && word.length > 5)) {
        expect(told).not.toContain(part)
      }
      expect(told).not.toContain(JSON.stringify(secret).slice(1, -1))
    }
  })

  test('is told once for each place, beside its other faults', () => {
    const authorization = ['Bearer sk_', 'live_', BODY].join('')
    const invoke = {
      ...HTTP.invoke,
      url: 'http://api.example.test',
      headers: { Authorization: authorization },
    }
    expect(checkDescriptor(patched({ ...HTTP, invoke }), null).faults).toEqual([
      {
        path: 'descriptor.invoke.headers.Authorization',
        message: 'holds what looks like a Stripe key',
        hint: HINT,
      },
      { path: 'descriptor.invoke.url', message: 'must start with "https://"' },
    ])
  })
})

describe('where credentials stand', () => {
  const found = (invoke: unknown) => maskSecrets({ invoke }, 'descriptor').faults.map(({ path }) => path)

  test.each([
    [{ headers: { Authorization: 'Token a1b2c3d4e5f6a7b8c9d0' } }, 'headers.Authorization'],
    [{ headers: { authorization: 'Basic dXNlcjpwYXNzd29yZA==' } }, 'headers.authorization'],
    [{ headers: { 'X-Api-Key': '123e4567-e89b-42d3-a456-426614174000' } }, 'headers.X-Api-Key'],
    [
      { headers: { Authorization: { secret_name: 'a', prefix: 'a1b2c3d4e5f6a7b8c9d0' } } },
      'headers.Authorization.prefix',
    ],
    [{ query: { access_token: '0123456789abcdef'.repeat(4) } }, 'query.access_token'],
    [{ body: { auth: { apiKey: 'Zk3mQ9xT7vL2pR8w' } } }, 'body.auth.apiKey'],
    [{ env: { OPENAI_API_KEY: 'Zk3mQ9xT7vL2pR8w' } }, 'env.OPENAI_API_KEY'],
  ])('a value that looks random is a secret: %j', (invoke, place) => {
    expect(found(invoke)).toEqual([`descriptor.invoke.${place}`])
  })

  test.each([
    [{ headers: { Authorization: { secret_name: 'my-openai-key-2026-prod' } } }],
    [{ headers: { Authorization: 'Bearer {token}' } }],
    [{ headers: { Authorization: 'Bearer your-token-here-1234567890' } }],
    [{ headers: { 'Idempotency-Key': '123e4567-e89b-42d3-a456-426614174000' } }],
    [{ headers: { 'X-Trace': 'a1b2c3d4e5f6a7b8c9d0' } }],
    [{ body: { max_tokens: '4096', tokenizer: 'cl100k_base' } }],
    [{ body: { password: '{text}' } }],
    [{ env: { TOKEN_URL: 'https://a.test/oauth' } }],
  ])('a name, a template or a plain word is none: %j', (invoke) => {
    expect(found(invoke)).toEqual([])
  })

  test('the names of inputs and outputs do not count', () => {
    const parts = { verify: [{ input: { token: 'a1b2c3d4e5f6a7b8c9d0' } }] }
    expect(maskSecrets(parts, 'descriptor')).toEqual({ value: parts, faults: [] })
  })
})

test('what is masked keeps its length and everything around it', () => {
  const secret = ['ghp_', BODY, BODY].join('')
  const raw = { a: [1, null, { b: `x ${secret}` }], [secret]: true, c: 'plain' }
  expect(maskSecrets(raw, 'descriptor').value).toEqual({
    a: [1, null, { b: 'x'.repeat(secret.length + 2) }],
    ['x'.repeat(secret.length)]: true,
    c: 'plain',
  })
})

test.each([
  ['sk-'],
  ['sk-a-'],
  ['a.'],
  ['a://b:'],
  ['eyJ-'],
  ['eyJaaaaaaaa.'],
  ['SG.aaaaaaaaaaaaaaaa'],
  ['Bearer '],
  ['Bearer\n\n\n'],
  ['password:'],
  ['password='],
  ['password=a.'],
  ['-----BEGIN '],
  ['xoxb-'],
  ['AKIA'],
])('a long text of %j is judged at once', (piece) => {
  const text = piece.repeat(Math.ceil((256 * 1024) / piece.length))
  const startedAt = performance.now()
  findSecret(text)
  findSecret(`${text}1`)
  expect(performance.now() - startedAt).toBeLessThan(3_000)
})

describe('in code', () => {
  test.each([
    [`token = "ghp_${'a1B2'.repeat(9)}"`, 'a GitHub token'],
    [`ok = sk_test_1111111111\nSTRIPE = 'sk_live_4eC39HqLyjWDarjt'`, 'a Stripe key'],
    ['PASSWORD = "hunter22x"', 'a password or key'],
    ["const apiKey = { api_key: 'q9x7w5v3' }", 'a password or key'],
    ['open("postgres://me:s3cretpw@db/x")', 'a password in an address'],
  ])('%j is found', (code, says) => {
    expect(findSecretInCode(code)).toBe(says)
  })

  test.each([
    'secret = hashlib.sha256(data).hexdigest()',
    'password = args.password_value1',
    'token: Token1234567 = read()',
    'api_key = os.environ["API_KEY_2024"]',
    'secret = "your-secret-1"',
    'print("password: at least 8 characters")',
  ])('%j is none', (code) => {
    expect(findSecretInCode(code)).toBe(undefined)
  })
})
