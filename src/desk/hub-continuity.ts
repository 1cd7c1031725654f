import { join } from 'node:path'
import { ExchangeError } from '../api/errors.ts'
import type { ExchangeClient } from '../api/exchange-client.ts'
import type { Clock } from '../base/clock.ts'
import { type Environment, xdgFolders } from '../base/environment.ts'
import { dayMs } from '../base/time-text.ts'
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
/** While nothing new may go before the exchange has answered. */
const askEveryMs = 1_000

/**
 * Keeps the memory of the database up to date until the signal, and once more then, from when `first` has been compared
 * on. `compare` is asked again until it is done.
 */
export async function keepRemembering(
  continuity: Continuity,
  { first, compare }: Comparison,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  let seen = await first
  while (!signal.aborted) {
    await continuity.remember()
    const dueMs = clock.now() + rememberEveryMs
    while (seen === 'away' && clock.now() < dueMs && !signal.aborted) {
      await clock.sleep(askEveryMs, signal)
      if (!signal.aborted) seen = await compare()
    }
    await clock.sleep(Math.max(0, dueMs - clock.now()), signal)
    if (seen === 'refused' && !signal.aborted) seen = await compare()
  }
  await continuity.remember()
}

/** Whether the exchange has answered, and what it answered was acted upon. */
export type Looked = { isOver: boolean }

/**
 * `away`: something has not been answered yet. `refused`: the exchange will not tell the rest, as to a key that may not
 * list withdrawals.
 */
export type Compared = 'done' | 'away' | 'refused'

type Comparison = { first: Promise<Compared>; compare: () => Promise<Compared> }

/** Holds the database against the exchange, and says in `looked` once it has: no sooner may anything new go. */
export function startComparison(comparing: Comparing, looked: Looked): Comparison {
  const compareNow = createComparison(comparing)
  const compare = async () => {
    const seen = await answered(compareNow)
    if (seen !== 'away') looked.isOver = true
    return seen
  }
  return { first: compare(), compare }
}

/** Compares; where the database does not answer it is asked again, too. */
async function answered(compare: () => Promise<Compared>): Promise<Compared> {
  try {
    return await compare()
  } catch (error) {
    if (!isStoreFailure(error)) throw error
    return 'away'
  }
}

type Client = Pick<ExchangeClient, 'fetchOrders' | 'fetchTrades' | 'fetchWithdrawals'>
type Comparing = { client: Client; journal: WriteJournal; continuity: Continuity; log: (line: string) => void }

/** Orders looked at: those that were placed last. */
const lookedAtMax = 100
/** The exchange dates by a clock of its own. What the database has is known by its id, whatever the clocks say. */
const clocksApartMs = 2_000
/** Unknown withdrawals that are named. */
const namedMax = 3
/** How long before they may have been sent. */
const sentBeforeMs = 30 * dayMs

/** What one question to the exchange shows to be missing, as a clause; null for nothing. */
type Question = () => Promise<string | null>

/**
 * Holds the database against the exchange, whatever this host remembers: its memory may be older than the copy that
 * took the database's place. Orders and withdrawals that came after all that the database certainly has, and that it
 * does not know, are missing in it. What was not answered is asked by the next call.
 */
export function createComparison({ client, journal, continuity, log }: Comparing): () => Promise<Compared> {
  const { knownUntilMs } = continuity
  const fromMs = Math.max(0, (knownUntilMs ?? 0) - clocksApartMs)
  const orders: Question = async () => {
    const [first, ...others] = await unknownOrders(client, journal, fromMs)
    return first === undefined ? null : `${others.length + 1} later orders that it does not know, such as ${first}`
  }
  const withdrawals: Question = async () => {
    const unknown = await unknownWithdrawals(client, journal, fromMs)
    const named = namesOf(unknown.slice(0, namedMax))
    return unknown.length === 0 ? null : `${unknown.length} later withdrawals that it does not know, such as ${named}`
  }
  let left: readonly Question[] = knownUntilMs === null ? [] : [orders, withdrawals]
  let lastTrouble: string | null = null
  return async () => {
    const asked = left.map(async (question) => {
      try {
        return { found: await question(), unanswered: [], isRefused: false }
      } catch (error) {
        const trouble = troubleOf(error)
        if (trouble !== lastTrouble) log(`whether writes are missing is not known yet, it is asked again: ${trouble}`)
        lastTrouble = trouble
        return { found: null, unanswered: [question], isRefused: isRefusal(error) }
      }
    })
    const answers = await Promise.all(asked)
    const missing = answers.flatMap(({ found }) => found ?? [])
    if (missing.length > 0) await continuity.hold(`the exchange has ${missing.join(', and ')}`)
    left = answers.flatMap(({ unanswered }) => unanswered)
    if (left.length === 0) continuity.compared()
    if (left.length === 0) return 'done'
    return answers.every(({ unanswered, isRefused }) => unanswered.length === 0 || isRefused) ? 'refused' : 'away'
  }
}

/** Whether the exchange will not tell whoever has this key: to wait for it would hold up everything for good. */
const isRefusal = (error: unknown): boolean => error instanceof ExchangeError && error.status === 403

/** Why something could not be asked; throws what is a bug. */
function troubleOf(error: unknown): string {
  if (error instanceof ExchangeError) return error.reason
  if (error instanceof JournalError) return error.message
  throw error
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
  const unknown = later.filter((each) => !own.includes(each))
  if (unknown.length === 0) return []
  // One that was sent long before may be dated by its last change.
  const earlier = await ownAmong(journal, unknown, fromMs - sentBeforeMs)
  return unknown.filter((each) => !earlier.includes(each))
}
