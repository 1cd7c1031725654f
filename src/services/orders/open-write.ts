import { utcText } from '../../base/time-text.ts'
import { type Order, type OrderDraft, unansweredOrder } from '../../domain/orders/order.ts'
import type { WithdrawalRequest } from '../../domain/transfers/transfer.ts'
import { cancelAllKey, cancelKey, orderKey, type UnknownWrite, withdrawalKey } from '../../domain/unknown-write.ts'
import { describeIntent, type JournalEntry, placedQuantity } from '../../journal/entry.ts'

/** What has to be found out to settle an entry. */
export type Sought =
  | { kind: 'order'; clientOrderId: string }
  | { kind: 'cancel'; orderId: string; ofClientOrderId?: string | undefined }
  | { kind: 'cancelAll'; symbol: string | null }
  | { kind: 'withdrawal'; request: WithdrawalRequest }

/** A move whose new order never got as far as leaving is a cancel; after that it is an order. */
export function soughtBy({ intent, steps }: JournalEntry): Sought {
  if (intent.kind !== 'move') return intent
  return placedQuantity(steps) === null
    ? { kind: 'cancel', orderId: intent.orderId, ofClientOrderId: intent.ofClientOrderId }
    : { kind: 'order', clientOrderId: intent.clientOrderId }
}

/** Whether a report is about the order of this cancel, as far as it is known under which id that was sent. */
export const isOf = (
  { orderId, ofClientOrderId }: Extract<Sought, { kind: 'cancel' }>,
  order: Pick<Order, 'orderId' | 'clientOrderId'>,
): boolean => order.orderId === orderId && (ofClientOrderId === undefined || order.clientOrderId === ofClientOrderId)

/** The terms under which the order of an entry left; of a move what was left to place. Null where nothing did. */
export function sentIn({ intent, steps }: JournalEntry): (OrderDraft & { clientOrderId: string }) | null {
  if (intent.kind !== 'order' && intent.kind !== 'move') return null
  const { clientOrderId, draft } = intent
  return { ...draft, clientOrderId, orderQuantity: placedQuantity(steps) ?? draft.orderQuantity }
}

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

/** An entry from an earlier desk, as it is shown until it is settled. */
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

/** When it may be believed that something which was not found is not there. */
export type AbsenceDelays = {
  /**
   * How long after a write was begun a look counts at all: longer than a call may take as a whole, so that a request
   * that is still travelling has arrived.
   */
  quietMs: number
  /** The least time between two looks that both count. */
  secondLookAfterMs: number
}

type Looks = { beganAtMs: number; absentAtMs: number | null; isSure: boolean }

/** Keeps count, per entry, of the looks that found nothing. */
export class AbsenceCheck {
  readonly #delays: AbsenceDelays
  readonly #looks = new Map<string, Looks>()

  constructor(delays: AbsenceDelays) {
    this.#delays = delays
  }

  /**
   * Notes that a look begun at `lookedAtMs`, in desk time, found nothing for the entry, which had then been begun
   * `agoMs` ago at least. True when that makes two that count: from then on nothing is expected to turn up any more.
   */
  isAbsent(id: string, agoMs: number, lookedAtMs: number): boolean {
    const { quietMs, secondLookAfterMs } = this.#delays
    const looks = this.#looks.get(id) ?? { beganAtMs: lookedAtMs - agoMs, absentAtMs: null, isSure: false }
    this.#looks.set(id, looks)
    if (lookedAtMs < looks.beganAtMs + quietMs) return false
    if (looks.absentAtMs === null) looks.absentAtMs = lookedAtMs
    else if (lookedAtMs - looks.absentAtMs >= secondLookAfterMs) looks.isSure = true
    return looks.isSure
  }

  forget(id: string): void {
    this.#looks.delete(id)
  }
}
