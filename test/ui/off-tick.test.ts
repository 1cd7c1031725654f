import { expect, test } from 'vitest'
import { standingText } from '../../src/store/move/move.ts'
import { ordersContext } from '../../src/ui/tables/order-items.ts'
import { priceText } from '../../src/ui/tables/orders-table.ts'
import { amount } from '../fakes/amounts.ts'
import { bitcoin, deskState, orderFrom } from '../fakes/desk-state.ts'
import { plainScreen } from './render-screen.tsx'

/* An exchange that makes its tick coarser keeps the orders of before: a rounded price would be another order's. */

const price = amount('64209.2537')
const order = orderFrom({ orderId: '77', status: 'OPEN', limitPrice: price })
const state = deskState()
const [someFill] = state.fills.value ?? []

test('orders, fills, the questions about them and the move form show a price off the tick with all its digits', () => {
  if (someFill === undefined) throw new Error('a fill was expected')
  const desk = {
    ...state,
    orders: { ...state.orders, value: [order] },
    fills: { ...state.fills, value: [{ ...someFill, price, quantity: amount('0.05') }] },
    unknownWrites: [],
  }
  const zoomed = { view: { ...state.view, isZoomed: true } }
  expect(plainScreen({ ...desk, ...zoomed, focus: 'orders' }, 120, 40)).toContain('64209.2537')
  expect(plainScreen({ ...desk, ...zoomed, focus: 'fills' }, 120, 40)).toContain('64209.2537')
  const halt = { overlay: { kind: 'halt', symbol: 'BTC-USD', typed: '' } } as const
  expect(plainScreen({ ...desk, ...halt, focus: 'ladder' }, 120, 40)).toContain('64209.2537')
  const all = { overlay: { kind: 'confirmCancel', target: { kind: 'all', symbol: null } } } as const
  expect(plainScreen({ ...desk, ...all, focus: 'ladder' }, 120, 40)).toContain('64209.2537')
  expect(priceText({ order }, ordersContext(desk))).toBe('64209.2537')
  const form = { field: 'price', open: amount('0.05'), price, limit: null } as Parameters<typeof standingText>[0]
  expect(standingText(form, bitcoin)).toBe('64209.2537')
})

test('a price on the tick has the decimals of the symbol, as before', () => {
  expect(priceText({ order: orderFrom({ limitPrice: amount('64209.5') }) }, ordersContext(state))).toBe('64209.50')
})
