import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import { blockOf } from '../../../src/domain/orders/checks/check.ts'
import { readMove } from '../../../src/store/move/move-commands.ts'
import { ticketReading, whyReviewed } from '../../../src/store/ticket/ticket-reading.ts'
import { anOrder } from '../../fakes/orders.ts'
import { aDesk, startMs } from '../desk.ts'
import { aTicket, form, notice, send, ticket, write } from './ticket-scene.ts'

const sentence =
  'the journal cannot be written, nothing is sent: free space or restore its disk; sending resumes by itself'

const down = { type: 'journalKept', isKept: false, atMs: startMs } as const
const back = { type: 'journalKept', isKept: true, atMs: startMs } as const

test('an open ticket says that the journal takes no write, and is as before once it does', () => {
  const desk = aTicket()
  write(desk, 'quantity', '0.05')
  const checks = () => {
    const now = form(desk)
    if (now === undefined) throw new Error('no ticket is open')
    return ticketReading(desk.store.getState(), now).checks
  }
  const before = checks()
  expect(before.every(({ level }) => level === 'ok')).toBe(true)
  desk.store.dispatch(down)
  expect(checks()).toEqual([{ rule: 'mode', level: 'block', text: sentence }, ...before])
  desk.commands.reviewTicket()
  expect([ticket(desk)?.stage, notice(desk)]).toEqual(['edit', `Blocked: ${sentence}.`])
  desk.store.dispatch(back)
  expect(checks()).toEqual(before)
  send(desk)
  expect(desk.drafts).toHaveLength(1)
})

test('that the journal takes writes again is one line of the log, and what is said stays', () => {
  const desk = aDesk()
  const logTexts = () => desk.store.getState().log.map(({ text }) => text)
  const before = logTexts()
  const said = notice(desk)
  desk.store.dispatchAll([back, down, down])
  expect(logTexts()).toEqual(before)
  desk.store.dispatchAll([back, back])
  expect(logTexts()).toEqual([...before, 'The journal takes writes again: what is sent is on record.'])
  expect(notice(desk)).toBe(said)
})

test('a form that is not complete says so too, and a review does not send', () => {
  const desk = aTicket()
  desk.store.dispatch(down)
  const empty = form(desk)
  expect(empty === undefined ? [] : ticketReading(desk.store.getState(), empty).checks[0]?.text).toBe(sentence)
  desk.store.dispatch(back)
  write(desk, 'quantity', '0.05')
  desk.commands.reviewTicket()
  desk.store.dispatch(down)
  desk.wait(200)
  desk.commands.sendTicket()
  expect([desk.drafts, notice(desk)]).toEqual([[], `Not sent: ${sentence}. Nothing was placed.`])
})

test('where one key sends, nothing reads as if it would', () => {
  const desk = aTicket('quantity', { entry: { confirmAboveUsd: new Decimal(10_000), sizes: new Map() } })
  write(desk, 'quantity', '0.01')
  const why = () => {
    const now = form(desk)
    return now === undefined ? 'no ticket' : whyReviewed(desk.store.getState(), now)
  }
  const before = why()
  desk.store.dispatch(down)
  expect([before, why()]).toEqual([null, 'a check asks or warns'])
})

test('a move is blocked, and a cancel goes out', () => {
  const desk = aDesk()
  const order = anOrder({ orderId: '7', clientOrderId: 'mine', limitPrice: new Decimal('64209.50') })
  desk.store.dispatchAll([{ type: 'orders', orders: [order], atMs: startMs }, down])
  desk.commands.moveOnlyOrder()
  desk.commands.stepMove(2)
  const { move } = desk.store.getState()
  expect(move === null ? undefined : blockOf(readMove(desk.store.getState(), move).checks)?.text).toBe(sentence)
  desk.commands.reviewMove()
  expect(notice(desk)).toContain(sentence)
  desk.commands.backFromMove()
  // The first step puts the cursor in the middle.
  desk.commands.moveCursor(1)
  desk.commands.moveCursor(-2)
  desk.commands.cancelAtCursor()
  expect(desk.sent).toEqual(['cancel 7'])
})

test('a withdrawal is blocked in its form and in its review, and may be kept as a draft', () => {
  const desk = aDesk()
  const atMs = startMs
  desk.store.dispatchAll([
    { type: 'whitelist', whitelist: [{ whitelistId: 'wl-1', name: 'cold-1', currency: 'BTC' }], atMs },
    { type: 'withdrawals', withdrawals: [], atMs },
    down,
  ])
  desk.commands.openWithdraw({ currency: 'BTC', whitelistId: 'wl-1', amountText: '0.1' })
  desk.commands.enterWithdraw()
  expect([desk.store.getState().overlay?.kind, notice(desk)]).toEqual(['withdraw', `Blocked: ${sentence}.`])
  desk.store.dispatch(back)
  desk.commands.enterWithdraw()
  for (const character of '0.1') desk.commands.retypeWithdraw(character)
  desk.store.dispatch(down)
  desk.wait(200)
  desk.commands.sendWithdraw()
  expect(notice(desk)).toBe(`Not sent: ${sentence}. Nothing left the account.`)
  desk.commands.keepWithdraw()
  expect(desk.sent.filter((each) => each.startsWith('send'))).toEqual([])
  expect(notice(desk)).toBe('Saved as a draft: nothing was sent.')
})
