import * as account from './account.ts'
import * as inbox from './inbox.ts'
import { type JsonSchema, listOf } from './kinds.ts'
import * as other from './other.ts'
import * as trading from './trading.ts'

/** The JSON output of a command, under a name of its own. */
export type SchemaRow = {
  /** The argument of `pitdesk schema`; it never changes. */
  name: string
  /** The command line that prints it, without optional parts. */
  command: string
  about: string
  schema: JsonSchema
}

const row = (name: string, command: string, about: string, schema: JsonSchema): SchemaRow => ({
  ...{ name, command, about, schema },
})
const rows = (name: string, command: string, about: string, item: JsonSchema): SchemaRow =>
  row(name, command, about, listOf(item))

const market: readonly SchemaRow[] = [
  rows('symbols', 'symbols', 'the symbols with their trading rules', trading.symbol),
  row('symbol', 'symbols SYMBOL', 'one symbol', trading.symbol),
  row('book', 'book SYMBOL', 'the order book of a symbol', trading.book),
  rows('tickers', 'tickers', 'last prices and 24-hour volumes', trading.ticker),
  row('ticker', 'tickers SYMBOL', 'last price and 24-hour volume of a symbol', trading.ticker),
]

const orders: readonly SchemaRow[] = [
  rows('orders', 'orders', 'orders', trading.order),
  row('orders-watch', 'orders --watch', 'a line of its stream: one order', trading.order),
  row('order', 'order show ID', 'one order', trading.order),
  rows('fills', 'fills', 'executions of your orders', trading.fill),
  rows('trades', 'trades', 'orders that have filled', trading.order),
  row('order-place', 'order place', 'the order, as the exchange reports it', trading.placedOrder),
  row(
    'order-place-dry-run',
    'order place --dry-run',
    'what would be sent, and what the checks say',
    trading.orderDryRun,
  ),
  row('order-place-draft', 'order place --draft', 'the draft, and what the checks say', trading.orderDraftChecked),
  rows('order-drafts', 'order drafts', 'drafts of orders', trading.orderDraft),
  row('order-draft', 'order draft DRAFT', 'one draft', trading.orderDraft),
  row('order-send', 'order send DRAFT', 'the order, as the exchange reports it', trading.placedOrder),
  row('order-send-dry-run', 'order send DRAFT --dry-run', 'what would be sent, and the checks', trading.orderDryRun),
  row('order-discard', 'order discard DRAFT', 'the draft as it is now', trading.orderDraft),
  rows('order-cancel', 'order cancel', 'what became of each order', trading.canceled),
  row('order-cancel-all', 'order cancel-all', 'that no order is working', trading.canceledAll),
  row('order-cancel-all-dry-run', 'order cancel-all --dry-run', 'how many orders would go', trading.cancelAllDryRun),
  rows('plan-list', 'plan list', 'plans', trading.plan),
  row('plan-show', 'plan show PLAN', 'one plan with its orders', trading.planShown),
  ...(['add', 'edit', 'resume', 'cancel'] as const).map((verb) =>
    row(`plan-${verb}`, `plan ${verb}`, 'what became of the request', trading.planChanged),
  ),
  row('plan-add-dry-run', 'plan add --dry-run', 'what would be begun, and what the checks say', trading.planDryRun),
]

const transfers: readonly SchemaRow[] = [
  row('fees', 'fees', 'fee rates', account.fees),
  rows('balances', 'balances', 'balances of the account', account.balance),
  row('balance', 'balances --currency CODE', 'balance of one currency', account.balance),
  rows('deposits', 'deposits', 'deposits', account.deposit),
  row('deposit', 'deposits ID', 'one deposit', account.deposit),
  row('deposit-address', 'deposit-address CURRENCY', 'the deposit address of a currency', account.depositAddress),
  rows('whitelist', 'whitelist', 'the beneficiaries of withdrawals', account.whitelistEntry),
  rows('withdrawals', 'withdrawals', 'withdrawals', account.withdrawal),
  row('withdrawal', 'withdrawals ID', 'one withdrawal', account.withdrawal),
  rows('withdrawals-drafts', 'withdrawals --drafts', 'drafts of withdrawals', account.withdrawalDraft),
  row('withdraw', 'withdraw', 'the withdrawal, as the exchange reports it', account.sentWithdrawal),
  row(
    'withdraw-dry-run',
    'withdraw --dry-run',
    'what would be sent, and what the checks say',
    account.withdrawalDryRun,
  ),
  ...(['draft', 'approve', 'reject', 'drop'] as const).map((act) =>
    row(`withdraw-${act}`, `withdraw --${act}`, 'the draft as it is now', account.withdrawalDraft),
  ),
]

