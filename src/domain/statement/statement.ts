import type { Balance } from '../balance.ts'
import { rawText, type UnreadableEntry } from '../listing.ts'
import { type Decimal, exactPlus, zero } from '../money.ts'
import { gapsOf, type History, type Movement, type Period, type Rules } from './movement.ts'
import type { CurrencySums, StatementBooks } from './statement-books.ts'

/** Whether the books agree with the reported balance. */
type BalanceCheck =
  /** All entries sum exactly to the balance. */
  | { kind: 'agrees' }
  /** The balance exceeds the books by this (negative: falls short): it contains something that no list reports. */
  | { kind: 'differs'; by: Decimal }
  /** The balance changed while the lists were read, or was not reported. */
  | { kind: 'unknown'; reason: string }

/** A currency of a statement. */
type CurrencyStatement = CurrencySums & {
  /** The reported balance now; null when not reported. */
  balance: Decimal | null
  check: BalanceCheck
}

/** Number of fills in the books, and of those recorded on this machine earlier. */
export type FillsUsed = { count: number; recordedCount: number }

/** Sentences about fills that were not read from the exchange now; empty when all were. */
export const recordedSentence = ({ count, recordedCount }: FillsUsed): string[] =>
  recordedCount === 0
    ? []
    : [`Fills: ${recordedCount} as recorded on this machine, ${count - recordedCount} read from the exchange now.`]

export type Statement = {
  period: Period
  /** Sorted by name. */
  currencies: readonly CurrencyStatement[]
  /**
   * The entries of the period, oldest first, made anew at each pass: possibly from a file, which must be open. A pass
   * throws at its end when there are fewer or more than `lineCount` and the sums say.
   */
  movements: Iterable<Movement>
  lineCount: number
  /** Number of entries in the period later than the machine's clock, if that was given. */
  aheadCount: number
  fills: FillsUsed
  /** Sentences about what is unknown; empty when the books are complete. */
  missing: readonly string[]
  /** Those of them about skipped entries, and about balances that differ from the books. */
  faults: readonly string[]
}

/** Unreadable entries of the service's lists, without which the books are incomplete. */
type UnreadableLists = Readonly<Record<'deposits' | 'withdrawals' | 'fills' | 'balances', readonly UnreadableEntry[]>>

/** The account's lists. `balances` is null when they kept changing while the lists were read. */
export type StatementLists = {
  rules: Rules
  balances: readonly Balance[] | null
  unreadable?: UnreadableLists
  /** Number of fills that were recorded earlier; 0 by default. */
  recordedCount?: number
  /** Maximum number of entries that were unreadable when those were recorded. */
  recordedUnreadable?: number
  /** Executions reported again with other terms, a clause each. */
  recordedOtherwise?: readonly string[]
}

function checkOf(booked: Decimal, balance: Decimal | null, source: StatementLists): BalanceCheck {
  if (source.balances === null) return { kind: 'unknown', reason: 'the balances moved while the lists were read' }
  if (balance === null && (source.unreadable?.balances ?? []).length > 0)
    return { kind: 'unknown', reason: 'the exchange lists a balance that is unreadable' }
  // A currency that is not listed has a zero balance.
  const by = exactPlus(balance ?? zero, booked.neg())
  return by.isZero() ? { kind: 'agrees' } : { kind: 'differs', by }
}

const nothingBooked: Omit<CurrencySums, 'currency'> = {
  opening: zero,
  byKind: { deposit: zero, withdrawal: zero, withdrawalFee: zero, bought: zero, sold: zero, tradeFee: zero },
  ...{ changes: zero, closing: zero, inFlight: zero, after: zero },
}

type StatementParts = Pick<History, 'deposits' | 'withdrawals'> &
  StatementLists & {
    books: StatementBooks
    movements: Iterable<Movement>
  }

/**
 * The account's statement, once all its entries are in the `books`; `movements` are those of the period. An entry has
 * the service's time, for a transfer that of its request; its change is the transfer's effect until now.
 */
