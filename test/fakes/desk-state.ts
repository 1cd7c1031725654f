import type { Book, Level } from '../../src/domain/market/book.ts'
import type { Instrument } from '../../src/domain/market/instrument.ts'
import type { Ticker } from '../../src/domain/market/ticker.ts'
import { zero } from '../../src/domain/money.ts'
import type { Fill } from '../../src/domain/orders/fills.ts'
import type { Order } from '../../src/domain/orders/order.ts'
import type { UnknownWrite } from '../../src/domain/unknown-write.ts'
import { type DeskState, initialState } from '../../src/store/desk.ts'
import { arrived } from '../../src/store/feeds/feed.ts'
import { emptyTables, plainView, type TablesState } from '../../src/store/tables/tables.ts'
import type { ListPane } from '../../src/store/view/lists.ts'
import { amount } from './amounts.ts'
import { aBalance } from './balances.ts'
import { gatewayAt } from './gateway.ts'
import { anOrder } from './orders.ts'
import { transferSlicesAt } from './transfers.ts'

/** 2026-11-20 14:02:07 UTC. */
export const deskNowMs = Date.UTC(2026, 10, 20, 14, 2, 7)

type InstrumentText = { symbol: string; tick: string; lot: string; priceScale: number; quantityScale: number }

export function instrumentFrom(text: InstrumentText, more: Partial<Instrument> = {}): Instrument {
  const [base = '', counter = ''] = text.symbol.split('-')
  return {
    symbol: text.symbol,
    base,
    counter,
    baseScale: 8,
    counterScale: 2,
    tickSize: amount(text.tick),
    priceScale: text.priceScale,
    lotSize: amount(text.lot),
    quantityScale: text.quantityScale,
    minQuantity: amount(text.lot),
    maxQuantity: null,
    status: 'open',
    auction: { price: null, quantity: null, time: null, imbalance: null },
    ...more,
  }
}

export const bitcoin = instrumentFrom({
  symbol: 'BTC-USD',
  tick: '0.50',
  lot: '0.0001',
  priceScale: 2,
  quantityScale: 4,
})
const instruments = [
  bitcoin,
  instrumentFrom({ symbol: 'ETH-USD', tick: '0.05', lot: '0.001', priceScale: 2, quantityScale: 3 }),
  instrumentFrom({ symbol: 'SOL-USD', tick: '0.01', lot: '0.01', priceScale: 2, quantityScale: 2 }),
  instrumentFrom(
    { symbol: 'XLM-USD', tick: '0.0001', lot: '1', priceScale: 4, quantityScale: 0 },
    {
      status: 'halt',
      auction: { price: amount('0.1101'), quantity: amount('12000'), time: '1430', imbalance: amount('4200') },
    },
  ),
  instrumentFrom({ symbol: 'LTC-USD', tick: '0.01', lot: '0.01', priceScale: 2, quantityScale: 2 }),
  instrumentFrom({ symbol: 'SHIB-USD', tick: '0.00000001', lot: '1000', priceScale: 8, quantityScale: 0 }),
]

const levels = (start: string, step: string, quantities: readonly string[]): Level[] =>
  quantities.map((quantity, index) => ({
    price: amount(start).plus(amount(step).times(index)),
    quantity: amount(quantity),
    orderCount: 1n,
  }))

const askQuantities = [
  '0.4120',
  '1.0300',
  '0.2500',
  '2.1140',
  '0.9000',
  '0.0770',
  '3.2000',
  '0.4120',
  '1.0300',
  '0.2500',
]
const bidQuantities = [
  '0.7330',
  '0.1200',
  '1.9400',
  '0.3050',
  '0.6600',
  '2.0000',
  '0.0500',
  '0.7330',
  '0.1200',
  '1.9400',
]
const book: Book = {
  symbol: 'BTC-USD',
  asks: levels('64211.00', '0.50', [...askQuantities, ...askQuantities]),
  bids: levels('64210.50', '-0.50', [...bidQuantities, ...bidQuantities]),
}

export function orderFrom(more: Partial<Order>): Order {
  return {
    ...anOrder({ leavesQuantity: amount('0.0500'), timestampMs: deskNowMs - 180_000 }),
    ...more,
  }
}

const orders = [
  orderFrom({}),
  orderFrom({
    orderId: '9912017',
    clientOrderId: 'a81fK2x08Pp7',
    side: 'SELL',
    status: 'PART_FILLED',
    limitPrice: amount('64212.50'),
    leavesQuantity: amount('0.0200'),
    cumQuantity: amount('0.0300'),
    averagePrice: amount('64212.50'),
    timestampMs: deskNowMs - 660_000,
  }),
  orderFrom({
    orderId: '9911204',
    clientOrderId: 'a81fK2x07Aa2',
    symbol: 'XLM-USD',
    limitPrice: amount('0.1095'),
    leavesQuantity: amount('5000'),
    timestampMs: deskNowMs - 7_400_000,
  }),
]

