import { expect, test } from 'vitest'
import { arrived } from '../../src/store/feeds/feed.ts'
import { outsideSymbols, readingText, unitValue, unrealizedOf } from '../../src/store/positions.ts'
import { plainView } from '../../src/store/tables/tables.ts'
import { positionsContent } from '../../src/ui/panes/positions-pane.tsx'
import { positionsSource } from '../../src/ui/tables/positions-table.ts'
import { rowText } from '../../src/ui/text/row.ts'
import { amount } from '../fakes/amounts.ts'
import { aBalance } from '../fakes/balances.ts'
import { deskNowMs, deskState } from '../fakes/desk-state.ts'
import { aPosition, aRealized, reckonedPositions, worthDesk } from '../fakes/worth.ts'
import { aDesk, startMs } from './desk.ts'

const valued = (...[currency, basis, isOwed]: [string, 'mid' | 'touch', boolean?]) => {
  const value = unitValue(deskState(), currency, basis, isOwed)
  return value === null ? null : `${value.usd.toFixed()} ${value.source}`
}

test('a unit is worth the mid of its book, else its last price, else the exchange rate; at the touch only a book tells', () => {
  expect(valued('BTC', 'mid')).toBe('64210.75 mid of BTC-USD')
  expect(valued('BTC', 'touch')).toBe('64210.5 bid of BTC-USD')
  expect(valued('BTC', 'touch', true)).toBe('64211 ask of BTC-USD')
  expect(valued('ETH', 'mid')).toBe('3120.1 last price of ETH-USD')
  expect(valued('ETH', 'touch')).toBeNull()
  expect(valued('USD', 'touch')).toBe('1 USD itself')
  expect(valued('DOGE', 'mid')).toBeNull()
})

test('who tells one as the rate of every currency keeps no rates: a unit without a price is worth what nobody knows', () => {
  const doge = (...rates: string[]) => {
    const balances = ['USD', 'DOGE', 'BTC'].map((currency, at) => aBalance(currency, '5', { rate: rates[at] ?? '1' }))
    return unitValue(deskState({ balances: arrived(balances, deskNowMs) }), 'DOGE', 'mid')
  }
  expect(doge()).toBeNull()
  expect(doge('1', '0.2')?.usd.toFixed()).toBe('0.2')
  // Of one that keeps rates it is a rate.
  expect(doge('1', '1', '64000')?.usd.toFixed()).toBe('1')
})

test('only units of known cost have a gain, and without one there is none: not zero', () => {
  const value = { usd: amount('65000'), source: 'mid of BTC-USD' }
  expect(unrealizedOf(aPosition('BTC', '0.412', '25750'), value)?.toFixed()).toBe('1030')
  const unknown = { quantityOfKnownCost: amount('0'), averageCostUsd: null, quantityOfUnknownCost: amount('1') }
  expect(unrealizedOf(aPosition('BTC', '1', '0', unknown), value)).toBeNull()
})

test('what could not be reckoned is logged once', () => {
  const { store } = aDesk()
  const reckoned = { ...reckonedPositions, missing: ['Fill 5 has no price.'] }
  const before = store.getState().log.length
  store.dispatch({ type: 'positionsReckoned', reckoned, atMs: startMs })
  store.dispatch({ type: 'positionsReckoned', reckoned, atMs: startMs + 1 })
  expect(
    store
      .getState()
      .log.slice(before)
      .map(({ text }) => text),
  ).toEqual(['Fill 5 has no price.'])
  const { foot = [] } = positionsContent(store.getState(), 120, 10)
  expect(rowText(foot)).toContain('not whole: see the log')
})

test('the details say in words what a question mark stands for, and the CSV leaves it empty', () => {
  const desk = worthDesk({ nowMs: deskNowMs })
  const details = positionsSource.details(desk, 'XLM') ?? []
  const saidOf = (label: string) => details.find((field) => field.label === label)?.text
  expect(saidOf('cost')).toBe('? no unit has a known cost')
  expect(saidOf('cost to be stated')).toContain('cost xlm')
  expect(saidOf('unrealized')).toBe('? cost or value is unknown')
  expect(saidOf('units of unknown cost')).toBe('12000.00')
  const { head, rows } = positionsSource.export(desk)
  const stellar = [...rows].find(([name]) => name === 'XLM') ?? []
  expect(stellar[head.indexOf('cost')]).toBe('')
  expect(stellar[head.indexOf('units of unknown cost')]).toBe('12000')
})

