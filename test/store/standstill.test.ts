import { expect, test } from 'vitest'
import type { LockState } from '../../src/domain/desk/lock.ts'
import { emptyTicket } from '../../src/domain/orders/ticket.ts'
import { exchangeNow, wallNow } from '../../src/store/clock.ts'
import type { DeskState, Overlay } from '../../src/store/desk.ts'
import { ageMs } from '../../src/store/feeds/feed.ts'
import { reduce } from '../../src/store/store.ts'
import { usualTerminal } from '../../src/store/terminal.ts'
import { checkContext } from '../../src/store/ticket/check-context.ts'
import { standstillMs } from '../../src/store/time.ts'
import { emptyForm, type WithdrawReviewing } from '../../src/store/transfers/withdraw.ts'
import { deskNowMs, deskState } from '../fakes/desk-state.ts'
import { aMoveForm } from '../fakes/moves.ts'
import { withdrawOverlays } from '../fakes/withdraw-overlays.ts'

const hourMs = 3_600_000
const form = emptyTicket({ symbol: 'BTC-USD' }, 'BUY')
const ticket = { stage: 'review', form, field: 'quantity', reviewedAtMs: 0, confirmed: [], retyped: '' } as const
const withdrawal: WithdrawReviewing = {
  kind: 'withdrawReview',
  form: emptyForm,
  reviewedAtMs: 0,
  retyped: '0.05',
  confirmed: [],
  unlockedAtMs: null,
}

const ticked = (state: DeskState, ms: number, wallJumpMs = 0): DeskState => {
  const nowMs = state.nowMs + ms
  return reduce(state, { type: 'ticked', nowMs, wallMs: nowMs + state.ahead.wallMs + wallJumpMs })
}
const pressed = (state: DeskState, ms: number, wallJumpMs = 0): DeskState => {
  const atMs = state.nowMs + ms
  return reduce(state, { type: 'keyPressed', atMs, wallMs: atMs + state.ahead.wallMs + wallJumpMs })
}
const bookAge = (state: DeskState) =>
  ageMs(state.books.get('BTC-USD') ?? { atMs: null, value: null, failure: null }, state.nowMs)

test.each([
  ['a tick after a stop of the process', (state: DeskState) => ticked(state, standstillMs + 1)],
  ['a key that is read before any tick', (state: DeskState) => pressed(state, 60_000)],
  [
    'a wall clock that jumps forward, as after a pause of a virtual machine',
    (state: DeskState) => ticked(state, 500, hourMs),
  ],
  ['a wall clock that is set back', (state: DeskState) => pressed(state, 500, -hourMs)],
])('%s takes every review back', (_name, lost) => {
  const order = deskState().orders.value?.[0]
  if (order?.limitPrice == null) throw new Error('no order')
  const move = { stage: 'review', ...aMoveForm(order, order.limitPrice), reviewedAtMs: 0, confirmed: [] } as const
  const state = lost(deskState({ ticket, move, overlay: withdrawal }))
  expect(state.ticket).toMatchObject({ stage: 'edit', form })
  expect(state.move).toMatchObject({ stage: 'choose' })
  expect(state.overlay).toMatchObject({ kind: 'withdraw', form: emptyForm })
  expect(state.terminal.backAtMs).toBeGreaterThan(deskNowMs)
  expect(state.notice?.text).toMatch(/Review again\.$/)
})

test('time that passes tick by tick takes nothing back, and clocks that are slewed do not', () => {
  let state = deskState({ ticket })
  for (let count = 1; count <= 100; count += 1) {
    const nowMs = deskNowMs + count * standstillMs
    state = reduce(state, { type: 'ticked', nowMs, wallMs: nowMs + count * 40 })
  }
  expect(state.ticket?.stage).toBe('review')
  expect(state.terminal.backAtMs).toBeNull()
  // It is followed all the same.
  expect(wallNow(state) - state.nowMs).toBeGreaterThan(3_400)
})

