import { ok } from '../../base/result.ts'
import { readDeliveryRanges } from '../../domain/gateway/delivery.ts'
import { gatewayOrderStates, gatewayOrderTypes, gatewayPaymentMethods } from '../../domain/gateway/event.ts'
import {
  type AdminFlag,
  type AdminRow,
  amount,
  capitalWord,
  code,
  codes,
  optional,
  row,
  share,
  text,
  whole,
  word,
} from './verb-row.ts'

const partner = optional(text('partner', 'PARTNER', 'whose, by name (the first partner)'))
const currency = (field: string, meaning: string): AdminFlag => ({
  ...code(field, meaning),
  placeholder: 'CURRENCY',
  offers: 'gatewayCurrencies',
})
const methods = gatewayPaymentMethods.join(', ')

/** What the account manager does for partners of the payment gateway, and their users' orders. */
export const gatewayRows: readonly AdminRow[] = [
  row('partner add', 'makes one more partner of the payment gateway, with a key', {
    words: [text('name', 'NAME', 'its name: lower-case letters, digits and -')],
    flags: [optional(share('feeRate', "the partner's own share of an order, up to 0.5 (0.01)"))],
    example: 'acme --fee-rate 0.005',
    note: 'Requests to the gateway carry the key in the header X-Public-API-Key.',
  }),
  row('eligibility set', 'enables a currency, region or payment method for a partner, or not', {
    words: [
      word('kind', ['currency', 'region', 'payment-method'], 'currency, region or payment-method'),
      code('code', `such as EUR, NG, US-NY, or ${methods}`),
      word('state', ['on', 'off'], 'on or off'),
    ],
    flags: [
      partner,
      optional(amount('minBuyAmount', 'least of an order, for a fiat currency')),
      optional(amount('maxBuyAmount', 'most of an order, for a fiat currency')),
      optional(codes('currencies', 'the fiat currencies a payment method takes (all it can)')),
    ],
    example: 'currency EUR on --min-buy-amount 10',
    note: 'A region is a country by its two letters, or a state of the United States as US-XX.',
  }),
  row('gateway-order create', 'starts an order of a user on the payment gateway', {
    words: [
      {
        ...capitalWord('orderType', gatewayOrderTypes, 'BUY: a user buys crypto; SELL: a user sells crypto'),
        placeholder: 'TYPE',
      },
    ],
    flags: [
      partner,
      optional(currency('inputCurrency', 'what the user pays with (one that is enabled)')),
      optional(amount('inputAmount', 'how much of it')),
      optional(currency('outputCurrency', 'what the user gets (one that is enabled)')),
      optional({ ...capitalWord('paymentMethod', gatewayPaymentMethods, methods), placeholder: 'METHOD' }),
      optional({ ...code('userCountry', "the user's country, two letters"), placeholder: 'COUNTRY' }),
      optional({ ...code('userState', 'as US-XX, of a user in the United States'), placeholder: 'US-STATE' }),
      optional(text('externalReference', 'REFERENCE', "the partner's own reference, up to 100 characters")),
      optional(text('subPartnerId', 'REFERENCE', "the partner's third party, up to 50 characters")),
      optional(text('targetWalletAddress', 'ADDRESS', 'where the crypto goes')),
    ],
    example: 'BUY --input-currency USD --input-amount 250 --output-currency BTC',
    note: 'Whatever is left out is chosen for you. Each change of the order sends an event to the webhooks.',
  }),
  row('gateway-order advance', 'takes an order on, or to the state that is named', {
    words: [
      { ...text('orderId', 'ORDER-ID', 'which order: "gateway-order create" tells its id'), offers: 'gatewayOrders' },
      optional(capitalWord('state', gatewayOrderStates, `${gatewayOrderStates.join(', ')} (the next one)`)),
    ],
    example: '0f8b2c1e FAILED',
  }),
]

const number = (field: string, placeholder: string, meaning: string): AdminFlag =>
  whole(field, placeholder, meaning, [1, Number.MAX_SAFE_INTEGER])

const listKnows = '"webhook deliveries" lists them'

const ranges: AdminFlag = {
  ...text('deliveries', 'DELIVERIES', `which, such as 12, 12-40 or 3,7-9: ${listKnows}`),
  read: (typed) => {
    const read = readDeliveryRanges(typed)
    return read.ok ? ok({ deliveries: typed }) : read
  },
}

/** Where the payment gateway sends a partner's events, and what became of them. */
export const webhookRows: readonly AdminRow[] = [
  row('webhook register', "sends a partner's events to an address from now on", {
    words: [text('url', 'URL', 'https://…, or http://… on this machine')],
    flags: [
      optional(text('name', 'NAME', 'what to call it (its host and port)')),
      optional(text('partner', 'PARTNER', 'whose, by name (the first partner)')),
    ],
    example: 'https://partner.example/events --name main',
    note: 'A name that is known already moves to the new address, and what is pending is tried there at once.',
  }),
  row('webhook rm', 'sends no more events to an address', {
    words: [number('endpointId', 'ENDPOINT-ID', `which endpoint: ${listKnows}`)],
    example: '1',
    note: 'What is pending for it is given up.',
  }),
  row('webhook deliveries', 'lists webhooks and deliveries, or tells of one delivery every attempt', {
    words: [optional(number('delivery', 'DELIVERY', 'only this one, with its attempts'))],
    flags: [
      optional(word('state', ['pending', 'delivered', 'expired'], 'only these: pending, delivered or expired')),
      optional(number('endpointId', 'ENDPOINT-ID', 'only those to this endpoint')),
      optional(whole('count', 'N', 'how many, newest first (20)', [1, 1_000])),
      optional(number('before', 'DELIVERY', 'only those with a lower number')),
    ],
    example: '--state expired',
  }),
  row('webhook retry', 'tries deliveries now, expired ones too', {
    words: [ranges],
    example: '12-40',
    note: 'Of a range those that have arrived are passed over; one that is named alone is sent again.',
  }),
]
