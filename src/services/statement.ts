import type { ExchangeClient } from '../api/exchange-client.ts'
import { type Balance, primaryAccount } from '../domain/balance.ts'
import { type Listing, rawText, readableListing, type UnreadableEntry } from '../domain/listing.ts'
import { beyondSentence, FillsWithin, type OrderBounds } from '../domain/orders/beyond-order.ts'
import {
  type Fill,
  FirstTold,
  lateMs,
  mergedOldestFirst,
  newestFillFirst,
  newestFillMs,
} from '../domain/orders/fills.ts'
import {
  type History,
  isWithin,
  movementsIn,
  type Period,
  type PeriodAsked,
  periodUpTo,
  type Rules,
  transferMovements,
} from '../domain/statement/movement.ts'
import { type Statement, type StatementLists, statementOf } from '../domain/statement/statement.ts'
import { StatementBooks } from '../domain/statement/statement-books.ts'
import { HistoryError } from '../history/history-database.ts'
import { allFills, inTurns, nothingRecorded, type Recorded } from './history/recorded.ts'
import { walkFills } from './orders/fill-pages.ts'

export type StatementClient = Pick<
  ExchangeClient,
  'fetchAccounts' | 'fetchDeposits' | 'fetchWithdrawals' | 'fetchFills' | 'fetchSymbols'
>

export type StatementContext = {
  signal: AbortSignal
  /** Time by the exchange's clock. */
  nowMs: () => number
  /** Called after each page with the number of fills so far. */
  onPage?: (count: number) => void
  /** Executions already recorded: only later ones are requested. */
  recorded?: Recorded
  /** What orders hold, read once all fills are: what is beyond counts nowhere. Nothing is known of any unless given. */
  bounds?: () => Promise<OrderBounds>
}

/** Maximum readings of the lists while the balances keep moving. */
const readingsMax = 4

/**
 * The account's books between two moments, compared with its balances. `nowMs` is the exchange's time after everything
 * is read: a statement ends there at the latest, except for an entry of that time. Its entries can be read as long as
 * the record can. Throws `ExchangeError`, and whatever `recorded` throws.
 */
export async function fetchStatement(
  client: StatementClient,
  asked: PeriodAsked,
  context: StatementContext & { aheadOfMs?: number },
): Promise<Statement> {
  const record = await fetchRecord(client, context)
  const within = new FillsWithin((await context.bounds?.()) ?? new Map())
  const { rules, recorded, newFills } = record
  const period = reportPeriod(record, asked, context.nowMs())
  const others = newFills.toSorted((left, right) => newestFillFirst(right, left))
  const { aheadOfMs } = context
  const books = new StatementBooks({ period, rules, ...(aheadOfMs === undefined ? {} : { aheadOfMs }) })
  for (const movements of transferMovements(record)) books.takeTransfer(movements)
  function* entered(): Generator<number> {
    for (const fill of mergedOldestFirst(recorded.fills(), others)) {
      if (within.holds(fill)) books.takeFill(fill)
      yield 1
    }
  }
  await inTurns(entered(), context.signal)
  const beyondIds = new Set(within.beyond.map(({ fill }) => fill.execId))
  const fills = () => fillsAgain(record, { period, others, count: books.fillCountWithin, beyondIds })
  const movements = { [Symbol.iterator]: () => movementsIn(period, { ...record, fills: fills() }, rules) }
  const statement = statementOf(period, { ...record, books, movements })
  const beyond = within.beyond.map(beyondSentence)
  return {
    ...statement,
    fills: { ...statement.fills, count: statement.fills.count + beyond.length },
    ...{ missing: [...beyond, ...statement.missing], faults: [...beyond, ...statement.faults] },
  }
}

type Again = { period: Period; others: readonly Fill[]; count: number; beyondIds: ReadonlySet<string> }

/**
 * The fills of a period once more, oldest first, which were `count` at the first reading. Recorded fills never change,
 * but a desk may record a late one meanwhile: throws a `HistoryError` at the end when there are more.
 */
