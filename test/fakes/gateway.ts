import type { GatewayDelivery } from '../../src/domain/gateway/delivery.ts'
import { type GatewayEvent, gatewayTime } from '../../src/domain/gateway/event.ts'
import { type InboxEvent, inboxOrder } from '../../src/domain/gateway/inbox-order.ts'
import { noOrderSums, withChanges } from '../../src/domain/gateway/order.ts'
import { arrived } from '../../src/store/feeds/feed.ts'
import { type GatewayState, initialGateway } from '../../src/store/gateway/gateway.ts'
import { amount } from './amounts.ts'

/** A state that an order of 250 USD was in at `atMs`. */
export const aGatewayEvent = (atMs: number, more: Partial<GatewayEvent> = {}): GatewayEvent => ({
  eventId: 'ev_771',
  orderId: 'ord_19',
  externalReference: null,
  subPartnerId: null,
  orderType: 'BUY',
  createdAt: gatewayTime(atMs - 20_000, 120_450),
  orderState: 'PENDING',
  orderStateUpdatedAt: gatewayTime(atMs, 451_234),
  paymentMethod: 'CARD',
  inputCurrency: 'USD',
  inputAmount: amount('250'),
  outputCurrency: 'BTC',
  outputAmount: amount('0.0038'),
  amountUsd: amount('250'),
  processingFee: amount('3.75'),
  processingFeeUsd: amount('3.75'),
  partnerFee: amount('2.5'),
  partnerFeeUsd: amount('2.5'),
  networkFee: amount('0.42'),
  networkFeeUsd: amount('0.42'),
  network: 'BTC',
  userId: 'user-7',
  userCountry: 'US',
  userState: 'US-TX',
  targetWalletAddress: 'bc1qexample0000000000000000000000000000',
  transactionHash: null,
  ...more,
})

/** An event as the inbox keeps it, received a moment after its change. */
export const received = (sequence: number, event: GatewayEvent, more: Partial<InboxEvent> = {}): InboxEvent => ({
  event,
  sequence,
  receivedAtMs: Number(event.orderStateUpdatedAt.epochNs / 1_000_000n) + 300,
  source: '127.0.0.1',
  copies: 0,
  conflicts: 0,
  ...more,
})

/**
 * A sale to a user under way, one bought from a user whose first state came late, one that failed twice over, and one
 * that is stuck.
 */
function eventsAt(nowMs: number): readonly (readonly InboxEvent[])[] {
  const ago = (seconds: number) => nowMs - seconds * 1_000
  const sale = { orderId: 'ord_18', orderType: 'SELL', inputCurrency: 'ETH', outputCurrency: 'EUR' } as const
  const sold = {
    ...sale,
    inputAmount: amount('0.5'),
    outputAmount: amount('1380.25'),
    paymentMethod: 'BANK_TRANSFER_NIP',
    userCountry: 'NG',
    userState: null,
  } as const
  const failed = { orderId: 'ord_17', inputAmount: amount('1200.5'), outputAmount: amount('0.01831') } as const
  const stuck = { orderId: 'ord_16', inputAmount: amount('90'), outputAmount: amount('0.00137') } as const
  return [
    [received(1, aGatewayEvent(ago(5_400), { ...stuck, eventId: 'ev_760' }))],
    [
      received(2, aGatewayEvent(ago(1_900), { ...failed, eventId: 'ev_765' }), { copies: 2 }),
      received(3, aGatewayEvent(ago(1_800), { ...failed, eventId: 'ev_766', orderState: 'FAILED' }), { conflicts: 1 }),
    ],
    [
      received(5, aGatewayEvent(ago(220), { ...sold, eventId: 'ev_770', orderState: 'COMPLETED' })),
      received(6, aGatewayEvent(ago(260), { ...sold, eventId: 'ev_769' })),
    ],
    [
      received(4, aGatewayEvent(ago(30))),
      received(7, aGatewayEvent(ago(12), { eventId: 'ev_772', orderState: 'WITHDRAWING' })),
    ],
  ]
}

const aDelivery = (madeAtMs: number, more: Partial<GatewayDelivery> = {}): GatewayDelivery => ({
  deliveryId: 'd-772',
  endpoint: 'http://127.0.0.1:40110/events',
  eventId: 'ev_772',
  orderId: 'ord_19',
  orderState: 'WITHDRAWING',
  state: 'delivered',
  attemptCount: 1,
  madeAtMs,
  nextAtMs: null,
  expiresAtMs: madeAtMs + 259_200_000,
  lastStatus: 200,
  lastLatencyMs: 4,
  lastWords: null,
  ...more,
})

