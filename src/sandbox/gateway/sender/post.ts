import { Resolver } from 'node:dns/promises'
import { connect as connectTcp, isIP, type LookupFunction } from 'node:net'
import { connect as connectTls, type ConnectionOptions as TlsOptions } from 'node:tls'
import ipaddr from 'ipaddr.js'
import type { buildConnector, Client } from 'undici'
import type { Clock } from '../../../base/clock.ts'
import { connectionClause } from '../../../base/connection-clause.ts'
import { errorCode } from '../../../base/error-text.ts'
import { plainText } from '../../../base/plain-text.ts'
import { err, ok, type Result } from '../../../base/result.ts'
import type { AttemptOutcome, AttemptResult } from './delivery.ts'
import { attemptLimitMs } from './delivery-schedule.ts'

/**
 * Sends a body to a URL, once. Never rejects: what came of it, and how long it took. When `signal` is aborted it ends
 * at once.
 */
export type Post = (url: string, body: string, signal: AbortSignal) => Promise<AttemptOutcome>

/** How many characters of an answer are kept. */
const excerptMax = 200
/** An answer longer than this is not read to its end: its status is known. */
const answerBytesMax = 64 * 1024

/**
 * Posts over a connection of its own each time: an old one may have been closed by the other side just now, and every
 * connection has its address looked up and checked. Everything together gets five seconds by `clock`. Redirects are not
 * followed.
 */
export function createPost(clock: Clock, options: ConnectOptions): Post {
  return async (url, body, signal) => {
    // Loaded when there is something to send: the start of a practice exchange does not wait for it.
    const undici = await import('undici')
    const begunMs = clock.now()
    const { origin, pathname, search } = new URL(url)
    // The limit is kept by our own clock; undici's own timers stay off.
    const end = new AbortController()
    const connect = createConnect(options, end.signal)
    const client = new undici.Client(origin, { connect, headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: 16_384 })
    const done = new AbortController()
    const over = clock.sleep(attemptLimitMs, AbortSignal.any([done.signal, signal])).then(() => {
      // Ends the request in whatever stage it is, a connection that is being made included.
      end.abort()
      if (!done.signal.aborted) void client.destroy()
      return !done.signal.aborted
    })
    const result = await exchange(client, `${pathname}${search}`, body).catch(async (error: unknown) => {
      // Both may happen in one moment: the limit has then been reached.
      const isOver = client.destroyed && (await over)
      return failed(!isOver ? failureClause(error) : signal.aborted ? 'the gateway was stopped' : noAnswer)
    })
    done.abort()
    await Promise.all([over, client.destroyed ? undefined : client.destroy()])
    return { result, latencyMs: Math.max(0, clock.now() - begunMs) }
  }
}

const noAnswer = `no whole answer within ${attemptLimitMs / 1_000} s`
const failed = (reason: string): AttemptResult => ({ kind: 'failed', reason })

async function exchange(client: Client, path: string, body: string): Promise<AttemptResult> {
  const headers = { 'content-type': 'application/json', 'user-agent': 'practice-gateway' }
  const answer = await client.request({ method: 'POST', path, headers, body })
  let byteCount = 0
  const first: Buffer[] = []
  for await (const chunk of answer.body) {
    const bytes = Buffer.from(chunk)
    // A character has at most four bytes.
    if (byteCount < excerptMax * 4) first.push(bytes)
    byteCount += bytes.length
    if (byteCount > answerBytesMax) break
  }
  const text = new TextDecoder().decode(Buffer.concat(first).subarray(0, excerptMax * 4))
  return { kind: 'answered', status: answer.statusCode, excerpt: [...plainText(text)].slice(0, excerptMax).join('') }
}

/** Why a request failed, as a clause for a person. */
const failureClause = (error: unknown): string =>
  error instanceof RefusedTarget ? error.message : connectionClause(error)

/** An endpoint at an address to which nothing may be sent. The message is a clause for a person. */
class RefusedTarget extends Error {
  constructor(what: string) {
    super(`its host is ${what}: nothing is sent there`)
    this.name = 'RefusedTarget'
  }
}

export type Found = { address: string; family: number }
/** Looks a host's addresses up; rejects when there are none. */
type Resolve = (host: string) => Promise<readonly Found[]>

type ConnectOptions = {
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
function createConnect({ policy, resolve, caPem }: ConnectOptions, signal: AbortSignal): buildConnector.connector {
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
  unspecified: 'not an address of a host',
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

const lengthMax = 2_000

/** A URL's host as connecting takes it: an IPv6 address without its brackets. */
const bareHost = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1')

const isLoopbackHost = (host: string): boolean =>
  host === 'localhost' || (isIP(host) !== 0 && refusedAddress(host, { allowsLoopback: false }) === 'a loopback address')

/**
 * Reads the address of an endpoint; the error follows its name: `must be …`. What its host's name leads to is looked at
 * when connecting.
 */
export function readEndpointUrl(text: string, policy: AddressPolicy): Result<string> {
  const url = text.length <= lengthMax ? URL.parse(text) : null
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
