import { isLoopbackHost } from '../base/net/loopback.ts'
import { err, ok, type Result } from '../base/result.ts'

/** The address of a service: `https://host:port`, and the prefix of all its paths, without a trailing slash. */
export type BaseAddress = { origin: string; pathPrefix: string }

/**
 * Reads the base address of a service. Refuses anything but https (plain http only to this machine), and user names,
 * passwords, queries and fragments.
 */
export function readBaseAddress(text: string): Result<BaseAddress> {
  const url = URL.parse(text.trim())
  if (url === null) return err('the base address is not a URL: write it as https://host/path')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return err('the base address must begin with https://')
  if (url.username !== '' || url.password !== '') return err('the base address must not carry a user name or password')
  if (url.search !== '' || url.hash !== '') return err('the base address must end with its path')
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
    return err(`plain http would send the key to ${url.hostname} for all to read: use https`)
  }
  return ok({ origin: url.origin, pathPrefix: url.pathname.replace(/\/+$/, '') })
}
