import { err, ok, type Result } from '../../base/result.ts'
import { createSerial } from '../../base/serial.ts'
import { withoutStop } from '../../base/text/plain-text.ts'
import {
  anyRoom,
  begun,
  type DraftRecord,
  type DraftState,
  dropped,
  markedSending,
  mayAdd,
  mayHaveLeft as mayDraftHaveLeft,
  nextDraftStates,
  type Room,
  refusedState,
  whyNotADraft,
} from '../../domain/draft.ts'
import {
  aged,
  type DraftedContent,
  type DraftedOrder,
  draftedOrderId,
  draftIdOf,
  endsAtMs,
  expired,
  newDraftedOrder,
  type OrderSentAs,
} from '../../domain/orders/drafted-order.ts'
import { isSameOrder, type OrderDraft } from '../../domain/orders/order.ts'
import { termsComplaints } from '../../domain/orders/order-fields.ts'
import type { OrderOutcome } from '../../domain/orders/order-outcome.ts'
import { orderKey } from '../../domain/unknown-write.ts'
import { type NotSent, notSent } from '../../domain/write-outcome.ts'
import { type JournalEntry, mayHaveLeft } from '../../journal/entry.ts'
import { type DraftKind, DraftList, type DraftsKeeper, missing, recordOf, withDraft } from '../draft-list.ts'
import type { DraftSeen } from './draft-elsewhere.ts'
import type { LastLook, WriteContext } from './journaled-write.ts'
import { toUnknownWrite } from './open-write.ts'
import type { OrderEntry } from './order-entry.ts'

export type OrderDraftsKeeper = DraftsKeeper<DraftedOrder>

export type OrderQueueContext = Pick<WriteContext, 'clock' | 'journal' | 'emit' | 'onUnknown'> & {
  orderDrafts: OrderDraftsKeeper
  newDraftId: () => string
  onOrderDrafts: (drafts: readonly DraftedOrder[]) => void
  /** Asked before a draft is sent; missing when the caller looks for it itself. */
  draftSeen?: DraftSeen | undefined
}

/**
 * Orders kept as drafts, and the only way to send them. A draft is sent at most once: its id is part of the client
 * order id, and each sender looks for that id in the journal while no other process can write there.
 */
export type OrderQueue = {
  /** Keeps a new draft, without checks. The error is a sentence. */
  keep(content: DraftedContent): Promise<Result<DraftedOrder>>
  drop(draftId: string): Promise<Result<DraftedOrder>>
  /**
   * Sends a draft with every check of an order, if it is still the order `seen` that the user was shown. Resolves when
   * the outcome is on record; rejects only for bugs.
   */
  send(draftId: string, seen: OrderDraft, lastLook?: LastLook): Promise<OrderOutcome | NotSent>
  /** Reads what other desks have changed, and what has expired. Cheap. The error is a sentence about the file. */
  look(): Promise<Result<readonly DraftedOrder[]>>
  /** Looks like `look`, and asks the journal what became of drafts whose outcome is unknown. */
  refresh(): Promise<Result<readonly DraftedOrder[]>>
  /** Looks up every draft that has not ended, also those that were being sent by a desk that is gone. */
  takeUp(): Promise<Result<readonly DraftedOrder[]>>
}

export const createOrderQueue = (orders: Pick<OrderEntry, 'submit'>, context: OrderQueueContext): OrderQueue =>
  new Queue(orders, context)

/**
 * Keeps a new draft, for a program that only prepares and sends none. `room` gets the drafts right before this one
 * joins them, while no other process can change them. The error is a sentence.
 */
export async function keepOrder(
  file: Pick<OrderDraftsKeeper, 'update'>,
  content: DraftedContent,
  { newDraftId, nowMs, room = anyRoom }: { newDraftId: () => string; nowMs: number; room?: Room<DraftedOrder> },
): Promise<Result<DraftedOrder>> {
  // The reader would take such an order for damage, and refuse all drafts.
  const [wrong] = termsComplaints(content.order)
  if (wrong !== undefined) return err(wrong)
  const draft = newDraftedOrder(content, newDraftId(), nowMs)
  const kept = await file.update((before) => {
    const drafts = before.map((each) => aged(each, nowMs))
    for (const may of [mayAdd(drafts), room(drafts)]) if (!may.ok) return may
    return ok(withDraft(drafts, draft, nowMs))
  })
  return kept.ok ? ok(draft) : kept
}

