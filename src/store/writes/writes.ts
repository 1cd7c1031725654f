import type { SentOrder } from '../../domain/orders/exposure.ts'
import type { OrderDraft } from '../../domain/orders/order.ts'
import { noOwnDrafts, type OwnDrafts, withOwnDrafts, withSentDraft } from '../../domain/orders/own-draft.ts'
import type { OrderElsewhere, UnknownWrite } from '../../domain/unknown-write.ts'
import type { ClockSlice } from '../clock.ts'
import type { FeedsSlice } from '../feeds/feeds.ts'

/** What this desk has sent, and what became of it. */
export type WritesSlice = {
  unsettled: readonly UnknownWrite[]
  /** What this desk sent lately, newest first. */
  sentOrders: readonly SentOrder[]
  /** What was asked for with each own order, also before this start: what the exchange does not report. */
  ownDrafts: OwnDrafts
  /** Orders that running processes of the account have without an outcome: no duplicate of them is sent. */
  openElsewhere: readonly OrderElsewhere[]
}

export const nothingWritten: WritesSlice = {
  ...{ unsettled: [], sentOrders: [] },
  ownDrafts: noOwnDrafts,
  openElsewhere: [],
}

/** What earlier desks sent, from the journal. */
export type OwnDraftsEvent = { type: 'ownDraftsRead'; drafts: OwnDrafts }

/** A write that just went without an answer; like those of the journal it is dated by the wall clock. */
export const withUnanswered = <S extends WritesSlice & Pick<ClockSlice, 'ahead'>>(state: S, entry: UnknownWrite): S =>
  withUnknownWrite(state, { ...entry, atMs: entry.atMs + state.ahead.wallMs })

export const withUnknownWrite = <S extends WritesSlice>(state: S, entry: UnknownWrite): S => ({
  ...state,
  unsettled: [...state.unsettled.filter((other) => other.key !== entry.key), entry],
})

export const withoutUnknownWrite = <S extends WritesSlice>(state: S, key: string): S =>
  state.unsettled.some((entry) => entry.key === key)
    ? {
        ...state,
        unsettled: state.unsettled.filter((entry) => entry.key !== key),
      }
    : state

const workingIds = ({ orders }: Pick<FeedsSlice, 'orders'>): ReadonlySet<string> =>
  new Set((orders.value ?? []).map(({ clientOrderId }) => clientOrderId))

/** Takes in what earlier desks sent. */
export function reduceOwnDrafts<S extends FeedsSlice & WritesSlice>(state: S, { drafts }: OwnDraftsEvent): S {
  return { ...state, ownDrafts: withOwnDrafts(state.ownDrafts, drafts, workingIds(state)) }
}

/** Remembers an order that is on its way. */
export const withOwnSent = <S extends FeedsSlice & WritesSlice>(
  state: S,
  sent: { clientOrderId: string; draft: OrderDraft },
): S => ({
  ...state,
  ownDrafts: withSentDraft(state.ownDrafts, sent.clientOrderId, sent.draft, workingIds(state)),
})
