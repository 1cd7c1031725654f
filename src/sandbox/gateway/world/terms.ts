import { err, ok, type Result } from '../../../base/result.ts'
import type { GatewayPaymentMethod } from '../../../domain/gateway/event.ts'
import type { NewGatewayOrder, Partner } from '../world.ts'
import { type OrderAmounts, orderAmounts } from './amounts.ts'
import { type Listed, listedCurrency, processingRates } from './currencies.ts'

/** An order with nothing left open. */
export type Terms = Required<
  Pick<
    NewGatewayOrder,
    'orderType' | 'inputCurrency' | 'inputAmount' | 'outputCurrency' | 'paymentMethod' | 'userCountry'
  >
> &
  Pick<NewGatewayOrder, 'userState' | 'externalReference' | 'subPartnerId' | 'targetWalletAddress'>

export type Agreed = { readonly amounts: OrderAmounts; readonly coin: Listed }

/** What this order comes to when the partner may take it. The error is a clause: what is not allowed. */
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
    return err(`${fiatAmount.toFixed()} ${code} is less than the least, ${minBuyAmount.toFixed()} ${code}`)
  if (maxBuyAmount !== null && fiatAmount.gt(maxBuyAmount))
    return err(`${fiatAmount.toFixed()} ${code} is more than the most, ${maxBuyAmount.toFixed()} ${code}`)
  return ok({ amounts: amounts.value, coin })
}

/** The currency as this partner has it. */
function enabled({ eligibility }: Partner, code: string): Result<Listed> {
  const shown = eligibility.currencies.find((each) => each.code === code)
  const known = listedCurrency(code)
  return shown === undefined || known === undefined
    ? err(`the partner has no currency ${code}`)
    : ok({ ...known, shown })
}

/** The texts that come from outside, and how many characters each may have. */
const textLimits = { externalReference: 100, subPartnerId: 50, targetWalletAddress: 128 } as const

function textFault(terms: Terms): string | null {
  for (const name of ['externalReference', 'subPartnerId', 'targetWalletAddress'] as const) {
    const text = terms[name]
    if (text === undefined) continue
    if (text === '' || /\p{Cc}/u.test(text)) return `${name} must be text without control characters`
    if ([...text].length > textLimits[name]) return `${name} is longer than ${textLimits[name]} characters`
  }
  return null
}

/** Where a user may not buy, a user may sell: the gateway takes orders from every region it lists. */
function regionFault({ eligibility }: Partner, { orderType, userCountry, userState }: Terms): string | null {
  const country = eligibility.countries.find(({ alpha2 }) => alpha2 === userCountry)
  if (country === undefined) return `there is no country ${userCountry}`
  const isBuy = orderType === 'BUY'
  if (isBuy && !country.isBuyAllowed) return `users in ${country.name} may not buy`
  if (userCountry !== 'US') return userState === undefined ? null : 'userState is of users in the US only'
  const state = eligibility.usStates.find(({ alpha2 }) => `US-${alpha2}` === userState)
  if (state === undefined) return 'userState must be US- and the two letters of a state, for a user in the US'
  return isBuy && !state.isBuyAllowed ? `users in ${state.name} may not buy` : null
}

function coinFault({ shown }: Listed, { orderType, userState }: Terms): string | null {
  if (orderType !== 'BUY' || userState === undefined) return null
  const isAllowed = shown.isSupportedInUs === true && shown.allowedUsStates?.includes(userState.slice(3)) === true
  return isAllowed ? null : `users in ${userState} may not buy ${shown.code}`
}

function methodFault({ eligibility }: Partner, paymentMethod: GatewayPaymentMethod, code: string): string | null {
  const method = eligibility.paymentMethods.find(({ type }) => type === paymentMethod)
  if (method === undefined) return `the partner has no payment method ${paymentMethod}`
  return method.supportedCurrencies.includes(code) ? null : `${paymentMethod} does not go with ${code}`
}
