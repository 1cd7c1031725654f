import type { Balance } from '../balance.ts'
import { rawText, type UnreadableEntry } from '../listing.ts'
import { type Decimal, exactPlus, exactSum, zero } from '../money.ts'
import {
  changesOf,
  type History,
  type Movement,
  type MovementKind,
  movementsOf,
  type Period,
  type Rules,
} from './movement.ts'

/** Whether the books agree with what the service says is there now. */
type BalanceCheck =
  /** All the books from the first line to the last come to the balance, to the last digit. */
  | { kind: 'agrees' }
  /** The balance is this much more than the books (negative: less): something is in it that no list tells. */
  | { kind: 'differs'; by: Decimal }
  /** The balance moved while the lists were read, or was not told. */
  | { kind: 'unknown'; reason: string }

/** One currency of a statement. `opening` + `changes` = `closing`, exactly, and `changes` is the sum of the lines. */
type CurrencyStatement = {
  currency: string
  /** All lines before the period. */
  opening: Decimal
  /** What each kind of line changed in the period: what went out is negative. */
  byKind: Readonly<Record<MovementKind, Decimal>>
  changes: Decimal
  closing: Decimal
  /** Withdrawals that are PENDING now, amount and fee: held, and still in the balance. */
  inFlight: Decimal
  /** All lines after the period. */
  after: Decimal
  /** What the service says is there now; null when it was not told. */
  balance: Decimal | null
  check: BalanceCheck
}

/** How many fills the books are made of, and how many of them were recorded on this machine before. */
export type FillsUsed = { count: number; recordedCount: number }

/** Says which fills were not read from the exchange now; nothing where all were. */
export const recordedSentence = ({ count, recordedCount }: FillsUsed): string[] =>
  recordedCount === 0
    ? []
    : [`Fills: ${recordedCount} as recorded on this machine, ${count - recordedCount} read from the exchange now.`]

export type Statement = {
  period: Period
  /** By name. */
  currencies: readonly CurrencyStatement[]
  /** The lines of the period, the oldest first. */
  movements: readonly Movement[]
  fills: FillsUsed
  /** What is not known, in whole sentences; empty when the books are whole. */
  missing: readonly string[]
  /** Those of them that say that entries were left out, or that a balance is not what the lines come to. */
  faults: readonly string[]
}

/** Entries of the service's lists that cannot be read: the books are not whole without them. */
type UnreadableLists = Readonly<Record<'deposits' | 'withdrawals' | 'fills' | 'balances', readonly UnreadableEntry[]>>

/** What a statement is made from. */
export type StatementSource = StatementLists & { history: History }

/** What is known of the account's lists. `balances` is null when they would not hold still while those were read. */
export type StatementLists = {
  rules: Rules
  balances: readonly Balance[] | null
  unreadable?: UnreadableLists
  /** How many of the fills were recorded before; none unless given. */
  recordedCount?: number
  /** How many entries, at most, could not be read when those were recorded. */
  recordedUnreadable?: number
  /** Executions that were told again with other terms by then, a clause each. */
  recordedOtherwise?: readonly string[]
}

const fillsUsed = ({ history, recordedCount = 0 }: StatementSource): FillsUsed => ({
  count: history.fills.length,
  recordedCount,
})

type Parts = { before: readonly Movement[]; within: readonly Movement[]; after: readonly Movement[] }

function partsOf(movements: readonly Movement[], { fromMs, toMs }: Period): Parts {
  const at = ({ atMs }: Movement): number => atMs ?? 0
  return {
    before: movements.filter((line) => at(line) < fromMs),
    within: movements.filter((line) => at(line) >= fromMs && at(line) <= toMs),
    after: movements.filter((line) => at(line) > toMs),
  }
}

function byKindOf(lines: readonly Movement[]): Record<MovementKind, Decimal> {
  const sums: Record<MovementKind, Decimal> = {
    deposit: zero,
    withdrawal: zero,
    withdrawalFee: zero,
    bought: zero,
    sold: zero,
    tradeFee: zero,
  }
  for (const { kind, change } of lines) sums[kind] = exactPlus(sums[kind], change)
  return sums
}

const isInFlight = ({ kind, state }: Movement): boolean =>
  (kind === 'withdrawal' || kind === 'withdrawalFee') && state === 'PENDING'

