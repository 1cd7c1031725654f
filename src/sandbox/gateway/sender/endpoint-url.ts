import { isIP } from 'node:net'
import { err, ok, type Result } from '../../../base/result.ts'
import { type AddressPolicy, refusedAddress } from './address-guard.ts'

const lengthMost = 2_000

/** A URL's host as connecting takes it: an IPv6 address without its brackets. */
export const bareHost = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1')

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
