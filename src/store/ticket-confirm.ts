import { readTypedAmount } from '../domain/amount-text.ts'
import type { CheckRule } from '../domain/orders/checks/check.ts'
import type { OrderDraft } from '../domain/orders/order.ts'
import type { TicketState } from './ticket-state.ts'

/** True once the quantity has been typed again and is the very one that goes out. */
export const isRetyped = (retyped: string, draft: OrderDraft): boolean =>
  readTypedAmount(retyped)?.eq(draft.orderQuantity) === true

/** The rules a review has had confirmed: soft limits by their key, an unusual size by the quantity typed once more. */
export const confirmedRules = (
  { confirmed, retyped }: Extract<TicketState, { stage: 'review' }>,
  draft: OrderDraft,
): CheckRule[] => (isRetyped(retyped, draft) ? [...confirmed, 'unusual'] : [...confirmed])
