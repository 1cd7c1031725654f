import { ExchangeError } from '../../api/errors.ts'
import { type Clock, limited } from '../../base/clock.ts'
import { derivedId, lettersAndDigits } from '../../base/random.ts'
import { hourMs } from '../../base/text/time-text.ts'
import { type UnreadableEntry, unreadableKey } from '../../domain/listing.ts'
import type { Order } from '../../domain/orders/order.ts'
import { needsWord, type Plan } from '../../domain/plans/plan.ts'
import { findOrders, ordersSinceMs, standingUnder } from '../orders/find-orders.ts'
import type { OrderListClient } from '../orders/order-pages.ts'

/*
 * A record of plans may be an older copy: put back from a backup, with a machine set back to a snapshot, or on a second
 * machine. What its plans sent since then it does not know, and would send again. So the ids of a plan's next orders
 * are the same in every copy of its record, and before a plan that was continued sends its first order, or ends, the
 * exchange is asked what is there under them.
 */

/** Length of a client order id, the maximum of the service. */
const idLength = 20

const idAt = (seed: string, index: number): string => derivedId(lettersAndDigits, idLength, `${seed} ${index}`)

/** So many ids are looked for at once: an order that was refused, or never left, took its id as well. */
const aheadMax = 500

/** Lists that fail, or do not end, are asked for so long; then a plan goes on to protect: it may be without a stop. */
const asksMaxMs = 10_000

/** The same for a plan that a person has ended: it may protect nothing any more, and is to have an end. */
const endAsksMaxMs = 120_000

/**
 * Lists that failed are not asked for again before this: a plan decides with every poll. Once nothing that protects
 * waits for them, not before they have failed for as long again: a list may fail for good.
 */
const asksAgainMs = { least: 1_000, most: 60_000 }

/** No clock is further off than this and still trades: looking too far back finds no wrong order. */
const clocksApartMs = hourMs

/** What waits for the answer: a leg, the end that a person asked for, or nothing that would be worse later. */
export type Waiting = 'leg' | 'end' | 'nothing'

const goesOnAfterMs: Readonly<Record<Waiting, number>> = {
  ...{ leg: asksMaxMs, end: endAsksMaxMs, nothing: Number.POSITIVE_INFINITY },
}

/** What is at the exchange under the ids of a plan's next orders, in their order; `unseen`: to be asked once more. */
export type Ahead = readonly Order[] | 'unseen'

export type NextOrdersContext = {
  client: OrderListClient
  clock: Pick<Clock, 'now' | 'sleep'>
  newClientOrderId: () => string
  /** Aborted when nothing more is sent: a process that ends waits for none of a hundred plans' lists. */
  signal: AbortSignal
}

/** A look is given up after this, however many pages the lists have: the plan can take up nothing else meanwhile. */
const lookMaxMs = 120_000

const mayAskAgain = (sinceMs: number, failedMs: number, nowMs: number): boolean =>
  nowMs - failedMs >= Math.min(Math.max(failedMs - sinceMs - asksMaxMs, asksAgainMs.least), asksAgainMs.most)

/** How many ids before its next one a plan has no orders of: hundreds are made for it. */
function gapOf({ seed, orders }: Plan): number {
  if (seed === null) return 0
  const known = new Set(orders.map(({ clientOrderId }) => clientOrderId))
  let next = orders.length
  for (let at = next; at < next + aheadMax; at += 1) if (known.has(idAt(seed, at))) next = at + 1
  return next - orders.length
}

/** Whether an unreadable entry may be an order in `symbol`, listed from then on: what it tells of itself counts. */
const mayBeOf = ({ atMs, fields }: UnreadableEntry, symbol: string, fromMs: number): boolean =>
  (atMs === null || atMs >= fromMs) && (fields.symbol === undefined || fields.symbol === symbol)

/** The ids of the next orders of plans, and what was sent under them from another copy of their record. */
export class NextOrders {
  readonly #context: NextOrdersContext
  /** Plans whose record may be an older copy: it was there already, or another one seems to be at work. */
  readonly #continued: Set<string>
  /** Those among them of whose next orders the exchange has not told yet. */
  readonly #unsure: Set<string>
  /** Orders whose ends were asked for. */
  readonly #doubted = new Set<string>()
  /** How many ids before its next one a plan has no orders of; its own orders leave none out. */
  readonly #gaps = new Map<string, number>()
  /** Since when the exchange has not told, and when it last failed, by plan. */
  readonly #untold = new Map<string, { sinceMs: number; failedMs: number }>()
  /** Entries that stayed unreadable for as long as one is waited for: no other plan waits for them too. */
  readonly #waitedFor = new Set<string>()

  /** `continued`: the open plans of a record that was there already. */
  constructor(continued: readonly Plan[], context: NextOrdersContext) {
    this.#context = context
    this.#continued = new Set(continued.map(({ planId }) => planId))
    this.#unsure = new Set(continued.filter(({ seed }) => seed !== null).map(({ planId }) => planId))
  }

