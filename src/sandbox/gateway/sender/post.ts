import { Resolver } from 'node:dns/promises'
import { connect as connectTcp, isIP, type LookupFunction } from 'node:net'
import { connect as connectTls, type ConnectionOptions as TlsOptions } from 'node:tls'
import ipaddr from 'ipaddr.js'
import type { buildConnector, Client } from 'undici'
import type { Clock } from '../../../base/clock.ts'
import { connectionClause } from '../../../base/net/connection-clause.ts'
import { fewInterimAnswers } from '../../../base/net/interim-answers.ts'
import { err, ok, type Result } from '../../../base/result.ts'
import { errorCode } from '../../../base/text/error-text.ts'
import { plainText } from '../../../base/text/plain-text.ts'
import type { AttemptOutcome, AttemptResult } from './delivery.ts'
import { attemptLimitMs } from './delivery-schedule.ts'

/**
 * Posts a body to a URL, once. Never rejects; returns the outcome and the latency. Aborting `signal` ends it at once.
 */
export type Post = (url: string, body: string, signal: AbortSignal) => Promise<AttemptOutcome>

/** Maximum characters of an answer that are kept. */
const excerptMax = 200
/** Longer answers are not read to the end: the status is all that matters. */
const answerBytesMax = 64 * 1024

/**
 * Loads what sends. Not with the practice exchange, which starts faster without it, and not as late as the first event:
 * by then an upgrade may have replaced the program's files.
 */
export const loadClient = () => import('undici')

/**
 * Posts over a new connection each time: an old one may have just been closed by the other side, and the address must
 * be looked up and checked for each connection. The whole attempt gets five seconds by `clock`. Redirects are not
 * followed.
 */
export function createPost(clock: Clock, options: ConnectOptions): Post {
  return async (url, body, signal) => {
    const undici = await loadClient()
    const begunMs = clock.now()
    const { origin, pathname, search } = new URL(url)
    // The limit is enforced by our own clock; undici's timers stay off.
    const end = new AbortController()
    const connect = createConnect(options, end.signal)
    const client = new undici.Client(origin, { connect, headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: 16_384 })
    const done = new AbortController()
    const over = clock.sleep(attemptLimitMs, AbortSignal.any([done.signal, signal])).then(() => {
      // Ends the request at any stage, even while connecting.
      end.abort()
      if (!done.signal.aborted) void client.destroy()
      return !done.signal.aborted
    })
    const result = await exchange(client, `${pathname}${search}`, body).catch(async (error: unknown) => {
      // If both happen at once, the limit counts as reached.
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
  const answer = await client.request({ method: 'POST', path, headers, body, onInfo: fewInterimAnswers() })
  let byteCount = 0
  const first: Buffer[] = []
  for await (const chunk of answer.body) {
    const bytes = Buffer.from(chunk)
    // A character takes at most four bytes.
    if (byteCount < excerptMax * 4) first.push(bytes)
    byteCount += bytes.length
    if (byteCount > answerBytesMax) break
  }
  const text = new TextDecoder().decode(Buffer.concat(first).subarray(0, excerptMax * 4))
  return { kind: 'answered', status: answer.statusCode, excerpt: [...plainText(text)].slice(0, excerptMax).join('') }
}

/** Why a request failed, as a readable clause. */
const failureClause = (error: unknown): string =>
  error instanceof RefusedTarget ? error.message : connectionClause(error)

/** An endpoint whose address must not be sent to. The message is a readable clause. */
class RefusedTarget extends Error {
  constructor(what: string) {
    super(`its host is ${what}: nothing is sent there`)
    this.name = 'RefusedTarget'
  }
}

export type Found = { address: string; family: number }
/** Resolves a host's addresses; rejects if there are none. */
type Resolve = (host: string) => Promise<readonly Found[]>

type ConnectOptions = {
  policy: AddressPolicy
  resolve: Resolve
  /** PEM certificates trusted instead of Node's. */
  caPem?: string
}

/**
 * Connects only to addresses that were checked: a name is resolved once, every address it resolves to must be allowed,
 * and exactly those are passed on, so that a second lookup cannot lead elsewhere. With https, the certificate must
 * verify for the host, whatever the environment says. Aborting `signal` ends the connection, even while it is being
 * made.
 */
function createConnect({ policy, resolve, caPem }: ConnectOptions, signal: AbortSignal): buildConnector.connector {
  const lookup = checkedLookup(policy, resolve)
  return ({ hostname, port, protocol }, callback) => {
    const host = bareHost(hostname)
    // Node does not resolve literal addresses.
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
      // Finally check the actual remote address; without one, the other side has already gone.
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

/** What the sender may connect to besides public internet addresses. */
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
 * Null if the sender may connect to this address; otherwise a clause that says what it is. Anything but the public
 * internet is refused, even as IPv4 inside IPv6: a partner's endpoint must not reach into the gateway's own networks.
 */
export function refusedAddress(address: string, { allowsLoopback }: AddressPolicy): string | null {
  if (!ipaddr.isValid(address)) return 'not an address'
  // IPv4 inside IPv6 counts as IPv4.
  const parsed = ipaddr.process(address)
  const range: string = parsed.range()
  if (range === 'loopback' && allowsLoopback) return null
  const isPublic = range === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(globalUnicast))
  return isPublic ? null : (words[range] ?? 'an address for special use')
}

const lengthMax = 2_000

/** A URL's host in the form needed for connecting: an IPv6 address without brackets. */
const bareHost = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1')

const isLoopbackHost = (host: string): boolean =>
  host === 'localhost' || (isIP(host) !== 0 && refusedAddress(host, { allowsLoopback: false }) === 'a loopback address')

/**
 * Validates an endpoint's URL; the error continues its field's name: `must be …`. The addresses behind its host name
 * are checked when connecting.
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
 * Queries the name servers directly: the system resolver's two slots for the whole process could be blocked by two
 * names whose servers do not answer.
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
