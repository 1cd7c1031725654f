import type { ExchangeClient } from '../api/exchange-client.ts'
import { type Balance, primaryAccount } from '../domain/balance.ts'
import { type Listing, readableListing, type UnreadableEntry } from '../domain/listing.ts'
import { type Fill, FirstTold, lateMs, newestFillMs } from '../domain/orders/fills.ts'
import { type History, type PeriodAsked, periodOf, type Rules } from '../domain/statement/movement.ts'
import {
  type Statement,
  type StatementLists,
  type StatementSource,
  statementOf,
} from '../domain/statement/statement.ts'
import { allFills, nothingRecorded, type Recorded } from './history/recorded.ts'
import { walkFills } from './orders/fill-pages.ts'

export type StatementClient = Pick<
  ExchangeClient,
  'fetchAccounts' | 'fetchDeposits' | 'fetchWithdrawals' | 'fetchFills' | 'fetchSymbols'
>

export type StatementContext = {
  signal: AbortSignal
  /** How many fills there are so far, after each page. */
  onPage?: (count: number) => void
  /** All executions up to some moment, as they were recorded: only later ones are asked for. */
  recorded?: Recorded
}

/** How often the lists are read again when the balances moved meanwhile. */
const readingsMax = 4

/**
 * The account's books between two moments, held against its balances. `nowMs` says what the exchange's clock says once
 * all is read: no statement ends later, save by an entry of that time. Throws ExchangeError.
 */
export async function fetchStatement(
  client: StatementClient,
  asked: PeriodAsked,
  context: StatementContext & { nowMs: () => number },
): Promise<Statement> {
  const source = await fetchBooks(client, context)
  return statementOf(periodOf(asked, source.history, context.nowMs()), source)
}

/** Everything the account ever did, and the balances it came to. */
export type AccountRecord = StatementLists &
  Pick<History, 'deposits' | 'withdrawals'> & {
    /** Of the fills those that were recorded before, where they are of this exchange. */
    recorded: Recorded
    /** All others, in any order. */
    newFills: readonly Fill[]
  }

/**
 * Everything the account ever did, and the balances it came to: what it had at any moment is the sum of all that was
 * before. Throws ExchangeError, and what `recorded` throws.
 */
export async function fetchRecord(client: StatementClient, context: StatementContext): Promise<AccountRecord> {
  const { signal } = context
  const fills = new Map<string, Fill>()
  let recorded = context.recorded ?? nothingRecorded
  const symbols = await client.fetchSymbols(signal)
  const rules: Rules = symbols.instruments
  let before = await fetchBalances(client, signal)
  for (let reading = 1; ; reading += 1) {
    const { unreadable: unreadableFills, isOther } = await readFills(client, { fills, recorded }, context)
    if (isOther) recorded = withoutFills(recorded)
    const [deposits, withdrawals] = await Promise.all([
      client.fetchDeposits({}, signal),
      client.fetchWithdrawals({}, signal),
    ])
    const after = await fetchBalances(client, signal)
    const unreadable = {
      deposits: deposits.unreadable,
      withdrawals: withdrawals.unreadable,
      fills: unreadableFills,
      balances: after.unreadable,
    }
    // Between two equal readings of the balances nothing moved, so the lists belong to them.
    const isSteady = isSame(before.entries, after.entries)
    if (isSteady || reading === readingsMax)
      return {
        deposits: deposits.entries,
        withdrawals: withdrawals.entries,
        recorded,
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

/** `fetchRecord` with all fills in one list. */
export async function fetchBooks(client: StatementClient, context: StatementContext): Promise<StatementSource> {
  return wholeSource(await fetchRecord(client, context))
}

/** What was recorded of prices alone: the fills are of another exchange. */
const withoutFills = ({ prices }: Recorded): Recorded =>
  prices === undefined ? nothingRecorded : { ...nothingRecorded, prices }

/** All fills of a record in one list. Throws what `recorded` throws. */
export async function wholeSource(record: AccountRecord): Promise<StatementSource> {
  const { deposits, withdrawals, recorded, newFills, ...lists } = record
  return { ...lists, history: { deposits, withdrawals, fills: [...(await allFills(recorded)), ...newFills] } }
}

const fetchBalances = async (client: StatementClient, signal: AbortSignal): Promise<Listing<Balance>> =>
  (await client.fetchAccounts(signal)).get(primaryAccount) ?? readableListing([])

/** Whether the same money is there. What orders hold does not matter here. */
function isSame(left: readonly Balance[], right: readonly Balance[]): boolean {
  const amounts = new Map(left.map(({ currency, balance }) => [currency, balance]))
  return left.length === right.length && right.every(({ currency, balance }) => amounts.get(currency)?.eq(balance))
}

/** Those that were recorded, and by id those that were read. */
type KnownFills = { fills: Map<string, Fill>; recorded: Recorded }

/**
 * Adds the fills that are not there yet: from the newest backwards to one that is known, or to the first of all. What
 * is known is of another exchange where that one tells all of it otherwise, or nothing of it: a practice exchange may
 * begin anew. `isOther`: so it is, and nothing of what was known counts. One that is told otherwise than it is known
 * stays as it is known, and is said.
 */
async function readFills(
  client: StatementClient,
  { fills, recorded }: KnownFills,
  context: StatementContext,
): Promise<{ unreadable: readonly UnreadableEntry[]; isOther: boolean }> {
  const { signal, onPage } = context
  const knownOf = (execId: string) => fills.get(execId) ?? recorded.find(execId)
  // What comes late is behind what is known.
  const newestMs = [newestFillMs(fills.values(), Number.MAX_SAFE_INTEGER), recorded.newestMs(Number.MAX_SAFE_INTEGER)]
  const behindMs = Math.max(...newestMs.map((atMs) => atMs ?? 0)) - lateMs
  const { entries, unreadable } = await walkFills(
    client,
    {},
    {
      signal,
      isEnough: (page) => page.some(({ execId, timestampMs }) => timestampMs < behindMs && knownOf(execId) !== null),
      ...(onPage === undefined ? {} : { onPage }),
    },
  )
  const met = entries.flatMap((fill) => {
    const before = knownOf(fill.execId)
    return before === null ? [] : [before.orderId === fill.orderId && before.timestampMs === fill.timestampMs]
  })
  if (met.length > 0 && !met.includes(true)) {
    fills.clear()
    return { ...(await readFills(client, { fills, recorded: nothingRecorded }, context)), isOther: true }
  }
  const isOther = met.length === 0
  if (isOther) fills.clear()
  const told = new FirstTold(fills, (execId) => (isOther ? null : recorded.find(execId)))
  for (const fill of entries) told.add(fill)
  return { unreadable: [...unreadable, ...told.otherwise], isOther }
}