  /** The id of the plan's next order. */
  idOf(plan: Plan): string {
    return plan.seed === null ? this.#context.newClientOrderId() : idAt(plan.seed, this.#indexOf(plan))
  }

  /**
   * An order of the plan ended and the plan did not do it: perhaps another copy of its record did, that runs elsewhere.
   * Each end is asked for once.
   */
  doubt({ planId, seed, orders }: Plan): void {
    const ends = orders.filter(needsWord).map(({ clientOrderId }) => clientOrderId)
    if (seed === null || ends.every((id) => this.#doubted.has(id))) return
    for (const id of ends) this.#doubted.add(id)
    this.#continued.add(planId)
    this.#unsure.add(planId)
  }

  /** Whether the plan's record may be an older copy, as far as the exchange has not told yet. */
  isUnsure({ planId }: Plan): boolean {
    return this.#unsure.has(planId)
  }

  /**
   * What was sent already of what the plan's record does not have; nothing where that was seen before. Where the lists
   * fail for long, what is `waiting` goes on.
   */
  async ahead(plan: Plan, waiting: Waiting): Promise<Ahead> {
    const { planId, seed, orders: known, atMs } = plan
    if (seed === null || !this.#unsure.has(planId)) return []
    const first = this.#indexOf(plan)
    // What another copy has placed this one may have given up for that: its end of the order before was not seen here.
    const givenUp = known.filter(({ standing }) => standing === 'notPlaced').map(({ clientOrderId }) => clientOrderId)
    const ids = [...givenUp, ...Array.from({ length: aheadMax }, (_, at) => idAt(seed, first + at))]
    const found = await this.#found(plan, ids, known.at(-1)?.atMs ?? atMs, waiting)
    if (found === 'unseen') return found
    if (found === 'untold') return []
    if (found.length === 0) this.#unsure.delete(planId)
    // What is taken in may leave a gap before it.
    else this.#gaps.delete(planId)
    return found
  }

  /**
   * The order that a continued plan has on its record as sent, where the journal does not have it: that may be the
   * older copy of the two. Null where it is not there.
   */
  async sentBefore(plan: Plan, clientOrderId: string, atMs: number): Promise<Order | 'unseen' | null> {
    if (!this.#continued.has(plan.planId)) return null
    const found = await this.#found(plan, [clientOrderId], atMs, 'leg')
    if (found === 'unseen') return found
    return found === 'untold' ? null : (found[0] ?? null)
  }

  /** Those of these ids that the exchange has, none twice; `untold`: it was asked for long enough. */
  async #found(
    { planId, terms: { symbol } }: Plan,
    ids: readonly string[],
    fromMs: number,
    waiting: Waiting,
  ): Promise<readonly Order[] | 'unseen' | 'untold'> {
    const { client, clock, signal: stop } = this.#context
    const { sinceMs, failedMs } = this.#untold.get(planId) ?? { sinceMs: clock.now(), failedMs: null }
    const passedMs = () => clock.now() - sinceMs
    const untold = () => (passedMs() >= goesOnAfterMs[waiting] && !stop.aborted ? 'untold' : 'unseen')
    // A failure of long ago says little of now: the lists are asked once more.
    const isOld = failedMs !== null && clock.now() - failedMs >= asksMaxMs
    const isOver = untold() === 'untold' && !isOld
    if (stop.aborted || isOver || (failedMs !== null && !mayAskAgain(sinceMs, failedMs, clock.now()))) return untold()
    const listedFromMs = ordersSinceMs(fromMs, -clocksApartMs)
    const ask = (signal: AbortSignal) => findOrders(client, new Set(ids), listedFromMs, signal, 'standing')
    try {
      const late = (over: AbortSignal) => ask(AbortSignal.any([over, stop]))
      const leftMs = Math.max(goesOnAfterMs[waiting] - passedMs(), isOld ? asksMaxMs : 0)
      const limitMs = waiting === 'nothing' ? lookMaxMs : leftMs
      const found = await limited(late, limitMs, clock)
      const standing = ids.flatMap((id) => standingUnder(found, id))
      const odd = found.unreadable.filter((entry) => mayBeOf(entry, symbol, listedFromMs)).map(unreadableKey)
      const isRead = odd.every((key) => this.#waitedFor.has(key))
      const isTold = standing.length > 0 || (found.isWhole && isRead)
      // What is unreadable, or in a missing part of a list, may never be told.
      if (!isTold && passedMs() < asksMaxMs) {
        this.#untold.set(planId, { sinceMs, failedMs: clock.now() })
        return 'unseen'
      }
      this.#untold.delete(planId)
      for (const key of odd) this.#waitedFor.add(key)
      return standing
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error
      this.#untold.set(planId, { sinceMs, failedMs: clock.now() })
      return untold()
    }
  }

  /** The number of the plan's next id: past all that it has, of which some between may be missing in an older copy. */
  #indexOf(plan: Plan): number {
    const { planId, orders } = plan
    if (!this.#continued.has(planId)) return orders.length
    const gap = this.#gaps.get(planId) ?? gapOf(plan)
    this.#gaps.set(planId, gap)
    return orders.length + gap
  }
}
