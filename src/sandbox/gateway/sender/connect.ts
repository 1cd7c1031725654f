import { lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { type AddressPolicy, refusedAddress } from './address-guard.ts'
import { bareHost } from './endpoint-url.ts'
import { attemptLimitMs } from './schedule.ts'

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

/** As this machine does it. */
export const systemResolve: Resolve = (host) =>
  new Promise((resolve, reject) => {
    systemLookup(host, { all: true }, (error, found) => (error === null ? resolve(found) : reject(error)))
  })

export type ConnectOptions = {
  policy: AddressPolicy
  resolve: Resolve
  /** Certificates in PEM form that are trusted instead of those that Node trusts. */
  caPem?: string
}

/**
 * Connects to the very addresses that were checked: a name is looked up once, every address it stands for must be allowed, and those are
 * handed on, so that a second look-up cannot lead elsewhere. With https the certificate must verify for the host, whatever the environment says.
 */
export function createConnect({ policy, resolve, caPem }: ConnectOptions): buildConnector.connector {
  const connect = buildConnector({
    rejectUnauthorized: true,
    allowH2: false,
    // A session that is taken up again would skip the check of the certificate.
    maxCachedSessions: 0,
    // For what is left of an attempt that was given up while it was connecting.
    timeout: attemptLimitMs,
    lookup: checkedLookup(policy, resolve),
    ...(caPem === undefined ? {} : { ca: caPem }),
  })
  return (options, callback) => {
    // Node looks nothing up for what is an address already.
    const host = bareHost(options.hostname)
    const refused = isIP(host) === 0 ? null : refusedAddress(host, policy)
    if (refused !== null) callback(new RefusedTarget(refused), null)
    else connect(options, (...[error, socket]) => (error === null ? handOver(socket) : callback(error, null)))

    /** The address at the other end is what counts in the end. */
    function handOver(socket: Parameters<buildConnector.Callback>[1] & object): void {
      const { remoteAddress } = socket
      const reached = remoteAddress === undefined ? null : refusedAddress(remoteAddress, policy)
      // Without an address the other side is gone already, and what is sent will fail by itself.
      if (reached === null) callback(null, socket)
      else {
        socket.destroy()
        callback(new RefusedTarget(reached), null)
      }
    }
  }
}

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
