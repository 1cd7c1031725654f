import type { Random } from '../../../base/random.ts'
import { err, ok, type Result } from '../../../base/result.ts'
import { type GatewayPaymentMethod, gatewayPaymentMethods } from '../../../domain/gateway/event.ts'
import { Decimal } from '../../../domain/money.ts'
import type { NewGatewayOrder, Partner } from '../partner-gateway.ts'
import { type Listed, listedCurrency, processingRates } from './catalog.ts'

/** An order with every choice made. */
export type Terms = Required<
  Pick<
    NewGatewayOrder,
    'orderType' | 'inputCurrency' | 'inputAmount' | 'outputCurrency' | 'paymentMethod' | 'userCountry'
  >
> &
  Pick<NewGatewayOrder, 'userState' | 'externalReference' | 'subPartnerId' | 'targetWalletAddress'>

export type Agreed = { readonly amounts: OrderAmounts; readonly coin: Listed }

/** The order's result if the partner may take it. The error is a clause: what is not allowed. */
export function agree(partner: Partner, terms: Terms): Result<Agreed> {
  const wrong = textFault(terms) ?? regionFault(partner, terms)
  if (wrong !== null) return err(wrong)
  const input = enabled(partner, terms.inputCurrency)
  if (!input.ok) return input
  const output = enabled(partner, terms.outputCurrency)
  if (!output.ok) return output
  const [money, coin] = terms.orderType === 'BUY' ? [input.value, output.value] : [output.value, input.value]
  if (money.shown.type !== 'FIAT' || coin.shown.type !== 'CRYPTO')
    return err(`a ${terms.orderType} goes ${terms.orderType === 'BUY' ? 'from fiat to crypto' : 'from crypto to fiat'}`)
  const fault = coinFault(coin, terms) ?? methodFault(partner, terms.paymentMethod, money.shown.code)
  if (fault !== null) return err(fault)
  const { inputAmount } = terms
  if (inputAmount.lte(0) || inputAmount.decimalPlaces() > input.value.shown.precision)
    return err(`inputAmount must be above 0, with at most ${input.value.shown.precision} decimal places`)
  const processingRate = processingRates[terms.paymentMethod]
  const amounts = orderAmounts({
    inputAmount,
    input: input.value,
    output: output.value,
    processingRate,
    partnerRate: partner.feeRate,
  })
  if (!amounts.ok) return amounts
  const fiatAmount = terms.orderType === 'BUY' ? inputAmount : amounts.value.outputAmount
  const { minBuyAmount, maxBuyAmount, code } = money.shown
  if (minBuyAmount !== null && fiatAmount.lt(minBuyAmount))
    return err(`${fiatAmount.toFixed()} ${code} is below the minimum, ${minBuyAmount.toFixed()} ${code}`)
  if (maxBuyAmount !== null && fiatAmount.gt(maxBuyAmount))
    return err(`${fiatAmount.toFixed()} ${code} is above the maximum, ${maxBuyAmount.toFixed()} ${code}`)
  return ok({ amounts: amounts.value, coin })
}

/** The currency as enabled for this partner. */
function enabled({ eligibility }: Partner, code: string): Result<Listed> {
  const shown = eligibility.currencies.find((each) => each.code === code)
  const known = listedCurrency(code)
  return shown === undefined || known === undefined
    ? err(`the partner has no currency ${code}`)
    : ok({ ...known, shown })
}

/** External texts, and their maximum lengths in characters. */
const textLimits = [
  ['externalReference', 100],
  ['subPartnerId', 50],
  ['targetWalletAddress', 128],
] as const

function textFault(terms: Terms): string | null {
  for (const [name, most] of textLimits) {
    const text = terms[name]
    if (text === undefined) continue
    if (text === '' || /\p{Cc}/u.test(text)) return `${name} must be text without control characters`
    if ([...text].length > most) return `${name} is longer than ${most} characters`
  }
  return null
}

/** Where users may not buy they may still sell: the gateway takes orders from every region it lists. */
function regionFault({ eligibility }: Partner, { orderType, userCountry, userState }: Terms): string | null {
  const country = eligibility.countries.find(({ alpha2 }) => alpha2 === userCountry)
  if (country === undefined) return `unknown country ${userCountry}`
  const isBuy = orderType === 'BUY'
  if (isBuy && !country.isBuyAllowed) return `users in ${country.name} may not buy`
  if (userCountry !== 'US') return userState === undefined ? null : 'userState is for users in the US only'
  const state = eligibility.usStates.find(({ alpha2 }) => `US-${alpha2}` === userState)
  if (state === undefined) return 'userState must be US- and the two letters of a state, for a user in the US'
  return isBuy && !state.isBuyAllowed ? `users in ${state.name} may not buy` : null
}

function coinFault({ shown }: Listed, { orderType, userState }: Terms): string | null {
  if (orderType !== 'BUY' || userState === undefined) return null
  return isSoldIn(userState, shown) ? null : `users in ${userState} may not buy ${shown.code}`
}

/** Whether users in this state, `US-XX`, may buy the coin. */
const isSoldIn = (userState: string, { isSupportedInUs, allowedUsStates }: Listed['shown']): boolean =>
  isSupportedInUs === true && allowedUsStates?.includes(userState.slice(3)) === true

function methodFault({ eligibility }: Partner, paymentMethod: GatewayPaymentMethod, code: string): string | null {
  const method = eligibility.paymentMethods.find(({ type }) => type === paymentMethod)
  if (method === undefined) return `the partner has no payment method ${paymentMethod}`
  return method.supportedCurrencies.includes(code) ? null : `${paymentMethod} does not go with ${code}`
}

