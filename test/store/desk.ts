import type { LockMethod } from '../../src/domain/desk/lock.ts'
import type { Mode } from '../../src/domain/desk/mode.ts'
import type { OrderDraft } from '../../src/domain/orders/order.ts'
import { type Commands, createCommands } from '../../src/store/commands.ts'
import { type DeskStart, type DeskStore, initialState } from '../../src/store/desk.ts'
import { practiceRequestText } from '../../src/store/practice/practice.ts'
import { createDeskStore } from '../../src/store/store.ts'
import { usualFees } from '../fakes/amounts.ts'
import { aBalance } from '../fakes/balances.ts'
import { aBook } from '../fakes/books.ts'
import { anInstrument } from '../fakes/instruments.ts'

export const startMs = 1_700_000_000_000

export type Desk = {
  store: DeskStore
  commands: Commands
  /** What went out through the port, in words. */
  sent: string[]
  drafts: OrderDraft[]
  /** What was held against the lock. */
  tried: string[]
  wait(ms: number): void
}

const tickMs = 1_000

/** A desk with fresh data and a port that only writes down what it is asked. */
export function aDesk(
  mode: Mode['kind'] = 'ARMED',
  settings: Pick<DeskStart, 'idleRules' | 'lockMethod' | 'limits' | 'alerts' | 'practice' | 'reboundKeys'> & {
    /** What is set up by the time the desk looks again. */
    lockLater?: LockMethod
  } = {},
): Desk {
  let nowMs = startMs
  const venue = { profileName: 'practice', kind: 'practice' } as const
  const store = createDeskStore(initialState({ nowMs, venue, mode: { kind: mode }, symbol: 'BTC-USD', ...settings }))
  const instruments = new Map(
    [anInstrument(), anInstrument({ symbol: 'ETH-USD', base: 'ETH' })].map((each) => [each.symbol, each]),
  )
  store.dispatchAll([
    { type: 'instruments', instruments, atMs: nowMs },
    { type: 'book', symbol: 'BTC-USD', book: aBook([['64210.00', '0.12']], [['64211.00', '0.7']]), atMs: nowMs },
    { type: 'balances', balances: [aBalance('USD', '12004.11'), aBalance('BTC', '0.412')], atMs: nowMs },
    { type: 'orders', orders: [], atMs: nowMs },
    { type: 'fills', fills: [], atMs: nowMs },
    {
      type: 'fees',
      fees: usualFees,
      atMs: nowMs,
    },
  ])
  const sent: string[] = []
  const drafts: OrderDraft[] = []
  const tried: string[] = []
  let draftCount = 0
  const commands = createCommands({
    store,
    port: {
      submitOrder(draft) {
        drafts.push(draft)
        sent.push(`submit ${draft.side} ${draft.orderQuantity} @ ${draft.limitPrice ?? 'market'} ${draft.timeInForce}`)
      },
      cancelOrder: (orderId) => sent.push(`cancel ${orderId}`),
      moveOrder: ({ orderId, rest }) =>
        sent.push(`move ${orderId}: ${rest.side} ${rest.orderQuantity} @ ${rest.limitPrice} ${rest.timeInForce}`),
      cancelAll: (symbol) => sent.push(`cancel all ${symbol ?? 'every symbol'}`),
      decideUnsettled: (key, verdict, id) => sent.push(`decide ${key} ${verdict}${id === null ? '' : ` as ${id}`}`),
      fetchFillHistory: (execId) => sent.push(`fills before ${execId}`),
      newDraftId: () => `draft${++draftCount}`,
      saveDraft: (draftId, { amount, currency, note }) =>
        sent.push(`save ${draftId}: ${amount} ${currency}${note === null ? '' : `, ${note.trim()}`}`),
      dropDraft: (draftId) => sent.push(`drop ${draftId}`),
      sendDraft: (draftId) => sent.push(`send ${draftId}`),
      openLock: (typed) => tried.push(typed),
      fetchOrderHistory: (page) => sent.push(`history ${page}`),
      exportRows: ({ name, head, rows }) =>
        sent.push(`export ${name} ${[head, ...rows].map((row) => row.join(',')).join(';')}`),
      exportStatement: ({ fromMs, toMs }, form) => sent.push(`statement ${fromMs} ${toMs} ${form}`),
      runPractice: (request) => sent.push(`practise ${practiceRequestText(request)}`),
      tryLock: (typed) => tried.push(typed),
      renewLock: (then) => then({ ok: true, value: settings.lockLater ?? 'none' }),
      approveDraft: (_, typed) => tried.push(typed),
      fetchDepositAddress: (currency) => sent.push(`deposit address ${currency}`),
      gateway: {
        readOrder: (orderId) => sent.push(`read gateway order ${orderId}`),
        replay: (sequence) => sent.push(`replay ${sequence}`),
        retryDelivery: (deliveryId) => sent.push(`retry ${deliveryId}`),
        switchInbox: (to) => sent.push(`inbox ${to}`),
      },
      copyText: (text) => sent.push(`copy ${text}`) > 0,
      refresh: () => sent.push('refresh'),
      now: () => nowMs,
      wallMs: () => nowMs,
    },
    exit: () => sent.push('exit'),
  })
  return {
    store,
    commands,
    sent,
    drafts,
    tried,
    wait(ms) {
      // As a desk does: where no tick came for longer, it stood still.
      for (let leftMs = ms; leftMs > 0; leftMs -= tickMs) {
        nowMs += Math.min(leftMs, tickMs)
        store.dispatch({ type: 'ticked', nowMs })
      }
    },
  }
}
