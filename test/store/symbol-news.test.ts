import { expect, test } from 'vitest'
import type { Instrument } from '../../src/domain/market/instrument.ts'
import { anInstrument } from '../fakes/instruments.ts'
import { anOrder } from '../fakes/orders.ts'
import { protectedPlan } from '../fakes/plans.ts'
import { aDesk, startMs } from './desk.ts'

const symbols = ['BTC-USD', 'ETH-USD', 'SOL-USD', 'XLM-USD', 'LTC-USD']
const listed = (change: Partial<Record<string, Instrument['status'] | null>> = {}) =>
  new Map(
    symbols.flatMap((symbol): [string, Instrument][] => {
      const status = change[symbol] === undefined ? 'open' : change[symbol]
      return status === null ? [] : [[symbol, anInstrument({ symbol, status })]]
    }),
  )

function desk() {
  const { store } = aDesk()
  const rules = (change?: Parameters<typeof listed>[0]) =>
    store.dispatch({ type: 'instruments', instruments: listed(change), atMs: startMs })
  rules()
  const orders = symbols.map((symbol, at) => anOrder({ symbol, orderId: `${at}`, clientOrderId: `c${at}` }))
  store.dispatch({ type: 'orders', orders: orders.slice(1, 3), atMs: startMs })
  const said = () => store.getState().log.map(({ level, text }) => `${level} ${text}`)
  return { store, rules, orders, said }
}

test('a symbol that stops trading, leaves the list or opens again is told where something of one’s own waits in it', () => {
  const { store, rules, said } = desk()
  const before = said().length
  rules({ 'ETH-USD': 'halt', 'LTC-USD': 'halt' })
  expect(said().slice(before)).toEqual(['warn ETH-USD is halted: 1 working order there.'])
  rules({ 'ETH-USD': 'halt', 'LTC-USD': 'halt' })
  rules({ 'ETH-USD': null })
  rules({ 'BTC-USD': null })
  expect(said().slice(before + 1)).toEqual([
    'warn ETH-USD is not listed any more: 1 working order there.',
    'info ETH-USD is open: 1 working order there.',
  ])
  store.dispatch({ type: 'plans', owner: 'desk', plans: [protectedPlan()] })
  rules()
  expect(said().at(-1)).toMatch(/^info BTC-USD is open: \d+ plans? there\.$/)
})

test('a symbol whose rules cannot be read is not told as one that left the list', () => {
  const { store, said } = desk()
  const before = said().length
  const unread = new Set(['ETH-USD'])
  store.dispatch({ type: 'instruments', instruments: listed({ 'ETH-USD': null }), unread, atMs: startMs })
  expect(said().slice(before)).toEqual(['warn ETH-USD has rules that cannot be read: 1 working order there.'])
})

test('many symbols that change at once are one sentence', () => {
  const { store, rules, orders, said } = desk()
  store.dispatch({ type: 'orders', orders, atMs: startMs })
  const before = said().length
  rules(Object.fromEntries(symbols.map((symbol) => [symbol, 'suspend'])))
  expect(said().slice(before)).toEqual([
    'warn 5 symbols with own orders, plans or alerts changed: BTC-USD, ETH-USD, SOL-USD and 2 more.',
  ])
})
