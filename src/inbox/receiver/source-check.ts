import ipaddr from 'ipaddr.js'
import { err, ok, type Result } from '../../base/result.ts'

/** The source of a request in normalized form, empty when unknown, and whether it may send. */
export type Source = { readonly source: string; readonly isAllowed: boolean }

/** The other end of a connection. */
export type Peer = {
  /** A proxy carries others' requests; a stranger is neither a proxy nor an allowed sender. */
  readonly kind: 'proxy' | 'allowed' | 'stranger'
  /** In normalized form; empty when unknown. */
  readonly address: string
  /** What counts as one source: the address, or the /64 of an IPv6 address, which contains countless addresses. */
  readonly network: string
  readonly isLoopback: boolean
}

type Ranges = (address: ipaddr.IPv4 | ipaddr.IPv6) => boolean

/** Throws a sentence when a text is neither an address nor a range. */
function ranges(texts: readonly string[]): Ranges {
  const list = texts.map((text): [ipaddr.IPv4 | ipaddr.IPv6, number] => {
    try {
      if (text.includes('/')) return ipaddr.parseCIDR(text)
      const address = ipaddr.process(text)
      return [address, address.kind() === 'ipv4' ? 32 : 128]
    } catch {
      throw new Error(`${text} is neither an address nor a range such as 10.0.0.0/8.`)
    }
  })
  return (address) => list.some(([start, bits]) => start.kind() === address.kind() && address.match(start, bits))
}

/**
 * The library also accepts forms such as 10.1, 0x7f.1 or 010.1.2.3 (which is 8.1.2.3), which programs interpret
 * differently.
 */
const isPlainAddress = (text: string): boolean =>
  text.includes(':') ? ipaddr.IPv6.isValid(text) : ipaddr.IPv4.isValidFourPartDecimal(text)

/** The address of one hop, without a port; IPv4 inside IPv6 becomes IPv4. */
function hopAddress(hop: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const text = hop.trim()
  const bare = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text
  return isPlainAddress(bare) ? ipaddr.process(bare) : null
}

// Senders are few; invented headers must not fill the memory.
const maxRemembered = 1_000

/**
 * Determines the source of requests: the connection's peer, or, when that is a trusted proxy, the right-most hop of
 * `X-Forwarded-For` that is not one. An unreadable hop hides all before it and is not allowed to send. Throws a
 * sentence for a malformed setting.
 */
export function sourceCheck(allow: readonly string[], trustProxies: readonly string[]) {
  const isAllowed = ranges(allow)
  const isTrusted = ranges(trustProxies)
  const remembered = new Map<string, Source>()
  const peers = new Map<string, Peer>()

  const find = (peer: string, forwardedFor: string): Source => {
    const hops = forwardedFor.split(',').filter((hop) => hop.trim() !== '')
    let address = hopAddress(peer)
    while (address !== null && isTrusted(address) && hops.length > 0) address = hopAddress(hops.pop() ?? '')
    if (address === null) return { source: '', isAllowed: false }
    return { source: address.toString(), isAllowed: isAllowed(address) }
  }

  const findPeer = (peer: string): Peer => {
    const address = hopAddress(peer)
    if (address === null) return { kind: 'stranger', address: '', network: '', isLoopback: false }
    const text = address.toString()
    return {
      kind: isTrusted(address) ? 'proxy' : isAllowed(address) ? 'allowed' : 'stranger',
      address: text,
      network:
        address instanceof ipaddr.IPv6
          ? `${address.parts
              .slice(0, 4)
              .map((part) => part.toString(16))
              .join(':')}::`
          : text,
      isLoopback: address.range() === 'loopback',
    }
  }

  return {
    /** `forwardedFor`: the header's values in order, joined by commas; empty when there are none. */
    sourceOf(peer: string, forwardedFor: string): Source {
      const key = forwardedFor === '' ? peer : `${peer} ${forwardedFor}`
      const known = remembered.get(key)
      if (known !== undefined) return known
      const source = find(peer, forwardedFor)
      if (remembered.size >= maxRemembered) remembered.clear()
      remembered.set(key, source)
      return source
    },
    /** The peer of a connection, known before it sends anything: a stranger remains one whatever it sends. */
    peerOf(peer: string): Peer {
      const known = peers.get(peer)
      if (known !== undefined) return known
      const found = findPeer(peer)
      if (peers.size >= maxRemembered) peers.clear()
      peers.set(peer, found)
      return found
    },
  }
}

export type SourceCheck = ReturnType<typeof sourceCheck>

/**
 * Reads an address (`10.1.2.3`) or range (`10.0.0.0/8`, `fd00::/8`) and normalizes it; IPv4 inside IPv6 becomes IPv4.
 * The error follows the setting's name.
 */
export function readAddressRange(text: string): Result<string> {
  const [address = '', length, ...more] = text.trim().split('/')
  if (!isPlainAddress(address) || more.length > 0) return err(wanted)
  const parsed = ipaddr.process(address)
  const mapped = address.includes(':') && parsed.kind() === 'ipv4'
  const bits = parsed.kind() === 'ipv4' ? 32 : 128
  if (length === undefined) return ok(parsed.toString())
  if (!/^\d{1,3}$/.test(length)) return err(wanted)
  const wide = Number(length) - (mapped ? 96 : 0)
  if (wide < 0 || wide > bits) return err(wanted)
  const range = `${parsed.toString()}/${wide}`
  const network = bits === 32 ? ipaddr.IPv4.networkAddressFromCIDR(range) : ipaddr.IPv6.networkAddressFromCIDR(range)
  return ok(`${network.toString()}/${wide}`)
}

const wanted = 'must be an address or a range such as 10.0.0.0/8'
