import { ExchangeError, isNotFound } from '../../api/errors.ts'
import { limited } from '../../base/clock.ts'
import { dayMs } from '../../base/time-text.ts'
import { isWorking, type Order, orderStatuses } from '../../domain/orders/order.ts'
import { type KnownOrder, orderMismatches } from '../../domain/orders/order-outcome.ts'
import { type JournalEntry, JournalError, placedId } from '../../journal/entry.ts'
import type { WriteScene } from './with-writing.ts'
import { ownPatienceMs } from './writing.ts'

/** How far back the journal is read for the terms of an order to cancel: mostly it was sent today. */
const ownDays = [1, 7] as const

/**
 * What the journal has of own orders of the last days: what their reports must agree with. To read days of a busy
 * journal takes seconds, so nothing is read before it is asked for, and no cancel waits for it to go out.
 */
export class OwnOrders {
  readonly #scene: WriteScene
  readonly #read = new Map<number, Promise<ReadonlyMap<string, KnownOrder>>>()

  constructor(scene: WriteScene) {
    this.#scene = scene
  }

  /** The terms of an order by the exchange's id; null where they are not on record. */
  async find(orderId: string): Promise<KnownOrder | null> {
    for (const days of ownDays) {
      // Several cancels ask at once: days are read once for all of them.
      const own = this.#read.get(days) ?? history(this.#scene, days).then(ownOrders)
      this.#read.set(days, own)
      const known = (await own).get(orderId)
      if (known !== undefined) return known
    }
    return null
  }
}

async function history({ writing, tools }: WriteScene, days: number): Promise<readonly JournalEntry[]> {
  try {
    return await writing.journal.history(tools.clock.wallMs() - days * dayMs)
  } catch (error) {
    // A cancel goes without a record too.
    if (error instanceof JournalError) return []
    throw error
  }
}

/** Own orders that were placed, by the exchange's id, oldest first. */
function ownOrders(entries: readonly JournalEntry[]): Map<string, KnownOrder> {
  const own = new Map<string, KnownOrder>()
  for (const entry of entries) {
    const { intent } = entry
    if (intent.kind !== 'order' && intent.kind !== 'move') continue
    const id = placedId(entry) ?? null
    const { draft, clientOrderId } = intent
    // What is left of a moved order is in no draft.
    if (id !== null)
      own.set(id, { ...draft, clientOrderId, ...(intent.kind === 'move' ? { orderQuantity: null } : {}) })
  }
  return own
}

/** The order that an entry says has ended, by the exchange's id: placed and ended at once, or canceled by itself. */
function endedId(entry: JournalEntry): string | null {
  const { intent, steps, outcome, settlement } = entry
  const isCanceled = (settlement?.how ?? outcome?.kind) === 'canceled'
  if (intent.kind === 'cancel') return isCanceled ? intent.orderId : null
  if (intent.kind === 'move' && steps.some(({ step }) => step === 'canceled')) return intent.orderId
  if (intent.kind !== 'order' || outcome?.kind !== 'accepted') return null
  const status = orderStatuses.find((each) => each === outcome.status)
  return status !== undefined && !isWorking({ status }) ? outcome.id : null
}

/** So many are asked for by their ids after a cancel of all, the newest, and so many of them at a time. */
const askedMax = 50
const atOnceMax = 10

/** How often own orders are looked at that are not seen to have ended, and the pause between, in ms. */
const looksMax = 4
const lookPauseMs = 500

/** `unseen` are the ids of those whose report is unreadable or about another order, or that nobody answers for. */
export type OwnLeft = { working: readonly Order[]; unseen: readonly string[] }

/**
 * Own orders of the scope that still work, or may: a list that is empty may be behind, or keep them back. Asked for by
 * id are those that the journal of the last day has as placed, and not as ended. A cancel of all is no end of them on
 * record: it knows only what was listed.
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
    for (let looks = 0; looks < looksMax && left.length > 0 && !signal.aborted; looks += 1) {
      if (looks > 0) await tools.clock.sleep(lookPauseMs, signal)
      left = await lookAtEach(left, scene, signal)
    }
    return {
      working: left.flatMap(({ seen }) => seen ?? []),
      unseen: left.flatMap(({ own: [id], seen }) => (seen === null ? [id] : [])),
    }
  }
  return await limited(look, ownPatienceMs, tools.clock)
}

type Own = readonly [string, KnownOrder]
type Left = { own: Own; seen: Order | null }

/** Those that are not seen to have ended: as they work, or null where that is not seen. */
async function lookAtEach(asked: readonly Left[], { session }: WriteScene, signal: AbortSignal): Promise<Left[]> {
  const lookAt = async ({ own }: Left): Promise<Left | null> => {
    const [orderId, known] = own
    try {
      const order = await session.client.fetchOrder(orderId, signal)
      if (orderMismatches(known, order).length > 0) return { own, seen: null }
      return isWorking(order) ? { own, seen: order } : null
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error
      return isNotFound(error) ? null : { own, seen: null }
    }
  }
  const left: Left[] = []
  for (let at = 0; at < asked.length; at += atOnceMax) {
    const looked = await Promise.all(asked.slice(at, at + atOnceMax).map(lookAt))
    left.push(...looked.filter((each) => each !== null))
  }
  return left
}
