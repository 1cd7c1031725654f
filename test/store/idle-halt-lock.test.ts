import { inspect } from 'node:util'
import { expect, test, vi } from 'vitest'
import type { LockMethod } from '../../src/domain/desk/lock.ts'
import type { IdleRules } from '../../src/domain/desk/mode.ts'
import { readSentence } from '../../src/store/sentences/sentences.ts'
import { reduce } from '../../src/store/store.ts'
import { anOrder } from '../fakes/orders.ts'
import { aDesk, type Desk, startMs } from './desk.ts'

const state = ({ store }: Pick<Desk, 'store'>) => store.getState()
const mode = (desk: Desk) => state(desk).mode.kind
const notice = (desk: Desk) => state(desk).notice?.text

/** A desk that becomes SAFE and locks when nobody touches it. */
function idleDesk(idleRules: IdleRules, lockMethod: LockMethod = 'none'): Desk {
  const desk = aDesk('ARMED', { idleRules, lockMethod })
  return desk
}

test('without a key ARMED is warned about at 30 s and becomes SAFE; polls are no activity', () => {
  const desk = idleDesk({ safeAfterMs: 300_000, lockAfterMs: null })
  desk.wait(269_500)
  expect(notice(desk)).toBeUndefined()
  desk.store.dispatch({ type: 'orders', orders: [anOrder()], atMs: startMs })
  desk.wait(500)
  expect(notice(desk)).toBe('Idle: SAFE in 30 s. Any key stays ARMED.')
  desk.wait(29_500)
  expect(mode(desk)).toBe('ARMED')
  desk.wait(500)
  expect(mode(desk)).toBe('SAFE')
  expect(notice(desk)).toBe('Idle 300 s: SAFE. Press L to arm.')
})

test('a key begins the count anew, but one that comes too late finds the desk SAFE', () => {
  const desk = idleDesk({ safeAfterMs: 300_000, lockAfterMs: null })
  desk.wait(290_000)
  desk.commands.keyPressed()
  desk.wait(290_000)
  expect(mode(desk)).toBe('ARMED')
  // A machine that slept: no tick came in between.
  desk.store.dispatch({ type: 'keyPressed', atMs: startMs + 10_000_000 })
  expect(mode(desk)).toBe('SAFE')
})

test('a desk that becomes SAFE under a review does not send it', () => {
  const desk = idleDesk({ safeAfterMs: 4_000, lockAfterMs: null })
  desk.commands.openTicket('BUY')
  desk.commands.reviewTicket()
  desk.wait(4_000)
  expect(notice(desk)).toBe('Idle 4 s: SAFE. Press L to arm.')
  desk.commands.sendTicket()
  desk.commands.toggleArmed()
  desk.commands.sendTicket()
  expect(desk.sent).toEqual([])
  expect(state(desk).ticket?.stage).toBe('edit')
})

test('K halts: no new orders, the orders of the symbol are taken back, L arms again', () => {
  const desk = aDesk()
  desk.commands.openTicket('BUY')
  desk.commands.reviewTicket()
  desk.commands.askHalt()
  desk.commands.confirmHalt()
  expect(desk.sent).toEqual(['cancel all BTC-USD'])
  expect(mode(desk)).toBe('HALTED')
  expect(state(desk).ticket?.stage).toBe('edit')
  desk.wait(200)
  desk.commands.reviewTicket()
  desk.wait(200)
  desk.commands.sendTicket()
  expect(desk.sent).toEqual(['cancel all BTC-USD'])
  expect(notice(desk)).toBe('The desk is HALTED: only cancels go out. Press L to arm it again.')
  desk.commands.toggleArmed()
  expect(mode(desk)).toBe('ARMED')
})

test('with two ladders K is about the symbol of the one in focus, as every other key', () => {
  const desk = aDesk()
  const { screen } = state(desk)
  desk.store.dispatch({ type: 'resized', screen: { ...screen, visiblePanes: ['ladder', 'ladder2', 'orders'] } })
  desk.wait(1_000)
  expect(state(desk).symbol2).toBe('ETH-USD')
  desk.commands.focusPane('ladder2')
  expect(readSentence('halt', state(desk))).toMatchObject({
    lines: [expect.stringContaining('cancel those in ETH-USD,')],
  })
  desk.commands.askHalt()
  expect(state(desk).overlay).toMatchObject({ kind: 'halt', symbol: 'ETH-USD' })
  desk.commands.confirmHalt()
  expect(desk.sent.at(-1)).toBe('cancel all ETH-USD')
})

test.each(['SAFE', 'HALTED'] as const)('a halt works in %s too', (kind) => {
  const desk = aDesk(kind)
  desk.commands.askHalt()
  desk.commands.confirmHalt()
  expect([mode(desk), ...desk.sent]).toEqual(['HALTED', 'cancel all BTC-USD'])
})

