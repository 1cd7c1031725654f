import type { OrderDraft } from '../domain/orders/order.ts'
import { type OwnDrafts, withOwnDrafts, withSentDraft } from '../domain/orders/own-draft.ts'
import type { DeskState } from './state.ts'

/** What earlier desks sent, from the journal. */
export type OwnDraftsEvent = { type: 'ownDraftsRead'; drafts: OwnDrafts }

const workingIds = ({ orders }: Pick<DeskState, 'orders'>): ReadonlySet<string> =>
  new Set((orders.value ?? []).map(({ clientOrderId }) => clientOrderId))

/** Takes in what earlier desks sent. */
export function reduceOwnDrafts(state: DeskState, { drafts }: OwnDraftsEvent): DeskState {
  return { ...state, ownDrafts: withOwnDrafts(state.ownDrafts, drafts, workingIds(state)) }
}

/** Remembers an order that is on its way. */
export const withOwnSent = (state: DeskState, sent: { clientOrderId: string; draft: OrderDraft }): DeskState => ({
  ...state,
  ownDrafts: withSentDraft(state.ownDrafts, sent.clientOrderId, sent.draft, workingIds(state)),
})
