import { ok } from '../../base/result.ts'
import type { PracticeVerb, VerbArgument } from '../../domain/desk/practice-verb.ts'
import { readDeliveryRanges } from '../../domain/gateway/delivery.ts'
import { gatewayOrderStates, gatewayOrderTypes, gatewayPaymentMethods } from '../../domain/gateway/event.ts'
import { symbolStatuses } from '../../domain/market/instrument.ts'
import { deliveryKinds } from '../gateway/sender/delivery.ts'
import type { Fault, FaultKind, FaultMoment } from '../http/faults.ts'
import {
  amount,
  capitalWord,
  code,
  codes,
  duration,
  newSymbol,
  onSwitch,
  optional,
  row,
  scaled,
  share,
  text,
  timeOfDay,
  whole,
  word,
} from './verb-row.ts'

const partner = optional(text('partner', 'PARTNER', 'name of the partner (the first one)'))
const gatewayCurrency = (field: string, meaning: string): VerbArgument => ({
  ...code(field, meaning),
  placeholder: 'CURRENCY',
  offers: 'gatewayCurrencies',
})
const methods = gatewayPaymentMethods.join(', ')
export const eligibilityKinds = ['currency', 'region', 'payment-method'] as const
export const onOff = ['on', 'off'] as const

/** What the account manager does for the payment gateway's partners and their users' orders. */
export const gatewayRows: readonly PracticeVerb[] = [
  row('partner add', 'adds a partner of the payment gateway, with a key', {
    words: [text('name', 'NAME', 'its name: lower-case letters, digits and -')],
    flags: [optional(share('feeRate', "the partner's own share of an order, up to 0.5 (0.01)"))],
    example: 'acme --fee-rate 0.005',
    note: 'Requests to the gateway carry the key in the header X-Public-API-Key.',
  }),
  row('eligibility set', 'enables or disables a currency, region or payment method for a partner', {
    words: [
      word('kind', eligibilityKinds, 'currency, region or payment-method'),
      code('code', `such as EUR, NG, US-NY, or ${methods}`),
      word('state', onOff, 'on or off'),
    ],
    flags: [
      partner,
      optional(amount('minBuyAmount', 'smallest order, for a fiat currency')),
      optional(amount('maxBuyAmount', 'largest order, for a fiat currency')),
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
      optional(gatewayCurrency('inputCurrency', 'currency the user pays with (an enabled one)')),
      optional(amount('inputAmount', 'amount the user pays')),
      optional(gatewayCurrency('outputCurrency', 'currency the user gets (an enabled one)')),
      optional({ ...capitalWord('paymentMethod', gatewayPaymentMethods, methods), placeholder: 'METHOD' }),
      optional({ ...code('userCountry', "the user's country, two letters"), placeholder: 'COUNTRY' }),
      optional({ ...code('userState', 'as US-XX, of a user in the United States'), placeholder: 'US-STATE' }),
      optional(text('externalReference', 'REFERENCE', "the partner's own reference, up to 100 characters")),
      optional(text('subPartnerId', 'REFERENCE', "the partner's third party, up to 50 characters")),
      optional(text('targetWalletAddress', 'ADDRESS', 'address the crypto goes to')),
    ],
    example: 'BUY --input-currency USD --input-amount 250 --output-currency BTC',
    note: 'Anything left out is chosen for you. Each change of the order sends an event to the webhooks.',
  }),
  row('gateway-order advance', 'moves an order to its next state, or to the named one', {
    words: [
      { ...text('orderId', 'ORDER-ID', 'order id, as "gateway-order create" prints it'), offers: 'gatewayOrders' },
      optional(capitalWord('state', gatewayOrderStates, `${gatewayOrderStates.join(', ')} (the next one)`)),
    ],
    example: '0f8b2c1e FAILED',
  }),
]

const number = (field: string, placeholder: string, meaning: string): VerbArgument =>
  whole(field, placeholder, meaning, [1, Number.MAX_SAFE_INTEGER])

const listKnows = '"webhook deliveries" lists them'

const ranges: VerbArgument = {
  ...text('deliveries', 'DELIVERIES', `numbers such as 12, 12-40 or 3,7-9: ${listKnows}`),
  read: (typed) => {
    const read = readDeliveryRanges(typed)
    return read.ok ? ok({ deliveries: typed }) : read
  },
}

