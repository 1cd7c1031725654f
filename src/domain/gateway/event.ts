import type { Decimal } from '../money.ts'
import type { GatewayTime } from './time.ts'

export const gatewayOrderTypes = ['BUY', 'SELL'] as const
/** BUY sells crypto for fiat to a user, SELL buys it from one. */
export type GatewayOrderType = (typeof gatewayOrderTypes)[number]

/** From the earliest to the latest; the last two end an order and are equally late. */
export const gatewayOrderStates = ['PENDING', 'WITHDRAWING', 'COMPLETED', 'FAILED'] as const
export type GatewayOrderState = (typeof gatewayOrderStates)[number]

export const gatewayPaymentMethods = ['CARD', 'APPLE_PAY', 'GOOGLE_PAY', 'BANK_TRANSFER_NIP'] as const
export type GatewayPaymentMethod = (typeof gatewayPaymentMethods)[number]

/**
 * One state of an order, as the gateway tells its partner. Fees and amounts without a currency of their own are in
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
  /** Approximate where the input is no US dollars, as are the fees in dollars. */
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
  /** `US-XX`, of users in the United States only. */
  readonly userState: string | null
  readonly targetWalletAddress: string
  /** Of completed orders only. */
  readonly transactionHash: string | null
}
