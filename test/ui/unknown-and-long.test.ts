import { describe, expect, test } from 'vitest'
import type { DeskState } from '../../src/store/desk.ts'
import { arrived, emptyFeed } from '../../src/store/feeds/feed.ts'
import { paletteWith } from '../../src/store/palette.ts'
import { gatewayContent } from '../../src/ui/panes/gateway/gateway-pane.tsx'
import { nameText } from '../../src/ui/text/cells.ts'
import { rowText } from '../../src/ui/text/row.ts'
import { bitcoin, deskNowMs, deskState, orderFrom } from '../fakes/desk-state.ts'
import { plainScreen } from './render-screen.tsx'

const sizes = [
  [80, 24],
  [120, 40],
  [200, 60],
] as const

describe('what has not answered is not none', () => {
  const unanswered = deskState({ orders: emptyFeed, unknownWrites: [], endedOrders: [] })

  test.each(sizes)('%i x %i: nowhere are there no orders before the list of orders has come', (columns, rows) => {
    expect(plainScreen(unanswered, columns, rows)).not.toMatch(/no (working )?orders/i)
    const answered = { ...unanswered, orders: arrived([], deskNowMs) }
    expect(plainScreen(answered, columns, rows)).toMatch(/no working orders/i)
  })

  test('nor on the page of a terminal that is too small', () => {
    expect(plainScreen(unanswered, 60, 11)).toContain('Waiting for your orders')
    expect(plainScreen({ ...unanswered, orders: arrived([], deskNowMs) }, 60, 11)).toContain('No working orders.')
  })

  test('nor in the palette, where a sentence that cancels says how many it means', () => {
    const overlay = paletteWith('cancel all')
    expect(plainScreen({ ...unanswered, overlay }, 80, 24)).toContain('Your orders are not loaded yet.')
    const answered = { ...unanswered, overlay, orders: arrived([], deskNowMs) }
    expect(plainScreen(answered, 80, 24)).toContain('This means no working orders.')
  })

  test('nor is an inbox empty that was not read', () => {
    const { gateway } = unanswered
    const empty = { ...gateway.inbox, orders: [], sums: new Map(), quarantine: [], unreadCount: 0 }
    const read = (readAtMs: number | null, list: DeskState['gateway']['list']) =>
      gatewayContent({ ...unanswered, gateway: { ...gateway, inbox: { ...empty, readAtMs } } }, list, {
        width: 70,
        rowCount: 6,
      })
        .rows.map(rowText)
        .join(' ')
    for (const list of ['inbox', 'sums', 'quarantine'] as const) {
      expect(read(null, list)).toContain('Waiting for the inbox…')
      expect(read(deskNowMs, list)).not.toContain('Waiting')
    }
  })
})

describe('a very long symbol', () => {
  const long = `${'LONG'.repeat(60)}-USD`
  const desk = deskState()
  const ticker = desk.tickers.value?.get('BTC-USD')
  if (ticker === undefined) throw new Error('the fake desk has no ticker')
  const instruments = new Map([[long, { ...bitcoin, symbol: long, base: long }], ...(desk.instruments.value ?? [])])
  const tickers = new Map([[long, { ...ticker, symbol: long }], ...(desk.tickers.value ?? [])])
  const orders = [orderFrom({ orderId: '77', symbol: long }), ...(desk.orders.value ?? [])]
  const state = deskState({
    instruments: arrived(instruments, deskNowMs),
    tickers: arrived(tickers, deskNowMs),
    orders: arrived(orders, deskNowMs),
    view: { layout: 'trade', isZoomed: false },
  })

  test('a name keeps its start and its end', () => {
    expect(nameText(long)).toBe('LONGLONGLO…GLONG-USD')
    expect(nameText('BTC-USD')).toBe('BTC-USD')
  })

  test.each(sizes)('%i x %i: hides no price of another one, no order and no age', (columns, rows) => {
    const screen = plainScreen(state, columns, rows)
    // Ether's price, an own order's price and state, the ages, and the ladder's spread.
    expect(screen).toMatch(/3,?120\.10/)
    expect(screen).toMatch(/9912017 .*64212\.50/)
    expect(screen).toContain('PART_FILLED')
    expect(screen).toMatch(/(book|bk) 0\.4s/)
    expect(plainScreen({ ...state, focus: 'tickers' }, columns, rows)).toMatch(/ETH.* 3120\.10/)
  })

  test.each(sizes)('%i x %i: chosen on the ladder it leaves room for what matters beside it', (columns, rows) => {
    const books = new Map([...desk.books, [long, desk.books.get('BTC-USD') ?? emptyFeed]])
    const screen = plainScreen({ ...state, symbol: long, books }, columns, rows)
    expect(screen).toMatch(/(book|bk) 0\.4s/)
    expect(screen).toMatch(/3,?120\.10/)
    const old = plainScreen({ ...state, symbol: long, books, nowMs: deskNowMs + 60_000 }, columns, rows)
    expect(old).toMatch(/1 Ladder LONG.* STALE 60s/)
  })
})
