import type { Instrument } from '../../../domain/instrument.ts'
import type { OwnDrafts } from '../../../domain/own-draft.ts'
import type { DeskState } from '../../../store/state.ts'
import { rememberLast } from '../../tables/remember.ts'

/** What the cells of an order depend on beside the order. */
export type OrdersContext = {
  instruments: ReadonlyMap<string, Instrument>
  /** What this desk asked for, by client order id: fields that the exchange does not report back. */
  drafts: OwnDrafts
}

const contextFrom = rememberLast(
  (instruments: ReadonlyMap<string, Instrument> | null, drafts: OwnDrafts): OrdersContext => ({
    instruments: instruments ?? new Map(),
    drafts,
  }),
)

export const ordersContext = ({ instruments, ownDrafts }: Pick<DeskState, 'instruments' | 'ownDrafts'>) =>
  contextFrom(instruments.value, ownDrafts)
