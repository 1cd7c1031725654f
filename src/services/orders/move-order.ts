import type { AmountScales } from '../../domain/balance.ts'
import type { Decimal } from '../../domain/money.ts'
import type { Order, OrderDraft } from '../../domain/orders/order.ts'
import type { CancelOutcome, NotSent, OrderOutcome } from '../../domain/orders/order-outcome.ts'
import { JournalError, type OpenWrite } from '../../journal/entry.ts'
import { cancelOnce } from './cancel-order.ts'
import { journaledWrite, type WriteContext, type Written } from './journaled-write.ts'
import { placeOnce, type SendClient } from './place-order.ts'

/**
 * An order to be moved. `draft.orderQuantity` is all of it, filled quantity included; `reviewed` is the open quantity
 * the user saw: never more than that is placed.
 */
export type Move = {
  orderId: string
  clientOrderId: string
  draft: OrderDraft
  reviewed: Decimal
  scales?: AmountScales | undefined
}

/**
 * `held` says why the rest may not go out now, asked once more after the cancel: the desk may have been halted
 * meanwhile.
 */
export type MoveContext = WriteContext & { held: (rest: OrderDraft) => string | null }

type MoveOutcome = OrderOutcome | CancelOutcome | NotSent

/**
 * Cancels an order, waits until its end is seen, and places the rest: one entry in the journal, each step on record.
 */
export async function moveOrder(client: SendClient, context: MoveContext, move: Move): Promise<MoveOutcome> {
  const { clock, emit } = context
  const { reviewed: _reviewed, ...recorded } = move
  const { orderId, draft } = move
  const outcome = await journaledWrite(
    context,
    { kind: 'move', ...recorded },
    async (write): Promise<Written<MoveOutcome>> => {
      emit({ type: 'cancelSent', orderId, atMs: clock.now() })
      const canceled = await cancelOnce(client, context, orderId)
      if (canceled.outcome.kind !== 'notSent') {
        emit({ type: 'cancelOutcome', outcome: canceled.outcome, isMove: true, atMs: clock.now() })
      }
      const { outcome: end } = canceled
      if (end.kind !== 'canceled') return canceled
      // Canceled by someone else: nothing is placed again.
      if (!end.isOwn) return notSent(`order ${orderId} was canceled elsewhere`)
      return await placeRest(client, context, write, { ...move, ended: end.order })
    },
  )
  if (outcome.kind === 'notSent') emit({ type: 'orderNotSent', draft, reason: outcome.reason, atMs: clock.now() })
  return outcome
}

type Rest = Move & { ended: Order }

/** What of a canceled order is to be placed, or why nothing is, as a clause. */
function restOf({ orderId, draft, reviewed, ended }: Rest): Decimal | string {
  const { cumQuantity: filled } = ended
  if (ended.symbol !== draft.symbol || ended.side !== draft.side)
    return `order ${orderId} is canceled, but reported as ${ended.side} ${ended.symbol}`
  if (filled === null) return `order ${orderId} is canceled, but its filled quantity is unknown`
  const rest = draft.orderQuantity.minus(filled)
  if (!rest.gt(0)) return `order ${orderId} had filled ${filled.toFixed()}: nothing is left to move`
  // Filled quantity never goes down: a report of less than at the review is not about this order.
  if (rest.gt(reviewed))
    return `order ${orderId} is canceled, but ${rest.toFixed()} is more than the ${reviewed.toFixed()} reviewed`
  return rest
}

async function placeRest(
  client: SendClient,
  context: MoveContext,
  write: OpenWrite,
  move: Rest,
): Promise<Written<MoveOutcome>> {
  const { clock, emit, held } = context
  const { orderId, clientOrderId, draft, ended } = move
  const rest = restOf(move)
  if (typeof rest === 'string') return notSent(rest)
  const restDraft = { ...draft, orderQuantity: rest }
  const reason = held(restDraft)
  if (reason !== null) return notSent(`order ${orderId} is canceled, and ${reason}`)
  try {
    await write.step({ step: 'canceled', cumQuantity: draft.orderQuantity.minus(rest) }, clock.wallMs())
    await write.step({ step: 'place', quantity: rest }, clock.wallMs())
  } catch (error) {
    if (error instanceof JournalError) return notSent(error.message)
    throw error
  }
  emit({ type: 'orderSent', draft: restDraft, clientOrderId, atMs: clock.now() })
  const placed = await placeOnce(client, context, restDraft, clientOrderId)
  if (placed.outcome.kind !== 'notSent') {
    const movedFrom = { orderId, limitPrice: ended.limitPrice }
    emit({ type: 'orderOutcome', draft: restDraft, outcome: placed.outcome, movedFrom, atMs: clock.now() })
  }
  return placed
}

function notSent(reason: string): Written<NotSent> {
  return { recorded: { kind: 'notSent', reason }, outcome: { kind: 'notSent', reason } }
}
