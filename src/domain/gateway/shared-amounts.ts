import type { Decimal } from '../money.ts'
import type { GatewayEvent } from './event.ts'

const shared = <T extends Decimal | null>(amount: T, earlier: T): T =>
  amount !== null && earlier !== null && amount.eq(earlier) ? earlier : amount

/**
 * The event with the very amounts of an earlier one of its order where they are equal. Amounts weigh most of all
 * fields, from one state of an order to the next they hardly ever differ, and a desk holds thousands of orders for
 * days.
 */
export const withSharedAmounts = (event: GatewayEvent, earlier: GatewayEvent): GatewayEvent => ({
  ...event,
  inputAmount: shared(event.inputAmount, earlier.inputAmount),
  outputAmount: shared(event.outputAmount, earlier.outputAmount),
  amountUsd: shared(event.amountUsd, earlier.amountUsd),
  processingFee: shared(event.processingFee, earlier.processingFee),
  processingFeeUsd: shared(event.processingFeeUsd, earlier.processingFeeUsd),
  partnerFee: shared(event.partnerFee, earlier.partnerFee),
  partnerFeeUsd: shared(event.partnerFeeUsd, earlier.partnerFeeUsd),
  networkFee: shared(event.networkFee, earlier.networkFee),
  networkFeeUsd: shared(event.networkFeeUsd, earlier.networkFeeUsd),
})
