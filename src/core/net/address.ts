/** Which web addresses may be called: https, a public host in its plain spelling, no other port, nothing of ours. */
import { notPublic } from './ip.ts'

export interface AddressRules {
  /** Names that this deployment is reached by. */
  ownHosts: readonly string[]
  /** `host:port` of places that tests may reach although they are not public. */
  allowed: ReadonlySet<string>
}

/** Names that never lead to a public host. */
const LOCAL_NAMES = ['localhost', 'local', 'internal', 'home.arpa']

/** Why the address that a person wrote may not be called: "its host is a loopback address". Null: it may. */
export function addressFault(text: string, rules: AddressRules): string | null {
  const url = URL.parse(text)
  if (!url) return 'it is not a web address'
  return urlFault(url, /^https:\/\/([^/?#\\]*)/i.exec(text)?.[1], rules)
}

/** Where a redirect leads, and why it may not be followed. A relative one stays on its host. */
export function redirectTarget(
  location: string,
  from: URL,
  rules: AddressRules,
): { url: URL; fault: string | null } | null {
  const url = URL.parse(location, from.href)
  if (!url) return null
  const spelled = /^(?:https:)?\/\/([^/?#\\]*)/i.exec(location)?.[1]
  return { url, fault: urlFault(url, spelled ?? from.host, rules) }
}

export const isAllowed = ({ hostname, port }: URL, { allowed }: AddressRules): boolean =>
  allowed.has(`${hostname}:${port || 443}`)

/** `spelled`: the host and port as they were written. */
function urlFault(url: URL, spelled: string | undefined, rules: AddressRules): string | null {
  if (url.protocol !== 'https:') return 'it is not https'
  if (url.username !== '' || url.password !== '' || spelled?.includes('@')) return 'it names a user'
  const fault = isAllowed(url, rules) ? null : hostFault(url, rules)
  if (fault) return fault
  // What was read is what was meant: no other digits, dots, escapes or bases of numbers.
  const isPlain = spelled !== undefined && spelled.toLowerCase().replace(/:(443)?$/, '') === url.host
  return isPlain || url.hostname.startsWith('[') ? null : 'its host is spelled in an odd way'
}

function hostFault({ hostname, port }: URL, { ownHosts }: AddressRules): string | null {
  const what = isIp(hostname) ? notPublic(hostname.replace(/^\[|\]$/g, '')) : nameFault(hostname)
  if (what !== null) return `its host is ${what}`
  if (ownHosts.includes(hostname)) return 'its host is this server'
  return port === '' ? null : `it has the port ${port}, and only 443 may be called`
}

function nameFault(name: string): string | null {
  if (name.endsWith('.')) return 'a name with a dot at its end'
  const isLocal = LOCAL_NAMES.some((local) => name === local || name.endsWith(`.${local}`))
  if (isLocal) return 'a local name'
  return name.includes('.') ? null : 'a name without a dot'
}

/** Whether a host, as the URL parser gives it, is an IP address. */
export const isIp = (host: string): boolean => host.startsWith('[') || /^[\d.]+$/.test(host)