function* fillsAgain({ recorded }: Pick<AccountRecord, 'recorded'>, again: Again): Generator<Fill> {
  const { period, others, count, beyondIds } = again
  const { fromMs, toMs } = period
  let seen = 0
  const ofPeriod = others.filter(({ timestampMs }) => isWithin(period, timestampMs))
  for (const fill of mergedOldestFirst(recorded.fills({ afterMs: fromMs - 1, toMs }), ofPeriod)) {
    if (beyondIds.has(fill.execId)) continue
    seen += 1
    yield fill
  }
  if (seen !== count) throw changedMeanwhile()
}

/** The error of a second reading that tells otherwise than the first. */
export const changedMeanwhile = (): HistoryError =>
  new HistoryError('busy', 'late fills were recorded while the report was written: make it again')

/** The period of a report of everything in this record. */
export function reportPeriod(
  { deposits, withdrawals, newFills, recorded }: AccountRecord,
  asked: PeriodAsked,
  nowMs: number,
): Period {
  const latestMs = recorded.newestMs(asked.toMs ?? Number.MAX_SAFE_INTEGER)
  const times = [deposits, withdrawals, newFills].flatMap((list) => list.map(({ timestampMs }) => timestampMs))
  return periodUpTo(asked, [latestMs, ...times], nowMs)
}

/** A history without fills beyond their orders, of which the oldest count first. */
export function historyWithin(history: History, within: FillsWithin): History {
  // Of a history that may have a million fills only those are sorted of which anything is known.
  const bounded = history.fills.filter((fill) => within.isBounded(fill))
  const inOrder = bounded.toSorted((left, right) => newestFillFirst(right, left))
  const beyond = new Set(inOrder.filter((fill) => !within.holds(fill)))
  return beyond.size === 0 ? history : { ...history, fills: history.fills.filter((fill) => !beyond.has(fill)) }
}

/** The account's whole history, and the resulting balances. */
export type AccountRecord = StatementLists &
  Pick<History, 'deposits' | 'withdrawals'> & {
    /** The recorded fills, if they are from this exchange. */
    recorded: Recorded
    /** All other fills, in any order. */
    newFills: readonly Fill[]
  }

/**
 * Reads the account's whole history and the resulting balances: holdings at any moment are the sum of everything
 * before. Throws `ExchangeError`, and whatever `recorded` throws.
 */
export async function fetchRecord(client: StatementClient, context: StatementContext): Promise<AccountRecord> {
  const { signal } = context
  const fills = new Map<string, Fill>()
  // A later reading ends before the older entries of an earlier one.
  let odd: readonly UnreadableEntry[] = []
  let recorded = context.recorded ?? nothingRecorded
  const symbols = await client.fetchSymbols(signal)
  const rules: Rules = symbols.instruments
  let before = await fetchBalances(client, signal)
  for (let reading = 1; ; reading += 1) {
    const { unreadable: oddNow, isOther } = await readFills(client, { fills, recorded }, context)
    if (isOther) recorded = withoutFills(recorded)
    odd = isOther ? oddNow : joinedOdd(odd, oddNow)
    const [deposits, withdrawals] = await Promise.all([
      client.fetchDeposits({}, signal),
      client.fetchWithdrawals({}, signal),
    ])
    const after = await fetchBalances(client, signal)
    const unreadable = {
      deposits: deposits.unreadable,
      withdrawals: withdrawals.unreadable,
      fills: odd,
      balances: after.unreadable,
    }
    // Nothing moved between two equal readings of the balances, so the lists belong to them.
    const isSteady = isSame(before.entries, after.entries)
    if (isSteady || reading === readingsMax)
      return {
        deposits: deposits.entries,
        withdrawals: withdrawals.entries,
        recorded: withoutThese(recorded, fills),
        newFills: [...fills.values()],
        rules,
        balances: isSteady ? after.entries : null,
        unreadable,
        recordedCount: recorded.fillCount,
        recordedUnreadable: recorded.unreadableCount,
        recordedOtherwise: recorded.fillCount === 0 ? [] : (recorded.otherwise ?? []),
      }
    before = after
  }
}

