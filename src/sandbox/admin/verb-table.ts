import { argumentsOf, verbName } from '../../domain/desk/practice-verb.ts'
import { symbolStatuses } from '../../domain/market/instrument.ts'
import { gatewayRows, webhookRows } from './gateway-verb-rows.ts'
import {
  type AdminFlag,
  type AdminRow,
  amount,
  code,
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

export type { AdminRow } from './verb-row.ts'

const account: AdminFlag = { ...text('account', 'ACCOUNT', 'whose, for example trader'), offers: 'accounts' }
const currency: AdminFlag = { ...code('currency', 'of which currency, for example BTC'), offers: 'currencies' }
const symbol: AdminFlag = { ...code('symbol', 'which symbol, for example BTC-USD'), offers: 'symbols' }
const keyId = whole('keyId', 'KEY-ID', 'which key, by its number: "account show" lists them', [
  1,
  Number.MAX_SAFE_INTEGER,
])
const depositId = text('depositId', 'DEPOSIT-ID', 'which deposit, for example d-12')
const withdrawalId = text('withdrawalId', 'WITHDRAWAL-ID', 'which withdrawal, for example w-1')
const newStatus = word('status', symbolStatuses, `its status: ${symbolStatuses.join(', ')}`)

const when = optional(word('when', ['before', 'after'], 'before or after the request takes effect (before)'))
const reach = [
  optional(share('rate', 'share of the requests it hits, 0 to 1 (all)')),
  optional(text('path', 'PATTERN', 'only these, such as "/orders*" or "POST /orders"; * stands for any text (all)')),
]
const answerForm = word(
  'form',
  ['garbled', 'truncated'],
  'garbled: no JSON any more; truncated: cut off half-way (garbled)',
)
const faultKinds = ['latency', 'drop', 'status', 'malformed', 'stall']
const faultKind = word('kind', faultKinds, `only this kind: ${faultKinds.join(', ')}`)

/** Every command of the administration, in the order of the help. */
export const adminTable: readonly AdminRow[] = [
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
    words: [account, currency, text('name', 'NAME', 'what to call it')],
    example: "trader LTC 'new wallet'",
  }),
  row('whitelist rm', 'takes a beneficiary off the whitelist', {
    words: [account, text('whitelistId', 'WHITELIST-ID', 'which entry: "account show" lists them')],
    example: 'trader wl-3',
  }),
  row('deposit start', 'sends money to an account, credited at "deposit confirm"', {
    words: [account, currency, amount('amount', 'how much, for example 0.5')],
    flags: [optional(text('txHash', 'HASH', "the transaction's hash"))],
    example: 'trader BTC 0.5',
  }),
  row('deposit confirm', 'credits a deposit', { words: [depositId], example: 'd-12' }),
  row('deposit reject', 'turns a deposit away', { words: [depositId], example: 'd-12' }),
  row('withdrawal complete', 'lets a withdrawal arrive', { words: [withdrawalId], example: 'w-1' }),
  row('withdrawal fail', 'lets a withdrawal fail: the money returns', { words: [withdrawalId], example: 'w-1' }),
  row('withdrawal refund', 'lets what was sent come back', { words: [withdrawalId], example: 'w-1' }),
  row('withdrawal reject', 'turns a withdrawal down in review', { words: [withdrawalId], example: 'w-1' }),
  row('symbol status', 'opens (after a halt by auction), halts, suspends or closes a symbol', {
    words: [symbol, newStatus],
    example: 'BTC-USD halt',
  }),
  row('symbol auction', 'announces an opening auction, or takes that back', {
    words: [symbol, optional(timeOfDay('time', 'time of day, UTC; without one there is no announcement'))],
    example: 'LTC-USD 1430',
  }),
  row('symbol add', 'lists a new symbol of two known currencies', {
    words: [newSymbol('its name: the two currencies, for example SOL-BTC')],
    flags: [
      scaled('minPriceIncrement', 'the tick: prices are multiples of it'),
      scaled('lotSize', 'the lot: quantities are multiples of it'),
      scaled('minOrderSize', 'the least an order may be'),
      optional(scaled('maxOrderSize', 'the most an order may be (no limit)', 'no limit')),
      optional({ ...newStatus, meaning: `${newStatus.meaning} (open)` }),
    ],
    example: 'SOL-BTC --min-price-increment 0.000001 --lot-size 0.1 --min-order-size 0.1',
  }),
  row('fault latency', 'makes answers late', {
    words: [duration('ms', 'how late')],
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
  row('fault malformed', 'answers with what is no JSON', {
    words: [optional(answerForm)],
    flags: reach,
    example: 'truncated --path /symbols',
  }),
  row('fault stall', 'never answers, and leaves the connection open', {
    flags: [when, ...reach],
    example: "--rate 0.1 --path '/orders*'",
  }),
  row('fault off', 'ends the faults of one kind, or all', { words: [optional(faultKind)], example: 'drop' }),
  row('clock advance', "puts the exchange's clock forward: what is due happens", {
    words: [duration('ms', 'by how much')],
    example: '3600s',
  }),
  ...gatewayRows,
  ...webhookRows,
  row('reset', 'forgets everything and makes the practice world anew', {
    note: 'Orders, fills, transfers, added accounts and partners are gone; the four accounts, the first partner and their keys stay.',
    isFinal: true,
  }),
]

/** The nouns, each once, in the table's order. */
export const adminNouns: readonly string[] = [...new Set(adminTable.map(({ noun }) => noun))]

/** What a command takes, words first. */
export const verbArgumentsOf: (row: AdminRow) => readonly AdminFlag[] = argumentsOf

/** A command's name as it is typed. */
export const commandOf: (row: AdminRow) => string = verbName
