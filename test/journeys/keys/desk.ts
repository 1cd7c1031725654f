import { expect } from 'vitest'
import type { DeskState } from '../../../src/store/desk.ts'
import { freshMs } from '../../../src/ui/console/console.tsx'
import { amount } from '../../fakes/amounts.ts'
import { aDeskLock, quicklyKept } from '../../fakes/desk-lock.ts'
import { createMemoryJournal } from '../../fakes/memory-journal.ts'
import { type Journey, quoteAndCenter } from '../journey.tsx'
import { becomes, focus, kind, ownOrder, pause, pressKey, type Start, shows, type Walk, working } from './walk.ts'

const mode = (state: DeskState) => state.mode.kind
const redraws = ({ terminal }: DeskState) => terminal.redraws
const lock = (state: DeskState) => state.lock.kind

/** Panes by their digits and by Tab, the picture, the layout, and the mode. */
export const deskWalk: Walk = async (start) => {
  const journey = await start()
  await quoteAndCenter(journey)
  for (const [key, pane] of [
    ['2', 'orders'],
    ['3', 'fills'],
    ['4', 'balances'],
    ['5', 'transfers'],
    ['7', 'log'],
    ['8', 'chart'],
    ['9', 'tickers'],
    ['0', 'session'],
    ['1', 'ladder'],
    ['tab', 'orders'],
    ['shift+tab', 'ladder'],
  ] as const)
    await becomes(journey, key, focus, pane)
  await becomes(journey, 'L', mode, 'SAFE')
  await shows(journey, 'u', 'Nothing to resolve')
  const zoom = ({ view }: DeskState) => view.isZoomed
  await becomes(journey, 'z', zoom, true)
  await becomes(journey, 'z', zoom, false)
  const layout = ({ view }: DeskState) => view.layout
  const before = layout(journey.store.getState())
  await pressKey(journey, 'v')
  await journey.until(() => layout(journey.store.getState()) !== before)
  const picture = ({ picture: shown }: DeskState) => shown.kind
  await pressKey(journey, 'p')
  await journey.until(() => picture(journey.store.getState()) === 'frozen')
  await pressKey(journey, 'p')
  await journey.until(() => picture(journey.store.getState()) !== 'frozen')
  await pressKey(journey, 'q')
  await journey.until(journey.hasQuit)
}

/** Halting, by its question; and leaving at once. */
export const haltWalk: Walk = async (start) => {
  const journey = await start({ columns: 80, rows: 24 })
  await quoteAndCenter(journey)
  await ownOrder(journey, 'own1', '64200.00')
  await ownOrder(journey, 'own2', '3000.00', 'ETH-USD')
  await shows(journey, 'K', 'Halt, cancel all BTC-USD')
  await becomes(journey, 'esc', kind, null)
  await pressKey(journey, 'K')
  const typed = ({ overlay }: DeskState) => (overlay?.kind === 'halt' ? overlay.typed : null)
  await becomes(journey, 'a', typed, 'A')
  await becomes(journey, 'backspace', typed, '')
  await pressKey(journey, 'b')
  await becomes(journey, 'delete', typed, '')
  await pressKey(journey, 'b')
  await becomes(journey, 'ctrl+u', typed, '')
  await pressKey(journey, 'b')
  await becomes(journey, 'ctrl+w', typed, '')
  for (const key of 'all') await pressKey(journey, key)
  await becomes(journey, 'enter', mode, 'HALTED')
  await journey.sees('HALTED')
  await journey.until(() => (journey.store.getState().orders.value ?? []).length === 0)
  const left = await working(journey)
  if (left.length > 0) throw new Error(`left: ${left.join()}`)
  await becomes(journey, 'ctrl+l', redraws, 1)
  await becomes(journey, 'ctrl+z', ({ terminal }) => terminal.presence, 'leaving')
  await pressKey(journey, 'ctrl+c')
  await journey.until(journey.hasQuit)
}

