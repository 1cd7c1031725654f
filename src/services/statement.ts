import type { ExchangeClient } from '../api/exchange-client.ts'
import { type Balance, primaryAccount } from '../domain/balance.ts'
import { type Listing, readableListing, type UnreadableEntry } from '../domain/listing.ts'
import { type Fill, FirstTold, lateMs, newestFillMs } from '../domain/orders/fills.ts'
import { type History, type PeriodAsked, periodOf, type Rules } from '../domain/statement/movement.ts'
import { type Statement, type StatementSource, statementOf } from '../domain/statement/statement.ts'
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
  recorded?: { fills: Iterable<Fill>; unreadableCount: number; otherwise?: readonly string[] }
}

/** So often the lists are read again when the balances moved meanwhile. */
const readingsMost = 4

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

/**
 * Everything the account ever did, and the balances it came to: what it had at any moment is the sum of all that was
 * before. Throws ExchangeError.
 */
export async function fetchBooks(client: StatementClient, context: StatementContext): Promise<StatementSource> {
  const { signal } = context
  const fills = new Map<string, Fill>()
  for (const fill of context.recorded?.fills ?? []) fills.set(fill.execId, fill)
  let recordedCount = fills.size
  const recordedUnreadable = context.recorded?.unreadableCount ?? 0
  const symbols = await client.fetchSymbols(signal)
  const rules: Rules = symbols.instruments
  let before = await fetchBalances(client, signal)
  for (let reading = 1; ; reading += 1) {
    const { unreadable: unreadableFills, isOther } = await readFills(client, fills, context)
    if (isOther) recordedCount = 0
    const [deposits, withdrawals] = await Promise.all([
      client.fetchDeposits({}, signal),
      client.fetchWithdrawals({}, signal),
    ])
    const history: History = {
      deposits: deposits.entries,
      withdrawals: withdrawals.entries,
      fills: [...fills.values()],
    }
    const after = await fetchBalances(client, signal)
    const unreadable = {
      deposits: deposits.unreadable,
      withdrawals: withdrawals.unreadable,
      fills: unreadableFills,
      balances: after.unreadable,
    }
    // Between two equal readings of the balances nothing moved, so the lists belong to them.
    const isSteady = isSame(before.entries, after.entries)
    if (isSteady || reading === readingsMost)
      return {
        history,
        rules,
        balances: isSteady ? after.entries : null,
        unreadable,
        recordedCount,
        recordedUnreadable,
        recordedOtherwise: recordedCount === 0 ? [] : (context.recorded?.otherwise ?? []),
      }
    before = after
  }
}

const fetchBalances = async (client: StatementClient, signal: AbortSignal): Promise<Listing<Balance>> =>
  (await client.fetchAccounts(signal)).get(primaryAccount) ?? readableListing([])

/** Whether the same money is there. What orders hold does not matter here. */
function isSame(left: readonly Balance[], right: readonly Balance[]): boolean {
  const amounts = new Map(left.map(({ currency, balance }) => [currency, balance]))
  return left.length === right.length && right.every(({ currency, balance }) => amounts.get(currency)?.eq(balance))
}

/**
 * Adds the fills that are not there yet: from the newest backwards to one that is known, or to the first of all. What
 * is known is of another exchange where that one tells all of it otherwise, or nothing of it: a practice exchange may
 * begin anew. `isOther`: so it is, and nothing of what was known counts. One that is told otherwise than it is known
 * stays as it is known, and is said.
 */
async function readFills(
  client: StatementClient,
  fills: Map<string, Fill>,
  context: StatementContext,
): Promise<{ unreadable: readonly UnreadableEntry[]; isOther: boolean }> {
  const { signal, onPage } = context
  const known = new Map(fills)
  // What comes late is behind what is known.
  const behindMs = (newestFillMs(known.values(), Number.POSITIVE_INFINITY) ?? 0) - lateMs
  const { entries, unreadable } = await walkFills(
    client,
    {},
    {
      signal,
      isEnough: (page) => page.some(({ execId, timestampMs }) => timestampMs < behindMs && known.has(execId)),
      ...(onPage === undefined ? {} : { onPage }),
    },
  )
  const met = entries.flatMap((fill) => {
    const before = known.get(fill.execId)
    return before === undefined ? [] : [before.orderId === fill.orderId && before.timestampMs === fill.timestampMs]
  })
  if (met.length > 0 && !met.includes(true)) {
    fills.clear()
    return { ...(await readFills(client, fills, context)), isOther: true }
  }
  const isOther = met.length === 0
  if (isOther) fills.clear()
  const told = new FirstTold(fills)
  for (const fill of entries) told.add(fill)
  return { unreadable: [...unreadable, ...told.otherwise], isOther }
}