test('a gain or a fee that nobody knows is told as unknown in details and CSV, and sorts behind the others: not as 0', () => {
  const { all } = reckonedPositions.realized
  const unknown = { knownCount: 0, unknownCount: 2, knownFeeCount: 0, unknownFeeCount: 1 }
  const currency = new Map([...all.currency, ['XLM', aRealized('0', '0', unknown)]] as const)
  const reckoned = { ...reckonedPositions, realized: { ...reckonedPositions.realized, all: { ...all, currency } } }
  const desk = worthDesk()
  const state = { ...desk, positions: { ...desk.positions, reckoned } }
  const saidOf = (label: string) =>
    (positionsSource.details(state, 'XLM') ?? []).find((field) => field.label === label)?.text
  expect(saidOf('realized all time')).toBe('? cost or value is unknown')
  expect(saidOf('fees all time')).toBe('? value in USD is unknown')
  expect(saidOf('realized today')).toBe('-')
  const { head, rows } = positionsSource.export(state)
  const stellar = [...rows].find(([name]) => name === 'XLM') ?? []
  expect(['realized all time', 'fees all time'].map((name) => stellar[head.indexOf(name)])).toEqual(['', ''])
  const sorted = (column: string) => {
    const view = { ...plainView, sort: { column, direction: 'up' } as const }
    const tables = { ...state.tables, views: { ...state.tables.views, positions: view } }
    return positionsSource.keys({ ...state, tables }).keys.filter((name) => name !== 'USD')
  }
  expect(sorted('realized')).toEqual(['ETH', 'BTC', 'XLM'])
  expect(sorted('fees')).toEqual(['ETH', 'BTC', 'XLM'])
})

test('by symbol there is what came of it, and what is held of lots that its fills brought in', () => {
  const desk = worthDesk()
  const bySymbol = { ...desk, positions: { ...desk.positions, grouping: 'symbol' as const } }
  expect(positionsSource.keys(bySymbol).keys).toEqual(['BTC-USD', 'ETH-USD', 'XLM-USD'])
  const details = positionsSource.details(bySymbol, 'ETH-USD') ?? []
  expect(details.find(({ label }) => label === 'realized all time')?.text).toBe('-88.40')
  const saidOf = (label: string, name = 'ETH-USD') =>
    (positionsSource.details(bySymbol, name) ?? []).find((field) => field.label === label)?.text
  expect([saidOf('quantity'), saidOf('unrealized')]).toEqual(['2.00', '200.20'])
  expect(saidOf('quantity', 'XLM-USD')).toBe('nothing is held that its fills brought in')
  const average = { ...reckonedPositions, method: 'average' as const, bySymbol: new Map() }
  bySymbol.positions.reckoned = average
  expect(saidOf('unrealized')).toBe('at average costs lots have no symbol: see by currency')
  expect(outsideSymbols(reckonedPositions)).toEqual(['ETH', 'XLM'])
})

test('how far the reading is, and why they are unknown, is said on the pane, and told once', () => {
  const { store } = aDesk()
  const shown = () => positionsContent(store.getState(), 80, 10).rows.map(rowText).join(' ')
  expect(shown()).toContain('Waiting for the fills')
  store.dispatch({ type: 'positionsReading', reading: { from: 'exchange', count: 120_000 } })
  expect(shown()).toContain('Reading fills from the exchange, once: 120,000 so far.')
  store.dispatch({ type: 'positionsReading', reading: { from: 'file', count: 120_000, total: 1_000_000 } })
  expect(shown()).toContain('Reading fills: 120,000 of 1,000,000.')
  const before = store.getState().log.length
  for (const atMs of [startMs, startMs + 1]) store.dispatch({ type: 'positionsUnknown', why: 'the disk fails', atMs })
  expect(shown()).toContain('Positions are unknown: the disk fails.')
  expect(store.getState().notice?.text).toBe('Positions are unknown: the disk fails.')
  expect(store.getState().log).toHaveLength(before + 1)
  store.dispatch({ type: 'positionsReckoned', reckoned: reckonedPositions, atMs: startMs })
  store.dispatch({ type: 'positionsReading', reading: { from: 'file', count: 1, total: 2 } })
  const { foot = [] } = positionsContent(store.getState(), 80, 10)
  expect(rowText(foot)).toContain(readingText({ from: 'file', count: 1, total: 2 }))
})