/** The state of each draft by the journal; one whose order was never sent is still a draft. */
function recordsOf(entries: readonly JournalEntry[]): ReadonlyMap<string, DraftRecord<OrderSentAs>> {
  const records = new Map<string, DraftRecord<OrderSentAs>>()
  for (const entry of entries) {
    const { intent } = entry
    // A move may have used this id: that was not the draft.
    if (intent.kind !== 'order') continue
    const draftId = draftIdOf(intent.clientOrderId)
    if (draftId === null) continue
    const record = recordOf<OrderSentAs>(entry, orderKey(intent.clientOrderId), (orderId) => ({ orderId }))
    if (mayHaveLeft(entry)) records.set(draftId, record)
    else if (!records.has(draftId)) records.set(draftId, { kind: 'none' })
  }
  return records
}

class Queue implements OrderQueue {
  readonly #orders: Pick<OrderEntry, 'submit'>
  readonly #context: OrderQueueContext
  readonly #list: DraftList<DraftedOrder, OrderSentAs>
  readonly #inTurn = createSerial()
  /** When each draft expires, by the desk's clock, which nobody can set. */
  readonly #deadlines = new Map<string, number>()

  constructor(orders: Pick<OrderEntry, 'submit'>, context: OrderQueueContext) {
    this.#orders = orders
    this.#context = context
    const { orderDrafts: drafts, journal, clock, onOrderDrafts: onDrafts } = context
    const onLostRecord = (entry: JournalEntry) => {
      context.emit({ type: 'writeUnknown', write: toUnknownWrite(entry), atMs: clock.now() })
      context.onUnknown()
    }
    this.#list = new DraftList(this.#kind(), { drafts, journal, clock, onDrafts, onLostRecord })
  }

  async keep(content: DraftedContent): Promise<Result<DraftedOrder>> {
    const { orderDrafts, newDraftId, clock } = this.#context
    const kept = await keepOrder(orderDrafts, content, { newDraftId, nowMs: clock.wallMs() })
    await this.look()
    return kept
  }

  drop(draftId: string): Promise<Result<DraftedOrder>> {
    return this.#list.change(draftId, (before) =>
      before === undefined ? missing(draftId) : dropped(this.#aged(before), this.#context.clock.wallMs(), 'discarded'),
    )
  }

  look(): Promise<Result<readonly DraftedOrder[]>> {
    return this.#list.refresh('none')
  }

  refresh(): Promise<Result<readonly DraftedOrder[]>> {
    return this.#inTurn(() => this.#list.refresh('unknown'))
  }

