import { ok, type Result } from '../../base/result.ts'
import { withoutStop } from '../../base/text/plain-text.ts'
import type { WriteEvent } from '../../domain/desk/events.ts'
import { stopTexts } from '../../domain/orders/checks/check.ts'
import type { Order, OrderDraft } from '../../domain/orders/order.ts'
import {
  asKnown,
  type CancelAllOutcome,
  type CancelOutcome,
  isUntaken,
  type KnownOrder,
  type OrderOutcome,
} from '../../domain/orders/order-outcome.ts'
import { type NotSent, notSent } from '../../domain/write-outcome.ts'
import { cancelAllOnce, cancelOnce } from './cancel-order.ts'
import { createOrderCheckAge } from './check-age.ts'
import { journaledWrite, type LastLook, unsent, type Written } from './journaled-write.ts'
import type { MovedAs } from './limit-guard.ts'
import { createBegunMoves, createMoves, type Moves, type MovesContext } from './move-order.ts'
import { placeOnce, type SendClient } from './place-order.ts'
import { type Emit, emitOfPlan, type SentUnder } from './plan-order.ts'
import { type RefusedOrder, refusedButThere } from './refused-before.ts'

export type OrderEntryContext = MovesContext & {
  /**
   * Called with the client order id of an order that was not placed, as far as could be seen, and the exchange's id
   * where its refusal named one: it may turn up later.
   */
  onRejected?: (clientOrderId: string, orderId: string | null) => void
  /**
   * Orders like this one that were answered as rejected a short while ago: they are looked for before it goes out.
   * None unless given, by who looks for them anyway.
   */
  refusedBefore?: (draft: OrderDraft) => readonly RefusedOrder[]
  /**
   * The working orders; null while unknown. Used to report how each order ended after a cancel of all, and to check
   * that a report after a cancel is about that order.
   */
  working?: () => readonly Order[] | null
  /**
   * Called after each write with the order that is now working, if any: what the panes show should be asked for
   * again.
   */
  onWritten: (order: Order | null) => void
}

export type SubmitOptions = SentUnder & {
  lastLook?: LastLook
  /** Called when the entry is in the journal; the order leaves only when that says so. */
  onBegun?: () => Promise<Result<unknown>>
}

/** `isOneOfMany`: the caller reports the outcomes of several cancels together. */
type CancelMark = { isOneOfMany?: true }
/** `isAgain`: nobody took the same a moment ago, as was reported then: that it is not taken again is no news. */
type CancelTry = { isAgain?: boolean }

type CanceledBefore = { was?: KnownOrder; lookUpWas?: () => Promise<KnownOrder | null> }

export type OrderEntry = Moves & {
  submit(draft: OrderDraft, options?: SubmitOptions): Promise<OrderOutcome | NotSent>
  /**
   * `was` is the order as known before; by default as listed. `lookUpWas` is for who has to look long for it: it is
   * called once the cancel is out.
   */
  cancel(orderId: string, how?: CancelMark & CancelTry & CanceledBefore): Promise<CancelOutcome | NotSent>
  cancelAll(symbol: string | null): Promise<CancelAllOutcome | NotSent>
}

const endOfOrder = (draft: OrderDraft, outcome: OrderOutcome | NotSent, atMs: number): WriteEvent =>
  outcome.kind === 'notSent'
    ? { type: 'orderNotSent', draft, reason: outcome.reason, atMs }
    : { type: 'orderOutcome', draft, outcome, atMs }

const endOfCancel = (outcome: CancelOutcome | NotSent, told: CancelMark & { atMs: number }): WriteEvent =>
  outcome.kind === 'notSent'
    ? { type: 'cancelNotSent', reason: outcome.reason, ...told }
    : { type: 'cancelOutcome', outcome, ...told }

/**
 * Sends orders and cancels: journal, send once, journal again, report. Nothing here ever sends a second time. The
 * promises resolve when the outcome is on record and reported; they reject only for bugs.
 */