/** Maximum deliveries per listing. */
export const deliveriesShownMax = 1_000

/** Where the payment gateway sends a partner's events, and the outcome of each. */
const webhookRows: readonly PracticeVerb[] = [
  row('webhook register', "sends a partner's events to an address from now on", {
    words: [text('url', 'URL', 'https://…, or http://… on this machine')],
    flags: [
      optional(text('name', 'NAME', 'its name (its host and port)')),
      optional(text('partner', 'PARTNER', 'name of the partner (the first one)')),
    ],
    example: 'https://partner.example/events --name main',
    note: 'A known name moves to the new address, and pending deliveries are tried there at once.',
  }),
  row('webhook rm', 'sends no more events to an address', {
    words: [number('endpointId', 'ENDPOINT-ID', `endpoint name: ${listKnows}`)],
    example: '1',
    note: 'Its pending deliveries are given up.',
  }),
  row('webhook deliveries', 'lists webhooks and deliveries, or every attempt of one delivery', {
    words: [optional(number('delivery', 'DELIVERY', 'only this one, with its attempts'))],
    flags: [
      optional(word('state', deliveryKinds, 'only these: pending, delivered or expired')),
      optional(number('endpointId', 'ENDPOINT-ID', 'only those to this endpoint')),
      optional(whole('count', 'N', 'how many, newest first (20)', [1, deliveriesShownMax])),
      optional(number('before', 'DELIVERY', 'only those with a lower number')),
    ],
    example: '--state expired',
  }),
  row('webhook retry', 'tries deliveries now, expired ones too', {
    words: [ranges],
    example: '12-40',
    note: 'In a range delivered ones are skipped; one named alone is sent again.',
  }),
]

const account: VerbArgument = { ...text('account', 'ACCOUNT', 'account name, for example trader'), offers: 'accounts' }
const currency: VerbArgument = { ...code('currency', 'currency code, for example BTC'), offers: 'currencies' }
const symbol: VerbArgument = { ...code('symbol', 'symbol, for example BTC-USD'), offers: 'symbols' }
const keyId = whole('keyId', 'KEY-ID', 'number of the key: "account show" lists them', [1, Number.MAX_SAFE_INTEGER])
const depositId = text('depositId', 'DEPOSIT-ID', 'deposit id, for example d-12')
const withdrawalId = text('withdrawalId', 'WITHDRAWAL-ID', 'withdrawal id, for example w-1')
const newStatus = word('status', symbolStatuses, `its status: ${symbolStatuses.join(', ')}`)

export const faultMoments: readonly FaultMoment[] = ['before', 'after']
export const malformedForms: readonly Extract<Fault, { kind: 'malformed' }>['form'][] = ['garbled', 'truncated']
export const faultKinds: readonly FaultKind[] = ['latency', 'drop', 'status', 'malformed', 'stall']

const when = optional(word('when', faultMoments, 'before or after the request takes effect (before)'))
const reach = [
  optional(share('rate', 'share of the requests it hits, 0 to 1 (all)')),
  optional(text('path', 'PATTERN', 'only these, such as "/orders*" or "POST /orders"; * stands for any text (all)')),
]
const answerForm = word('form', malformedForms, 'garbled: not JSON; truncated: cut off half-way (garbled)')
const faultKind = word('kind', faultKinds, `only this kind: ${faultKinds.join(', ')}`)

