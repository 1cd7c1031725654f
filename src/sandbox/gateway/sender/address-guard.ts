import ipaddr from 'ipaddr.js'

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
