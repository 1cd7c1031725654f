import type { ExchangeClient } from '../api/exchange-client.ts'
import { ExchangeError } from '../api/exchange-error.ts'
import type { Clock } from '../clock.ts'
import type { AmountScales } from '../domain/amounts-of.ts'
import { isWorking, type Order, type OrderDraft } from '../domain/order.ts'
import type { CancelOutcome, NotSent, OrderOutcome } from '../domain/order-outcome.ts'
import { JournalError, type OpenWrite } from '../journal/entry.ts'
import { journaledWrite, type WriteContext, type Written } from './journaled-write.ts'
import { cancelOnce, placeOnce } from './send-once.ts'

export type MoveClient = Pick<ExchangeClient, 'placeOrder' | 'cancelOrder' | 'fetchOrder'>

/** `draft.orderQuantity` is the whole of the order, what it has filled already included. */
export type Move = { orderId: string; clientOrderId: string; draft: OrderDraft; scales?: AmountScales | undefined }

/** `held` says why the rest may not go out now, asked once more after the cancel: the desk may have been halted meanwhile. */
export type MoveContext = WriteContext & { held: (rest: OrderDraft) => string | null }

type MoveOutcome = OrderOutcome | CancelOutcome | NotSent

/** How often, and after which pause, the end of a cancelled order is asked for. */
const looksMost = 8
const lookPauseMs = 500

/** Cancels an order, waits until its end is confirmed, and places the rest: one entry in the journal, each step on record. */
export async function moveOrder(client: MoveClient, context: MoveContext, move: Move): Promise<MoveOutcome> {
  const { clock, emit } = context
  const { orderId, clientOrderId, draft } = move
  const outcome = await journaledWrite(
    context,
    { kind: 'move', ...move },
    async (write): Promise<Written<MoveOutcome>> => {
      emit({ type: 'cancelSent', orderId, atMs: clock.now() })
      const canceled = await cancelOnce({ orderId }, () => client.cancelOrder(orderId))
      if (canceled.outcome.kind !== 'notSent') {
        emit({ type: 'cancelOutcome', outcome: canceled.outcome, atMs: clock.now() })
      }
      if (canceled.outcome.kind !== 'canceled') return canceled
      return await placeRest(client, context, write, { orderId, clientOrderId, draft })
    },
  )
  if (outcome.kind === 'notSent') emit({ type: 'orderNotSent', draft, reason: outcome.reason, atMs: clock.now() })
  return outcome
}

async function placeRest(
  client: MoveClient,
  { clock, emit, held }: MoveContext,
  write: OpenWrite,
  { orderId, clientOrderId, draft }: Move,
): Promise<Written<MoveOutcome>> {
  const ended = await endOf(client, clock, orderId)
  if (ended === null) {
    return notSent(`order ${orderId} is cancelled, but how much it had filled could not be learned`)
  }
  const rest = draft.orderQuantity.minus(ended.cumQuantity)
  if (!rest.gt(0)) return notSent(`order ${orderId} had filled ${ended.cumQuantity.toFixed()}: nothing is left to move`)
  const restDraft = { ...draft, orderQuantity: rest }
  const reason = held(restDraft)
  if (reason !== null) return notSent(`order ${orderId} is cancelled, and ${reason}`)
  try {
    await write.step({ step: 'canceled', cumQuantity: ended.cumQuantity }, clock.now())
    await write.step({ step: 'place', quantity: rest }, clock.now())
  } catch (error) {
    if (error instanceof JournalError) return notSent(error.message)
    throw error
  }
  emit({ type: 'orderSent', draft: restDraft, clientOrderId, atMs: clock.now() })
  const placed = await placeOnce(client, restDraft, clientOrderId)
  if (placed.outcome.kind !== 'notSent') {
    emit({ type: 'orderOutcome', draft: restDraft, outcome: placed.outcome, atMs: clock.now() })
  }
  return placed
}

function notSent(reason: string): Written<NotSent> {
  return { recorded: { kind: 'notSent', reason }, outcome: { kind: 'notSent', reason } }
}

/** The order as it ended, or null when that could not be learned. */
async function endOf(client: MoveClient, clock: Clock, orderId: string): Promise<Order | null> {
  for (let look = 0; look < looksMost; look += 1) {
    if (look > 0) await clock.sleep(lookPauseMs)
    try {
      const order = await client.fetchOrder(orderId)
      if (!isWorking(order)) return order
    } catch (error) {
      // A venue that is busy or down is asked again: the cancel itself is certain.
      if (!(error instanceof ExchangeError)) throw error
    }
  }
  return null
}
