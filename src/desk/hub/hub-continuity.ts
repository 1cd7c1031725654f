import { join } from 'node:path'
import { ExchangeError } from '../../api/errors.ts'
import type { ExchangeClient } from '../../api/exchange-client.ts'
import type { Clock } from '../../base/clock.ts'
import { type Environment, xdgFolders } from '../../base/process/environment.ts'
import { dayMs, hourMs } from '../../base/text/time-text.ts'
import { readableListing } from '../../domain/listing.ts'
import { isWorking, type Order } from '../../domain/orders/order.ts'
import type { Withdrawal } from '../../domain/transfers/transfer.ts'
import type { Continuity, Memory } from '../../hub/continuity.ts'
import { type HubDatabase, isStoreFailure } from '../../hub/store/database.ts'
import { JournalError, keysOf, type WriteJournal } from '../../journal/entry.ts'
import { untilItEnds } from '../../services/orders/journaled-write.ts'
import {
  fetchCrowd,
  type OrderSource,
  OrderWalk,
  orderPageMax,
  workingSource,
} from '../../services/orders/order-pages.ts'
import { ownAmong } from '../../services/transfers/match-withdrawals.ts'
import { namesOf } from '../../services/transfers/refused-withdrawals.ts'
import { createHubMemory } from '../../state-files/hub-memory-file.ts'

/** Opens this host's memory of a hub's database, a small file in the state folder. */
export const hubMemory = (
  { id }: Pick<HubDatabase, 'id'>,
  environment: Environment,
  log: (line: string) => void,
): Memory => createHubMemory(join(xdgFolders(environment).state, 'hub', `${id}.json`), log)

const rememberEveryMs = 10_000
/** Pause in ms while no new write may be sent before the exchange has answered. */
const askEveryMs = 1_000

/**
 * Keeps the memory of the database up to date from the end of `first` until the signal, and once more then. Calls
 * `compare` again until it is done.
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

/** `isOver`: the exchange has answered, and any consequence has been taken. */
export type Looked = { isOver: boolean }

/**
 * `away`: an answer is missing. `refused`: the exchange will not answer the rest, for example to a key that may not
 * list withdrawals.
 */
export type Compared = 'done' | 'away' | 'refused'

type Comparison = { first: Promise<Compared>; compare: () => Promise<Compared> }

/** Compares the database with the exchange; until that sets `looked`, no new write may be sent. */
export function startComparison(comparing: Comparing, looked: Looked): Comparison {
  const compareNow = createComparison(comparing)
  const compare = async () => {
    const seen = await answered(compareNow)
    if (seen !== 'away') looked.isOver = true
    return seen
  }
  return { first: compare(), compare }
}

/** Compares; a database that does not answer counts as `away`, so that the caller asks again. */
async function answered(compare: () => Promise<Compared>): Promise<Compared> {
  try {
    return await compare()
  } catch (error) {
    if (!isStoreFailure(error)) throw error
    return 'away'
  }
}

type Client = Pick<ExchangeClient, 'fetchOrders' | 'fetchOrderPage' | 'fetchTrades' | 'fetchWithdrawals'>
type Comparing = {
  client: Client
  journal: WriteJournal
  continuity: Continuity
  /** How far the exchange's clock is ahead of the wall clock, in ms; null while unknown. */
  skewMs: () => number | null
  log: (line: string) => void
}

/** Maximum pages of 100 read of each list: more orders than anyone places while no hub leads. */
const pagesMax = 50
/** Maximum ids in one query of the database. */
const idsMax = 500
/** Tolerance in ms for the clocks' corrected difference. Writes the database has are recognized by id anyway. */
const clocksApartMs = 2_000
/** Maximum unknown withdrawals named in the message. */
const namedMax = 3
/** How long before its listed time a withdrawal may have been sent, in ms. */
const sentBeforeMs = 30 * dayMs

/**
 * The findings of one question to the exchange: clauses about missing writes, none for nothing, and the names of these
 * writes.
 */
type Missing = { clauses: readonly string[]; names: readonly string[] }
type Question = () => Promise<Missing>