/** An order's amounts, named as in its events. Fees are in the input currency. */
type OrderAmounts = {
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
 * What a user gets for `inputAmount`. Fees are shares of the input, rounded half-even to its last decimal, plus the
 * network fee, rounded up. The rest is exchanged at the rate, dollars per output unit over dollars per input unit:
 * output = (input − fees) / rate, truncated to its last decimal. The error is a clause: nothing would be left.
 */
function orderAmounts(order: {
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

/** Where users who pay in a currency usually live. */
const homes: Readonly<Record<string, readonly string[]>> = {
  USD: ['US'],
  EUR: ['DE', 'FR', 'ES', 'IT', 'NL', 'IE', 'PT'],
  GBP: ['GB'],
  CAD: ['CA'],
  BRL: ['BR'],
  JPY: ['JP'],
  NGN: ['NG'],
}

/** Typical spending in dollars: mostly small amounts. */
const typicalUsd = { least: 40, spread: 220 }

/**
 * Fills in what an order leaves open with plausible choices of this partner's users. The error is a clause: there is
 * nothing to choose from.
 */
export function choose(partner: Partner, order: NewGatewayOrder, random: Random): Result<Terms> {
  const { eligibility } = partner
  const isBuy = order.orderType === 'BUY'
  const { fiat: givenFiat, coin: givenCoin } = isBuy
    ? { fiat: order.inputCurrency, coin: order.outputCurrency }
    : { fiat: order.outputCurrency, coin: order.inputCurrency }
  const ofType = (type: string) => eligibility.currencies.filter((each) => each.type === type)
  const paysWith = (code: string): readonly GatewayPaymentMethod[] =>
    gatewayPaymentMethods.filter((method) =>
      eligibility.paymentMethods.some(
        ({ type, supportedCurrencies }) => type === method && supportedCurrencies.includes(code),
      ),
    )
  const suits = (code: string) =>
    order.paymentMethod === undefined ? paysWith(code).length > 0 : paysWith(code).includes(order.paymentMethod)
  const livesThere = (code: string) =>
    order.userCountry === undefined || homes[code]?.includes(order.userCountry) === true
  const payable = ofType('FIAT')
    .map(({ code }) => code)
    .filter(suits)
  const near = payable.filter(livesThere)
  const fiat = givenFiat ?? pick(near.length > 0 ? near : payable, random)
  if (fiat === undefined) return err('the partner has no fiat currency with a payment method')
  const paymentMethod = order.paymentMethod ?? pick(paysWith(fiat), random)
  if (paymentMethod === undefined) return err(`the partner has no payment method for ${fiat}`)
  const mayBuy = ({ alpha2, isBuyAllowed }: { alpha2: string; isBuyAllowed: boolean }) =>
    (isBuyAllowed || !isBuy) && (homes[fiat] ?? []).includes(alpha2)
  const userCountry =
    order.userCountry ?? pick(eligibility.countries.filter(mayBuy), random)?.alpha2 ?? homes[fiat]?.[0] ?? 'GB'
  const user = { userCountry, ...stateOf(partner, order, userCountry, random) }
  const { userState } = user
  const sold = ofType('CRYPTO').filter((each) => !isBuy || userState === undefined || isSoldIn(userState, each))
  const coin = givenCoin ?? pick(sold, random)?.code
  if (coin === undefined) return err('the partner has no crypto currency for this user')
  const inputCurrency = isBuy ? fiat : coin
  const inputAmount = order.inputAmount ?? ordinaryAmount(partner, { inputCurrency, fiat }, random)
  return ok({ ...order, ...user, inputCurrency, outputCurrency: isBuy ? coin : fiat, inputAmount, paymentMethod })
}

const pick = <T>(list: readonly T[], random: Random): T | undefined => list[random.integer(0, list.length - 1)]

function stateOf({ eligibility }: Partner, order: NewGatewayOrder, userCountry: string, random: Random) {
  if (order.userState !== undefined) return { userState: order.userState }
  if (userCountry !== 'US') return {}
  const open = eligibility.usStates.filter(({ isBuyAllowed }) => isBuyAllowed || order.orderType === 'SELL')
  const state = pick(open, random)
  return state === undefined ? {} : { userState: `US-${state.alpha2}` }
}

/** An input amount well within the limits of the order's fiat currency. */
function ordinaryAmount(
  { eligibility }: Partner,
  { inputCurrency, fiat }: { inputCurrency: string; fiat: string },
  random: Random,
): Decimal {
  const input = listedCurrency(inputCurrency)
  const money = listedCurrency(fiat)
  if (input === undefined || money === undefined) return new Decimal(1)
  const limits = eligibility.currencies.find(({ code }) => code === fiat)
  const wantedUsd = new Decimal(typicalUsd.least + Math.floor(random.exponential(typicalUsd.spread)))
  // Fees take a few percent of a sale before its limits are checked.
  const minUsd = (limits?.minBuyAmount ?? new Decimal(0)).times(money.usd).times('1.2')
  const maxUsd = (limits?.maxBuyAmount ?? wantedUsd).times(money.usd)
  const usd = Decimal.min(Decimal.max(wantedUsd, minUsd), maxUsd)
  const exact = usd.div(input.usd)
  const isFiat = input.shown.type === 'FIAT'
  // Users pay round sums, and sell coins in a few digits.
  return isFiat && exact.gte(10)
    ? Decimal.max(exact.toDecimalPlaces(0, Decimal.ROUND_DOWN), limits?.minBuyAmount ?? 0)
    : exact.toSignificantDigits(5).toDecimalPlaces(input.shown.precision, Decimal.ROUND_UP)
}
