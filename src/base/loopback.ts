import { isIPv4 } from 'node:net'

/**
 * True for names and addresses that never leave this machine. `host` is written as in `URL`: IPv6 in brackets. A name
 * that only starts like such an address, for example `127.example.com`, belongs to whoever owns the domain.
 */
export const isLoopbackHost = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || (host.startsWith('127.') && isIPv4(host))