/** Every admin command, in the order of the help. */
export const adminTable: readonly PracticeVerb[] = [
  row('account add', 'opens an account', {
    words: [text('name', 'NAME', 'its name: letters, digits, _ and -')],
    flags: [onSwitch('twoFactor', 'with two-factor authentication on')],
    example: 'alice --two-factor',
  }),
  row('account show', 'shows an account: keys, balances, whitelist', { words: [account], example: 'trader' }),
  row('key add', 'makes a key for an account, and prints its token', {
    words: [account],
    example: 'trader',
    note: 'The token is shown this once: the exchange keeps no copy of it. The key works after "key verify".',
  }),
  row('key verify', 'makes a key usable, as the link in the e-mail does', { words: [keyId], example: '5' }),
  row('key revoke', 'ends a key for good', { words: [keyId], example: '5' }),
  row('2fa on', 'turns two-factor authentication on', { words: [account], example: 'no2fa' }),
  row('2fa off', 'turns two-factor authentication off: no withdrawals', { words: [account], example: 'trader' }),
  row('whitelist add', 'lets an account withdraw to one more beneficiary', {
    words: [account, currency, text('name', 'NAME', 'its name')],
    example: "trader LTC 'new wallet'",
  }),
  row('whitelist rm', 'takes a beneficiary off the whitelist', {
    words: [account, text('whitelistId', 'WHITELIST-ID', 'whitelist id: "account show" lists them')],
    example: 'trader wl-3',
  }),
  row('deposit start', 'sends money to an account, credited at "deposit confirm"', {
    words: [account, currency, amount('amount', 'amount, for example 0.5')],
    flags: [optional(text('txHash', 'HASH', "the transaction's hash"))],
    example: 'trader BTC 0.5',
  }),
  row('deposit confirm', 'credits a deposit', { words: [depositId], example: 'd-12' }),
  row('deposit reject', 'rejects a deposit', { words: [depositId], example: 'd-12' }),
  row('withdrawal complete', 'completes a withdrawal', { words: [withdrawalId], example: 'w-1' }),
  row('withdrawal fail', 'fails a withdrawal: the money returns', { words: [withdrawalId], example: 'w-1' }),
  row('withdrawal refund', 'refunds a withdrawal: the money comes back', { words: [withdrawalId], example: 'w-1' }),
  row('withdrawal reject', 'rejects a withdrawal in review', { words: [withdrawalId], example: 'w-1' }),
  row('symbol status', 'opens (after a halt by auction), halts, suspends or closes a symbol', {
    words: [symbol, newStatus],
    example: 'BTC-USD halt',
  }),
  row('symbol auction', 'announces an opening auction, or removes the announcement', {
    words: [symbol, optional(timeOfDay('time', 'time of day, UTC; without one there is no announcement'))],
    example: 'LTC-USD 1430',
  }),
  row('symbol add', 'lists a new symbol of two known currencies', {
    words: [newSymbol('its name: the two currencies, for example SOL-BTC')],
    flags: [
      scaled('minPriceIncrement', 'the tick: prices are multiples of it'),
      scaled('lotSize', 'the lot: quantities are multiples of it'),
      scaled('minOrderSize', 'smallest order quantity'),
      optional(scaled('maxOrderSize', 'largest order quantity (no limit)', 'no limit')),
      optional({ ...newStatus, meaning: `${newStatus.meaning} (open)` }),
    ],
    example: 'SOL-BTC --min-price-increment 0.000001 --lot-size 0.1 --min-order-size 0.1',
  }),
  row('fault latency', 'makes answers late', {
    words: [duration('ms', 'delay')],
    flags: reach,
    example: "700ms --path '/l2/*'",
  }),
  row('fault drop', 'cuts connections without an answer', {
    flags: [when, ...reach],
    example: "--rate 0.2 --path 'POST /orders' --when after",
  }),
  row('fault status', 'answers with an error status', {
    words: [optional(whole('status', 'STATUS', '400 to 599 (503)', [400, 599]))],
    flags: [when, ...reach],
    example: "500 --path '/accounts*'",
  }),
  row('fault malformed', 'answers with malformed JSON', {
    words: [optional(answerForm)],
    flags: reach,
    example: 'truncated --path /symbols',
  }),
  row('fault stall', 'never answers, and leaves the connection open', {
    flags: [when, ...reach],
    example: "--rate 0.1 --path '/orders*'",
  }),
  row('fault off', 'ends the faults of one kind, or all', { words: [optional(faultKind)], example: 'drop' }),
  row('clock advance', "moves the exchange's clock forward: whatever is due happens", {
    words: [duration('ms', 'how far')],
    example: '3600s',
  }),
  ...gatewayRows,
  ...webhookRows,
  row('reset', 'forgets everything and starts the practice exchange over', {
    note:
      'Orders, fills, transfers, added accounts and partners are gone; the four accounts, the first partner and ' +
      'their keys stay.',
    isFinal: true,
  }),
]
