import { connect as connectTcp, isIP, type LookupFunction } from 'node:net'
import { connect as connectTls, type ConnectionOptions as TlsOptions } from 'node:tls'
import type { buildConnector } from 'undici'
import { type AddressPolicy, refusedAddress } from './address-guard.ts'
import { bareHost } from './endpoint-url.ts'

/** An endpoint at an address to which nothing may be sent. The message is a clause for a person. */
export class RefusedTarget extends Error {
  constructor(what: string) {
    super(`its host is ${what}: nothing is sent there`)
    this.name = 'RefusedTarget'
  }
}

export type Found = { address: string; family: number }
/** Looks a host's addresses up; rejects when there are none. */
export type Resolve = (host: string) => Promise<readonly Found[]>

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