/** Unreadable entries of two readings of a list, those that both met once. */
function joinedOdd(before: readonly UnreadableEntry[], now: readonly UnreadableEntry[]): readonly UnreadableEntry[] {
  const keyOf = (entry: UnreadableEntry) => `${entry.reason} ${rawText(entry)}`
  const known = new Set(before.map(keyOf))
  return [...before, ...now.filter((entry) => !known.has(keyOf(entry)))]
}

/** The recorded prices only: the fills are from another exchange. */
const withoutFills = ({ prices }: Recorded): Recorded =>
  prices === undefined ? nothingRecorded : { ...nothingRecorded, prices }

/** The record without fills that were read now, which a desk may record while a report is told. */
const withoutThese = (recorded: Recorded, read: ReadonlyMap<string, Fill>): Recorded => ({
  ...recorded,
  *fills(times) {
    for (const fill of recorded.fills(times)) if (!read.has(fill.execId)) yield fill
  },
})

/** The record's whole history with all fills in one list. Throws whatever `recorded` throws. */
export async function wholeHistory(record: AccountRecord, signal: AbortSignal): Promise<History> {
  const { deposits, withdrawals, recorded, newFills } = record
  return { deposits, withdrawals, fills: [...(await allFills(recorded, signal)), ...newFills] }
}

const fetchBalances = async (client: StatementClient, signal: AbortSignal): Promise<Listing<Balance>> =>
  (await client.fetchAccounts(signal)).get(primaryAccount) ?? readableListing([])

/** True for equal balances; what orders hold does not matter here. */
function isSame(left: readonly Balance[], right: readonly Balance[]): boolean {
  const amounts = new Map(left.map(({ currency, balance }) => [currency, balance]))
  return left.length === right.length && right.every(({ currency, balance }) => amounts.get(currency)?.eq(balance))
}

/** The recorded fills, and by id those read now. */
type KnownFills = { fills: Map<string, Fill>; recorded: Recorded }

/**
 * Adds missing fills, from the newest backwards to a known one, or to the first of all. The known fills are from
 * another exchange, such as a practice exchange that started over, when it reports all of them differently, or none:
 * `isOther` is then true, and they are ignored. A single fill reported differently keeps its recorded terms, with a
 * notice.
 */
async function readFills(
  client: StatementClient,
  { fills, recorded }: KnownFills,
  context: StatementContext,
): Promise<{ unreadable: readonly UnreadableEntry[]; isOther: boolean }> {
  const { signal, onPage } = context
  const knownOf = (execId: string) => fills.get(execId) ?? recorded.find(execId)
  const latestMs = context.nowMs()
  const newestMs = Math.max(newestFillMs(fills.values(), latestMs) ?? 0, recorded.newestMs(latestMs) ?? 0)
  // Late fills are older than the newest known one; a known one dated ahead hides none.
  const fromMs = Math.max(0, Math.min(newestMs, latestMs) - lateMs)
  // Where the newest known ones changed, those before them tell whose they are.
  for (const range of [{ fromMs }, {}]) {
    const { entries, unreadable } = await walkFills(client, range, {
      signal,
      isEnough: (page) => page.some(({ execId, timestampMs }) => timestampMs < fromMs && knownOf(execId) !== null),
      ...(onPage === undefined ? {} : { onPage }),
    })
    const isMet = entries.some(({ execId, orderId, timestampMs }) => {
      const before = knownOf(execId)
      return before?.orderId === orderId && before.timestampMs === timestampMs
    })
    if (!isMet && fills.size + recorded.fillCount > 0) continue
    const told = new FirstTold(fills, recorded.find)
    for (const fill of entries) told.add(fill)
    return { unreadable: [...unreadable, ...told.otherwise], isOther: false }
  }
  fills.clear()
  return { ...(await readFills(client, { fills, recorded: nothingRecorded }, context)), isOther: true }
}
