import { utcText } from '../../base/text/time-text.ts'
import { type Order, type OrderDraft, unansweredOrder } from '../../domain/orders/order.ts'
import type { WithdrawalRequest } from '../../domain/transfers/transfer.ts'
import { cancelAllKey, cancelKey, orderKey, type UnknownWrite, withdrawalKey } from '../../domain/unknown-write.ts'
import { describeIntent, type JournalEntry, placedQuantity } from '../../journal/entry.ts'

/** What must be known to resolve an entry. */
export type Sought =
  | { kind: 'order'; clientOrderId: string }
  | { kind: 'cancel'; orderId: string; ofClientOrderId?: string | undefined }
  | { kind: 'cancelAll'; symbol: string | null }
  | { kind: 'withdrawal'; request: WithdrawalRequest }

/** What resolves an entry. A move whose new order was never sent is a cancel; otherwise it is an order. */
export function soughtBy({ intent, steps }: JournalEntry): Sought {
  if (intent.kind !== 'move') return intent
  return placedQuantity(steps) === null
    ? { kind: 'cancel', orderId: intent.orderId, ofClientOrderId: intent.ofClientOrderId }
    : { kind: 'order', clientOrderId: intent.clientOrderId }
}

/**
 * True for a report of the order that this cancel is for: the exchange id agrees, and the client order id when it is
 * known.
 */
export const isOf = (
  { orderId, ofClientOrderId }: Extract<Sought, { kind: 'cancel' }>,
  order: Pick<Order, 'orderId' | 'clientOrderId'>,
): boolean => order.orderId === orderId && (ofClientOrderId === undefined || order.clientOrderId === ofClientOrderId)

/** The order as it was sent; for a move the rest that was placed. Null when nothing was sent. */
export function sentIn({ intent, steps }: JournalEntry): (OrderDraft & { clientOrderId: string }) | null {
  if (intent.kind !== 'order' && intent.kind !== 'move') return null
  const { clientOrderId, draft } = intent
  return { ...draft, clientOrderId, orderQuantity: placedQuantity(steps) ?? draft.orderQuantity }
}

/** The key by which the desk and the user name an unresolved write. */
export function keyOf(entry: JournalEntry): string {
  const sought = soughtBy(entry)
  switch (sought.kind) {
    case 'order':
      return orderKey(sought.clientOrderId)
    case 'cancel':
      return cancelKey(sought.orderId)
    case 'cancelAll':
      return cancelAllKey(sought.symbol)
    case 'withdrawal':
      return withdrawalKey(entry.id)
  }
}

/** An entry of an earlier desk, as shown until it is resolved. */
export function toUnknownWrite(entry: JournalEntry): UnknownWrite {
  const { intent, atMs } = entry
  const sought = soughtBy(entry)
  const sent = sentIn(entry)
  return {
    key: keyOf(entry),
    kind: sought.kind,
    symbol: intent.kind === 'order' || intent.kind === 'move' ? intent.draft.symbol : null,
    sentence: `No outcome is on record for the ${describeIntent(intent)}, ${utcText(atMs)}: checking. Do not resubmit.`,
    atMs,
    order: sent === null || sought.kind !== 'order' ? null : unansweredOrder(sent, sent.clientOrderId, atMs),
    question: null,
    ...(intent.kind === 'order' || intent.kind === 'move' ? { draft: intent.draft } : {}),
  }
}

/** When something that was not found is taken to be absent. */
export type AbsenceDelays = {
  /**
   * Time in ms after a write began before a look counts: longer than a call can take, so that a request in transit has
   * arrived.
   */
  quietMs: number
  /** Minimum time in ms between two looks that both count. */
  secondLookAfterMs: number
}

/** `saidAtMs`: when a look that counted first said what, by what it said. */
type Looks = { beganAtMs: number; saidAtMs: Map<string, number>; sure: Set<string> }

/** Counts, per entry, the looks that found nothing. */
export class AbsenceCheck {
  readonly #delays: AbsenceDelays
  readonly #looks = new Map<string, Looks>()

  constructor(delays: AbsenceDelays) {
    this.#delays = delays
  }

  /**
   * Records that a look begun at `lookedAtMs` (desk time) found nothing for an entry begun at least `agoMs` earlier,
   * and what that would mean: looks that say different things do not bear each other out. True after two looks that
   * count and say the same: nothing is expected to appear any more.
   */
  isAbsent(id: string, what: string, agoMs: number, lookedAtMs: number): boolean {
    const { quietMs, secondLookAfterMs } = this.#delays
    const looks = this.#looks.get(id) ?? { beganAtMs: lookedAtMs - agoMs, saidAtMs: new Map(), sure: new Set() }
    this.#looks.set(id, looks)
    if (lookedAtMs < looks.beganAtMs + quietMs) return false
    const saidAtMs = looks.saidAtMs.get(what)
    if (saidAtMs === undefined) looks.saidAtMs.set(what, lookedAtMs)
    else if (lookedAtMs - saidAtMs >= secondLookAfterMs) looks.sure.add(what)
    return looks.sure.has(what)
  }

  forget(id: string): void {
    this.#looks.delete(id)
  }
}
