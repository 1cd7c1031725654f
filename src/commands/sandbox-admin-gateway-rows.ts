import { gatewayOrderStates, gatewayOrderTypes, gatewayPaymentMethods } from '../domain/gateway/event.ts'
import { type AdminFlag, amount, capitalWord, code, codes, optional, share, text, word } from './sandbox-admin-flags.ts'
import { type AdminRow, row } from './sandbox-admin-row.ts'

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
