import { ExchangeError, isNotFound } from '../../api/errors.ts'
import { limited } from '../../base/clock.ts'
import { dayMs } from '../../base/text/time-text.ts'
import { isWorking, type Order, orderStatuses } from '../../domain/orders/order.ts'
import { type KnownOrder, orderMismatches } from '../../domain/orders/order-outcome.ts'
import { type JournalEntry, JournalError, placedId } from '../../journal/entry.ts'
import { findOrders, ordersSinceMs } from '../../services/orders/find-orders.ts'
import type { WriteScene } from './with-writing.ts'
import { ownPatienceMs } from './writing.ts'

/** Days of the journal to read for the terms of an order to cancel: mostly it was sent today. */
const ownDays = [1, 7] as const

/**
 * The journal's recent own orders, which reports must match. Reading days of a busy journal takes seconds, so it is
 * read only when needed, and no cancel waits for it.
 */
export class OwnOrders {
  readonly #scene: WriteScene
  readonly #read = new Map<number, Promise<ReadonlyMap<string, KnownOrder>>>()

  constructor(scene: WriteScene) {
    this.#scene = scene
  }

  /** The terms of an order by the exchange's id; null when not on record. */
  async find(orderId: string): Promise<KnownOrder | null> {
    for (const days of ownDays) {
      // Several cancels ask at once: each span is read once for all.
      const own = this.#read.get(days) ?? history(this.#scene, days).then(ownOrders)
      this.#read.set(days, own)
      const known = (await own).get(orderId)
      if (known !== undefined) return known
    }
    return null
  }
}

const history = ({ writing, tools }: WriteScene, days: number): Promise<readonly JournalEntry[]> =>
  orNone(() => writing.journal.history(tools.clock.wallMs() - days * dayMs))

/** Entries of the journal; none where it cannot be read: a cancel works without a record too. */
async function orNone(read: () => Promise<readonly JournalEntry[]>): Promise<readonly JournalEntry[]> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof JournalError) return []
    throw error
  }
}

/** Placed own orders by the exchange's id, oldest first. */
function ownOrders(entries: readonly JournalEntry[]): Map<string, KnownOrder> {
  const own = new Map<string, KnownOrder>()
  for (const entry of entries) {
    const { intent } = entry
    if (intent.kind !== 'order' && intent.kind !== 'move') continue
    const id = placedId(entry) ?? null
    const { draft, clientOrderId } = intent
    // A moved order's remaining quantity is in no draft.
    if (id !== null)
      own.set(id, { ...draft, clientOrderId, ...(intent.kind === 'move' ? { orderQuantity: null } : {}) })
  }
  return own
}

/** The exchange's id of an order that an entry reports as ended: ended when placed, or canceled by id. */
function endedId(entry: JournalEntry): string | null {
  const { intent, steps, outcome, settlement } = entry
  const isCanceled = (settlement?.how ?? outcome?.kind) === 'canceled'
  if (intent.kind === 'cancel') return isCanceled ? intent.orderId : null
  if (intent.kind === 'move' && steps.some(({ step }) => step === 'canceled')) return intent.orderId
  if (intent.kind !== 'order' || outcome?.kind !== 'accepted') return null
  const status = orderStatuses.find((each) => each === outcome.status)
  return status !== undefined && !isWorking({ status }) ? outcome.id : null
}

/** Orders among open entries that are of the scope, by client order id: they may arrive after a cancel of all. */
const inFlightOf = (entries: readonly JournalEntry[], symbol: string | null): string[] =>
  entries
    .flatMap(({ intent }) => (intent.kind === 'order' || intent.kind === 'move' ? [intent] : []))
    .filter(({ draft }) => symbol === null || draft.symbol === symbol)
    .map(({ clientOrderId }) => clientOrderId)

/** Orders of the scope with unknown outcomes that this command looks for. */
export const inFlightHere = (symbol: string | null, { writing }: WriteScene): string[] =>
  inFlightOf(writing.journal.open(), symbol)

/** Those that desks and commands of this account that run beside are sending or looking for. */
export const inFlightBeside = async (symbol: string | null, { writing }: WriteScene): Promise<string[]> =>
  inFlightOf(await orNone(() => writing.journal.openElsewhere()), symbol)