const ended = [
  orderFrom({
    orderId: '9911002',
    clientOrderId: 'a81fK2x06Bb3',
    status: 'FILLED',
    leavesQuantity: zero,
    cumQuantity: amount('0.0500'),
    averagePrice: amount('64188.00'),
    limitPrice: amount('64188.00'),
    timestampMs: deskNowMs - 245_000,
  }),
  orderFrom({
    orderId: null,
    clientOrderId: 'a81fK2x05Cc4',
    status: 'REJECTED',
    type: 'MARKET',
    limitPrice: null,
    leavesQuantity: amount('9.0000'),
    text: 'Insufficient Balance',
    timestampMs: deskNowMs - 2_500_000,
  }),
]

export const unknownOrder: UnknownWrite = {
  key: 'a81fK2x10Dd5',
  kind: 'order',
  symbol: 'BTC-USD',
  sentence: 'May be live: no answer for order a81fK2x10Dd5. Checking. Do not resubmit.',
  atMs: deskNowMs - 20_000,
  order: orderFrom({
    orderId: null,
    clientOrderId: 'a81fK2x10Dd5',
    status: 'PENDING',
    limitPrice: amount('64190.00'),
    leavesQuantity: amount('0.0100'),
    timestampMs: deskNowMs - 20_000,
  }),
  question: null,
}

function fillFrom(more: Partial<Fill>): Fill {
  return {
    orderId: '9912017',
    tradeId: '771203',
    execId: '88001',
    symbol: 'BTC-USD',
    side: 'SELL',
    price: amount('64212.50'),
    quantity: amount('0.0300'),
    fee: amount('1.926375'),
    timestampMs: deskNowMs - 9_000,
    ...more,
  }
}

const fills = [
  fillFrom({}),
  fillFrom({
    orderId: '9911002',
    execId: '87990',
    tradeId: '771150',
    side: 'BUY',
    price: amount('64188.00'),
    quantity: amount('0.0500'),
    fee: amount('6.4188'),
    timestampMs: deskNowMs - 245_000,
  }),
  fillFrom({
    orderId: '9910001',
    execId: '87100',
    tradeId: '770002',
    symbol: 'XLM-USD',
    side: 'BUY',
    price: amount('0.1101'),
    quantity: amount('12000'),
    fee: amount('2.6424'),
    timestampMs: deskNowMs - 4_000_000,
  }),
]

const balances = [
  aBalance('USD', '12004.11', { total: '12500.00' }),
  aBalance('BTC', '0.392', { total: '0.412', rate: '64210.50' }),
  aBalance('ETH', '3.1', { rate: '3120.10' }),
  aBalance('XLM', '12000', { rate: '0.1102' }),
]

const ticker = (symbol: string, last: string, before: string, volume: string): [string, Ticker] => [
  symbol,
  { symbol, lastPrice: amount(last), price24h: amount(before), volume24h: amount(volume) },
]
const tickers = new Map([
  ticker('BTC-USD', '64210.50', '63449.10', '812.4031'),
  ticker('ETH-USD', '3120.10', '3132.60', '9104.22'),
  ticker('SOL-USD', '142.33', '138.05', '88123.5'),
  ticker('XLM-USD', '0.1102', '0.1112', '1200345'),
  ticker('LTC-USD', '71.20', '71.13', '412.9'),
  ticker('SHIB-USD', '0.00002411', '0.00002398', '81234567000'),
])

/** The lists' views with one row chosen. */
export const chosenRow = (pane: ListPane, selectedKey: string): TablesState => ({
  ...emptyTables,
  views: { ...emptyTables.views, [pane]: { ...plainView, selectedKey } },
})

/** A desk in the middle of a day: four feeds a moment old, orders, fills, one write without an answer. */
export function deskState(more: Partial<DeskState> = {}): DeskState {
  const base = initialState({
    nowMs: deskNowMs,
    venue: { profileName: 'practice', kind: 'practice' },
    mode: { kind: 'ARMED' },
    symbol: 'BTC-USD',
  })
  const notice = {
    atMs: deskNowMs - 9_000,
    level: 'good',
    text: 'Fill SELL 0.0300 BTC-USD at 64212.50, order 9912017.',
  } as const
  return {
    ...base,
    instruments: arrived(new Map(instruments.map((each) => [each.symbol, each])), deskNowMs - 9_000),
    books: new Map([['BTC-USD', arrived(book, deskNowMs - 400)]]),
    tickers: arrived(tickers, deskNowMs - 600),
    orders: arrived(orders, deskNowMs - 1_100),
    endedOrders: ended,
    fills: arrived(fills, deskNowMs - 1_300),
    balances: arrived(balances, deskNowMs - 4_000),
    fees: arrived(
      { makerRate: amount('0.001'), takerRate: amount('0.002'), volumeUsd: amount('41020') },
      deskNowMs - 9_000,
    ),
    connection: { roundTripMs: 82, skewMs: 3 },
    ...transferSlicesAt(deskNowMs),
    gateway: gatewayAt(deskNowMs),
    unknownWrites: [unknownOrder],
    log: [
      { atMs: deskNowMs - 2_500_000, level: 'bad', text: 'Order rejected: Insufficient Balance. Nothing was placed.' },
      { atMs: deskNowMs - 20_000, level: 'bad', text: unknownOrder.sentence },
      notice,
    ],
    notice,
    ladder: { ...base.ladder, centerPrice: amount('64210.50'), cursorPrice: amount('64209.50') },
    ...more,
  }
}
