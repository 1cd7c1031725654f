import type { ExchangeClient } from '../api/exchange-client.ts'
import { type Balance, primaryAccount } from '../domain/balance.ts'
import type { Fill } from '../domain/fill.ts'
import type { History, Rules } from '../domain/statement/movement.ts'
import { type Period, type Statement, statementOf } from '../domain/statement/statement.ts'

export type StatementClient = Pick<
  ExchangeClient,
  'fetchAccounts' | 'fetchDeposits' | 'fetchWithdrawals' | 'fetchFills' | 'fetchSymbols'
>

export type StatementContext = {
  signal: AbortSignal
  /** How many fills there are so far, after each page. */
  onPage?: (count: number) => void
}

/** The service's cap on one answer. */
const fillPageSize = 1_000
/** So often the lists are read again when the balances moved meanwhile. */
const readingsMost = 4

/**
 * The account's books between two moments, held against its balances. It reads everything the account ever did, because what it
 * opened with is the sum of that. Throws ExchangeError.
 */
export async function fetchStatement(
  client: StatementClient,
  period: Period,
  context: StatementContext,
): Promise<Statement> {
  const { signal } = context
  const fills = new Map<string, Fill>()
  const symbols = await client.fetchSymbols(signal)
  const rules: Rules = symbols.instruments
  let before = await fetchBalances(client, signal)
  for (let reading = 1; ; reading += 1) {
    await readFills(client, fills, context)
    const [deposits, withdrawals] = await Promise.all([
      client.fetchDeposits({}, signal),
      client.fetchWithdrawals({}, signal),
    ])
    const history: History = { deposits, withdrawals, fills: [...fills.values()] }
    const after = await fetchBalances(client, signal)
    // Between two equal readings of the balances nothing moved, so the lists belong to them.
    const isSteady = isSame(before, after)
    if (isSteady || reading === readingsMost)
      return statementOf(period, { history, rules, balances: isSteady ? after : null })
    before = after
  }
}

const fetchBalances = async (client: StatementClient, signal: AbortSignal): Promise<readonly Balance[]> =>
  (await client.fetchAccounts(signal)).get(primaryAccount) ?? []

/** Whether the same money is there. What orders hold does not matter here. */
function isSame(left: readonly Balance[], right: readonly Balance[]): boolean {
  const amounts = new Map(left.map(({ currency, balance }) => [currency, balance]))
  return left.length === right.length && right.every(({ currency, balance }) => amounts.get(currency)?.eq(balance))
}

/** Adds the fills that are not there yet: from the newest backwards to one that is known, or to the first of all. */
async function readFills(
  client: StatementClient,
  fills: Map<string, Fill>,
  { signal, onPage }: StatementContext,
): Promise<void> {
  const known = new Set(fills.keys())
  let toExecId: string | null = null
  for (;;) {
    const cursor = toExecId === null ? {} : { toExecId }
    const page = await client.fetchFills({ limit: fillPageSize, ...cursor }, signal)
    const before = fills.size
    for (const fill of page) fills.set(fill.execId, fill)
    const isMet = page.some(({ execId }) => known.has(execId))
    if (page.length < fillPageSize || isMet || fills.size === before) return
    toExecId = page.at(-1)?.execId ?? null
    onPage?.(fills.size)
  }
}
