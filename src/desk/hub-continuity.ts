import { join } from 'node:path'
import { ExchangeError } from '../api/errors.ts'
import type { ExchangeClient } from '../api/exchange-client.ts'
import type { Clock } from '../base/clock.ts'
import { type Environment, xdgFolders } from '../base/environment.ts'
import type { Continuity, Memory } from '../hub/continuity.ts'
import type { HubDatabase } from '../hub/store/database.ts'
import { keysOf, type WriteJournal } from '../journal/entry.ts'
import { untilItEnds } from '../services/orders/journaled-write.ts'
import { createHubMemory } from '../state-files/hub-memory-file.ts'

/** What this host remembers of a hub's database: a small file in the state folder. */
export const hubMemory = (
  { id }: Pick<HubDatabase, 'id'>,
  environment: Environment,
  log: (line: string) => void,
): Memory => createHubMemory(join(xdgFolders(environment).state, 'hub', `${id}.json`), log)

const rememberEveryMs = 10_000

/** Keeps this host's memory of the database up to date until the signal, and once more then. */
export async function keepRemembering(continuity: Continuity, clock: Clock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(rememberEveryMs, signal)
    await continuity.remember()
  }
}

type Comparing = { client: ExchangeClient; journal: WriteJournal; continuity: Continuity; log: (line: string) => void }

/** Orders looked at: those that were placed last. */
const lookedAtMax = 100
/** The exchange dates orders by a clock of its own. */
const clocksApartMs = 2_000

/**
 * Where nothing on this host or in the database tells whether writes are missing, the exchange does: an order that came
 * after the last one that the journal knows, and that it does not know, is missing in this database.
 */
export async function compareWithExchange({ client, journal, continuity, log }: Comparing): Promise<void> {
  if (continuity.isKnown) return
  try {
    const limit = lookedAtMax
    const lists = await Promise.all([
      client.fetchOrders({ limit }, untilItEnds),
      client.fetchTrades({ limit }, untilItEnds),
    ])
    const later = lists
      .flatMap(({ entries }) => entries)
      .filter(({ timestampMs }) => timestampMs !== null && timestampMs > continuity.lastWriteMs + clocksApartMs)
    const ids = [...new Set(later.map(({ clientOrderId }) => clientOrderId))]
    const found = await journal.findAll(ids.map((id) => ({ kind: 'order', id })))
    const known = new Set(found.entries.flatMap(({ intent }) => keysOf(intent).map(({ id }) => id)))
    const unknown = ids.filter((id) => !known.has(id))
    if (unknown.length === 0) return
    await continuity.hold(
      `the exchange has ${unknown.length} later orders that it does not know, such as ${unknown[0]}`,
    )
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error
    log(`whether writes are missing cannot be asked of the exchange: ${error.reason}`)
  }
}
