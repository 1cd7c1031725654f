import { isIPv4, type LookupFunction } from 'node:net'

/**
 * True for names and addresses that never leave this machine. `host` is written as in `URL`: IPv6 in brackets. A name
 * that only starts like such an address, for example `127.example.com`, belongs to whoever owns the domain.
 */
export const isLoopbackHost = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || (host.startsWith('127.') && isIPv4(host))

/**
 * The addresses of `localhost`, without asking anybody: where the hosts file does not have the name a resolver does,
 * and what is sent as plain text because it stays here would go wherever that says.
 */
const lookUpHere: LookupFunction = (_host, { all }, done) =>
  all === true
    ? done(null, [
        { address: '127.0.0.1', family: 4 },
        { address: '::1', family: 6 },
      ])
    : done(null, '127.0.0.1', 4)

/** What a connection to a host needs so that a name of this machine never leads to another one. */
export const stayingHere = (host: string): { lookup?: LookupFunction } =>
  host === 'localhost' ? { lookup: lookUpHere } : {}
