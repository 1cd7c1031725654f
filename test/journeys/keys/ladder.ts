import { expect } from 'vitest'
import type { DeskState } from '../../../src/store/desk.ts'
import { lateMs } from '../../../src/ui/terminal/key-reader.ts'
import { amount } from '../../fakes/amounts.ts'
import { someBars } from '../../fakes/bars.ts'
import { noLimits } from '../../fakes/limits.ts'
import { type Journey, quoteAndCenter } from '../journey.tsx'
import { becomes, ownOrder, pause, pressKey, shows, type Walk, working } from './walk.ts'

const cursor = ({ ladder }: DeskState) => ladder.cursorPrice?.toFixed(2)
const group = ({ ladder }: DeskState) => ladder.groupTicks
const stage = ({ move }: DeskState) => move?.stage ?? null
const movePrice = ({ move }: DeskState) => move?.price.toFixed(2)

/** The cursor, the grouping, the view, and what is done at the cursor. */
export const ladderWalk: Walk = async (start) => {
  const journey = await start()
  await quoteAndCenter(journey)
  const from = cursor(journey.store.getState()) ?? ''
  const below = amount(from).minus('0.5').toFixed(2)
  await becomes(journey, 'j', cursor, below)
  await becomes(journey, 'k', cursor, from)
  await becomes(journey, 'down', cursor, below)
  await becomes(journey, 'up', cursor, from)
  const page = Math.max(1, journey.store.getState().screen.ladderRowCount - 1)
  await becomes(journey, 'pgdn', cursor, amount(from).minus(amount('0.5').times(page)).toFixed(2))
  await becomes(journey, 'pgup', cursor, from)
  await becomes(journey, 'esc', cursor, undefined)
  const middle = journey.store.getState().ladder.centerPrice?.toFixed(2)
  await becomes(journey, 'pgdn', cursor, middle)
  await becomes(journey, 'c', cursor, undefined)
  // Nothing is there to take away.
  await pressKey(journey, 'esc')
  await becomes(journey, 'k', cursor, from)
  await becomes(journey, '+', group, 2)
  await becomes(journey, '-', group, 1)
  await becomes(journey, '=', group, 2)
  await pressKey(journey, '-')
  const view = ({ ladder }: DeskState) => ladder.view
  const usual = view(journey.store.getState())
  await pressKey(journey, '3')
  await journey.until(() => view(journey.store.getState()) !== usual)
  await becomes(journey, '3', view, usual)
  const prices = ({ ladder }: DeskState) => ladder.prices
  await becomes(journey, 'r', prices, 'mid')
  await becomes(journey, 'r', prices, 'cursor')
  await becomes(journey, 'r', prices, 'absolute')
  await shows(journey, 'b', 'Ticket BUY LIMIT')
  await pressKey(journey, 'esc')
  await shows(journey, 's', 'Ticket SELL LIMIT')
  await pressKey(journey, 'esc')
  await pressKey(journey, 'esc')
  await ticketsFromOrders(journey)
  await pressKey(journey, '1')
  await becomes(journey, 'k', cursor, from)

  await ownOrder(journey, 'own1', from)
  await pause(journey, lateMs)
  await shows(journey, 'x', 'canceled, nothing filled')
  expectNone(await working(journey))
}

function expectText(text: unknown, wanted: string): void {
  if (text !== wanted) throw new Error(`typed ${String(text)}`)
}

/** From another pane `b` and `s` join the touch, `B` and `S` cross. */
async function ticketsFromOrders(journey: Journey): Promise<void> {
  for (const key of ['b', 's', 'B', 'S']) {
    await pressKey(journey, '2')
    await pressKey(journey, key)
    const { ticket, books, symbol } = journey.store.getState()
    const book = books.get(symbol)?.value
    const best = key === 'b' || key === 'S' ? book?.bids[0] : book?.asks[0]
    expect([key, ticket?.form.side, ticket?.form.priceText]).toEqual([
      key,
      key.toLowerCase() === 'b' ? 'BUY' : 'SELL',
      best?.price.toFixed(2),
    ])
    await pressKey(journey, 'esc')
  }
}

function expectNone(orders: readonly string[]): void {
  if (orders.length > 0) throw new Error(`still working: ${orders.join()}`)
}