export function statementOf(period: Period, { books, movements, ...source }: StatementParts): Statement {
  const balances = new Map(source.balances?.map(({ currency, balance }) => [currency, balance]))
  const booked = new Map(books.currencies.map((sums) => [sums.currency, sums]))
  const names = new Set([...booked.keys(), ...heldOf(balances)])
  const currencies = [...names].toSorted(byName).map((currency): CurrencyStatement => {
    const sums = booked.get(currency) ?? { ...nothingBooked, currency }
    const balance = balances.get(currency) ?? null
    return { ...sums, balance, check: checkOf(exactPlus(sums.closing, sums.after), balance, source) }
  })
  const doubts = doubtsAbout(currencies, source, 'opening and closing')
  const unclear = currencies.flatMap((each) => doubt(each, 'opening and closing'))
  return {
    period,
    currencies,
    movements,
    ...{ lineCount: books.lineCount, aheadCount: books.aheadCount },
    fills: { count: books.fillCount, recordedCount: source.recordedCount ?? 0 },
    missing: [...unread(source), ...gapsOf(source), ...books.missing, ...unclear],
    faults: doubts.faults,
  }
}

/** A sentence per unreadable entry. */
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

/** Sorts currency names. */
export const byName = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

const heldOf = (balances: ReadonlyMap<string, Decimal>): string[] =>
  [...balances].flatMap(([currency, balance]) => (balance.isZero() ? [] : [currency]))

/**
 * Doubts about lists and balances when entries are summed in another way. `booked` are the sums by currency; `what` is
 * wrong if they disagree.
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

/** Doubts about the service's lists and balances, in full sentences. */
export type Doubts = {
  /** Skipped entries, and balances that differ from the books: the figures are wrong by them. */
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

/** The sentence about a balance that differs from its entries; `figures` are wrong by the difference. */
export function differenceSentence(currency: string, by: Decimal, figures: string): string {
  const amount = `${by.abs().toFixed()} ${currency}`
  const what = by.isNegative() ? `the lines come to ${amount} more` : `${amount} of it is not explained by any line`
  return `The balance of ${currency} and the lines do not agree: ${what}, so ${figures} are off by as much.`
}

type Checked = Pick<CurrencyStatement, 'currency' | 'check'>

/** A sentence about a currency's books; empty when they agree. */
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

/** The columns of a statement as a list, which spreadsheets can sum by currency. */
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
 * The statement as rows under `statementHead`: each currency's opening, all entries, its closing. `change` is empty in
 * opening and closing rows, so by currency its sum is closing − opening.
 */
export function* statementRows({ period, currencies, movements }: Statement): Iterable<string[]> {
  for (const { currency, opening } of currencies) yield edge('opening', period.fromMs, currency, opening)
  for (const { atMs, kind, id, currency, amount, change, state, symbol, price } of movements) {
    const cells = [timeOf(atMs), kind, id, currency, amount.toFixed(), plain(change)]
    yield [...cells, state ?? '', symbol ?? '', price?.toFixed() ?? '']
  }
  for (const { currency, closing } of currencies) yield edge('closing', period.toMs, currency, closing)
}

/** Plain digits, without the sign that a zero may have. */
const plain = (amount: Decimal): string => (amount.isZero() ? '0' : amount.toFixed())

/** The result of a currency's balance check, in a word or two. */
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
/** An object's fields by name. */
export type Fields = { readonly [field: string]: Field }
/** Those of an object with lists whose items come one by one. */
export type StreamedFields = { readonly [field: string]: Field | Iterable<Fields> }

/**
 * The fields of a currency: sums over the period, except `balance`, `inFlight` and `after`, which are present values.
 * Outgoing amounts are negative.
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

/** The period of a report. */
export const periodFields = ({ fromMs, toMs, isSoFar }: Period): Fields => ({
  from: fromMs,
  to: toMs,
  ...(isSoFar === true ? { soFar: true } : {}),
})

/** The statement as a JSON value, with times in ms since 1970; its entries come one by one. */
export function statementFields({ period, currencies, movements, fills, missing }: Statement): StreamedFields {
  return {
    ...periodFields(period),
    currencies: currencies.map(currencyFields),
    movements: movementFields(movements),
    fills,
    missing,
  }
}

function* movementFields(movements: Iterable<Movement>): Generator<Fields> {
  for (const { atMs, ...rest } of movements) yield { timestamp: atMs, ...rest }
}