/** Maximum orders requested by id after a cancel-all, the newest ones, and how many at a time. */
const askedMax = 50
const atOnceMax = 10

/** Maximum looks at own orders not seen to have ended, and the pause between, in ms. */
const looksMax = 4
const lookPauseMs = 500

/**
 * `unseen` are the ids of orders whose report is missing, unreadable, or about another order; of those that are not
 * known there only where the exchange knows none of them, and lists none.
 */
export type OwnLeft = { working: readonly Order[]; unseen: readonly string[] }

/**
 * Own orders of the scope that still work, or may: an empty list may be behind, or incomplete. Requests by id those
 * that the last day's journal has as placed and not ended. A cancel-all does not record their ends: it knows only
 * listed orders.
 */
export async function ownLeft(symbol: string | null, scene: WriteScene): Promise<OwnLeft> {
  const entries = await history(scene, 1)
  const ended = new Set(entries.map(endedId))
  const asked = [...ownOrders(entries)]
    .filter(([id, known]) => !ended.has(id) && (symbol === null || known.symbol === symbol))
    .slice(-askedMax)
  const { io, tools } = scene
  const look = async (late: AbortSignal): Promise<OwnLeft> => {
    const signal = AbortSignal.any([late, io.signal])
    let left: Left[] = asked.map((own) => ({ own, seen: null }))
    // A practice exchange may have begun anew; any other that knows none of them speaks of another account.
    let isAnyKnown = scene.session.settings.venueKind === 'practice'
    for (let looks = 0; looks < looksMax && left.length > 0 && !signal.aborted; looks += 1) {
      if (looks > 0) await tools.clock.sleep(lookPauseMs, signal)
      const looked = await lookAtEach(left, scene, signal)
      isAnyKnown ||= looked.some((each) => each === 'ended' || each.seen !== null)
      left = looked.filter((each) => each !== 'ended').filter(({ isAbsent }) => isAbsent !== true || !isAnyKnown)
    }
    const listed = left.every(({ isAbsent }) => isAbsent === true) ? await listedOf(left, scene, signal) : []
    if (listed.length > 0) return { working: listed.filter(isWorking), unseen: [] }
    return {
      working: left.flatMap(({ seen }) => seen ?? []),
      unseen: left.flatMap(({ own: [id], seen }) => (seen === null ? [id] : [])),
    }
  }
  return await limited(look, ownPatienceMs, tools.clock)
}

type Own = readonly [string, KnownOrder]
/** `isAbsent`: the exchange says that there is no such order. */
type Left = { own: Own; seen: Order | null; isAbsent?: true }

/** Those that lists have, which some exchanges alone tell of ended orders by; none where a list fails. */
async function listedOf(left: readonly Left[], scene: WriteScene, signal: AbortSignal): Promise<readonly Order[]> {
  if (left.length === 0) return []
  const { session, tools } = scene
  const ids = new Set(left.map(({ own: [, { clientOrderId }] }) => clientOrderId))
  const sinceMs = ordersSinceMs(tools.clock.wallMs() - dayMs, session.skewMs())
  try {
    return [...(await findOrders(session.client, ids, sinceMs, signal, 'standing')).orders.values()]
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error
    return []
  }
}

/** What became of each: the working order, or null when not seen. */
async function lookAtEach(
  asked: readonly Left[],
  { session }: WriteScene,
  signal: AbortSignal,
): Promise<(Left | 'ended')[]> {
  const lookAt = async ({ own }: Left): Promise<Left | 'ended'> => {
    const [orderId, known] = own
    try {
      const order = await session.client.fetchOrder(orderId, signal)
      if (orderMismatches(known, order).length > 0) return { own, seen: null }
      return isWorking(order) ? { own, seen: order } : 'ended'
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error
      return { own, seen: null, ...(isNotFound(error) ? { isAbsent: true } : {}) }
    }
  }
  const looked: (Left | 'ended')[] = []
  for (let at = 0; at < asked.length; at += atOnceMax)
    looked.push(...(await Promise.all(asked.slice(at, at + atOnceMax).map(lookAt))))
  return looked
}
