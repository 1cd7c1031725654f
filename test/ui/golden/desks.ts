import type { EquityPoint } from '../../../src/domain/market/bar.ts'
import { barListOf } from '../../../src/domain/market/bar-list.ts'
import type { QueueOrder } from '../../../src/domain/market/book.ts'
import type { SymbolStatus } from '../../../src/domain/market/instrument.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { emptyFillSums, withFillSums } from '../../../src/domain/orders/fills.ts'
import { emptyTicket, type TicketForm } from '../../../src/domain/orders/ticket.ts'
import { nothingFollowed } from '../../../src/domain/transfers/followed.ts'
import { initialAlerts } from '../../../src/store/alerts/alerts.ts'
import type { ChartState } from '../../../src/store/chart.ts'
import { type DeskState, initialState } from '../../../src/store/desk.ts'
import { arrived } from '../../../src/store/feeds/feed.ts'
import { aWatch } from '../../domain/alerts/fixtures.ts'
import { amount } from '../../fakes/amounts.ts'
import { someBars } from '../../fakes/bars.ts'
import { aBook } from '../../fakes/books.ts'
import { bitcoin, deskNowMs, deskState } from '../../fakes/desk-state.ts'

/** Before anything has answered. */
export const emptyDesk = initialState({
  nowMs: deskNowMs,
  venue: { profileName: 'practice', kind: 'practice' },
  mode: { kind: 'SAFE' },
  symbol: 'BTC-USD',
})

export const form: TicketForm = { ...emptyTicket(bitcoin, 'BUY'), quantityText: '0.0500', priceText: '64209.50' }

const etherBook = aBook(
  [
    ['3120.10', '4.200'],
    ['3120.05', '0.750'],
    ['3119.90', '12.000'],
  ],
  [
    ['3120.20', '1.115'],
    ['3120.35', '8.000'],
    ['3120.40', '0.060'],
  ],
  'ETH-USD',
)
const stellarBook = aBook(
  [
    ['0.1103', '9000'],
    ['0.1101', '7200'],
    ['0.1099', '15000'],
  ],
  [
    ['0.1100', '8000'],
    ['0.1101', '4000'],
    ['0.1104', '22000'],
  ],
  'XLM-USD',
)

/** Two ladders, the second one on ether and in focus. */
export const twoLadders = (): DeskState => {
  const desk = deskState({ symbol2: 'ETH-USD', focus: 'ladder2', view: { layout: 'ladders', isZoomed: false } })
  const center = { centerPrice: amount('3120.15'), cursorPrice: amount('3120.05') }
  return {
    ...desk,
    books: new Map([...desk.books, ['ETH-USD', arrived(etherBook, deskNowMs - 700)]]),
    ladder2: { ...desk.ladder2, ...center },
  }
}

/** The symbol halted, its opening auction building up. */
export const auctionDesk = (): DeskState => {
  const desk = deskState({ symbol: 'XLM-USD' })
  const center = { centerPrice: amount('0.1101'), cursorPrice: amount('0.1099') }
  return {
    ...desk,
    books: new Map([['XLM-USD', arrived(stellarBook, deskNowMs - 700)]]),
    ladder: { ...desk.ladder, ...center },
  }
}

/** The first ladder's symbol in another status. */
export const withStatus = (status: SymbolStatus): DeskState => {
  const desk = deskState()
  const instruments = new Map(desk.instruments.value).set('BTC-USD', { ...bitcoin, status })
  return { ...desk, instruments: arrived(instruments, deskNowMs - 9_000) }
}

const queued = (price: string, orders: readonly (readonly [orderId: string, quantity: string])[]): QueueOrder[] =>
  orders.map(([orderId, quantity]) => ({ price: amount(price), orderId, quantity: amount(quantity) }))

/** Level 3, an own order third in its queue. */
export const queueDesk = (): DeskState => {
  const desk = deskState()
  const bids = [
    ...queued('64210.50', [
      ['9911900', '0.5000'],
      ['9912001', '0.2330'],
    ]),
    ...queued('64209.50', [
      ['9911901', '1.0000'],
      ['9912002', '0.8900'],
      ['9912041', '0.0500'],
    ]),
  ]
  const asks = [
    ...queued('64211.00', [['9911950', '0.4120']]),
    ...queued('64212.50', [
      ['9911960', '2.0940'],
      ['9912017', '0.0200'],
    ]),
  ]
  return {
    ...desk,
    queues: new Map([['BTC-USD', arrived({ symbol: 'BTC-USD', bids, asks }, deskNowMs - 400)]]),
    ladder: { ...desk.ladder, view: 'queues' },
  }
}

