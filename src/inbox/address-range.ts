import ipaddr from 'ipaddr.js'
import { err, ok, type Result } from '../base/result.ts'

/**
 * Reads an address (`10.1.2.3`) or a range (`10.0.0.0/8`, `fd00::/8`) and writes it in its plainest form; IPv4 inside
 * IPv6 becomes IPv4. The error follows the setting's name.
 */
export function readAddressRange(text: string): Result<string> {
  const [address = '', length, ...more] = text.trim().split('/')
  // The parser also takes forms that few people read alike, such as 10.1 or 0x7f.1.
  const isPlain = /^\d{1,3}(\.\d{1,3}){3}$/.test(address) || (address.includes(':') && ipaddr.IPv6.isValid(address))
  if (!isPlain || !ipaddr.isValid(address) || more.length > 0) return err(wanted)
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