const records: readonly SchemaRow[] = [
  row('statement', 'statement', 'what came in and went out, added up', account.statement),
  row('pnl', 'pnl', 'positions at cost, and P&L', account.pnl),
  row('history', 'history', 'what desks recorded of the account', account.historySize),
  rows('history-export-bars', 'history export --bars SYMBOL', 'recorded prices', account.bar),
  rows('history-export-equity', 'history export --equity', 'recorded worth of the account', account.equity),
  rows('history-export-fills', 'history export --fills', 'recorded fills', trading.fill),
  rows('history-export-orders', 'history export --orders', 'recorded orders', trading.plainOrder),
  rows('journal', 'journal', 'every write and its outcome', account.journalEntry),
  rows('doctor', 'doctor', 'what was looked at, and how it is', other.finding),
  rows('notify-test', 'notify test', 'what became of the test message', other.notifyTested),
  row('watch-status', 'watch --status', 'how the watch is that runs', other.watchStatus),
]

const gateway: readonly SchemaRow[] = [
  rows('eligibility-currencies', 'eligibility currencies', 'currencies of the gateway', inbox.eligibleCurrency),
  row('eligibility-regions', 'eligibility regions', 'regions of the gateway', inbox.regions),
  rows('eligibility-payment-methods', 'eligibility payment-methods', 'payment methods', inbox.paymentMethod),
  row('inbox-serve', 'inbox serve', 'its first line: where it listens', inbox.inboxServe),
  rows('inbox-ls', 'inbox ls', 'events', inbox.inboxEvent),
  rows('inbox-ls-orders', 'inbox ls orders', 'orders as they stand', inbox.inboxOrder),
  rows('inbox-ls-sums', 'inbox ls sums', 'sums by day, state and currency', inbox.inboxSum),
  rows('inbox-ls-quarantine', 'inbox ls quarantine', 'bodies that are not events', inbox.quarantined),
  rows('inbox-ls-dead', 'inbox ls dead', 'events whose forwarding was given up', inbox.deadLetter),
  rows('inbox-ls-targets', 'inbox ls targets', 'how forwarding stands', inbox.target),
  row('inbox-show-order', 'inbox show ORDER', 'an order with its events', inbox.inboxOrderShown),
  row('inbox-show-event', 'inbox show EVENT', 'an event with its body', inbox.inboxEventShown),
  row('inbox-show-quarantine', 'inbox show --quarantine N', 'a body that is not an event', inbox.quarantinedShown),
  rows('inbox-replay', 'inbox replay', 'what became of each body', inbox.replayed),
  rows('inbox-export', 'inbox export', 'every event', inbox.exportedEvent),
  rows('inbox-send-again', 'inbox send-again', 'what goes again, by target', inbox.sentAgain),
  rows('inbox-forget-target', 'inbox forget-target', 'the target that is forgotten', inbox.target),
]

const firm: readonly SchemaRow[] = [
  row('hub-serve', 'hub serve', 'its first line: where it listens', other.hubServe),
  row('hub-user-add', 'hub user add', 'the person and their token', other.personToken),
  row('hub-user-rotate', 'hub user rotate', 'the person and their new token', other.personToken),
  row('hub-user-revoke', 'hub user revoke', 'the person', other.personRevoked),
  rows('hub-user-list', 'hub user list', 'everybody', other.personListed),
  row('hub-user-limit', 'hub user limit', 'the limits of a person', other.personLimits),
  row('hub-role-limit', 'hub role limit', 'the limits of a role', other.roleLimits),
  rows('hub-audit', 'hub audit', 'who did what', other.auditRow),
  row('hub-audit-verify', 'hub audit --verify', 'that the list is whole', other.auditVerified),
  row('hub-halt', 'hub halt', 'that the firm is halted', other.halt),
  row('hub-resume', 'hub resume', 'that it is not', other.halt),
  row('firm-me', 'firm me', 'as whom the hub knows the token', other.me),
  rows('firm-audit', 'firm audit', 'who did what', other.auditRow),
  row('firm-halt', 'firm halt', 'that the firm is halted', other.halt),
  row('firm-resume', 'firm resume', 'that it is not', other.halt),
]

const programs: readonly SchemaRow[] = [
  row('sandbox', 'sandbox', 'its first line: where everything is, and the keys', other.sandbox),
  row('sandbox-admin', 'sandbox admin', 'the answer of the administration', other.adminAnswer),
  rows('schema', 'schema', 'the names of the schemas', other.schemaName),
  row('error', '', 'what any of them prints where it fails', other.failure),
]

/** Every schema, in the order of the commands. */
export const schemaTable: readonly SchemaRow[] = [
  ...market,
  ...orders,
  ...transfers,
  ...records,
  ...gateway,
  ...firm,
  ...programs,
]

const dialect = 'https://json-schema.org/draft/2020-12/schema'

/** The rule in every schema about future changes. */
const schemaRule =
  'Fields may be added, words may be added to a list of words: pass over what you do not know. No field is taken ' +
  'away, becomes optional or changes its meaning. A field that is missing is unknown or does not exist, never zero. ' +
  'Amounts are text with every digit.'

/** A schema as it is published. */
export const publishedSchema = ({ name, command, about, schema }: SchemaRow): JsonSchema => ({
  $schema: dialect,
  $id: `urn:pitdesk:schema:${name}`,
  title: command === '' ? name : `pitdesk ${command} --json`,
  ...schema,
  description: `${about}. ${schemaRule}`,
})
