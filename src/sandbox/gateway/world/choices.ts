import type { Random } from '../../../base/random.ts'
import { err, ok, type Result } from '../../../base/result.ts'
import { type GatewayPaymentMethod, gatewayPaymentMethods } from '../../../domain/gateway/event.ts'
import { Decimal } from '../../../domain/money.ts'
import type { NewGatewayOrder, Partner } from '../world.ts'
import { listedCurrency } from './currencies.ts'
import type { Terms } from './terms.ts'

/** Where users who pay in a currency live, as a rule. */
const homes: Readonly<Record<string, readonly string[]>> = {
  USD: ['US'],
  EUR: ['DE', 'FR', 'ES', 'IT', 'NL', 'IE', 'PT'],
  GBP: ['GB'],
  CAD: ['CA'],
  BRL: ['BR'],
  JPY: ['JP'],
  NGN: ['NG'],
}

/** What ordinary users spend, in dollars: most of it little. */
const typicalUsd = { least: 40, spread: 220 }

/**
 * Fills what an order leaves open with what this partner's users might have chosen. The error is a clause: nothing is
 * left to choose from.
 */
export function choose(partner: Partner, order: NewGatewayOrder, random: Random): Result<Terms> {
  const { eligibility } = partner
  const isBuy = order.orderType === 'BUY'
  const { fiat: givenFiat, coin: givenCoin } = isBuy
    ? { fiat: order.inputCurrency, coin: order.outputCurrency }
    : { fiat: order.outputCurrency, coin: order.inputCurrency }
  const codes = (type: string) => eligibility.currencies.filter((each) => each.type === type).map(({ code }) => code)
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
  const payable = codes('FIAT').filter(suits)
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
  const letters = user.userState?.slice(3)
  const isSold = (code: string) => {
    const coin = eligibility.currencies.find((each) => each.code === code)
    return (
      !isBuy ||
      letters === undefined ||
      (coin?.isSupportedInUs === true && coin.allowedUsStates?.includes(letters) === true)
    )
  }
  const coin = givenCoin ?? pick(codes('CRYPTO').filter(isSold), random)
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

/** An amount of the input that lies well within the limits of the order's fiat currency. */
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
  // Fees take a few per cent of a sale before its limits are looked at.
  const leastUsd = (limits?.minBuyAmount ?? new Decimal(0)).times(money.usd).times('1.2')
  const mostUsd = (limits?.maxBuyAmount ?? wantedUsd).times(money.usd)
  const usd = Decimal.min(Decimal.max(wantedUsd, leastUsd), mostUsd)
  const exact = usd.div(input.usd)
  const isFiat = input.shown.type === 'FIAT'
  // People pay round sums, and sell coins to a few digits.
  return isFiat && exact.gte(10)
    ? Decimal.max(exact.toDecimalPlaces(0, Decimal.ROUND_DOWN), limits?.minBuyAmount ?? 0)
    : exact.toSignificantDigits(5).toDecimalPlaces(input.shown.precision, Decimal.ROUND_UP)
}