/** The desk's own practice gateway with four orders, two of them not looked at, and everything that can go wrong. */
export function gatewayAt(nowMs: number): GatewayState {
  const base = initialGateway({
    isKnown: true,
    isSet: true,
    receiver: { kind: 'listening', url: 'http://127.0.0.1:40110/events' },
    isOwn: true,
    seenSequence: 5,
  })
  const orders = eventsAt(nowMs)
    .flatMap((events) => inboxOrder(events) ?? [])
    .toSorted((left, right) => right.lastSequence - left.lastSequence)
  return {
    ...base,
    eligibility: {
      currencies: arrived(
        [
          {
            ...{ type: 'FIAT', name: 'US Dollar', code: 'USD', precision: 2 },
            ...{ minBuyAmount: amount('20'), maxBuyAmount: amount('10000') },
            ...{ network: null, supportsDestinationTag: null, isSupportedInUs: null, allowedUsStates: null },
          },
          {
            ...{ type: 'CRYPTO', name: 'Bitcoin', code: 'BTC', precision: 8, minBuyAmount: null, maxBuyAmount: null },
            ...{ network: 'BTC', supportsDestinationTag: false, isSupportedInUs: true, allowedUsStates: ['CA', 'TX'] },
          },
          {
            ...{ type: 'CRYPTO', name: 'Stellar', code: 'XLM', precision: 7, minBuyAmount: null, maxBuyAmount: null },
            ...{ network: 'XLM', supportsDestinationTag: true, isSupportedInUs: false, allowedUsStates: [] },
          },
        ],
        nowMs - 30_000,
      ),
      regions: arrived(
        {
          onlyBuyAllowed: true,
          countries: [
            { alpha2: 'DE', alpha3: 'DEU', isBuyAllowed: true, name: 'Germany' },
            { alpha2: 'US', alpha3: 'USA', isBuyAllowed: true, name: 'United States' },
          ],
          usStates: [{ alpha2: 'TX', isBuyAllowed: true, name: 'Texas' }],
        },
        nowMs - 30_000,
      ),
      paymentMethods: arrived(
        [
          { type: 'CARD', supportedCurrencies: ['USD', 'EUR', 'GBP'] },
          { type: 'BANK_TRANSFER_NIP', supportedCurrencies: ['NGN'] },
        ],
        nowMs - 30_000,
      ),
    },
    inbox: {
      ...base.inbox,
      readAtMs: nowMs - 2_000,
      orders,
      sums: withChanges(
        noOrderSums,
        orders.map(({ shown }) => ({ before: null, after: shown })),
      ),
      counts: { events: 7, copies: 2, conflicts: 1, quarantined: 1 },
      quarantine: [
        {
          sequence: 3,
          receivedAtMs: nowMs - 400_000,
          source: '127.0.0.1',
          reason: 'the field orderState must be one of PENDING, WITHDRAWING, COMPLETED, FAILED',
          text: '{"eventId":"ev_750","orderState":"REFUNDED"}',
          replayedAtMs: null,
        },
        {
          sequence: 2,
          receivedAtMs: nowMs - 8_000_000,
          source: '127.0.0.1',
          reason: 'it is no JSON',
          text: 'hello',
          replayedAtMs: nowMs - 60_000,
        },
      ],
      stuck: new Set(['ord_16']),
      unreadCount: 2,
    },
    deliveries: arrived(
      [
        aDelivery(nowMs - 12_000, {
          state: 'pending',
          attemptCount: 2,
          nextAtMs: nowMs + 18_000,
          lastStatus: 503,
          lastWords: 'full',
        }),
        aDelivery(nowMs - 30_000, { deliveryId: 'd-771', eventId: 'ev_771', orderState: 'PENDING' }),
        aDelivery(nowMs - 260_000_000, {
          ...{ deliveryId: 'd-700', eventId: 'ev_700', orderId: 'ord_9', orderState: 'FAILED', state: 'expired' },
          ...{ attemptCount: 22, lastStatus: null, lastLatencyMs: 5_000, lastWords: 'no answer within 5 s' },
        }),
      ],
      nowMs - 1_000,
    ),
  }
}