function checkOf(booked: Decimal, balance: Decimal | null, source: StatementLists): BalanceCheck {
  if (source.balances === null) return { kind: 'unknown', reason: 'the balances moved while the lists were read' }
  if (balance === null && (source.unreadable?.balances ?? []).length > 0)
    return { kind: 'unknown', reason: 'the exchange lists a balance that is unreadable' }
  // A currency that the service does not list is one of which it holds nothing.
  const by = exactPlus(balance ?? zero, booked.neg())
  return by.isZero() ? { kind: 'agrees' } : { kind: 'differs', by }
}

/**
 * The account's statement. A line stands at the time the service gives it, which for a transfer is when it was asked
 * for; its change is what became of it until now.
 */
export function statementOf(period: Period, source: StatementSource): Statement {
  const { movements, missing } = movementsOf(source.history, source.rules)
  const parts = partsOf(movements, period)
  const opening = changesOf(parts.before)
  const after = changesOf(parts.after)
  const balances = new Map(source.balances?.map(({ currency, balance }) => [currency, balance]))
  const within = Map.groupBy(parts.within, ({ currency }) => currency)
  const inFlight = Map.groupBy(movements.filter(isInFlight), ({ currency }) => currency)
  const names = new Set([...movements.map(({ currency }) => currency), ...heldOf(balances)])
  const currencies = [...names].toSorted(byName).map((currency): CurrencyStatement => {
    const lines = within.get(currency) ?? []
    const changes = exactSum(lines.map(({ change }) => change))
    const start = opening.get(currency) ?? zero
    const closing = exactPlus(start, changes)
    const later = after.get(currency) ?? zero
    const balance = balances.get(currency) ?? null
    return {
      currency,
      opening: start,
      byKind: byKindOf(lines),
      changes,
      closing,
      inFlight: exactSum((inFlight.get(currency) ?? []).map(({ amount }) => amount)),
      after: later,
      balance,
      check: checkOf(exactPlus(closing, later), balance, source),
    }
  })
  const doubts = doubtsAbout(currencies, source, 'opening and closing')
  return {
    period,
    currencies,
    movements: parts.within,
    fills: fillsUsed(source),
    missing: [...unread(source), ...missing, ...currencies.flatMap((each) => doubt(each, 'opening and closing'))],
    faults: doubts.faults,
  }
}

/** What cannot be entered because it cannot be read, a sentence an entry. */
function unread({ unreadable, recordedCount = 0, recordedUnreadable = 0, recordedOtherwise = [] }: StatementLists) {
  const now = new Set(unreadable?.fills.map(({ reason }) => reason))
  return [
    ...Object.entries(unreadable ?? {}).flatMap(([list, entries]) =>
      entries.map((entry) => `Unreadable entry among the ${list}, left out: ${entry.reason} (${rawText(entry)}).`),
    ),
    ...(recordedCount === 0 || recordedUnreadable === 0
      ? []
      : [`Unreadable entries among the fills when they were recorded, left out: ${recordedUnreadable} or fewer.`]),
    ...recordedOtherwise.flatMap((clause) => (now.has(clause) ? [] : [`The ${clause}.`])),
  ]
}

/** The order of names of currencies. */
export const byName = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

const heldOf = (balances: ReadonlyMap<string, Decimal>): string[] =>
  [...balances].flatMap(([currency, balance]) => (balance.isZero() ? [] : [currency]))

/**
 * What the same lines entered otherwise have to say of the service's lists and balances. `booked` is what they come to
 * by currency, `what` of it is wrong where they do not agree.
 */
export function doubtsOf(booked: ReadonlyMap<string, Decimal>, source: StatementLists, what: string): Doubts {
  const balances = new Map(source.balances?.map(({ currency, balance }) => [currency, balance]))
  const names = [...new Set([...booked.keys(), ...heldOf(balances)])].toSorted(byName)
  const checked = names.map((currency) => ({
    currency,
    check: checkOf(booked.get(currency) ?? zero, balances.get(currency) ?? null, source),
  }))
  return doubtsAbout(checked, source, what)
}

/** What the service's lists and balances leave in doubt, in whole sentences. */
export type Doubts = {
  /** Entries that were left out, and balances that are not what the lines come to: the figures are wrong by them. */
  faults: readonly string[]
  /** Balances that could not be compared. */
  unchecked: readonly string[]
}

