import { Resolver } from 'node:dns/promises'
import { connect as connectTcp, isIP, type LookupFunction } from 'node:net'
import { connect as connectTls, type ConnectionOptions as TlsOptions } from 'node:tls'
import ipaddr from 'ipaddr.js'
import type { buildConnector } from 'undici'
import { errorCode } from '../../../base/disk-error.ts'
import { err, ok, type Result } from '../../../base/result.ts'

/** An endpoint at an address to which nothing may be sent. The message is a clause for a person. */
export class RefusedTarget extends Error {
  constructor(what: string) {
    super(`its host is ${what}: nothing is sent there`)
    this.name = 'RefusedTarget'
  }
}

export type Found = { address: string; family: number }
/** Looks a host's addresses up; rejects when there are none. */
type Resolve = (host: string) => Promise<readonly Found[]>

export type ConnectOptions = {
  policy: AddressPolicy
  resolve: Resolve
  /** Certificates in PEM form that are trusted instead of those that Node trusts. */
  caPem?: string
}

/**
 * Connects to the very addresses that were checked: a name is looked up once, every address it stands for must be
 * allowed, and those are handed on, so that a second look-up cannot lead elsewhere. With https the certificate must
 * verify for the host, whatever the environment says. When `signal` is aborted the connection ends, even while it is
 * being made.
 */
export function createConnect(
  { policy, resolve, caPem }: ConnectOptions,
  signal: AbortSignal,
): buildConnector.connector {
  const lookup = checkedLookup(policy, resolve)
  return ({ hostname, port, protocol }, callback) => {
    const host = bareHost(hostname)
    // Node looks nothing up for what is an address already.
    const refused = isIP(host) === 0 ? null : refusedAddress(host, policy)
    if (refused !== null) return callback(new RefusedTarget(refused), null)
    const isTls = protocol === 'https:'
    const target = { host, port: Number.parseInt(port || (isTls ? '443' : '80'), 10), lookup }
    const socket = isTls ? connectTls({ ...target, ...tlsOptions(host, caPem) }) : connectTcp(target)
    socket.setNoDelay(true)
    const give = () => socket.destroy()
    signal.addEventListener('abort', give, { once: true })
    socket.once('close', () => signal.removeEventListener('abort', give))
    let isSettled = false
    const settle = (error: Error | null) => {
      if (isSettled) return
      isSettled = true
      if (error === null) callback(null, socket)
      else callback(error, null)
    }
    socket.once(isTls ? 'secureConnect' : 'connect', () => {
      // The address at the other end is what counts in the end; without one the other side is gone already.
      const { remoteAddress } = socket
      const reached = remoteAddress === undefined ? null : refusedAddress(remoteAddress, policy)
      if (reached !== null) socket.destroy()
      settle(reached === null ? null : new RefusedTarget(reached))
    })
    socket.on('error', settle)
    socket.once('close', () => settle(Object.assign(new Error('closed'), { code: 'ECONNRESET' })))
  }
}

const tlsOptions = (host: string, caPem: string | undefined): TlsOptions => ({
  rejectUnauthorized: true,
  ALPNProtocols: ['http/1.1'],
  ...(isIP(host) === 0 ? { servername: host } : {}),
  ...(caPem === undefined ? {} : { ca: caPem }),
})

function checkedLookup(policy: AddressPolicy, resolve: Resolve): LookupFunction {
  return (host, options, callback) => {
    const fail = (error: Error) => callback(error, '', 0)
    resolve(host).then((found) => {
      const refused = found.map(({ address }) => refusedAddress(address, policy)).find((each) => each !== null)
      const [first] = found
      if (refused !== undefined) fail(new RefusedTarget(refused))
      else if (first === undefined) fail(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }))
      else if (options.all === true) callback(null, [...found])
      else callback(null, first.address, first.family)
    }, fail)
  }
}

/** What the sender may connect to besides addresses of the public internet. */
export type AddressPolicy = { allowsLoopback: boolean }

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

const words: Readonly<Record<string, string>> = {
  private: 'a private address',
  uniqueLocal: 'a private address',
  deprecatedSiteLocal: 'a private address',
  carrierGradeNat: 'a private address',
  linkLocal: 'a link-local address',
  loopback: 'a loopback address',
  multicast: 'a multicast address',
  broadcast: 'a broadcast address',
  unspecified: 'no address of a host',
}

/**
 * Null when the sender may connect to this address; else a clause that says what it is. Anything but the public
 * internet is refused, also as IPv4 inside IPv6: what a partner registers must not reach into the networks around the
 * gateway.
 */
export function refusedAddress(address: string, { allowsLoopback }: AddressPolicy): string | null {
  if (!ipaddr.isValid(address)) return 'not an address'
  // IPv4 inside IPv6 counts as the IPv4 it is.
  const parsed = ipaddr.process(address)
  const range: string = parsed.range()
  if (range === 'loopback' && allowsLoopback) return null
  const isPublic = range === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(globalUnicast))
  return isPublic ? null : (words[range] ?? 'an address for special use')
}

const lengthMost = 2_000

/** A URL's host as connecting takes it: an IPv6 address without its brackets. */
const bareHost = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1')

const isLoopbackHost = (host: string): boolean =>
  host === 'localhost' || (isIP(host) !== 0 && refusedAddress(host, { allowsLoopback: false }) === 'a loopback address')

/**
 * Reads the address of an endpoint; the error follows its name: `must be …`. What its host's name leads to is looked at
 * when connecting.
 */
export function readEndpointUrl(text: string, policy: AddressPolicy): Result<string> {
  const url = text.length <= lengthMost ? URL.parse(text) : null
  if (url === null) return err('must be a whole address, such as https://partner.example/events')
  const host = bareHost(url.hostname)
  const isPlain = url.protocol === 'http:'
  if (url.protocol !== 'https:' && !isPlain) return err('must begin with https://')
  if (isPlain && !(policy.allowsLoopback && isLoopbackHost(host)))
    return err(`must begin with https://${policy.allowsLoopback ? ', unless it is on this machine' : ''}`)
  if (url.username !== '' || url.password !== '') return err('must not hold a user name or a password')
  if (url.hash !== '') return err('must not have a part after #')
  const refused = isIP(host) === 0 ? null : refusedAddress(host, policy)
  return refused === null ? ok(url.href) : err(`must not be ${refused}`)
}

const perTry = { timeout: 1_500, tries: 2 } as const
const thisMachine: readonly Found[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/**
 * Asks the name servers by itself: the system's own look-up has two places for the whole process, which two names whose
 * servers say nothing would keep from all others.
 */
export const resolveByDns: Resolve = async (host) => {
  if (host === 'localhost' || host.endsWith('.localhost')) return thisMachine
  const resolver = new Resolver(perTry)
  const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const found = [...addresses(four, 4), ...addresses(six, 6)]
  if (found.length > 0) return found
  const isKnownToBeNone = [four, six].every((each) => each.status === 'fulfilled' || isNone(each.reason))
  throw Object.assign(new Error(`no address of ${host}`), { code: isKnownToBeNone ? 'ENOTFOUND' : 'EAI_AGAIN' })
}

const addresses = (asked: PromiseSettledResult<readonly string[]>, family: number): readonly Found[] =>
  asked.status === 'fulfilled' ? asked.value.map((address) => ({ address, family })) : []

const isNone = (error: unknown): boolean => ['ENOTFOUND', 'ENODATA'].includes(errorCode(error))