export function createOrderEntry(client: SendClient, context: OrderEntryContext): OrderEntry {
  const { clock, guard, newClientOrderId, emit, onWritten, onUnknown, scalesOf, working, besideOf } = context

  const begunMoves = createBegunMoves()

  /** Tells what became of it, with the writes that follow from it. */
  const reportOutcome = (outcome: OrderOutcome | CancelOutcome | CancelAllOutcome | NotSent) => {
    if (outcome.kind === 'rejected') context.onRejected?.(outcome.clientOrderId, outcome.orderId ?? null)
    if (outcome.kind === 'unknown' || outcome.kind === 'left') onUnknown()
    onWritten(outcome.kind === 'accepted' ? outcome.order : null)
  }

  /** Reports an order that is stopped for a reason; null when it may go. */
  const refuseFor = (reason: string | null, draft: OrderDraft, tell: Emit): NotSent | null => {
    if (reason === null) return null
    tell({ type: 'orderNotSent', draft, reason, atMs: clock.now() })
    return notSent(reason)
  }
  const refuseIfBlocked = (draft: OrderDraft, movedAs: MovedAs | undefined, tell: Emit): NotSent | null =>
    refuseFor(stopTexts(guard(draft, movedAs)), draft, tell)

  return {
    async submit(draft, { clientOrderId = newClientOrderId(), besides, lastLook, onBegun } = {}) {
      const tell = besides === undefined ? emit : emitOfPlan(emit)
      const movedAs = besides === undefined ? undefined : ({ kind: 'instead', orderId: null, besides } as const)
      const seenThere = () => refusedButThere(client, context.refusedBefore?.(draft) ?? [], context)
      const refusal = refuseIfBlocked(draft, movedAs, tell) ?? refuseFor(await seenThere(), draft, tell)
      if (refusal !== null) return refusal
      const { madeNow, tooOld } = createOrderCheckAge(clock, besides !== undefined)
      const outcome = await journaledWrite(
        context,
        { kind: 'order', clientOrderId, draft, scales: scalesOf?.(draft.symbol) },
        async (): Promise<Written<OrderOutcome | NotSent>> => {
          const ready = (await onBegun?.()) ?? ok(null)
          if (!ready.ok) return unsent(withoutStop(ready.error))
          // The desk may have been halted while the disk was written, and is asked again when its turn to leave comes.
          const stoppedNow = () => stopTexts(guard(draft, { kind: 'begun' })) ?? tooOld()
          const stopped = stoppedNow()
          if (stopped !== null) return unsent(stopped)
          tell({ type: 'orderSent', draft, clientOrderId, atMs: clock.now() })
          return await placeOnce(client, context, draft, clientOrderId, stoppedNow)
        },
        // Waiting for this turn takes up to seconds, in which the desk may be halted and prices go stale.
        async () =>
          madeNow(stopTexts(guard(draft, movedAs, await besideOf?.(draft.symbol)))) ?? (await lastLook?.()) ?? null,
      )
      tell(endOfOrder(draft, outcome, clock.now()))
      reportOutcome(outcome)
      return outcome
    },
    async cancel(orderId, { was, lookUpWas, isAgain = false, ...mark } = {}) {
      begunMoves.takeBack({ orderId })
      const listed = working?.()?.find((order) => order.orderId === orderId)
      const known = was ?? (listed === undefined ? undefined : asKnown(listed))
      const intent = { kind: 'cancel', orderId, ofClientOrderId: known?.clientOrderId } as const
      const outcome = await journaledWrite(context, intent, () => {
        if (!isAgain) emit({ type: 'cancelSent', orderId, ...mark, atMs: clock.now() })
        return cancelOnce(client, context, orderId, async () => known ?? (await lookUpWas?.()) ?? null)
      })
      if (!isAgain || outcome.kind === 'unknown' || !isUntaken(outcome))
        emit(endOfCancel(outcome, { ...mark, atMs: clock.now() }))
      reportOutcome(outcome)
      return outcome
    },
    async cancelAll(symbol) {
      begunMoves.takeBack({ symbol })
      let sentAtMs = clock.now()
      const outcome = await journaledWrite(context, { kind: 'cancelAll', symbol }, () => {
        sentAtMs = clock.now()
        emit({ type: 'cancelAllSent', symbol, atMs: sentAtMs })
        const before = working?.()?.filter((order) => symbol === null || order.symbol === symbol) ?? null
        return cancelAllOnce(client, context, symbol, before)
      })
      if (outcome.kind === 'notSent')
        emit({ type: 'cancelNotSent', reason: outcome.reason, all: { symbol, sentAtMs }, atMs: clock.now() })
      else emit({ type: 'cancelAllOutcome', outcome, atMs: clock.now() })
      reportOutcome(outcome)
      return outcome
    },
    ...createMoves(client, context, { begunMoves, refuseIfBlocked, reportOutcome }),
  }
}
