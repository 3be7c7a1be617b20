/**
 * Keys and passwords that were written where everyone can read them. A descriptor names a connection with
 * `secret_name` instead. What is found here never appears in a message: the descriptor is masked before
 * anything else looks at it.
 */
import { childPath, isRecord } from '../../json-schema/path.ts'
import type { Fault } from '../../problem.ts'

interface Sort {
  says: string
  /** Its first group is the part that only a secret varies. */
  pattern: RegExp
}

const NAMES = 'password|passwd|pwd|passphrase|secret|api[_-]?key|(?:access|auth)[_-]?token|client[_-]?secret'

/** Every repetition that may fail later is bounded, so that no text costs more than linear time. */
const SORTS: Sort[] = [
  { says: 'a Stripe key', pattern: /\b[sr]k_(?:live|test)_([A-Za-z0-9]{10,})/ },
  {
    says: 'an API key',
    pattern: /\bsk-(?:[A-Za-z0-9]{1,20}[-_]){0,4}((?=[A-Za-z]{0,60}\d)[A-Za-z0-9]{16,}|[A-Za-z]{24,})/,
  },
  { says: 'a GitHub token', pattern: /\b(?:gh[pousr]_|github_pat_)([A-Za-z0-9_]{20,})/ },
  { says: 'a GitLab token', pattern: /\bglpat-([\w-]{16,})/ },
  { says: 'a Hugging Face token', pattern: /\bhf_([A-Za-z0-9]{24,})/ },
  { says: 'an npm token', pattern: /\bnpm_([A-Za-z0-9]{30,})/ },
  { says: 'an AWS key', pattern: /\b(?:AKIA|ASIA)([0-9A-Z]{16})\b/ },
  { says: 'a Slack token', pattern: /\bxox[abeprs]-([A-Za-z0-9-]{10,})/ },
  { says: 'a Google key', pattern: /\bAIza([\w-]{30,})/ },
  { says: 'a SendGrid key', pattern: /\bSG\.([\w-]{16,60}\.[\w-]{16,})/ },
  { says: 'a private key', pattern: /-----BEGIN [A-Z ]{0,40}PRIVATE KEY/ },
  { says: 'a signed token (JWT)', pattern: /\beyJ[\w-]{8,300}\.(eyJ[\w-]{8,})/ },
  { says: 'a bearer token', pattern: /\bBearer\s{1,9}((?=\S{0,200}\d)[\w.~+/-]{20,})/i },
  {
    says: 'a password in an address',
    pattern: /\b[a-z][a-z\d+.-]{0,20}:\/\/[^\s/:@?#"']{0,99}:([^\s/@"'<>{}$*]{1,200})@/i,
  },
  {
    says: 'a password or key',
    pattern: new RegExp(
      `(?<![a-z0-9])(?:${NAMES})\\s?=\\s?["']?(?![\\w.]{0,99}[[(])([^\\s"'&;,<>{}$()*]{6,})`,
      'i',
    ),
  },
  {
    says: 'a password or key',
    pattern: new RegExp(
      `(?<![a-z0-9])(?:${NAMES})["']?\\s?:\\s?["']?((?=\\S{0,200}\\d)[^\\s"'&;,<>{}$()*]{8,})`,
      'i',
    ),
  },
]

const CODE_SORTS: Sort[] = [
  ...SORTS.filter(({ says }) => says !== 'a password or key'),
  {
    says: 'a password or key',
    pattern: new RegExp(
      `(?<![a-z0-9])(?:${NAMES})["']?\\s{0,9}[:=]\\s{0,9}["'\`]((?=[^"'\`\\n]{0,200}\\d)[^\\s"'\`<>{}$()*]{8,200})["'\`]`,
      'i',
    ),
  },
]

const STAND_IN =
  /^(?:(?:your|my)[-_\w]*|example|changeme|placeholder|required|optional|string|text|value|none|null|true|false|hidden)$/i
const CREDENTIAL_NAME =
  /authorization|api[-_]?key|access[-_]?key|private[-_]?key|secret|token|passw(?:or)?d|passphrase|credential|cookie|^(?:x-)?auth/i
const HINT = 'keep it in a connection and name that: {"secret_name": "<connection>"}'

/** The sort of secret that a text holds, in words; undefined when it holds none. */
export const findSecret = (text: string): string | undefined => findSort(text, SORTS)

/** The same of code, where `secret = read()` is none: a password or key there stands in quotes. */
export const findSecretInCode = (text: string): string | undefined => findSort(text, CODE_SORTS)

function findSort(text: string, sorts: Sort[]): string | undefined {
  return sorts.find(({ pattern }) =>
    [...text.matchAll(new RegExp(pattern, `g${pattern.flags}`))].some(
      ([, varied]) => varied === undefined || (new Set(varied).size > 2 && !STAND_IN.test(varied)),
    ),
  )?.says
}

export interface Masked {
  /** The value with every text that holds a secret replaced by as many `x`. */
  value: unknown
  faults: Fault[]
}

/** Finds and masks the secrets in a descriptor. Inside `invoke` the names of headers and variables count too. */
export function maskSecrets(raw: Record<string, unknown>, path: string): Masked {
  const faults: Fault[] = []

  function found(at: string, says: string, text: string): string {
    faults.push({ path: at, message: `holds what looks like ${says}`, hint: HINT })
    return 'x'.repeat(text.length)
  }

  function maskText(text: string, at: string, isCredential: boolean): string {
    const says = findSecret(text) ?? (isCredential && looksRandom(text) ? 'a key or password' : undefined)
    return says === undefined ? text : found(at, says, text)
  }

  function mask(value: unknown, at: string, isCredential: boolean): unknown {
    if (typeof value === 'string') return maskText(value, at, isCredential)
    if (Array.isArray(value))
      return value.map((item, index) => mask(item, childPath(at, index), isCredential))
    if (!isRecord(value)) return value
    const isInvoke = at === `${path}.invoke` || at.startsWith(`${path}.invoke.`)
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => {
        const name = maskText(key, at, false)
        const isNamed = isCredential || (isInvoke && CREDENTIAL_NAME.test(key))
        return [name, mask(part, childPath(at, name), isNamed && key !== 'secret_name')]
      }),
    )
  }

  return { value: mask(raw, path, false), faults }
}

const MIN_BITS = 3

/** Whether a value that stands where credentials do is one, and neither a template nor a stand-in. */
function looksRandom(text: string): boolean {
  if (/^basic\s+[a-z\d+/]{8,}=*$/i.test(text)) return true
  const value = text.replace(/^(?:bearer|basic|token)\s+/i, '')
  if (!/^[^\s<>{}$*]{16,}$/.test(value) || /your|example|placeholder|xxx|changeme|\.\.\./i.test(value))
    return false
  return /[a-z]/i.test(value) && /\d/.test(value) && bitsPerCharacter(value) >= MIN_BITS
}

/** Shannon entropy of the characters of a text. */
function bitsPerCharacter(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  const shares = Array.from(counts.values(), (count) => count / text.length)
  return -shares.reduce((sum, share) => sum + share * Math.log2(share), 0)
}