function doubtsAbout(checked: readonly Checked[], source: StatementLists, figures: string): Doubts {
  const isOff = ({ check }: Checked) => check.kind === 'differs'
  const said = (of: readonly Checked[]) => of.flatMap((each) => doubt(each, figures))
  return {
    faults: [...unread(source), ...said(checked.filter(isOff))],
    unchecked: said(checked.filter((each) => !isOff(each))),
  }
}

/** Says by how much a balance is more than its lines come to, or less; `figures` are wrong by it. */
export function differenceSentence(currency: string, by: Decimal, figures: string): string {
  const amount = `${by.abs().toFixed()} ${currency}`
  const what = by.isNegative() ? `the lines come to ${amount} more` : `${amount} of it is not explained by any line`
  return `The balance of ${currency} and the lines do not agree: ${what}, so ${figures} are off by as much.`
}

type Checked = Pick<CurrencyStatement, 'currency' | 'check'>

/** What is wrong with a currency's books, in a sentence; nothing when they agree. */
function doubt({ currency, check }: Checked, figures: string): string[] {
  switch (check.kind) {
    case 'agrees':
      return []
    case 'differs':
      return [differenceSentence(currency, check.by, figures)]
    case 'unknown':
      return [`${currency} could not be compared with its balance: ${check.reason}.`]
  }
}

/** The columns of a statement as a list: what a spreadsheet adds up by currency. */
export const statementHead = ['time', 'kind', 'id', 'currency', 'amount', 'change', 'state', 'symbol', 'price'] as const

const timeOf = (atMs: number | null): string => (atMs === null ? '' : new Date(atMs).toISOString())

const edge = (kind: 'opening' | 'closing', atMs: number, currency: string, amount: Decimal): string[] => [
  timeOf(atMs),
  kind,
  '',
  currency,
  amount.toFixed(),
  '',
  '',
  '',
  '',
]

/**
 * The statement as rows under `statementHead`: what each currency opened with, every line, what it closed with.
 * `change` is empty in the first and the last: by currency the sum of `change` is closing − opening.
 */
export function* statementRows({ period, currencies, movements }: Statement): Iterable<string[]> {
  for (const { currency, opening } of currencies) yield edge('opening', period.fromMs, currency, opening)
  for (const { atMs, kind, id, currency, amount, change, state, symbol, price } of movements) {
    const cells = [timeOf(atMs), kind, id, currency, amount.toFixed(), plain(change)]
    yield [...cells, state ?? '', symbol ?? '', price?.toFixed() ?? '']
  }
  for (const { currency, closing } of currencies) yield edge('closing', period.toMs, currency, closing)
}

/** Without the sign that a zero may carry. */
const plain = (amount: Decimal): string => (amount.isZero() ? '0' : amount.toFixed())

/** How a currency's books stand to its balance, in one word or two. */
export function checkWord({ check }: Pick<CurrencyStatement, 'check'>): string {
  switch (check.kind) {
    case 'agrees':
      return 'agrees'
    case 'differs':
      return `off by ${check.by.toFixed()}`
    case 'unknown':
      return 'not known'
  }
}

type Field = string | number | boolean | Decimal | null | Fields | readonly string[] | readonly Fields[]
/** One thing by the names of its fields. */
export type Fields = { readonly [field: string]: Field }

/**
 * Every field is a sum over the period, save `balance`, `inFlight` and `after`, which are of now. What went out is
 * negative.
 */
export function currencyFields(each: CurrencyStatement): Fields {
  const { byKind, check } = each
  return {
    currency: each.currency,
    opening: each.opening,
    deposits: byKind.deposit,
    withdrawals: byKind.withdrawal,
    withdrawalFees: byKind.withdrawalFee,
    bought: byKind.bought,
    sold: byKind.sold,
    tradeFees: byKind.tradeFee,
    changes: each.changes,
    closing: each.closing,
    inFlight: each.inFlight,
    after: each.after,
    balance: each.balance,
    check: checkWord(each),
    ...(check.kind === 'differs' ? { difference: check.by } : {}),
  }
}

/** The whole statement as one value, for JSON: times in ms since 1970. */
export function statementFields({ period, currencies, movements, fills, missing }: Statement): Fields {
  return {
    from: period.fromMs,
    to: period.toMs,
    ...(period.isSoFar === true ? { soFar: true } : {}),
    currencies: currencies.map(currencyFields),
    movements: movements.map(({ atMs, ...rest }) => ({ timestamp: atMs, ...rest })),
    fills,
    missing,
  }
}
