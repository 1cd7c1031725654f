import type { SentOrder } from '../../domain/orders/exposure.ts'
import type { OrderDraft } from '../../domain/orders/order.ts'
import { noOwnDrafts, type OwnDrafts, withOwnDrafts, withSentDraft } from '../../domain/orders/own-draft.ts'
import type { OrderElsewhere, UnknownWrite } from '../../domain/unknown-write.ts'
import type { ClockSlice } from '../clock.ts'
import type { FeedsSlice } from '../feeds/feeds.ts'

/**
 * An order that was on its way when a cancel of all of `symbol` was sent, at `atMs`: it may arrive behind that.
 * `isHalted`: by a HALTED desk, which cancels it then as long as it is that.
 */
export type PassedOrder = { clientOrderId: string; symbol: string | null; isHalted: boolean; atMs: number }

/** The writes that this desk sent, and their outcomes. */
export type WritesSlice = {
  unknownWrites: readonly UnknownWrite[]
  /** Orders that this desk sent lately, newest first. */
  sentOrders: readonly SentOrder[]
  /** The terms of each own order, also of earlier runs: the exchange does not report them all. */
  ownDrafts: OwnDrafts
  /** Orders that a cancel of all may not have met. */
  passedOrders: readonly PassedOrder[]
  /** Orders that running processes of the account have without an outcome: no duplicate of them is sent. */
  openElsewhere: readonly OrderElsewhere[]
}

export const nothingWritten: WritesSlice = {
  ...{ unknownWrites: [], sentOrders: [], passedOrders: [] },
  ownDrafts: noOwnDrafts,
  openElsewhere: [],
}

/** The terms of orders that earlier desks sent, from the journal. */
export type OwnDraftsEvent = { type: 'ownDraftsRead'; drafts: OwnDrafts }

/** A write that was sent just now without an answer; like those of the journal it is dated by the wall clock. */
export const withUnanswered = <S extends WritesSlice & Pick<ClockSlice, 'ahead'>>(state: S, entry: UnknownWrite): S =>
  withUnknownWrite(state, { ...entry, atMs: entry.atMs + state.ahead.wallMs })

export const withUnknownWrite = <S extends WritesSlice>(state: S, entry: UnknownWrite): S => ({
  ...state,
  unknownWrites: [...state.unknownWrites.filter((other) => other.key !== entry.key), entry],
})

export const withoutUnknownWrite = <S extends WritesSlice>(state: S, key: string): S =>
  state.unknownWrites.some((entry) => entry.key === key)
    ? {
        ...state,
        unknownWrites: state.unknownWrites.filter((entry) => entry.key !== key),
      }
    : state

const workingIds = ({ orders }: Pick<FeedsSlice, 'orders'>): ReadonlySet<string> =>
  new Set((orders.value ?? []).map(({ clientOrderId }) => clientOrderId))

/** Adds the orders of earlier desks. */
export function reduceOwnDrafts<S extends FeedsSlice & WritesSlice>(state: S, { drafts }: OwnDraftsEvent): S {
  return { ...state, ownDrafts: withOwnDrafts(state.ownDrafts, drafts, workingIds(state)) }
}

/** Remembers the terms of an order that is being sent. */
export const withOwnSent = <S extends FeedsSlice & WritesSlice>(
  state: S,
  sent: { clientOrderId: string; draft: OrderDraft },
): S => ({
  ...state,
  ownDrafts: withSentDraft(state.ownDrafts, sent.clientOrderId, sent.draft, workingIds(state)),
})