test('ALL takes back every symbol; a part of it takes back nothing', () => {
  const desk = aDesk()
  desk.commands.askHalt()
  for (const letter of 'al') desk.commands.typeIntoHalt(letter)
  desk.commands.confirmHalt()
  expect(desk.sent).toEqual([])
  expect(notice(desk)).toBe('Type ALL in full, or erase it for BTC-USD alone.')
  desk.commands.typeIntoHalt('L')
  desk.commands.confirmHalt()
  expect(desk.sent).toEqual(['cancel all every symbol'])
  expect(mode(desk)).toBe('HALTED')
})

test('locking makes the desk SAFE and leaves review and questions; a ticket keeps its text', () => {
  const desk = aDesk()
  desk.commands.openTicket('BUY')
  desk.commands.reviewTicket()
  desk.commands.openHelp()
  desk.commands.lock()
  expect(state(desk)).toMatchObject({
    lock: { kind: 'covered' },
    mode: { kind: 'SAFE' },
    overlay: null,
    ticket: { stage: 'edit' },
  })
  desk.commands.sendTicket()
  expect(desk.sent).toEqual([])
  desk.commands.beginUnlock()
  expect(state(desk)).toMatchObject({ lock: { kind: 'open' }, mode: { kind: 'SAFE' } })
})

test('what is typed goes to the port once and is in no state and no event', () => {
  const desk = idleDesk({ safeAfterMs: null, lockAfterMs: null }, 'passphrase')
  const seen: string[] = []
  const see = (what: unknown) => seen.push(inspect(what, { depth: null, maxArrayLength: null, maxStringLength: null }))
  desk.store.subscribe(see)
  const { dispatch } = desk.store
  const spied = vi.spyOn(desk.store, 'dispatch').mockImplementation((event) => {
    see(event)
    dispatch(event)
  })
  desk.commands.lock()
  desk.commands.beginUnlock()
  desk.commands.typeIntoLock('corrext')
  desk.commands.eraseInLock()
  desk.commands.eraseInLock()
  desk.commands.typeIntoLock('ct horse')
  expect(state(desk).lock).toEqual({ kind: 'typing', length: 13 })
  desk.commands.submitLock()
  desk.commands.submitLock()
  expect(desk.tried).toEqual(['correct horse'])
  expect(state(desk).lock).toEqual({ kind: 'checking' })
  desk.store.dispatch({ type: 'lockAnswered', answer: { kind: 'wrong', waitMs: 4_000 }, atMs: startMs })
  expect(state(desk).lock).toEqual({
    kind: 'covered',
    sentence: 'Wrong passphrase or code. Wait 4 s before the next try.',
  })
  desk.store.dispatch({ type: 'lockAnswered', answer: { kind: 'opened' }, atMs: startMs })
  expect(state(desk).lock).toEqual({ kind: 'open' })
  expect(spied).toHaveBeenCalled()
  expect(seen.join('')).toContain('Wrong passphrase or code.')
  // Nor a part of it, as it was typed.
  expect(seen.join('')).not.toMatch(/horse|corrext/)
})

test('a lock that is set up is not opened by Enter alone, nor left by Ctrl-C', () => {
  const desk = idleDesk({ safeAfterMs: null, lockAfterMs: null }, 'code')
  desk.commands.lock()
  desk.commands.beginUnlock()
  desk.commands.submitLock()
  expect(state(desk).lock).toEqual({ kind: 'typing', length: 0 })
  desk.commands.refuseToLeave()
  expect(state(desk).lock).toEqual({ kind: 'covered', sentence: 'The desk is locked: open it first to quit.' })
  expect([...desk.sent, ...desk.tried]).toEqual([])
})

test('a long pause locks the screen, once', () => {
  const desk = idleDesk({ safeAfterMs: null, lockAfterMs: 900_000 })
  desk.wait(899_000)
  expect(state(desk).lock.kind).toBe('open')
  desk.wait(1_000)
  expect(state(desk)).toMatchObject({ lock: { kind: 'covered' }, mode: { kind: 'SAFE' } })
  const locked = state(desk)
  expect(reduce(locked, { type: 'ticked', nowMs: startMs + 2_000_000 }).lock).toBe(locked.lock)
})

test('behind the lock screen a halt takes the whole word', () => {
  const desk = aDesk()
  desk.commands.lock()
  desk.commands.askHalt()
  desk.commands.confirmHalt()
  expect(desk.sent).toEqual([])
  for (const letter of 'ALL') desk.commands.typeIntoHalt(letter)
  desk.commands.confirmHalt()
  expect(desk.sent).toEqual(['cancel all every symbol'])
  expect(state(desk)).toMatchObject({ mode: { kind: 'HALTED' }, lock: { kind: 'covered' }, overlay: null })
})

test('a lock that was set up while the desk ran counts as soon as the desk is locked, and Enter alone opens nothing', () => {
  const desk = aDesk('ARMED', { lockLater: 'passphrase' })
  desk.commands.lock()
  expect(state(desk).lock).toEqual({
    kind: 'covered',
    sentence: 'A lock was set up while this desk ran: it applies from now on.',
  })
  desk.commands.beginUnlock()
  expect(state(desk).lock).toEqual({ kind: 'typing', length: 0 })
})
