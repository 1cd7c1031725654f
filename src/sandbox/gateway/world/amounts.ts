import { err, ok, type Result } from '../../../base/result.ts'
import { Decimal } from '../../../domain/money.ts'
import type { Listed } from './currencies.ts'

/** The amounts of an order, named as its events name them. Fees are in the input currency. */
export type OrderAmounts = {
  readonly inputAmount: Decimal
  readonly outputAmount: Decimal
  readonly amountUsd: Decimal
  readonly processingFee: Decimal
  readonly processingFeeUsd: Decimal
  readonly partnerFee: Decimal
  readonly partnerFeeUsd: Decimal
  readonly networkFee: Decimal
  readonly networkFeeUsd: Decimal
}

const usdDecimals = 2

/**
 * What a user gets for `inputAmount`. Fees are shares of the input, half-even in its last decimal place, and what the
 * network takes, rounded up. What is left of the input is exchanged at the rate, the dollars of one output over the
 * dollars of one input: the output is (input − fees) / rate, what lies below its last decimal place cut off. The error
 * is a clause: nothing would be left.
 */
export function orderAmounts(order: {
  readonly inputAmount: Decimal
  readonly input: Listed
  readonly output: Listed
  readonly processingRate: Decimal
  readonly partnerRate: Decimal
}): Result<OrderAmounts> {
  const { inputAmount, input, output } = order
  const { precision } = input.shown
  const share = (rate: Decimal) => inputAmount.times(rate).toDecimalPlaces(precision, Decimal.ROUND_HALF_EVEN)
  const inUsd = (amount: Decimal) => amount.times(input.usd).toDecimalPlaces(usdDecimals, Decimal.ROUND_HALF_EVEN)
  const processingFee = share(order.processingRate)
  const partnerFee = share(order.partnerRate)
  const networkUsd = Decimal.max(input.networkFeeUsd, output.networkFeeUsd)
  const networkFee = networkUsd.div(input.usd).toDecimalPlaces(precision, Decimal.ROUND_UP)
  const left = inputAmount.minus(processingFee).minus(partnerFee).minus(networkFee)
  const outputAmount = left.times(input.usd).div(output.usd).toDecimalPlaces(output.shown.precision, Decimal.ROUND_DOWN)
  if (outputAmount.lte(0)) return err(`the fees leave nothing of ${inputAmount.toFixed()} ${input.shown.code}`)
  return ok({
    inputAmount,
    outputAmount,
    amountUsd: inUsd(inputAmount),
    processingFee,
    processingFeeUsd: inUsd(processingFee),
    partnerFee,
    partnerFeeUsd: inUsd(partnerFee),
    networkFee,
    networkFeeUsd: inUsd(networkFee),
  })
}