/**
 * Compares the database with the exchange, whatever this host remembers: its memory may be older than the copy that
 * replaced the database. Orders and withdrawals after everything the database certainly has, and unknown to it, are
 * missing there. Each halts the hub once: after that a person knows of it. The next call repeats unanswered questions.
 */
export function createComparison(comparing: Comparing): () => Promise<Compared> {
  const { continuity, log } = comparing
  const { knownUntilMs } = continuity
  let left: readonly Question[] = []
  if (knownUntilMs !== null) {
    const mark = markOf(comparing, knownUntilMs)
    left = [() => missingOrders(comparing, mark), () => missingWithdrawals(comparing, mark)]
  }
  let lastTrouble: string | null = null
  return async () => {
    const asked = left.map(async (question) => {
      try {
        return { ...(await question()), unanswered: [], isRefused: false }
      } catch (error) {
        const trouble = troubleOf(error)
        if (trouble !== lastTrouble) log(`whether writes are missing is not known yet, it is asked again: ${trouble}`)
        lastTrouble = trouble
        return { clauses: [], names: [], unanswered: [question], isRefused: isRefusal(error) }
      }
    })
    const answers = await Promise.all(asked)
    const missing = answers.flatMap(({ clauses }) => clauses)
    const names = answers.flatMap((answer) => answer.names)
    if (missing.length > 0) await continuity.hold(`the exchange has ${missing.join(', and ')}`, names)
    left = answers.flatMap(({ unanswered }) => unanswered)
    if (left.length === 0) continuity.compared()
    if (left.length === 0) return 'done'
    return answers.every(({ unanswered, isRefused }) => unanswered.length === 0 || isRefused) ? 'refused' : 'away'
  }
}

/** True when the exchange will not answer this key: waiting for it would block every write for good. */
const isRefusal = (error: unknown): boolean => error instanceof ExchangeError && error.status === 403

/** The reason for a failed question; rethrows anything else, which is a bug. */
function troubleOf(error: unknown): string {
  if (error instanceof ExchangeError) return error.reason
  if (error instanceof JournalError) return error.message
  throw error
}

/**
 * The time from which writes are later than everything the database certainly has, in ms: by the exchange's clock and
 * by this hub's. Their difference is known from the first answer on.
 */
type Mark = { byExchangeMs: () => number; hereMs: number }

/**
 * The exchange's clock may have been corrected since the mark was saved, and the hub that saved it may have had another
 * clock: uses the earlier of both measurements.
 */
const markOf = ({ continuity, skewMs }: Comparing, knownUntilMs: number): Mark => ({
  byExchangeMs() {
    const skews = [continuity.knownSkewMs, skewMs()].filter((each) => each !== null)
    const skew = skews.length === 0 ? 0 : Math.min(...skews)
    return Math.max(0, knownUntilMs + skew - clocksApartMs)
  },
  hereMs: Math.max(0, knownUntilMs - clocksApartMs),
})

const nameOfOrder = ({ clientOrderId, orderId }: Order): string => JSON.stringify(['order', clientOrderId, orderId])

const nameOfWithdrawal = ({ withdrawalId, currency, amount, timestampMs }: Withdrawal): string =>
  JSON.stringify(['withdrawal', withdrawalId ?? [currency, amount.toFixed(), timestampMs]])

/** Those of these writes that were not reported before. */
async function untoldOf<T>(continuity: Continuity, writes: readonly T[], nameOf: (write: T) => string) {
  const byName = new Map(writes.map((each) => [nameOf(each), each]))
  const names = await continuity.untold([...byName.keys()])
  return { names, untold: names.flatMap((name) => byName.get(name) ?? []) }
}

