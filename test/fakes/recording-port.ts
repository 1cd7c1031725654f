import type { DeskPort } from '../../src/store/commands.ts'
import { practiceRequestText } from '../../src/store/practice/practice.ts'
import { quietPort } from './quiet-port.ts'

/** A port that sends nothing, and says in words what it was asked to send: `cancel 9912041`. */
export const recordingPort = (now: () => number, sent: string[]): DeskPort => ({
  ...quietPort(now()),
  submitOrder: (draft) =>
    sent.push(`submit ${draft.side} ${draft.orderQuantity} @ ${draft.limitPrice ?? 'market'} ${draft.timeInForce}`),
  cancelOrders: (orderIds) => sent.push(...orderIds.map((orderId) => `cancel ${orderId}`)),
  moveOrders: (moves) => {
    for (const { orderId, rest } of moves)
      sent.push(`move ${orderId}: ${rest.side} ${rest.orderQuantity} @ ${rest.limitPrice} ${rest.timeInForce}`)
  },
  cancelAll: (symbol) => sent.push(`cancel all ${symbol ?? 'every symbol'}`),
  lookElsewhere: () => sent.push('look elsewhere'),
  decideUnknown: (key, verdict, id) => sent.push(`decide ${key} ${verdict}${id === null ? '' : ` as ${id}`}`),
  fetchFillHistory: ({ execId }) => sent.push(`fills before ${execId}`),
  saveDraft: (draftId, { amount, currency, note }) =>
    sent.push(`save ${draftId}: ${amount} ${currency}${note === null ? '' : `, ${note.trim()}`}`),
  dropDraft: (draftId) => sent.push(`drop ${draftId}`),
  sendDraft: (draftId, _, seen = []) => sent.push(`send ${draftId}${seen.length === 0 ? '' : ` of ${seen.join()}`}`),
  sendOrderDraft: (draftId, { side, orderQuantity }) => sent.push(`send draft ${draftId}: ${side} ${orderQuantity}`),
  dropOrderDraft: (draftId) => sent.push(`drop draft ${draftId}`),
  fetchOrderHistory: (page) => sent.push(`history ${page}`),
  exportRows: ({ name, head, rows }) =>
    sent.push(`export ${name} ${[head, ...rows].map((row) => row.join(',')).join(';')}`),
  exportStatement: ({ fromMs, toMs }, form) => sent.push(`statement ${fromMs} ${toMs ?? 'now'} ${form}`),
  changeCosts({ forget, state }) {
    for (const [word, costs] of [
      ['forget cost', forget],
      ['cost', state === null ? [] : [state]],
    ] as const)
      for (const { currency, quantity, usdEach, atMs } of costs)
        sent.push(`${word} ${quantity} ${currency} at ${usdEach}, ${new Date(atMs).toISOString()}`)
  },
  runPractice: (request) => sent.push(`practise ${practiceRequestText(request)}`),
  fetchDepositAddress: (currency) => sent.push(`deposit address ${currency}`),
  gateway: {
    readOrder: (orderId) => sent.push(`read gateway order ${orderId}`),
    replay: (sequence) => sent.push(`replay ${sequence}`),
    retryDelivery: (deliveryId) => sent.push(`retry ${deliveryId}`),
    switchInbox: (to) => sent.push(`inbox ${to}`),
  },
  copyText: (text) => sent.push(`copy ${text}`) > 0,
  refresh: () => sent.push('refresh'),
  now,
  wallMs: now,
})
