import { isIPv4 } from 'node:net'

/**
 * True for names and addresses that never leave this machine. `host` is as `URL` writes it: IPv6 in brackets. A name
 * that only begins as an address does, such as `127.example.com`, leads wherever its owner says.
 */
export const isLoopbackHost = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || (host.startsWith('127.') && isIPv4(host))