/** A terminal that is too small still cancels, halts, locks and leaves. */
export const smallWalk: Walk = async (start) => {
  const journey = await start({ columns: 80, rows: 24 })
  await quoteAndCenter(journey)
  journey.resize(60, 10)
  await journey.passes(100)
  await shows(journey, 'K', 'Halt')
  await pressKey(journey, 'esc')
  journey.resize(80, 24)
  await journey.passes(1_000)
  await pressKey(journey, 'b')
  await journey.sees('Ticket BUY')
  journey.resize(60, 10)
  await journey.sees('A ticket is open')
  await becomes(journey, 'esc', ({ ticket }) => ticket, null)
  await becomes(journey, 'Z', lock, 'covered')
  await shows(journey, 'K', 'Halt')
  await pressKey(journey, 'esc')
  await becomes(journey, 'enter', lock, 'open')
  await pressKey(journey, 'q')
  await journey.until(journey.hasQuit)
}

const passphrase = 'Kestrel over Lake Zug'

/** The lock by every key of it. */
export const lockWalk: Walk = async (start) => {
  const deskLock = await aDeskLock(await quicklyKept(passphrase))
  const journey = await start({ columns: 80, rows: 24 }, { lock: deskLock.lock })
  await journey.sees('BTC-USD open')
  await becomes(journey, 'Z', lock, 'covered')
  const length = ({ lock: state }: DeskState) => (state.kind === 'typing' ? state.length : null)
  await becomes(journey, 'enter', lock, 'typing')
  await becomes(journey, 'x', length, 1)
  await becomes(journey, 'backspace', length, 0)
  await pressKey(journey, 'x')
  await becomes(journey, 'delete', length, 0)
  await pressKey(journey, 'x')
  await becomes(journey, 'ctrl+u', length, 0)
  await pressKey(journey, 'x')
  await becomes(journey, 'ctrl+w', length, 0)
  await becomes(journey, 'esc', lock, 'covered')
  await shows(journey, 'ctrl+c', 'The desk is locked: open it first to quit.')
  await becomes(journey, 'ctrl+l', redraws, 1)
  await pressKey(journey, 'ctrl+z')
  expect(journey.store.getState().terminal.presence).toBe('here')
  await pressKey(journey, 'enter')
  await journey.press(passphrase)
  await pressKey(journey, 'enter')
  await journey.until(() => lock(journey.store.getState()) === 'open')
}

/** An order without an answer, whose evidence is complete. */
async function unknownOrderOf(journey: Journey, when: 'before' | 'after'): Promise<void> {
  await pressKey(journey, '1')
  await pressKey(journey, 'pgdn')
  await pressKey(journey, 'b')
  await pressKey(journey, 'enter')
  await journey.admin('/fault/drop', { rate: 1, path: 'POST /orders', when })
  await pause(journey, freshMs)
  await pressKey(journey, 'enter')
  await journey.sees('UNKNOWN')
  await journey.admin('/fault/off', {})
}

/**
 * A withdrawal of an earlier desk without an answer, which may be either of two that the exchange lists: one is chosen.
 */
async function chooseUnknown(start: Start): Promise<void> {
  const journal = createMemoryJournal()
  const request = { currency: 'BTC', beneficiary: 'wl-1', amount: amount('0.05') }
  const beganAtMs = Date.UTC(2026, 0, 5, 14, 0, 0)
  const write = await journal.begin({ kind: 'withdrawal', request, draftId: null }, beganAtMs)
  await write.end({ kind: 'unknown', reason: 'reset' }, beganAtMs)
  const journey = await start(undefined, { journal })
  await pause(journey, 200)
  for (let count = 0; count < 2; count += 1) await journey.trader.createWithdrawal(request)
  await journey.until(() => (journey.store.getState().unknownWrites[0]?.question ?? null) !== null)
  await becomes(journey, 'u', kind, 'unknownWrite')
  const matches = journey.store.getState().unknownWrites[0]?.question?.withdrawals?.matches ?? []
  const chosen = ({ overlay }: DeskState) =>
    overlay?.kind === 'unknownWrite' ? matches.findIndex(({ withdrawalId }) => withdrawalId === overlay.match) : null
  await becomes(journey, 'j', chosen, 1)
  await becomes(journey, 'k', chosen, 0)
  await becomes(journey, 'down', chosen, 1)
  await becomes(journey, 'up', chosen, 0)
  await becomes(journey, 'p', ({ unknownWrites }) => unknownWrites.length, 0)
}

