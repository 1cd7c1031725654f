import {
  type GatewayEvent,
  gatewayOrderStates,
  gatewayOrderTypes,
  gatewayPaymentMethods,
} from '../../domain/gateway/event.ts'
import type { OrderSum } from '../../domain/gateway/order.ts'
import { amount, flag, type JsonSchema, listOf, maybe, rowOf, text, time, whole, word } from './kinds.ts'

const inInput = (about: string) => amount(`${about}, in inputCurrency`)
const inUsd = (about: string) => amount(`${about}, USD, approximate where the input is another currency`)

const event: Record<keyof GatewayEvent, JsonSchema | ReturnType<typeof maybe>> = {
  eventId: text('the id of the event'),
  orderId: text('the id of the order'),
  externalReference: maybe(text("the partner's own reference")),
  subPartnerId: maybe(text('the sub-partner')),
  orderType: word(gatewayOrderTypes, 'BUY: crypto to a user'),
  createdAt: text('when the order was made, as the gateway writes it'),
  orderState: word(gatewayOrderStates, 'the state of the order'),
  orderStateUpdatedAt: text('when it came to that state, as the gateway writes it'),
  paymentMethod: word(gatewayPaymentMethods, 'how it is paid'),
  inputCurrency: text('what funds it'),
  inputAmount: inInput('what funds it'),
  outputCurrency: text('what it pays out'),
  outputAmount: amount('what it pays out, in outputCurrency'),
  amountUsd: maybe(inUsd('its worth')),
  processingFee: inInput('fee of the service'),
  processingFeeUsd: inUsd('fee of the service'),
  partnerFee: inInput('fee of the partner'),
  partnerFeeUsd: inUsd('fee of the partner'),
  networkFee: inInput('fee of the network'),
  networkFeeUsd: inUsd('fee of the network'),
  network: text('the network'),
  userId: text('the user'),
  userCountry: maybe(text("the user's country")),
  userState: maybe(text('US-XX, of users in the United States')),
  targetWalletAddress: text('where it pays out'),
  transactionHash: maybe(text('of completed orders')),
}

const received = {
  sequence: whole('its number in the inbox'),
  receivedAt: time('when it was received'),
  source: text('the address it came from'),
  copies: whole('how often the same event came again'),
}
const conflicts = whole('other bodies under the same id')
const step = { ...received, conflicts, isLate: flag('a later state had been received before it'), ...event }

export const inboxEvent = rowOf(step)
export const exportedEvent = rowOf({ ...received, conflicts, ...event })

const order = {
  receivedAt: time('when its last event was received'),
  events: whole('events of it'),
  late: whole('events that came late'),
  copies: whole('events that came again'),
  conflicts,
  ...event,
}
export const inboxOrder = rowOf(order)

const attempt = {
  at: time('when it was tried'),
  target: text('the target'),
  number: whole('which try'),
  status: maybe(whole('status of the answer; missing: none came')),
  durationMs: whole('how long it took, ms'),
  reason: maybe(text('why it was not taken')),
  answer: maybe(text('the beginning of the answer')),
}

export const inboxOrderShown = rowOf({
  ...order,
  history: listOf(inboxEvent, 'its events'),
  attempts: listOf(rowOf({ eventId: text('the event'), ...attempt }), 'attempts to forward them'),
})
export const inboxEventShown = rowOf({
  ...received,
  ...event,
  body: text('the body as it was received'),
  conflicts: listOf(
    rowOf({ receivedAt: time('when it was received'), source: text('its address'), body: text('the body') }),
    'other bodies under the same id',
  ),
  attempts: listOf(rowOf(attempt), 'attempts to forward it'),
})

const quarantinedFields = {
  number: whole('its number in the quarantine'),
  receivedAt: time('when it was received'),
  source: text('the address it came from'),
  reason: text('why it is not an event'),
  replayedAt: maybe(time('when a replay took it up')),
  body: text('the body; what is not text shows as the replacement character'),
}
export const quarantined = rowOf(quarantinedFields)
export const quarantinedShown = rowOf({ ...quarantinedFields, bodyBase64: text('the very bytes') })

export const inboxSum = rowOf<keyof OrderSum>({
  day: text('the UTC day, such as 2026-11-20'),
  state: word(gatewayOrderStates, 'the state of the orders'),
  currency: text('the currency'),
  direction: word(['input', 'output'], 'what funds them, or what they pay out'),
  orderCount: whole('orders'),
  amount: amount('sum, in the currency'),
  processingFees: amount('fees of the service, in the currency; of the input only'),
  partnerFees: amount('fees of the partner, in the currency'),
  networkFees: amount('fees of the network, in the currency'),
})

export const deadLetter = rowOf({
  number: whole('its number'),
  givenUpAt: time('when it was given up'),
  target: text('the target'),
  eventId: text('the event'),
  orderId: text('the order'),
  tries: whole('how often it was tried'),
  reason: text('why it was given up'),
})

export const target = rowOf({
  target: text('the target'),
  holder: text('who forwards, or did last'),
  isForwarding: flag('whether somebody forwards now'),
  waiting: whole('events that wait'),
  behind: maybe(whole('events after them that were not taken up yet; its filters may want none of these')),
  oldestReceivedAt: maybe(time('when the oldest of them was received')),
  stuckOrders: whole('orders that wait for a try to succeed'),
  dead: whole('events that were given up'),
  leaseNumber: whole('the number of the lease'),
  stuckReason: maybe(text('why the oldest event that it was sent was last refused, while an order is stuck')),
})

export const sentAgain = rowOf({
  target: text('the target'),
  events: whole('events that were meant'),
  sentAgain: whole('events that go again'),
  waitingAnyway: whole('events that had not gone yet'),
})

export const replayed = rowOf({
  number: whole('its number in the quarantine'),
  result: text('what became of it'),
  eventId: maybe(text('the event that it is')),
  orderId: maybe(text('its order')),
  reason: maybe(text('why it is still not an event')),
})

export const inboxServe = rowOf({
  url: text('where it listens for events'),
  metricsUrl: maybe(text('where its metrics are')),
})

export const eligibleCurrency = rowOf({
  type: text('fiat or crypto'),
  name: text('its name'),
  code: text('its code'),
  precision: whole('its decimals'),
  minBuyAmount: maybe(amount('the least that can be bought, in the currency')),
  maxBuyAmount: maybe(amount('the most that can be bought, in the currency')),
  network: maybe(text('its network')),
  supportsDestinationTag: maybe(flag('whether an address has a tag')),
  isSupportedInUS: maybe(flag('whether users in the United States can have it')),
  allowedUSStates: maybe(listOf(text('a state of the United States'))),
})

const allowed = { name: text('its name'), alpha2: text('two letters'), isBuyAllowed: flag('whether users may buy') }
export const regions = rowOf({
  countries: listOf(rowOf({ ...allowed, alpha3: text('three letters') })),
  usStates: listOf(rowOf(allowed)),
})
export const paymentMethod = rowOf({
  type: text('the method'),
  supportedCurrencies: listOf(text('a currency')),
})