  takeUp(): Promise<Result<readonly DraftedOrder[]>> {
    return this.#inTurn(async () => {
      const taken = await this.#context.orderDrafts.alone(() => this.#list.refresh('all'))
      // Another process is sending, or the disk prevents knowing that: a draft being sent stays so.
      return taken.ok ? taken.value : await this.#list.refresh('unknown')
    })
  }

  send(draftId: string, seen: OrderDraft, lastLook?: LastLook): Promise<OrderOutcome | NotSent> {
    return this.#inTurn(async () => {
      const sent = await this.#context.orderDrafts.alone(() => this.#sendNow(draftId, seen, lastLook))
      return sent.ok ? sent.value : this.#held(seen, withoutStop(sent.error))
    })
  }

  /** Called while no other process of this account is sending a draft. */
  async #sendNow(draftId: string, seen: OrderDraft, lastLook?: LastLook): Promise<OrderOutcome | NotSent> {
    const { clock, journal } = this.#context
    const current = await this.#list.refresh('all')
    if (!current.ok) return this.#held(seen, withoutStop(current.error))
    const kept = current.value.find((each) => each.draftId === draftId)
    const seenThere = kept?.state.kind === 'draft' ? await this.#context.draftSeen?.(kept) : null
    if (seenThere) return this.#held(seen, seenThere, true)
    let isThere = false
    const marked = await this.#change(draftId, (before) => {
      isThere = mayDraftHaveLeft(before)
      if (!isSameOrder(before.order, seen)) return err('the draft is not what was reviewed: review it again')
      return markedSending(before, whyNotADraft(before, 'discarded'), clock.wallMs())
    })
    if (!marked.ok) return this.#held(seen, withoutStop(marked.error), isThere)
    const clientOrderId = draftedOrderId(draftId)
    const outcome = await this.#orders.submit(marked.value.order, {
      clientOrderId,
      lastLook: async () => {
        const { entries, gap } = await journal.find({ kind: 'order', id: clientOrderId })
        if (entries.some(mayHaveLeft)) return `draft ${draftId} was sent before`
        if (gap !== null) return `whether draft ${draftId} was sent before is unknown: ${gap}`
        return (await lastLook?.()) ?? null
      },
      onBegun: () => this.#change(draftId, begun),
    })
    await this.#keepState(draftId, stateAfter(outcome, clock.wallMs()))
    return outcome
  }

  async #keepState(draftId: string, state: DraftState<OrderSentAs>): Promise<void> {
    const { clock, emit } = this.#context
    const kept = await this.#change(draftId, (before) =>
      // It may have been found meanwhile, which is more certain than a missing answer.
      ok(nextDraftStates[before.state.kind].includes(state.kind) ? { ...before, state } : before),
    )
    // The journal has the outcome: the next read corrects the draft.
    if (!kept.ok) emit({ type: 'journalTrouble', sentence: withoutStop(kept.error), atMs: clock.now() })
  }

  #change(draftId: string, next: (before: DraftedOrder) => Result<DraftedOrder>): Promise<Result<DraftedOrder>> {
    return this.#list.change(draftId, (before) => (before === undefined ? missing(draftId) : next(this.#aged(before))))
  }

  #held(order: OrderDraft, reason: string, isThere = false): NotSent {
    const { clock, emit } = this.#context
    emit({ type: 'orderNotSent', draft: order, reason, ...(isThere ? { isThere } : {}), atMs: clock.now() })
    return notSent(reason)
  }

  /** The draft after expiry by either clock: setting the wall clock back does not extend its life while a desk runs. */
  #aged(draft: DraftedOrder): DraftedOrder {
    const { clock } = this.#context
    const { draftId, state } = draft
    if (state.kind !== 'draft') return draft
    const leftMs = endsAtMs(draft) - clock.wallMs()
    const deadline = Math.min(this.#deadlines.get(draftId) ?? Number.POSITIVE_INFINITY, clock.now() + leftMs)
    this.#deadlines.set(draftId, deadline)
    return clock.now() >= deadline ? expired(draft, clock.wallMs()) : aged(draft, clock.wallMs())
  }

  #kind(): DraftKind<DraftedOrder, OrderSentAs> {
    return {
      keyOf: ({ draftId }) => ({ kind: 'order', id: draftedOrderId(draftId) }),
      intentOf: ({ draftId, order }) => ({ kind: 'order', clientOrderId: draftedOrderId(draftId), draft: order }),
      journalKeyOf: ({ draftId }) => orderKey(draftedOrderId(draftId)),
      recordsOf,
      aged: (draft) => this.#aged(draft),
    }
  }
}

/** The state after sending: certainly not sent is a draft again; anything else is not sent a second time. */
function stateAfter(outcome: OrderOutcome | NotSent, atMs: number): DraftState<OrderSentAs> {
  switch (outcome.kind) {
    case 'accepted':
      return { kind: 'sent', orderId: outcome.order.orderId, atMs }
    case 'unknown':
      return { kind: 'unknown', atMs, journalKey: orderKey(outcome.clientOrderId) }
    case 'rejected':
      return refusedState(outcome, atMs)
    case 'notSent':
      return { kind: 'draft' }
  }
}
