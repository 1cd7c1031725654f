import { expect, test } from 'vitest'
import { Decimal } from '../../../../src/domain/money.ts'
import type { DeskState } from '../../../../src/store/desk.ts'
import { arrived } from '../../../../src/store/feeds/feed.ts'
import { announcements, cursorSentence, ladderSentences } from '../../../../src/ui/console/spoken/sentences.ts'
import { spokenLines } from '../../../../src/ui/console/spoken/spoken-console.tsx'
import { bitcoin, deskNowMs, deskState, orderFrom } from '../../../fakes/desk-state.ts'
import { aDraft } from '../../../fakes/orders.ts'

test('a picture as it is read: no frames, bars or colors, a pause between columns, the chosen row by a word', () => {
  const picture = [
    '┏ 2 Orders (3) ━━━━━┓',
    '┃ ID       SIDE▲    ┃',
    '┃>9912041  BUY  ▃▅█ ┃',
    '┃                   ┃',
    '┗━━━━━━━━━━━━━━━━━━━┛',
    '\u001b[1m qty  \u001b[0m 0.05_  lot 0.01',
    '> qty  _  lot 0.01',
  ].join('\n')
  expect(spokenLines(picture)).toEqual([
    '2 Orders (3)',
    'ID, SIDE rising',
    'Chosen: 9912041, BUY',
    'qty, 0.05, lot 0.01',
    'Chosen: qty, empty, lot 0.01',
  ])
})

test('the ladder in words: status, best prices, spread, what stands at the cursor, and when all that is old', () => {
  expect(ladderSentences(deskState())).toEqual([
    'Ladder BTC-USD, open.',
    'best bid 64210.50 for 0.7330, best ask 64211.00 for 0.4120, spread 0.50, last 64210.50.',
    'Cursor at 64209.50: bid 1.9400, own buy 0.0500.',
  ])
  expect(ladderSentences(deskState({ nowMs: deskNowMs + 60_000 }))).toContain('This book is old: STALE.')
  const at = (text: string) => {
    const state = deskState()
    return cursorSentence({ ...state, ladder: { ...state.ladder, cursorPrice: bitcoin.tickSize.times(0).plus(text) } })
  }
  expect(at('64212.50')).toBe('64212.50: ask 2.1140, own sell 0.0200.')
  expect(at('64210.50')).toBe('64210.50: bid 0.7330, last price.')
  expect(at('60000.00')).toBe('60000.00: nothing rests here.')
})

test('what is the own at the cursor is told, also of unknown quantity, and a stop that waits there', () => {
  const pending = { status: 'PENDING', limitPrice: null, leavesQuantity: null } as const
  const orders = [
    orderFrom({ orderId: '81', clientOrderId: 'own81', limitPrice: new Decimal('60000'), leavesQuantity: null }),
    orderFrom({ ...pending, orderId: '82', clientOrderId: 'own82', type: 'STOP', side: 'SELL' }),
  ]
  const ownDrafts = new Map([['own82', aDraft({ type: 'STOP', side: 'SELL', stopPrice: new Decimal('61000') })]])
  const at = (text: string) => {
    const state = deskState({ orders: arrived(orders, deskNowMs), ownDrafts, unknownWrites: [] })
    return cursorSentence({ ...state, ladder: { ...state.ladder, cursorPrice: new Decimal(text) } })
  }
  expect(at('60000')).toBe('60000.00: own buy of unknown quantity.')
  expect(at('61000')).toBe('61000.00: own sell stop pending 0.0500.')
})

test('a last price of an old list is told as old', () => {
  const { tickers } = deskState()
  const old = { ...tickers, atMs: deskNowMs - 60_000 }
  expect(ladderSentences(deskState({ tickers: old }))[1]).toMatch(/, last 64210\.50, old\.$/)
})

test('news are told, and what stays as it was is not', () => {
  const before = deskState()
  expect(announcements(before, { ...before, nowMs: before.nowMs + 100 })).toEqual([])
  const line = { atMs: deskNowMs, level: 'bad' as const, text: 'Order rejected: no.' }
  expect(announcements(before, { ...before, log: [...before.log, line] })).toEqual(['Order rejected: no.'])
  expect(announcements(before, { ...before, mode: { kind: 'HALTED' } })).toEqual(['Mode is HALTED.'])
  expect(announcements(before, { ...before, symbol: 'XLM-USD' })).toEqual([])
})

test('a change of status is told of every ladder on screen', () => {
  const { screen, instruments } = deskState()
  const two = { ...screen, visiblePanes: ['ladder', 'ladder2'] } as const
  const before = deskState({ screen: two, symbol2: 'XLM-USD' })
  const known = new Map(instruments.value)
  const lumens = known.get('XLM-USD')
  if (lumens === undefined) throw new Error('no symbol')
  const after = { ...before, instruments: arrived(known.set('XLM-USD', { ...lumens, status: 'open' }), deskNowMs) }
  expect(announcements(before, after)).toEqual(['XLM-USD is open now.'])
  const one = (state: DeskState): DeskState => ({ ...state, screen })
  expect(announcements(one(before), one(after))).toEqual([])
})

test('a log that is full and moves on tells only what is new', () => {
  const lines = Array.from({ length: 500 }, (_, at) => ({ atMs: at, level: 'info' as const, text: `line ${at}` }))
  const before = deskState({ log: lines })
  const line = { atMs: 500, level: 'info' as const, text: 'line 500' }
  expect(announcements(before, { ...before, log: [...lines.slice(1), line] })).toEqual(['line 500'])
})

test('what a check says is one sentence to its end, and what a key would take is said behind it', () => {
  const picture = [
    '│ qty    1_                                        │',
    '│ BLOCK needs 64,503.75 USD; 12,725.36 USD held by  │',
    '│   your 10 buy orders 17558, 17557, 17556 and 7   │',
    '│   more: cancel them to free it                   │',
    '│   F takes 0.1550 BTC                             │',
    '│ WARN thin book                                    │',
    '│                                                   │',
    '└ BLOCK 1 ─────────────────────────────────────────┘',
  ].join('\n')
  expect(spokenLines(picture)).toEqual([
    'qty, 1',
    'BLOCK needs 64,503.75 USD; 12,725.36 USD held by your 10 buy orders 17558, 17557, 17556 and 7 more: cancel them ' +
      'to free it. F takes 0.1550 BTC',
    'WARN thin book',
    'BLOCK 1',
  ])
})
