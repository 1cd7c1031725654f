import type { Instrument } from '../../../domain/market/instrument.ts'
import type { OwnDrafts } from '../../../domain/orders/own-draft.ts'
import type { DeskState } from '../../../store/desk.ts'
import { rememberLast } from '../../tables/remember.ts'
import { exchangeAheadMs } from '../../text/moment.ts'

/** What the cells of an order depend on beside the order. */
export type OrdersContext = {
  instruments: ReadonlyMap<string, Instrument>
  /** What this desk asked for, by client order id: fields that the exchange does not report back. */
  drafts: OwnDrafts
  /** How far the exchange's clock is ahead of the wall clock. */
  aheadMs: number
}

const contextFrom = rememberLast(
  (instruments: ReadonlyMap<string, Instrument> | null, drafts: OwnDrafts, aheadMs: number): OrdersContext => ({
    instruments: instruments ?? new Map(),
    drafts,
    aheadMs,
  }),
)

export const ordersContext = ({
  instruments,
  ownDrafts,
  ahead,
}: Pick<DeskState, 'instruments' | 'ownDrafts' | 'ahead'>) =>
  contextFrom(instruments.value, ownDrafts, exchangeAheadMs(ahead))