/** Cancels of an earlier desk, under whose ids the exchange reports other orders: a person says what became of each. */
async function resolveCancels(start: Start): Promise<void> {
  const earlier = await start()
  await quoteAndCenter(earlier)
  const journal = createMemoryJournal()
  for (const [name, price] of [
    ['own1', '64200.00'],
    ['own2', '64199.50'],
  ] as const)
    await ownOrder(earlier, name, price)
  for (const { orderId } of (await earlier.trader.fetchOrders({})).entries) {
    const write = await journal.begin({ kind: 'cancel', orderId: orderId ?? '', ofClientOrderId: 'another' }, 0)
    await write.end({ kind: 'unknown', reason: 'reset' }, 0)
  }
  await earlier.end()
  const journey = await start(undefined, { journal, after: earlier })
  const asked = ({ unknownWrites }: DeskState) => unknownWrites.filter(({ question }) => question !== null).length
  await journey.until(() => asked(journey.store.getState()) === 2)
  await shows(journey, 'u', 'reports order', 'Neither answer sends anything', 'it was canceled', 'it was not canceled')
  await becomes(journey, 'c', asked, 1)
  await journey.sees('Resolved by you as canceled')
  await pressKey(journey, 'u')
  await becomes(journey, 'w', asked, 0)
  await journey.sees('Resolved by you as not canceled')
  const settled = (await journal.history(0)).map(({ settlement }) => settlement?.how)
  expect(settled.toSorted()).toEqual(['canceled', 'notCanceled'])
}

/** What is not settled is asked about, keeps the desk from being left unasked, and is settled by a word. */
export const unknownWriteWalk: Walk = async (start) => {
  await chooseUnknown(start)
  await resolveCancels(start)
  const journey = await start()
  await quoteAndCenter(journey)
  await unknownOrderOf(journey, 'before')
  await becomes(journey, 'q', kind, 'confirmQuit')
  await becomes(journey, 'esc', kind, null)
  await journey.until(() => (journey.store.getState().unknownWrites[0]?.question ?? null) !== null)
  await becomes(journey, 'u', kind, 'unknownWrite')
  await becomes(journey, 'esc', kind, null)
  await pressKey(journey, 'u')
  // The evidence does not allow this word: the question stays.
  await pressKey(journey, 'p')
  await journey.sees('Resolve unknown outcome')
  await becomes(journey, 'n', ({ unknownWrites }) => unknownWrites.length, 0)
  await journey.sees('Resolved by you as not placed')
  await unknownOrderOf(journey, 'before')
  await pressKey(journey, 'q')
  await pressKey(journey, 'enter')
  await journey.until(journey.hasQuit)
}

/** Working orders are asked about too, and canceled first where that is wanted. */
export const quitWalk: Walk = async (start) => {
  const journey = await start({ columns: 80, rows: 24 })
  await quoteAndCenter(journey)
  await ownOrder(journey, 'own1', '64200.00')
  await ownOrder(journey, 'own2', '3000.00', 'ETH-USD')
  await shows(journey, 'q', '2 orders stay working on PRACTICE: ', 'BTC-USD 1', 'ETH-USD 1', 'x CANCEL ALL, then quit')
  await becomes(journey, 'esc', kind, null)
  await pressKey(journey, 'q')
  await pressKey(journey, 'x')
  await journey.until(journey.hasQuit)
  const left = await working(journey)
  if (left.length > 0) throw new Error(`left: ${left.join()}`)
}
