import { isLoopbackHost } from '../base/net/loopback.ts'
import type { Environment } from '../base/process/environment.ts'
import { err, ok, type Result } from '../base/result.ts'
import type { HttpFailure } from './errors.ts'

/** The proxy of a service. `uri` may hold a password; `host` is what may be told, with the port where one is named. */
export type ForwardProxy = { uri: string; host: string; variable: ProxyVariable }
type ProxyVariable = 'HTTPS_PROXY' | 'HTTP_PROXY'

/** The value of a variable about proxies; empty for none. A lower-case name comes first, even with an empty value. */
export const proxyVariable = (environment: Environment, name: ProxyVariable | 'ALL_PROXY' | 'NO_PROXY'): string =>
  environment[name.toLowerCase()] ?? environment[name] ?? ''

/**
 * The proxy that an environment names for a service; null for none. A service on this machine, or one that NO_PROXY
 * names, has none whatever else is set, so that what is wrong there does not matter to it. Errors name the variable and
 * not its value, which may contain a password.
 */
export function readProxy(origin: string, environment: Environment): Result<ForwardProxy | null> {
  const url = new URL(origin)
  if (isLoopbackHost(url.hostname) || isExempt(url, proxyVariable(environment, 'NO_PROXY'))) return ok(null)
  const name = proxyVariable(environment, 'HTTPS_PROXY') === '' ? 'HTTP_PROXY' : 'HTTPS_PROXY'
  const uri = proxyVariable(environment, name)
  if (uri === '') return ok(null)
  const proxy = URL.parse(uri)
  if (proxy === null || !isProxyAddress(proxy)) {
    // A slash or the like in a password ends the host, and what comes before it would be looked up as one.
    const coded = /^https?:.*@/i.test(uri) ? ', a password with its signs as codes (%40 for @)' : ''
    return err(`${name} is not the address of a proxy: write it as http://host:port${coded}`)
  }
  return ok({ uri: proxy.href, host: proxy.host, variable: name })
}

/** True for http or https without a path, with a user name and a password that can be decoded. */
function isProxyAddress({ protocol, pathname, search, hash, username, password }: URL): boolean {
  if (protocol !== 'http:' && protocol !== 'https:') return false
  if (pathname !== '/' || search !== '' || hash !== '') return false
  try {
    decodeURIComponent(username + password)
    return true
  } catch {
    return false
  }
}

/**
 * True when NO_PROXY has a service: `*`, `host`, `.domain` (the host too) or `*.domain`, each with or without a port,
 * separated by commas or spaces.
 */
function isExempt({ hostname, port, protocol }: URL, noProxy: string): boolean {
  const host = bareHost(hostname)
  const ownPort = port === '' ? ({ 'http:': '80' }[protocol] ?? '443') : port
  return noProxy.split(/[,\s]+/).some((entry) => {
    const parts = /^(\[[^\]]+\]|[^:]+)(?::(\d+))?$/.exec(entry)
    const name = parts?.[1] ?? entry
    if (parts?.[2] !== undefined && parts[2] !== ownPort) return false
    if (name === '*') return true
    const domain = bareHost(name.replace(/^\*?\./, ''))
    if (domain === '') return false
    return (host === domain && !name.startsWith('*')) || host.endsWith(`.${domain}`)
  })
}

/** A host in lower case, without the brackets of IPv6 and the dot at its end. */
const bareHost = (host: string): string =>
  host
    .toLowerCase()
    .replace(/^\[(.+)\]$/, '$1')
    .replace(/\.$/, '')

/** Before a request is sent only the proxy itself is looked up and connected to, never the service. */
const ofProxyAlone: ReadonlySet<HttpFailure['fault']> = new Set(['hostUnknown', 'connectionRefused', 'hostUnreachable'])

/**
 * A failure as it is told behind a proxy: names the proxy where no request was sent, because the base address may be
 * right.
 */
export function throughProxy(failure: HttpFailure, proxy: ForwardProxy | null): HttpFailure {
  if (proxy === null || failure.wasSent || !maybeOfProxy.has(failure.fault)) return failure
  const fault = ofProxyAlone.has(failure.fault) ? 'proxy' : failure.fault
  return { ...failure, fault, reason: `${failure.reason} (proxy ${proxy.host})` }
}

const maybeOfProxy: ReadonlySet<HttpFailure['fault']> = new Set([
  ...ofProxyAlone,
  'proxy',
  'certificate',
  'connectTimeout',
  'connectionLost',
])
