import { expect, test } from 'vitest'
import { arrived } from '../../../src/store/feeds/feed.ts'
import { matchingSymbols, withRecentSymbol } from '../../../src/store/symbols.ts'
import { symbolsRows } from '../../../src/ui/overlays/symbol-picker.tsx'
import { rowText, rowWidth } from '../../../src/ui/text/row.ts'
import { deskNowMs, deskState, instrumentFrom } from '../../fakes/desk-state.ts'

const rows = (query: string, selected: string | null = null, rowCount = 20) => {
  const overlay = { kind: 'symbols', query, selected } as const
  return symbolsRows(deskState({ overlay, recentSymbols: ['XLM-USD'] }), overlay, rowCount)
}

test('symbols shown lately come first, the one on the ladder last, while nothing is typed', () => {
  const names = matchingSymbols(deskState({ recentSymbols: ['SOL-USD', 'ETH-USD'] }), '').map(({ symbol }) => symbol)
  expect(names.slice(0, 2)).toEqual(['SOL-USD', 'ETH-USD'])
  expect(names.at(-1)).toBe('BTC-USD')
  expect(withRecentSymbol(['A', 'B'], 'B')).toEqual(['B', 'A'])
  expect(withRecentSymbol(['1', '2', '3', '4', '5', '6', '7', '8'], '9')).toHaveLength(8)
})

test('letters find name, base and counter', () => {
  const first = (query: string) => matchingSymbols(deskState(), query)[0]?.symbol
  expect(first('eth')).toBe('ETH-USD')
  expect(first('xlu')).toBe('XLM-USD')
  expect(matchingSymbols(deskState(), 'qq')).toEqual([])
})

test('each has its last price, its change in a day, its status, and whether it was shown lately', () => {
  const text = rows('').map(rowText)
  expect(text.find((row) => row.includes('XLM-USD'))).toMatch(/>XLM-USD +0\.1102 +-0\.9% +halt +shown lately/)
  expect(text.find((row) => row.includes('BTC-USD'))).toMatch(/BTC-USD +64210\.50 +\+1\.2% +open +on the ladder/)
})

test('the marked one stays in view, and rows fit the box', () => {
  for (const query of ['', 'S', 'zz', 'A'.repeat(24)]) {
    const shown = rows(query, 'SHIB-USD', 6)
    expect(shown.length).toBeLessThanOrEqual(6)
    for (const row of shown) expect(rowWidth(row)).toBeLessThanOrEqual(62)
  }
  expect(rows('', 'SHIB-USD', 6).map(rowText).join('\n')).toContain('>')
})

/** A map that counts how often it is looked into. */
class CountedMap<Value> extends Map<string, Value> {
  readCount = 0
  override get(key: string): Value | undefined {
    this.readCount += 1
    return super.get(key)
  }
  override keys(): MapIterator<string> {
    this.readCount += this.size
    return super.keys()
  }
}

test('of 10,000 symbols a picture reads those it shows, and the names once for what is typed', () => {
  const rules = { tick: '0.05', lot: '0.001', priceScale: 2, quantityScale: 3 }
  const names = Array.from({ length: 10_000 }, (_, at) => `S${at}-USD`)
  const instruments = new CountedMap(names.map((symbol) => [symbol, instrumentFrom({ symbol, ...rules })]))
  const overlay = { kind: 'symbols', query: 'S1', selected: 'S138-USD' } as const
  const state = deskState({ overlay, instruments: arrived(instruments, deskNowMs) })
  const text = symbolsRows(state, overlay, 20).map(rowText)
  expect(text).toHaveLength(20)
  expect(text.at(-1)).toMatch(/^ >S/)
  const first = instruments.readCount
  expect(first).toBeLessThan(names.length + 100)
  symbolsRows(deskState({ ...state, nowMs: deskNowMs + 100 }), overlay, 20)
  expect(instruments.readCount - first).toBeLessThan(100)
})