/** Hours of prices for the chart, with a gap, and the moves beside the tickers. */
export const chartDesk = (look: Partial<ChartState> = {}): DeskState => {
  const prices = [64_190, 64_192, 64_201, 64_198, 64_220, 64_214, 64_205, 64_207, 64_209, 64_210]
  const points = prices.map((price, at) => ({
    atMs: deskNowMs - 290_000 + at * 30_000,
    price: new Decimal(price),
  }))
  const bars = someBars(deskNowMs, 600, (at) => at > 540 && at < 552)
  const desk = deskState({ focus: 'chart', priceHistory: new Map([['BTC-USD', points]]) })
  return { ...desk, bars: new Map([['BTC-USD', barListOf(bars)]]), chart: { ...desk.chart, ...look } }
}

const firedAtMs = deskNowMs - 4_000

/** Watches in every state, one of them fired a moment ago and on screen. */
export const alertsDesk = (): DeskState => {
  const alert = {
    seq: 1,
    atMs: firedAtMs,
    isQuiet: false,
    kind: 'watch',
    level: 'warn',
    text: 'BTC-USD last is 64,210.50: above 64,200.00.',
  } as const
  const watches = [
    aWatch({ id: 1, state: { kind: 'near' } }),
    aWatch({ id: 2, price: 'spread', level: amount('2.5'), symbol: 'ETH-USD', repeats: true }),
    aWatch({ id: 3, level: amount('64200'), state: { kind: 'fired', atMs: firedAtMs, price: amount('64210.50') } }),
  ]
  return deskState({
    alerts: { ...initialAlerts({}, deskNowMs, true), watches, fired: [alert], toasts: [alert], lastSeq: 1 },
  })
}

/** A desk that began an hour ago, with two of its fills in this session. */
export const sessionDesk = (): DeskState => {
  const desk = deskState()
  const startedAtMs = deskNowMs - 3_600_000
  return {
    ...desk,
    session: {
      ...desk.session,
      startedAtMs,
      rejectCount: 1,
      lastReject: { atMs: deskNowMs - 2_500_000, reason: 'Insufficient Balance' },
      unknownCount: 1,
      calls: { perSecond: 6, perSecondMax: 10, pausedMs: 0, retryCount: 2 },
    },
    fillSums: withFillSums(emptyFillSums(startedAtMs), desk.fills.value ?? [], deskNowMs, 0),
  }
}

/** The UTC day's worth, minute by minute up to now, with an hour in which nobody looked. */
const equityOfDay = (): EquityPoint[] => {
  const minutes = Math.floor((deskNowMs % 86_400_000) / 60_000)
  return Array.from({ length: minutes + 1 }, (_, minute): EquityPoint => {
    const usd = amount('49600').plus(Math.round(500 * Math.sin(minute / 100)))
    return { startMs: deskNowMs - 7_000 - (minutes - minute) * 60_000, equityUsd: usd, knownUsd: usd, unknown: [] }
  }).filter((_, minute) => minute < 420 || minute >= 480)
}

/** The wall in the middle of a day, nothing wrong and no transfer since midnight. */
export const wallDesk = (more: Partial<DeskState> = {}): DeskState & { equity: readonly EquityPoint[] } => {
  const desk = deskState({ view: { layout: 'monitor', isZoomed: false }, unknownWrites: [], ...more })
  const before = desk.nowMs - 20 * 3_600_000
  const aged = <T extends { timestampMs: number | null }>(list: readonly T[]): T[] =>
    list.map((each) => ({ ...each, timestampMs: before }))
  return {
    ...desk,
    bars: chartDesk().bars,
    // A halted symbol with an order of one's own is an alarm.
    orders: more.orders ?? {
      ...desk.orders,
      value: (desk.orders.value ?? []).filter(({ symbol }) => desk.instruments.value?.get(symbol)?.status === 'open'),
    },
    deposits: { ...desk.deposits, value: aged(desk.deposits.value ?? []) },
    withdrawals: { ...desk.withdrawals, value: aged(desk.withdrawals.value ?? []) },
    followed: nothingFollowed,
    equity: equityOfDay(),
  }
}