/** An own order to another price: chosen by every key, reviewed, confirmed, sent. */
export const moveWalk: Walk = async (start) => {
  const journey = await start(undefined, {
    limits: { ...noLimits, orderNotionalUsd: { soft: amount('100'), hard: amount('5000') } },
  })
  await quoteAndCenter(journey)
  const from = cursor(journey.store.getState()) ?? ''
  const at = amount(from).minus('5')
  await ownOrder(journey, 'own1', at.toFixed(2))
  await ownOrder(journey, 'own2', at.toFixed(2))
  while (cursor(journey.store.getState()) !== at.toFixed(2)) await pressKey(journey, 'j')
  await becomes(journey, 'm', stage, 'choose')
  const first = journey.store.getState().move?.order.clientOrderId
  await becomes(journey, 'm', ({ move }) => move?.order.clientOrderId, first === 'own1' ? 'own2' : 'own1')
  const step = (rows: number) => at.plus(amount('0.5').times(rows)).toFixed(2)
  await becomes(journey, 'k', movePrice, step(1))
  await becomes(journey, 'j', movePrice, step(0))
  await becomes(journey, 'up', movePrice, step(1))
  await becomes(journey, 'down', movePrice, step(0))
  await becomes(journey, 'pgdn', movePrice, step(-10))
  await becomes(journey, 'pgup', movePrice, step(0))
  const field = ({ move }: DeskState) => move?.field
  await becomes(journey, 'tab', field, 'quantity')
  await becomes(journey, 'shift+tab', field, 'price')
  const typed = ({ move }: DeskState) => move?.priceText
  for (const key of ['+', '2', 't']) await pressKey(journey, key)
  expectText(typed(journey.store.getState()), '+2t')
  await becomes(journey, 'backspace', typed, '+2')
  await becomes(journey, 'delete', typed, '+')
  await becomes(journey, 'ctrl+u', typed, null)
  await pressKey(journey, '6')
  await becomes(journey, 'ctrl+w', typed, null)
  await becomes(journey, 'a', ({ move }) => move?.scope, 'row')
  await becomes(journey, 'a', ({ move }) => move?.scope, 'side')
  await becomes(journey, 'a', ({ move }) => move?.scope, 'one')
  await becomes(journey, 'esc', stage, null)
  await pressKey(journey, 'm')
  await pressKey(journey, 'j')
  await becomes(journey, 'enter', stage, 'review')
  await becomes(journey, 'esc', stage, 'choose')
  // Several in the smallest place: the review goes on below.
  journey.resize(80, 24)
  for (const scope of ['row', 'side']) await becomes(journey, 'a', ({ move }) => move?.scope, scope)
  await becomes(journey, 'enter', stage, 'review')
  await journey.until((screen) => screen.includes('more: Down'))
  const isBelow = ({ move }: DeskState) => move?.stage === 'review' && (move.top ?? 0) > 0
  await becomes(journey, 'down', isBelow, true)
  await becomes(journey, 'up', isBelow, false)
  await becomes(journey, 'pgdn', isBelow, true)
  await becomes(journey, 'pgup', isBelow, false)
  await becomes(journey, 'esc', stage, 'choose')
  await becomes(journey, 'a', ({ move }) => move?.scope, 'one')
  journey.resize(120, 40)
  const confirmed = ({ move }: DeskState) => (move?.stage === 'review' ? move.confirmed.length : 0)
  for (const key of ['Y', 'y']) {
    await pressKey(journey, 'enter')
    await becomes(journey, key, confirmed, 1)
    if (key === 'Y') await pressKey(journey, 'esc')
  }
  await pause(journey, 400)
  await pressKey(journey, 'enter')
  await journey.until(() => stage(journey.store.getState()) === null)
  await journey.until(() => true)
  const prices = await working(journey)
  if (prices.join() !== [step(-1), step(0)].join()) throw new Error(`moved to ${prices.join()}`)
}

/** The orders pane: the chosen one is moved, and taken back. */
export const ordersWalk: Walk = async (start) => {
  const journey = await start()
  await quoteAndCenter(journey)
  await ownOrder(journey, 'own1', '64200.00')
  await pressKey(journey, '2')
  await pressKey(journey, 'j')
  await becomes(journey, 'm', stage, 'choose')
  await pressKey(journey, 'esc')
  await pressKey(journey, '4')
  await becomes(journey, 'm', stage, 'choose')
  await pressKey(journey, 'esc')
  await pressKey(journey, '2')
  await shows(journey, 'x', 'canceled, nothing filled')
  expectNone(await working(journey))
}

