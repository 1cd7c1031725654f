import type { z } from 'zod'
import { err, ok, type Result } from '../../base/result.ts'
import { gatewayPaymentMethods } from '../../domain/gateway/event.ts'
import { optionalAmount, optionalStrictText, strictText, word } from '../../wire/fields.ts'
import { message } from '../../wire/message.ts'
import { paymentCurrencies } from '../gateway/world/currencies.ts'
import type { EligibilityChange, GatewayWorld, Partner } from '../gateway/world.ts'
import { badRequest } from '../http/answer.ts'
import { codeList, present } from './fields.ts'
import { noSuch, shown, type Verb, verb } from './verb.ts'

const kinds = ['currency', 'region', 'payment-method'] as const
const states = ['on', 'off'] as const

const change = message({
  kind: word(kinds),
  code: strictText,
  state: word(states),
  partner: optionalStrictText,
  minBuyAmount: optionalAmount,
  maxBuyAmount: optionalAmount,
  currencies: codeList,
})
type Change = z.infer<typeof change>

/**
 * Enables something for a partner, the first where none is named, or takes it away; of what is enabled it changes the
 * terms.
 */
export const eligibilityVerb = (world: GatewayWorld): Verb =>
  verb('eligibility', 'set', change, async (asked) => {
    const partner = asked.partner === null ? world.partners()[0] : world.partner(asked.partner)
    if (partner === undefined) return noSuch('partner', asked.partner ?? 'yet')
    const wanted = toChange(asked)
    if (!wanted.ok) return badRequest(wanted.error)
    const set = await world.setEligibility(partner.name, wanted.value)
    if (!set.ok) return badRequest(set.error)
    const { kind, code, state } = asked
    return shown({ partner: partner.name, kind, code, state, ...termsOf(wanted.value, set.value) })
  })

function toChange(asked: Change): Result<EligibilityChange> {
  const { kind, code, minBuyAmount, maxBuyAmount, currencies } = asked
  const isOn = asked.state === 'on'
  if (kind !== 'currency' && minBuyAmount !== null) return err('field "minBuyAmount" goes with kind currency only')
  if (kind !== 'currency' && maxBuyAmount !== null) return err('field "maxBuyAmount" goes with kind currency only')
  if (kind !== 'payment-method' && currencies !== null)
    return err('field "currencies" goes with kind payment-method only')
  switch (kind) {
    case 'currency':
      return ok({ kind, code, isEnabled: isOn, ...present({ minBuyAmount, maxBuyAmount }) })
    case 'region':
      return ok({ kind, region: code, isBuyAllowed: isOn })
    case 'payment-method': {
      const paymentMethod = gatewayPaymentMethods.find((each) => each === code)
      if (paymentMethod === undefined) return err(`field "code" must be one of ${gatewayPaymentMethods.join(', ')}`)
      return ok({
        kind: 'paymentMethod',
        paymentMethod,
        currencies: isOn ? (currencies ?? paymentCurrencies[paymentMethod]) : [],
      })
    }
  }
}

/** The terms on which it is enabled now. */
function termsOf(changed: EligibilityChange, { eligibility }: Partner) {
  switch (changed.kind) {
    case 'currency': {
      const currency = eligibility.currencies.find(({ code }) => code === changed.code)
      return { minBuyAmount: currency?.minBuyAmount, maxBuyAmount: currency?.maxBuyAmount }
    }
    case 'region':
      return {}
    case 'paymentMethod': {
      const method = eligibility.paymentMethods.find(({ type }) => type === changed.paymentMethod)
      return { currencies: method?.supportedCurrencies.join(',') }
    }
  }
}
