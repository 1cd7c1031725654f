import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import type { DeskState } from '../../src/store/desk.ts'
import { arrived } from '../../src/store/feeds/feed.ts'
import { deskNowMs, deskState, instrumentFrom, orderFrom } from '../fakes/desk-state.ts'
import { plainScreen } from './render-screen.tsx'

const symbol = '金💹e\u0301-USD'

/** A desk whose market, orders and messages are written in characters of all widths. */
function wideDesk(more: Partial<DeskState> = {}): DeskState {
  const base = deskState()
  const instrument = instrumentFrom({ symbol, tick: '0.50', lot: '0.0001', priceScale: 2, quantityScale: 4 })
  const text = `注文 ${symbol} を受け付けました 한국어 \u202eKO\u0007`
  return {
    ...base,
    instruments: arrived(new Map([...(base.instruments.value ?? []), [symbol, instrument]]), deskNowMs),
    orders: arrived([orderFrom({ symbol, clientOrderId: '注文1' })], deskNowMs),
    log: [{ atMs: deskNowMs, level: 'good', text }],
    notice: { atMs: deskNowMs, level: 'good', text },
    unknownWrites: [],
    ...more,
  }
}

test.each([
  [80, 24],
  [120, 40],
  [200, 60],
] as const)('at %i by %i characters of two cells move no frame, and are there', (columns, rows) => {
  for (const focus of ['orders', 'log', 'tickers'] as const) {
    const screen = plainScreen(wideDesk({ focus }), columns, rows)
    // The foot lines are not filled up; everything between has a frame at the right edge.
    for (const line of screen.split('\n').filter((each) => /[│┃┐┓┘┛]$/.test(each))) {
      expect(stringWidth(line), line).toBe(columns)
    }
    expect(screen).toContain('金💹é')
    expect(screen).toContain('注文')
    expect(screen).not.toMatch(/[\u0007\u202e\ue000-\uf8ff]/)
  }
})

test('a list of symbols is searched and drawn with them too', () => {
  for (const query of ['', '金']) {
    const overlay = { kind: 'symbols', query, selected: null } as const
    const screen = plainScreen(wideDesk({ overlay, orders: arrived([], deskNowMs), log: [], notice: null }), 120, 40)
    const framed = screen.split('\n').filter((each) => /[│┃║]$/.test(each))
    expect(framed.length).toBeGreaterThan(20)
    for (const line of framed) expect(stringWidth(line), line).toBe(120)
    const listed = screen.split('\n').flatMap((line) => line.split('║')[1] ?? [])
    expect(listed.join('\n')).toContain('金💹é-USD')
    expect(listed.some((line) => line.includes('ETH-USD'))).toBe(query === '')
  }
})
