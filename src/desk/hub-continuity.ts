import { join } from 'node:path'
import { ExchangeError } from '../api/errors.ts'
import type { ExchangeClient } from '../api/exchange-client.ts'
import type { Clock } from '../base/clock.ts'
import { type Environment, xdgFolders } from '../base/environment.ts'
import { dayMs, hourMs } from '../base/time-text.ts'
import { readableListing } from '../domain/listing.ts'
import { isWorking, type Order } from '../domain/orders/order.ts'
import type { Withdrawal } from '../domain/transfers/transfer.ts'
import type { Continuity, Memory } from '../hub/continuity.ts'
import { type HubDatabase, isStoreFailure } from '../hub/store/database.ts'
import { JournalError, keysOf, type WriteJournal } from '../journal/entry.ts'
import { untilItEnds } from '../services/orders/journaled-write.ts'
import { fetchCrowd, type OrderSource, OrderWalk, orderPageMax, workingSource } from '../services/orders/order-pages.ts'
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

type Client = Pick<ExchangeClient, 'fetchOrders' | 'fetchOrderPage' | 'fetchTrades' | 'fetchWithdrawals'>
type Comparing = {
  client: Client
  journal: WriteJournal
  continuity: Continuity
  /** How far the exchange's clock is ahead of the wall clock, in ms; null while that is not known. */
  skewMs: () => number | null
  log: (line: string) => void
}

/** Pages of 100 that are gone through, of each list: more than anybody places while no hub leads. */
const pagesMax = 50
/** Ids that the database is asked about at once. */
const idsMax = 500
/** What is left of the clocks' difference once it is reckoned in. What the database has is known by its id anyway. */
const clocksApartMs = 2_000
/** Unknown withdrawals that are named. */
const namedMax = 3
/** How long before they may have been sent. */
const sentBeforeMs = 30 * dayMs

/**
 * What one question to the exchange shows to be missing: clauses, none for nothing, and the names of the writes that
 * show it.
 */
type Missing = { clauses: readonly string[]; names: readonly string[] }
type Question = () => Promise<Missing>

/**
 * Holds the database against the exchange, whatever this host remembers: its memory may be older than the copy that
 * took the database's place. Orders and withdrawals that came after all that the database certainly has, and that it
 * does not know, are missing in it. Each halts it once: from then on a person has been told of it. What was not
 * answered is asked by the next call.
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

/** Whether the exchange will not tell whoever has this key: to wait for it would hold up everything for good. */
const isRefusal = (error: unknown): boolean => error instanceof ExchangeError && error.status === 403

/** Why something could not be asked; throws what is a bug. */
function troubleOf(error: unknown): string {
  if (error instanceof ExchangeError) return error.reason
  if (error instanceof JournalError) return error.message
  throw error
}

/**
 * From when on what the exchange has is later than all that the database certainly has: by the exchange's own clock, in
 * ms, and by this hub's. How far the two are apart is known from the first answer on.
 */
type Mark = { byExchangeMs: () => number; hereMs: number }

/**
 * The exchange's clock may have been put right since the mark was noted, and the hub that noted it may have had another
 * one than this: the earlier of what both measured.
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

/** Those of these writes that nobody has been told of yet. */
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
  // What lies behind was looked at by nobody.
  if (lists.some(({ isWhole }) => !isWhole)) clauses.push('more later orders than could be compared')
  return { clauses, names }
}

/** All of one millisecond. A key that may not read the engine's list keeps nothing from being compared. */
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

/** The orders of a list from after the mark, newest first; `isWhole` false where it was not read back to the mark. */
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
    // Fewer than a page are all there is, however oddly the list goes on behind them.
    if (isEnd) return { later, isWhole: walk.isWhole || later.length < orderPageMax }
  }
}

/** Those of these client ids that the journal knows. */
async function knownIds(journal: WriteJournal, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const known = new Set<string>()
  for (let at = 0; at < ids.length; at += idsMax) {
    const found = await journal.findAll(ids.slice(at, at + idsMax).map((id) => ({ kind: 'order', id })))
    for (const { intent } of found.entries) for (const { id } of keysOf(intent)) known.add(id)
  }
  return known
}

/** Withdrawals since then that the journal does not know, and did not ask for either. */
async function missingWithdrawals(comparing: Comparing, mark: Mark): Promise<Missing> {
  const { client, journal, continuity, skewMs } = comparing
  // How far the clocks are apart may be known by the answer only.
  const listedMs = Math.max(0, Math.min(mark.byExchangeMs(), mark.hereMs) - hourMs)
  const { entries } = await client.fetchWithdrawals({ fromMs: listedMs }, untilItEnds)
  const fromMs = mark.byExchangeMs()
  const later = entries.filter(({ timestampMs }) => timestampMs !== null && timestampMs > fromMs)
  const own = await ownAmong(journal, later, fromMs, skewMs())
  const notOwn = later.filter((each) => !own.includes(each))
  // One that was sent long before may be dated by its last change.
  const earlier = notOwn.length === 0 ? [] : await ownAmong(journal, notOwn, fromMs - sentBeforeMs, skewMs())
  const unknown = notOwn.filter((each) => !earlier.includes(each))
  const { names, untold } = await untoldOf(continuity, unknown, nameOfWithdrawal)
  if (untold.length === 0) return { clauses: [], names }
  const named = namesOf(untold.slice(0, namedMax))
  return { clauses: [`${untold.length} later withdrawals that it does not know, such as ${named}`], names }
}