const secret = { length: 3, isChecking: true, sentence: '' } as const
test.each<[string, Overlay, Overlay['kind'] | null]>([
  ['a halt', { kind: 'halt', symbol: 'BTC-USD', typed: 'AL' }, 'halt'],
  [
    'a cancel of all',
    { kind: 'confirmCancel', target: { kind: 'all', symbol: null } } as unknown as Overlay,
    'confirmCancel',
  ],
  ['leaving', { kind: 'confirmQuit', cancelSentAtMs: null }, 'confirmQuit'],
  ['a word on an unknown write', { kind: 'unknownWrite', key: 'x', match: null }, null],
  [
    'a lock before sending',
    { kind: 'withdrawSecret', purpose: { kind: 'send', review: withdrawal }, ...secret },
    'withdraw',
  ],
  ['an approval that sends', { ...withdrawOverlays.secret, ...secret }, null],
  [
    'an approval that sends nothing',
    { kind: 'withdrawSecret', purpose: { kind: 'approve', draftId: 'd', thenSend: null }, ...secret },
    'withdrawSecret',
  ],
])('after a standstill the question of %s is judged by its danger', (_name, overlay, kind) => {
  expect(ticked(deskState({ overlay }), 60_000).overlay?.kind ?? null).toBe(kind)
})

test('a standstill without a review is told of in the log, and whoever comes back from the shell is told otherwise', () => {
  const state = ticked(deskState(), 62_000)
  expect(state.log.map(({ text }) => text)).toContain('Desk stood still 62 s: prices may have moved.')
  const leaving = deskState({ terminal: { ...usualTerminal, presence: 'leaving' } })
  expect(ticked(leaving, 62_000).log.some(({ text }) => text.includes('stood still'))).toBe(false)
})

test('ages do not follow the wall clock: set back by an hour, an old book stays old', () => {
  const before = ticked(deskState(), 500)
  const age = bookAge(before) ?? 0
  let state = ticked(before, 500, -hourMs)
  expect(bookAge(state)).toBe(age + 500)
  for (let seconds = 0; seconds < 60; seconds += 1) state = ticked(state, 1_000)
  expect(bookAge(state)).toBe(age + 60_500)
  expect(checkContext(state, 'BTC-USD').book).toMatchObject({ kind: 'stale' })
  expect(wallNow(state)).toBe(state.nowMs - hourMs)
})

test('set forward, what is known may be from before a pause of the machine: it is old until it is asked for again', () => {
  const state = ticked(deskState(), 500, hourMs)
  expect(checkContext(state, 'BTC-USD').book).toMatchObject({ kind: 'stale' })
  expect(checkContext(state, 'BTC-USD').balances).toMatchObject({ kind: 'stale' })
})

test('an answer that lay ready while the desk stood still is as old as that; the next one is young', () => {
  const stopped = ticked(deskState(), 60_000)
  const book = stopped.books.get('BTC-USD')?.value
  if (book == null) throw new Error('no book')
  const late = reduce(stopped, { type: 'book', symbol: 'BTC-USD', book, atMs: stopped.nowMs + 40 })
  expect(checkContext(late, 'BTC-USD', stopped.nowMs + 50).book).toMatchObject({ kind: 'stale' })
  const next = reduce(late, { type: 'book', symbol: 'BTC-USD', book, atMs: stopped.nowMs + 1_040 })
  expect(checkContext(next, 'BTC-USD', stopped.nowMs + 1_050).book).toMatchObject({ kind: 'fresh' })
})

test('a wall clock that jumps neither disarms a desk nor keeps it armed; a night asleep does disarm it', () => {
  const idle = deskState({ idleRules: { safeAfterMs: 300_000, lockAfterMs: 900_000 }, lastKeyAtMs: deskNowMs })
  for (const jumpMs of [hourMs, -hourMs]) {
    let state = ticked(idle, 1_000, jumpMs)
    expect(state.mode.kind).toBe('ARMED')
    for (let seconds = 1; seconds < 299; seconds += 1) state = ticked(state, 1_000)
    expect(state.mode.kind).toBe('ARMED')
    expect(ticked(state, 1_000).mode.kind).toBe('SAFE')
  }
  const night = ticked(idle, 8 * hourMs)
  const lock: LockState['kind'] = night.lock.kind
  expect([night.mode.kind, lock]).toEqual(['SAFE', 'covered'])
})

test('the exchange dates its own: what it said of its clock holds when the wall clock is set, and until it has the wall clock is taken for it', () => {
  const unknown = ticked(deskState({ connection: { roundTripMs: null, skewMs: null } }), 500, -hourMs)
  expect(exchangeNow(unknown)).toBe(unknown.nowMs - hourMs)
  const told = reduce(unknown, { type: 'answered', roundTripMs: 5, skewMs: 0 })
  expect(exchangeNow(told)).toBe(told.nowMs)
  expect(exchangeNow(ticked(told, 500, -hourMs))).toBe(told.nowMs + 500)
})
