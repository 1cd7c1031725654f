import type { SentOrder } from '../../domain/orders/exposure.ts'
import { noOwnDrafts, type OwnDrafts } from '../../domain/orders/own-draft.ts'
import type { Unsettled } from '../../domain/orders/unknown-write.ts'

/** What this desk has sent, and what became of it. */
export type WritesSlice = {
  unsettled: readonly Unsettled[]
  /** What this desk sent lately, newest first. */
  sentOrders: readonly SentOrder[]
  /** What was asked for with each own order, also before this start: what the exchange does not report. */
  ownDrafts: OwnDrafts
  /**
   * The order that the list's cursor came to by itself, as the one it stood on was canceled, and when; null before any.
   */
  cursorCame: { key: string; atMs: number } | null
}

export const nothingWritten: WritesSlice = { unsettled: [], sentOrders: [], ownDrafts: noOwnDrafts, cursorCame: null }

/** What earlier desks sent, from the journal. */
export type OwnDraftsEvent = { type: 'ownDraftsRead'; drafts: OwnDrafts }

/** A cancel came too soon after the cursor had come to an order by itself. */
export type CursorCameEvent = { type: 'cursorCame'; key: string; atMs: number }
