/** A moment as the gateway writes it, and as nanoseconds since 1970: moments of one order differ below a millisecond. */
export type GatewayTime = { readonly text: string; readonly epochNs: bigint }

const pattern = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,18}))?(?:[Zz]|([+-])(\d\d):(\d\d))$/

/** Reads a date-time (RFC 3339, with up to 18 digits below a second, of which nanoseconds count). Undefined when it is none. */
export function readGatewayTime(text: string): GatewayTime | undefined {
  const match = pattern.exec(text)
  if (match === null) return undefined
  const [
    ,
    year = '',
    month = '',
    day = '',
    hour = '',
    minute = '',
    second = '',
    fraction = '',
    sign,
    offHour = '0',
    offMinute = '0',
  ] = match
  // A leap second is the first moment of the next minute, as clocks that have none see it.
  const isLeap = second === '60'
  const atMs = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${isLeap ? '59' : second}Z`)
  if (Number.isNaN(atMs) || new Date(atMs).getUTCDate() !== Number.parseInt(day, 10)) return undefined
  if (Number.parseInt(offHour, 10) > 23 || Number.parseInt(offMinute, 10) > 59) return undefined
  const offsetMinutes = Number.parseInt(offHour, 10) * 60 + Number.parseInt(offMinute, 10)
  const offsetMs = (sign === '-' ? -offsetMinutes : offsetMinutes) * 60_000
  const nanos = BigInt(fraction.padEnd(9, '0').slice(0, 9))
  return { text, epochNs: BigInt(atMs - offsetMs + (isLeap ? 1000 : 0)) * 1_000_000n + nanos }
}

/** A moment with milliseconds, as the gateway writes it with nanoseconds. */
export function gatewayTime(atMs: number, nanos = 0): GatewayTime {
  const text = `${new Date(atMs).toISOString().slice(0, -1)}${String(nanos).padStart(6, '0')}Z`
  return { text, epochNs: BigInt(atMs) * 1_000_000n + BigInt(nanos) }
}

/** The moment in whole milliseconds since 1970. */
export const epochMsOf = ({ epochNs }: GatewayTime): number => Number.parseInt((epochNs / 1_000_000n).toString(), 10)
