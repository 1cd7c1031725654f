import type { Instrument } from '../../../domain/instrument.ts'
import type { OrderDraft } from '../../../domain/order.ts'
import type { SentOrder } from '../../../domain/sent-order.ts'
import type { DeskState } from '../../../store/state.ts'
import { rememberLast } from '../../tables/remember.ts'

/** What the cells of an order depend on beside the order. */
export type OrdersContext = {
  instruments: ReadonlyMap<string, Instrument>
  /** What this desk asked for, by client order id: fields that the exchange does not report back. */
  drafts: ReadonlyMap<string, OrderDraft>
}

const contextFrom = rememberLast(
  (instruments: ReadonlyMap<string, Instrument> | null, sent: readonly SentOrder[]): OrdersContext => ({
    instruments: instruments ?? new Map(),
    drafts: new Map(sent.map(({ clientOrderId, draft }) => [clientOrderId, draft])),
  }),
)

export const ordersContext = ({ instruments, sentOrders }: Pick<DeskState, 'instruments' | 'sentOrders'>) =>
  contextFrom(instruments.value, sentOrders)
