import type { DeskPort } from '../../src/store/commands.ts'

/** A port that sends nothing, at a time that stands still: for what is drawn and not done. */
export const quietPort = (nowMs: number): DeskPort => ({
  submitOrder: () => undefined,
  cancelOrders: () => undefined,
  moveOrders: () => undefined,
  cancelAll: () => undefined,
  decideUnsettled: () => undefined,
  newDraftId: () => 'draft',
  saveDraft: () => undefined,
  dropDraft: () => undefined,
  sendDraft: () => undefined,
  openLock: () => undefined,
  fetchOrderHistory: () => undefined,
  fetchFillHistory: () => undefined,
  exportRows: () => undefined,
  exportStatement: () => undefined,
  runPractice: () => undefined,
  fetchDepositAddress: () => undefined,
  tryLock: () => undefined,
  renewLock: (then) => then({ ok: true, value: 'none' }),
  approveDraft: () => undefined,
  gateway: {
    readOrder: () => undefined,
    replay: () => undefined,
    retryDelivery: () => undefined,
    switchInbox: () => undefined,
  },
  copyText: () => false,
  refresh: () => undefined,
  now: () => nowMs,
  wallMs: () => nowMs,
})
