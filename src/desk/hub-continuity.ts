import { join } from 'node:path'
import { ExchangeError } from '../api/errors.ts'
import type { ExchangeClient } from '../api/exchange-client.ts'
import type { Clock } from '../base/clock.ts'
import { type Environment, xdgFolders } from '../base/environment.ts'
import type { Continuity, Memory } from '../hub/continuity.ts'
import { type HubDatabase, isStoreFailure } from '../hub/store/database.ts'
import { JournalError, keysOf, type WriteJournal } from '../journal/entry.ts'
import { untilItEnds } from '../services/orders/journaled-write.ts'
import { ownAmong } from '../services/transfers/match-withdrawals.ts'
import { namesOf } from '../services/transfers/refused-withdrawals.ts'
import { createHubMemory } from '../state-files/hub-memory-file.ts'

/** What this host remembers of a hub's database: a small file in the state folder. */
export const hubMemory = (
  { id }: Pick<HubDatabase, 'id'>,
  environment: Environment,
  log: (line: string) => void,
): Memory => createHubMemory(join(xdgFolders(environment).state, 'hub', `${id}.json`), log)

const rememberEveryMs = 10_000

/**
 * Keeps the memory of the database up to date until the signal, and once more then. `compare` is asked again until it
 * is done; null where it was.
 */
export async function keepRemembering(
  continuity: Continuity,
  compare: (() => Promise<boolean>) | null,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  let left = compare
  while (!signal.aborted) {
    await continuity.remember()
    await clock.sleep(rememberEveryMs, signal)
    if (left !== null && !signal.aborted && (await answered(left))) left = null
  }
  await continuity.remember()
}

/** A database that does not answer is asked again, too. */
async function answered(compare: () => Promise<boolean>): Promise<boolean> {
  try {
    return await compare()
  } catch (error) {
    if (!isStoreFailure(error)) throw error
    return false
  }
}

type Client = Pick<ExchangeClient, 'fetchOrders' | 'fetchTrades' | 'fetchWithdrawals'>
type Comparing = { client: Client; journal: WriteJournal; continuity: Continuity; log: (line: string) => void }

/** Orders looked at: those that were placed last. */
const lookedAtMax = 100
/** The exchange dates by a clock of its own. What the database has is known by its id, whatever the clocks say. */
const clocksApartMs = 2_000

/**
 * Holds the database against the exchange, whatever this host remembers: its memory may be older than the copy that
 * took the database's place. Orders and withdrawals that came after all that the database certainly has, and that it
 * does not know, are missing in it. Gives whether the exchange could be asked.
 */
export function createComparison({ client, journal, continuity, log }: Comparing): () => Promise<boolean> {
  let lastTrouble: string | null = null
  return async () => {
    const { knownUntilMs } = continuity
    if (knownUntilMs === null) return true
    const fromMs = Math.max(0, knownUntilMs - clocksApartMs)
    try {
      const [orders, withdrawals] = await Promise.all([
        unknownOrders(client, journal, fromMs),
        unknownWithdrawals(client, journal, fromMs),
      ])
      const missing = [
        ...(orders.length === 0 ? [] : [`${orders.length} later orders that it does not know, such as ${orders[0]}`]),
        ...(withdrawals.length === 0
          ? []
          : [`${withdrawals.length} later withdrawals that it does not know: ${namesOf(withdrawals.slice(0, 3))}`]),
      ]
      if (missing.length > 0) await continuity.hold(`the exchange has ${missing.join(', and ')}`)
      continuity.compared()
      return true
    } catch (error) {
      const trouble =
        error instanceof ExchangeError ? error.reason : error instanceof JournalError ? error.message : null
      if (trouble === null) throw error
      if (trouble !== lastTrouble) log(`whether writes are missing is not known yet, it is asked again: ${trouble}`)
      lastTrouble = trouble
      return false
    }
  }
}

/** Client ids of orders since then that the journal does not know. */
async function unknownOrders(client: Client, journal: WriteJournal, fromMs: number): Promise<string[]> {
  const limit = lookedAtMax
  const lists = await Promise.all([
    client.fetchOrders({ limit }, untilItEnds),
    client.fetchTrades({ limit }, untilItEnds),
  ])
  const later = lists
    .flatMap(({ entries }) => entries)
    .filter(({ timestampMs }) => timestampMs !== null && timestampMs > fromMs)
  const ids = [...new Set(later.map(({ clientOrderId }) => clientOrderId))]
  const found = await journal.findAll(ids.map((id) => ({ kind: 'order', id })))
  const known = new Set(found.entries.flatMap(({ intent }) => keysOf(intent).map(({ id }) => id)))
  return ids.filter((id) => !known.has(id))
}

/** Withdrawals since then that the journal does not know, and did not ask for either. */
async function unknownWithdrawals(client: Client, journal: WriteJournal, fromMs: number) {
  const { entries } = await client.fetchWithdrawals({ fromMs }, untilItEnds)
  const later = entries.filter(({ timestampMs }) => timestampMs !== null && timestampMs > fromMs)
  const own = await ownAmong(journal, later, fromMs)
  return later.filter((each) => !own.includes(each))
}
