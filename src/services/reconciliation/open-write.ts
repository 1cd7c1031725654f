import { type Order, type OrderDraft, unansweredOrder } from '../../domain/orders/order.ts'
import { cancelAllKey, cancelKey, orderKey, type Unsettled, withdrawalKey } from '../../domain/orders/unknown-write.ts'
import type { WithdrawalRequest } from '../../domain/transfers/transfer.ts'
import type { JournalEntry } from '../../journal/entry.ts'
import { describeIntent } from '../orders/describe-intent.ts'

/** What has to be found out to settle an entry. */
export type Sought =
  | { kind: 'order'; clientOrderId: string }
  | { kind: 'cancel'; orderId: string }
  | { kind: 'cancelAll'; symbol: string | null }
  | { kind: 'withdrawal'; request: WithdrawalRequest }

/** A move whose new order never got as far as leaving is a cancel; after that it is an order. */
export function soughtBy({ intent, steps }: JournalEntry): Sought {
  if (intent.kind !== 'move') return intent
  const hasPlaced = steps.some(({ step }) => step === 'place')
  return hasPlaced
    ? { kind: 'order', clientOrderId: intent.clientOrderId }
    : { kind: 'cancel', orderId: intent.orderId }
}

/** The terms under which the order of an entry left; of a move what was left to place. Null where nothing did. */
export function sentIn({ intent, steps }: JournalEntry): (OrderDraft & { clientOrderId: string }) | null {
  if (intent.kind !== 'order' && intent.kind !== 'move') return null
  const { clientOrderId, draft } = intent
  const placed = steps.find((step) => step.step === 'place')
  return { ...draft, clientOrderId, orderQuantity: placed?.quantity ?? draft.orderQuantity }
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
export function toUnknownWrite(entry: JournalEntry): Unsettled {
  const { intent, atMs } = entry
  const sought = soughtBy(entry)
  const time = new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')
  return {
    key: keyOf(entry),
    kind: sought.kind,
    symbol: intent.kind === 'order' || intent.kind === 'move' ? intent.draft.symbol : null,
    sentence: `No outcome is on record for the ${describeIntent(intent)}, ${time} UTC: checking. Do not send it again.`,
    atMs,
    order: sought.kind === 'order' ? soughtOrder(entry, sought.clientOrderId) : null,
    question: null,
  }
}

function soughtOrder({ intent, steps, atMs }: JournalEntry, clientOrderId: string): Order | null {
  if (intent.kind !== 'order' && intent.kind !== 'move') return null
  const sent = unansweredOrder(intent.draft, clientOrderId, atMs)
  const placed = steps.find((step) => step.step === 'place')
  return { ...sent, leavesQuantity: placed?.quantity ?? sent.leavesQuantity }
}
