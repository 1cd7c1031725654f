import { ok } from '../../src/base/result.ts'
import type { LockMethod } from '../../src/domain/desk/lock.ts'
import type { Mode } from '../../src/domain/desk/mode.ts'
import type { OrderDraft } from '../../src/domain/orders/order.ts'
import { type Commands, createCommands } from '../../src/store/commands.ts'
import { type DeskStart, type DeskStore, initialState } from '../../src/store/desk.ts'
import { createDeskStore } from '../../src/store/store.ts'
import { usualFees } from '../fakes/amounts.ts'
import { aBalance } from '../fakes/balances.ts'
import { aBook } from '../fakes/books.ts'
import { anInstrument } from '../fakes/instruments.ts'
import { recordingPort } from '../fakes/recording-port.ts'

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
  settings: Pick<
    DeskStart,
    'idleRules' | 'lockMethod' | 'limits' | 'alerts' | 'practice' | 'reboundKeys' | 'gateway' | 'terminal' | 'entry'
  > & {
    /** What is set up by the time the desk looks again. */
    lockLater?: LockMethod
    /** Whether what the approver types is taken, and what opens the lock; without it nothing answers. */
    isSecretTaken?: true
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
  const port = recordingPort(() => nowMs, sent)
  const commands = createCommands({
    store,
    port: {
      ...port,
      submitOrder(draft) {
        drafts.push(draft)
        port.submitOrder(draft)
      },
      newDraftId: () => `draft${++draftCount}`,
      openLock: (typed) => tried.push(typed),
      tryLock(typed, answered) {
        tried.push(typed)
        if (settings.isSecretTaken === true) answered({ kind: 'opened' })
      },
      renewLock: (then) => then({ ok: true, value: settings.lockLater ?? 'none' }),
      approveDraft(_, typed, answered) {
        tried.push(typed)
        if (settings.isSecretTaken === true) answered(ok(null))
      },
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
