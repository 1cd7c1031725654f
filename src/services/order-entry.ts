import type { ExchangeClient } from '../api/exchange-client.ts'
import { ExchangeError } from '../api/exchange-error.ts'
import type { Clock } from '../clock.ts'
import type { WriteEvent } from '../domain/desk-events.ts'
import type { Order, OrderDraft } from '../domain/order.ts'
import type { CancelAllOutcome, CancelOutcome, OrderOutcome } from '../domain/order-outcome.ts'
import { failureSentence } from './sentences.ts'
import type { JournalOutcome, WriteIntent, WriteJournal } from './write-journal.ts'

export type OrderEntryClient = Pick<ExchangeClient, 'placeOrder' | 'cancelOrder' | 'cancelAllOrders'>

export type OrderEntryContext = {
  clock: Clock
  journal: WriteJournal
  newClientOrderId: () => string
  emit: (event: WriteEvent) => void
  /** Called after each write with the order that is now working, if any: what the panes show should be asked for again. */
  onWritten: (order: Order | null) => void
}

export type OrderEntry = {
  submit(draft: OrderDraft): Promise<void>
  cancel(orderId: string): Promise<void>
  cancelAll(symbol: string | null): Promise<void>
}

/** Whether a failed write may have taken effect all the same. A definite no is the only thing that is not `unknown`. */
const isUnknown = (error: ExchangeError): boolean => error.outcome === 'unknown'

function orderFailure(clientOrderId: string, error: ExchangeError): OrderOutcome {
  return isUnknown(error)
    ? { kind: 'unknown', clientOrderId, reason: error.message }
    : { kind: 'rejected', clientOrderId, reason: failureSentence(error) }
}

/**
 * Sends orders and cancels: journal, send once, journal again, report. Nothing here ever sends a second time. The promises resolve
 * when the outcome is reported; they reject only for bugs.
 */
export function createOrderEntry(client: OrderEntryClient, context: OrderEntryContext): OrderEntry {
  const { clock, journal, newClientOrderId, emit, onWritten } = context

  /** Records the intent, runs the call, and turns a failure of the service into its outcome. */
  async function write<T extends JournalOutcome>(
    intent: WriteIntent,
    call: () => Promise<T>,
    failure: (error: ExchangeError) => T,
  ): Promise<T> {
    const entry = await journal.begin(intent, clock.now())
    const outcome = await call().catch((error: unknown) => {
      if (error instanceof ExchangeError) return failure(error)
      throw error
    })
    await entry.end(outcome, clock.now())
    return outcome
  }

  return {
    async submit(draft) {
      const clientOrderId = newClientOrderId()
      emit({ type: 'orderSent', draft, clientOrderId, atMs: clock.now() })
      const call = async (): Promise<OrderOutcome> => {
        const order = await client.placeOrder({ ...draft, clientOrderId })
        return order.status === 'REJECTED'
          ? { kind: 'rejected', clientOrderId, reason: order.text ?? 'the exchange gives no reason' }
          : { kind: 'accepted', order }
      }
      const outcome = await write({ kind: 'order', clientOrderId, draft }, call, (error) =>
        orderFailure(clientOrderId, error),
      )
      emit({ type: 'orderOutcome', draft, outcome, atMs: clock.now() })
      onWritten(outcome.kind === 'accepted' ? outcome.order : null)
    },
    async cancel(orderId) {
      emit({ type: 'cancelSent', orderId, atMs: clock.now() })
      const call = async (): Promise<CancelOutcome> => {
        await client.cancelOrder(orderId)
        return { kind: 'canceled', orderId }
      }
      const outcome = await write(
        { kind: 'cancel', orderId },
        call,
        (error): CancelOutcome =>
          isUnknown(error)
            ? { kind: 'unknown', orderId, reason: error.message }
            : { kind: 'refused', orderId, reason: failureSentence(error) },
      )
      emit({ type: 'cancelOutcome', outcome, atMs: clock.now() })
      onWritten(null)
    },
    async cancelAll(symbol) {
      emit({ type: 'cancelAllSent', symbol, atMs: clock.now() })
      const call = async (): Promise<CancelAllOutcome> => {
        await client.cancelAllOrders(symbol)
        return { kind: 'canceled', symbol }
      }
      const outcome = await write(
        { kind: 'cancelAll', symbol },
        call,
        (error): CancelAllOutcome =>
          isUnknown(error)
            ? { kind: 'unknown', symbol, reason: error.message }
            : { kind: 'refused', symbol, reason: failureSentence(error) },
      )
      emit({ type: 'cancelAllOutcome', outcome, atMs: clock.now() })
      onWritten(null)
    },
  }
}
