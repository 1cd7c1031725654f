import type { Result } from '../../base/result.ts'
import { gatewayOrderStates, gatewayOrderTypes, gatewayPaymentMethods } from '../../domain/gateway/event.ts'
import { optionalAmount, optionalStrictText, optionalWord, strictText, word } from '../../wire/fields.ts'
import type { Writable } from '../../wire/json-write.ts'
import { message } from '../../wire/message.ts'
import type { GatewayWorld, Partner, PracticeOrder } from '../gateway/world.ts'
import { type Answer, badRequest, failure } from '../http/answer.ts'
import { eligibilityVerb } from './eligibility-verb.ts'
import { present } from './fields.ts'
import { noSuch, shown, type Verb, verb } from './verb.ts'

const newOrder = message({
  orderType: word(gatewayOrderTypes),
  partner: optionalStrictText,
  inputCurrency: optionalStrictText,
  inputAmount: optionalAmount,
  outputCurrency: optionalStrictText,
  paymentMethod: optionalWord(gatewayPaymentMethods),
  userCountry: optionalStrictText,
  userState: optionalStrictText,
  externalReference: optionalStrictText,
  subPartnerId: optionalStrictText,
  targetWalletAddress: optionalStrictText,
})

/**
 * Partners of the gateway, what is enabled for them, and their users' orders: what their account manager and their
 * users do.
 */
export const gatewayVerbs = (world: GatewayWorld): Verb[] => [
  verb('partner', 'add', message({ name: strictText, feeRate: optionalAmount }), async ({ name, feeRate }) => {
    if (world.partner(name) !== undefined) return failure(409, `there is a partner ${name} already`)
    return answerOf(await world.addPartner({ name, ...present({ feeRate }) }), describePartner)
  }),
  eligibilityVerb(world),
  verb('gateway-order', 'create', newOrder, async ({ orderType, ...values }) => {
    const { partner } = values
    if (partner !== null && world.partner(partner) === undefined) return noSuch('partner', partner)
    return answerOf(await world.createOrder({ orderType, ...present(values) }), describeOrder)
  }),
  verb(
    'gateway-order',
    'advance',
    message({ orderId: strictText, state: optionalWord(gatewayOrderStates) }),
    async ({ orderId, state }) => {
      if (world.order(orderId) === undefined) return noSuch('gateway order', orderId)
      const advanced = await world.advanceOrder(orderId, state ?? undefined)
      // The order is there and the state is one: what is refused is the step between them.
      return advanced.ok ? shown(describeOrder(advanced.value)) : failure(409, advanced.error)
    },
  ),
]

const answerOf = <T>(result: Result<T>, show: (value: T) => Readonly<Record<string, Writable>>): Answer =>
  result.ok ? shown(show(result.value)) : badRequest(result.error)

const describePartner = ({ name, key, feeRate }: Partner) => ({ name, partnerKey: key, feeRate })

function describeOrder({ orderId, partner, last }: PracticeOrder) {
  const { orderType, orderState, inputAmount, inputCurrency, outputAmount, outputCurrency } = last
  return {
    ...{ orderId, partner, orderType, orderState, inputAmount, inputCurrency, outputAmount, outputCurrency },
    ...{ paymentMethod: last.paymentMethod, userCountry: last.userCountry, userState: last.userState },
    ...{ transactionHash: last.transactionHash, eventId: last.eventId },
  }
}