async function missingOrders({ client, journal, continuity }: Comparing, { byExchangeMs }: Mark): Promise<Missing> {
  const working: OrderSource = { ...workingSource(client, untilItEnds), crowd: crowdOf(client, isWorking) }
  const traded: OrderSource = {
    fetch: (toMs) => client.fetchTrades({ limit: orderPageMax, ...(toMs === null ? {} : { toMs }) }, untilItEnds),
    crowd: crowdOf(client, ({ cumQuantity }) => cumQuantity?.gt(0) === true),
  }
  const lists = await Promise.all([working, traded].map((source) => laterOrders(source, byExchangeMs)))
  const later = [...new Map(lists.flatMap((list) => list.later).map((each) => [nameOfOrder(each), each])).values()]
  const known = await knownIds(
    journal,
    later.map(({ clientOrderId }) => clientOrderId),
  )
  const unknown = later.filter(({ clientOrderId }) => !known.has(clientOrderId))
  const { names, untold } = await untoldOf(continuity, unknown, nameOfOrder)
  const [first] = untold
  const clauses =
    first === undefined ? [] : [`${untold.length} later orders that it does not know, such as ${first.clientOrderId}`]
  // Orders beyond the limit were not compared.
  if (lists.some(({ isWhole }) => !isWhole)) clauses.push('more later orders than could be compared')
  return { clauses, names }
}

/** All orders of one millisecond. Without permission for the engine's list the comparison continues, as incomplete. */
function crowdOf(client: Client, isAsked: (order: Order) => boolean): OrderSource['crowd'] {
  return async (atMs) => {
    try {
      return await fetchCrowd(client, atMs, isAsked, untilItEnds)
    } catch (error) {
      if (error instanceof ExchangeError && error.kind === 'unauthorized')
        return { ...readableListing([]), isWhole: false }
      throw error
    }
  }
}

/** The orders of a list after the mark, newest first; `isWhole` is false when it was not read back to the mark. */
async function laterOrders(
  source: OrderSource,
  markMs: () => number,
): Promise<{ later: readonly Order[]; isWhole: boolean }> {
  const walk = new OrderWalk(source, { pages: pagesMax })
  const later: Order[] = []
  for (;;) {
    const { fresh, isEnd } = await walk.next()
    const timed = fresh.filter(({ timestampMs }) => timestampMs !== null)
    const isLater = ({ timestampMs }: Order) => timestampMs !== null && timestampMs > markMs()
    later.push(...timed.filter(isLater))
    const oldest = timed.at(-1)
    if (oldest !== undefined && !isLater(oldest)) return { later, isWhole: true }
    // Less than a page is the whole list, whatever its later pages claim.
    if (isEnd) return { later, isWhole: walk.isWhole || later.length < orderPageMax }
  }
}

/** The client order ids known to the journal. */
async function knownIds(journal: WriteJournal, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const known = new Set<string>()
  for (let at = 0; at < ids.length; at += idsMax) {
    const found = await journal.findAll(ids.slice(at, at + idsMax).map((id) => ({ kind: 'order', id })))
    for (const { intent } of found.entries) for (const { id } of keysOf(intent)) known.add(id)
  }
  return known
}

/** Withdrawals since the mark that the journal neither knows nor requested. */
async function missingWithdrawals(comparing: Comparing, mark: Mark): Promise<Missing> {
  const { client, journal, continuity, skewMs } = comparing
  // The clocks' difference may be known only from this answer: the list begins an hour earlier.
  const listedMs = Math.max(0, Math.min(mark.byExchangeMs(), mark.hereMs) - hourMs)
  const { entries } = await client.fetchWithdrawals({ fromMs: listedMs }, untilItEnds)
  const fromMs = mark.byExchangeMs()
  const later = entries.filter(({ timestampMs }) => timestampMs !== null && timestampMs > fromMs)
  const own = await ownAmong(journal, later, fromMs, skewMs())
  const notOwn = later.filter((each) => !own.includes(each))
  // One sent long before may be listed by its last change.
  const earlier = notOwn.length === 0 ? [] : await ownAmong(journal, notOwn, fromMs - sentBeforeMs, skewMs())
  const unknown = notOwn.filter((each) => !earlier.includes(each))
  const { names, untold } = await untoldOf(continuity, unknown, nameOfWithdrawal)
  if (untold.length === 0) return { clauses: [], names }
  const named = namesOf(untold.slice(0, namedMax))
  return { clauses: [`${untold.length} later withdrawals that it does not know, such as ${named}`], names }
}