/** The question of what is taken back: opened by both keys, asked of others by each letter, answered. */
export const cancelWalk: Walk = async (start) => {
  const journey = await start()
  await quoteAndCenter(journey)
  const from = cursor(journey.store.getState()) ?? ''
  await ownOrder(journey, 'own1', from)
  await ownOrder(journey, 'own2', '64200.00')
  await ownOrder(journey, 'own3', '3100.00', 'ETH-USD')
  const words = ({ overlay }: DeskState) =>
    overlay?.kind === 'confirmCancel' && overlay.target.kind === 'orders' ? overlay.target.words : null
  const ids = ({ overlay }: DeskState) =>
    overlay?.kind === 'confirmCancel' && overlay.target.kind === 'orders' ? overlay.target.orderIds.length : 0
  await becomes(journey, 'delete', ids, 1)
  await becomes(journey, 'esc', words, null)
  await becomes(journey, 'backspace', ids, 1)
  await becomes(journey, 'a', words, 'all 3 orders of every symbol')
  await becomes(journey, 'b', words, 'all 2 buys of BTC-USD')
  await becomes(journey, 'y', words, 'all 2 orders of BTC-USD')
  await becomes(journey, 'r', ids, 1)
  await becomes(
    journey,
    'l',
    ({ overlay }) => overlay?.kind === 'confirmCancel' && String(words({ overlay } as DeskState)).includes('last'),
    true,
  )
  await shows(journey, 's', 'You have no working sell in BTC-USD.')
  await shows(journey, 'a', 'all 3 orders')
  await pressKey(journey, 'esc')
  await pressKey(journey, '2')
  await pressKey(journey, 'j')
  await pressKey(journey, 'backspace')
  await pressKey(journey, 'b')
  await becomes(journey, 'o', ids, 1)
  await pressKey(journey, 'b')
  await pause(journey, lateMs)
  await pressKey(journey, 'x')
  await journey.until(() => (journey.store.getState().orders.value ?? []).length === 1)
  const left = await working(journey)
  if (left.join() !== '3100.00') throw new Error(`left: ${left.join()}`)
}

/** Ten hours of bars: the crosshair from bar to bar, earlier and later, and back. */
async function chartTimeWalk(journey: Journey): Promise<void> {
  const { nowMs, ahead, symbol } = journey.store.getState()
  const bars = someBars(nowMs + ahead.exchangeMs - 60_000, 600)
  journey.store.dispatch({ type: 'barsLoaded', bars: new Map([[symbol, bars]]) })
  const mark = ({ chart }: DeskState) => chart.markMs
  const end = ({ chart }: DeskState) => chart.endMs
  await pressKey(journey, 'left')
  const newest = mark(journey.store.getState()) ?? 0
  await becomes(journey, 'left', mark, newest - 60_000)
  await becomes(journey, 'right', mark, newest)
  await becomes(journey, 'esc', mark, null)
  await pressKey(journey, 'home')
  const oldest = end(journey.store.getState())
  await pressKey(journey, 'pgdn')
  await journey.until(() => (end(journey.store.getState()) ?? 0) > (oldest ?? 0))
  await becomes(journey, 'pgup', end, oldest)
  await becomes(journey, 'end', end, null)
}

/** The chart's picture and its time, and a symbol shown from the tickers. */
export const chartAndTickersWalk: Walk = async (start) => {
  const journey = await start()
  await quoteAndCenter(journey)
  await pressKey(journey, '8')
  const view = ({ chart }: DeskState) => chart.view
  await becomes(journey, 'd', view, 'depth')
  await becomes(journey, 'd', view, 'price')
  await becomes(journey, 'c', ({ chart }) => chart.style, 'line')
  const width = ({ chart }: DeskState) => chart.width
  await becomes(journey, '+', width, 2)
  await becomes(journey, '-', width, 1)
  await becomes(journey, '=', width, 2)
  const length = ({ chart }: DeskState) => chart.length
  await becomes(journey, 'i', length, '5m')
  await becomes(journey, 'I', length, '1m')
  await chartTimeWalk(journey)
  await pressKey(journey, '9')
  await pressKey(journey, 'home')
  await pressKey(journey, 'j')
  await becomes(journey, 'd', ({ overlay }) => overlay?.kind ?? null, 'details')
  await pressKey(journey, 'esc')
  const symbol = journey.store.getState().tables.views.tickers.selectedKey
  await becomes(journey, 'enter', (state) => state.symbol, symbol)
}
