import type { Decimal } from '../money.ts'

export const gatewayOrderTypes = ['BUY', 'SELL'] as const
/** BUY: the user buys crypto for fiat. SELL: the user sells it. */
export type GatewayOrderType = (typeof gatewayOrderTypes)[number]

/** From first to last; the last two end an order and have equal rank. */
export const gatewayOrderStates = ['PENDING', 'WITHDRAWING', 'COMPLETED', 'FAILED'] as const
export type GatewayOrderState = (typeof gatewayOrderStates)[number]

export const gatewayPaymentMethods = ['CARD', 'APPLE_PAY', 'GOOGLE_PAY', 'BANK_TRANSFER_NIP'] as const
export type GatewayPaymentMethod = (typeof gatewayPaymentMethods)[number]

/**
 * A state of an order, as reported by the gateway. Fees, and amounts without their own currency, are in
 * `inputCurrency`.
 */
export type GatewayEvent = {
  readonly eventId: string
  readonly orderId: string
  /** The partner's own reference, at most 100 characters. */
  readonly externalReference: string | null
  /** At most 50 characters. */
  readonly subPartnerId: string | null
  readonly orderType: GatewayOrderType
  readonly createdAt: GatewayTime
  readonly orderState: GatewayOrderState
  readonly orderStateUpdatedAt: GatewayTime
  readonly paymentMethod: GatewayPaymentMethod
  readonly inputCurrency: string
  readonly inputAmount: Decimal
  readonly outputCurrency: string
  readonly outputAmount: Decimal
  /** Approximate unless the input is in US dollars; so are the fees in dollars. */
  readonly amountUsd: Decimal | null
  readonly processingFee: Decimal
  readonly processingFeeUsd: Decimal
  readonly partnerFee: Decimal
  readonly partnerFeeUsd: Decimal
  readonly networkFee: Decimal
  readonly networkFeeUsd: Decimal
  readonly network: string
  readonly userId: string
  readonly userCountry: string | null
  /** `US-XX`, for users in the United States only. */
  readonly userState: string | null
  readonly targetWalletAddress: string
  /** For completed orders only. */
  readonly transactionHash: string | null
}

/**
 * A moment in the gateway's text, and in nanoseconds since 1970, because moments of an order may differ by less than a
 * millisecond.
 */
export type GatewayTime = { readonly text: string; readonly epochNs: bigint }

const nsOfMs = 1_000_000n

const pattern = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,18}))?(?:[Zz]|([+-])(\d\d):(\d\d))$/

/** Days before each month of a year without 29 February. */
const daysBefore = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365] as const
const daysBefore1970 = 719_162

const isLeapYear = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

/** Days from 1970-01-01 to this Gregorian date, also earlier; null when there is no such date. */
function dayNumber(year: number, month: number, day: number): number | null {
  const before = daysBefore[month - 1]
  const after = daysBefore[month]
  if (before === undefined || after === undefined) return null
  const leapDay = isLeapYear(year) ? 1 : 0
  if (day < 1 || day > after - before + (month === 2 ? leapDay : 0)) return null
  const past = year - 1
  const yearStart = past * 365 + Math.floor(past / 4) - Math.floor(past / 100) + Math.floor(past / 400)
  return yearStart - daysBefore1970 + before + (month > 2 ? leapDay : 0) + day - 1
}

/**
 * Reads a date-time (RFC 3339, with up to 18 fractional digits, of which nanoseconds count). A leap second is the first
 * moment of the next minute, as on clocks without leap seconds. Undefined when invalid.
 */
export function readGatewayTime(text: string): GatewayTime | undefined {
  const match = pattern.exec(text)
  if (match === null) return undefined
  // A missing part, such as the offset of `Z`, is zero.
  const part = (at: number): number => Number.parseInt(match[at] ?? '0', 10)
  const days = dayNumber(part(1), part(2), part(3))
  const [hour, minute, second] = [part(4), part(5), part(6)]
  const [offHour, offMinute] = [part(9), part(10)]
  if (days === null || hour > 23 || minute > 59 || second > 60 || offHour > 23 || offMinute > 59) return undefined
  const offsetMinutes = (offHour * 60 + offMinute) * (match[8] === '-' ? -1 : 1)
  const seconds = days * 86_400 + hour * 3_600 + (minute - offsetMinutes) * 60 + second
  const nanos = BigInt((match[7] ?? '').padEnd(9, '0').slice(0, 9))
  return { text, epochNs: BigInt(seconds) * 1_000_000_000n + nanos }
}

/** A moment in ms, in the gateway's form with nanoseconds. */
export function gatewayTime(atMs: number, nanos: number): GatewayTime {
  const text = `${new Date(atMs).toISOString().slice(0, -1)}${String(nanos).padStart(6, '0')}Z`
  return { text, epochNs: BigInt(atMs) * nsOfMs + BigInt(nanos) }
}

/** The moment in ms since 1970, rounded down. */
export function epochMsOf({ epochNs }: GatewayTime): number {
  const below = epochNs % nsOfMs
  return Number.parseInt(((epochNs - below) / nsOfMs).toString(), 10) - (below < 0n ? 1 : 0)
}
