import type { z } from 'zod'
import { err, ok, type Result } from '../../base/result.ts'
import { readDeliveryRanges } from '../../domain/gateway/delivery.ts'
import { gatewayOrderStates, gatewayOrderTypes, gatewayPaymentMethods } from '../../domain/gateway/event.ts'
import { type Answer, badRequest, failure, given } from '../../http-server/route.ts'
import type { Writable } from '../../wire/exact-json.ts'
import { message, optionalAmount, optionalStrictText, optionalWord, strictText, word } from '../../wire/message.ts'
import type { EligibilityChange, Partner, PartnerGateway, PracticeOrder } from '../gateway/partner-gateway.ts'
import { type Attempt, type Delivery, deliveryKinds, type Endpoint, shownDelivery } from '../gateway/sender/delivery.ts'
import type { WebhookRefusal, Webhooks } from '../gateway/sender/webhooks.ts'
import { paymentCurrencies } from '../gateway/world/catalog.ts'
import { codeList, noSuch, shown, type Verb, verb, whole, wholeOr } from './verb.ts'
import { deliveriesShownMax, eligibilityKinds, onOff } from './verb-table.ts'

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

/** Partners of the gateway, their eligibility, and their users' orders: actions of the account manager and of users. */
export const gatewayVerbs = (world: PartnerGateway): Verb[] => [
  verb('partner', 'add', message({ name: strictText, feeRate: optionalAmount }), async ({ name, feeRate }) => {
    if (world.partner(name) !== undefined) return failure(409, `partner ${name} exists already`)
    return answerOf(await world.addPartner({ name, ...given({ feeRate }) }), describePartner)
  }),
  eligibilityVerb(world),
  verb('gateway-order', 'create', newOrder, async ({ orderType, ...values }) => {
    const { partner } = values
    if (partner !== null && world.partner(partner) === undefined) return noSuch('partner', partner)
    return answerOf(await world.createOrder({ orderType, ...given(values) }), describeOrder)
  }),
  verb(
    'gateway-order',
    'advance',
    message({ orderId: strictText, state: optionalWord(gatewayOrderStates) }),
    async ({ orderId, state }) => {
      if (world.order(orderId) === undefined) return noSuch('gateway order', orderId)
      const advanced = await world.advanceOrder(orderId, state ?? undefined)
      // Order and state are valid: the error concerns the transition between them.
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

const change = message({
  kind: word(eligibilityKinds),
  code: strictText,
  state: word(onOff),
  partner: optionalStrictText,
  minBuyAmount: optionalAmount,
  maxBuyAmount: optionalAmount,
  currencies: codeList,
})
type Change = z.infer<typeof change>

/** Enables something for a partner, the first one unless named, changes its terms, or disables it. */
const eligibilityVerb = (world: PartnerGateway): Verb =>
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
      return ok({ kind, code, isEnabled: isOn, ...given({ minBuyAmount, maxBuyAmount }) })
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

/** The terms in force. */
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

const idMax = Number.MAX_SAFE_INTEGER
const newEndpoint = message({ url: strictText, name: optionalStrictText, partner: optionalStrictText })
/** An omitted number reads as 0, which no row has. */
const listed = message({
  delivery: wholeOr(0, 1, idMax),
  state: optionalWord(deliveryKinds),
  endpointId: wholeOr(0, 1, idMax),
  count: wholeOr(20, 1, deliveriesShownMax),
  before: wholeOr(0, 1, idMax),
})

/** The partners' webhooks: where events are sent, and the outcome of each. */
export const webhookVerbs = (webhooks: Webhooks): Verb[] => [
  verb('webhook', 'register', newEndpoint, async ({ url, name, partner }) => {
    const registered = await webhooks.register({ url, ...given({ name, partner }) })
    return registered.ok ? shown(describeEndpoint(registered.value)) : refused(registered.error)
  }),
  verb('webhook', 'rm', message({ endpointId: whole(1, idMax) }), async ({ endpointId }) => {
    const removed = await webhooks.remove(endpointId)
    return removed.ok ? shown(describeEndpoint(removed.value)) : refused(removed.error)
  }),
  verb('webhook', 'deliveries', listed, ({ delivery: id, state, endpointId, count, before }) => {
    if (id !== 0) {
      const delivery = webhooks.delivery(id)
      if (delivery === undefined) return noSuch('delivery', String(id))
      return shown({ ...describeDelivery(webhooks, delivery), attempts: webhooks.attempts(id).map(describeAttempt) })
    }
    const asked = given({ endpointId: endpointId || null, before: before || null, kind: state })
    const deliveries = webhooks.deliveries({ count, ...asked })
    return shown({
      endpoints: webhooks.endpoints().map(describeEndpoint),
      deliveries: deliveries.map((each) => describeDelivery(webhooks, each)),
    })
  }),
  verb('webhook', 'retry', message({ deliveries: strictText }), ({ deliveries }) => {
    const ranges = readDeliveryRanges(deliveries)
    if (!ranges.ok) return badRequest(`field "deliveries" ${ranges.error}`)
    const retried = webhooks.retry(ranges.value)
    return retried.ok ? shown(retried.value) : refused(retried.error)
  }),
]

const refused = (refusal: WebhookRefusal): Answer =>
  refusal.kind === 'notFound'
    ? noSuch(refusal.what, refusal.name)
    : badRequest(`field "${refusal.field}" ${refusal.message}`)

const describeEndpoint = ({ id, name, partner, url }: Endpoint) => ({ endpointId: id, name, partner, url })

const timeText = (atMs: number): string => new Date(atMs).toISOString()

function describeDelivery(webhooks: Webhooks, delivery: Delivery) {
  const { madeAtMs, nextAtMs, expiresAtMs, ...fields } = shownDelivery(delivery, webhooks.endpointOf(delivery))
  const { deliveryId, endpoint, orderId, orderState, state, attemptCount, lastStatus, lastLatencyMs, lastWords } =
    fields
  return {
    ...{ deliveryId, state, endpoint, orderId, orderState, attemptCount },
    ...{ madeAt: timeText(madeAtMs), nextAt: nextAtMs === null ? null : timeText(nextAtMs) },
    ...{ expiresAt: timeText(expiresAtMs), eventId: fields.eventId, lastStatus, lastLatencyMs, lastWords },
  }
}

const describeAttempt = ({ atMs, latencyMs, result }: Attempt) => ({
  at: timeText(atMs),
  latencyMs,
  status: result.kind === 'answered' ? result.status : null,
  words: result.kind === 'answered' ? result.excerpt : result.reason,
})
