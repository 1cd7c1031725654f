import type { DeskPort } from '../../src/store/port.ts'

/** A port that sends nothing, at a time that stands still: for what is drawn and not done. */
export const quietPort = (nowMs: number): DeskPort => ({
  submitOrder: () => undefined,
  cancelOrder: () => undefined,
  moveOrder: () => undefined,
  cancelAll: () => undefined,
  decideUnsettled: () => undefined,
  openLock: () => undefined,
  fetchOrderHistory: () => undefined,
  fetchFillHistory: () => undefined,
  exportRows: () => undefined,
  practise: () => undefined,
  refresh: () => undefined,
  now: () => nowMs,
})
