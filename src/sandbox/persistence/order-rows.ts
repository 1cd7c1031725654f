import type { Row } from '../../base/files/sqlite-rows.ts'
import { type OrderStatus, orderTypes, timesInForce } from '../../domain/orders/order.ts'
import { sides } from '../../domain/side.ts'
import type { OrderData, RefusedAmounts } from '../core/history.ts'
import { large, orNull, text, whole, word } from './data-file.ts'
import { WrongContent } from './unusable-data.ts'

const execInsts = ['ALO'] as const

type Ending = { status: OrderStatus; hasTraded: boolean }

/**
 * The ways an order can end, by their number in the file, so that one index column serves every list. New ones may only
 * be appended.
 */
export const endings: readonly Ending[] = [
  { status: 'FILLED', hasTraded: true },
  { status: 'CANCELED', hasTraded: false },
  { status: 'CANCELED', hasTraded: true },
  { status: 'EXPIRED', hasTraded: false },
  { status: 'EXPIRED', hasTraded: true },
  { status: 'REJECTED', hasTraded: false },
]

const endingOf = ({ id, status, cumLots }: OrderData): number => {
  const number = endings.findIndex((ending) => ending.status === status && ending.hasTraded === cumLots > 0)
  if (number < 0) throw new Error(`order ${id} has not ended: it is ${status}`)
  return number
}

/** In the order of the values below. */
export const orderColumns = [
  'id',
  'account',
  'ending',
  'symbol',
  'at_ms',
  'cl_ord_id',
  'side',
  'ord_type',
  'time_in_force',
  'exec_inst',
  'expires_at_ms',
  'order_lots',
  'limit_ticks',
  'stop_ticks',
  'maker_ppm',
  'taker_ppm',
  'text',
  'open_lots',
  'cum_lots',
  'cum_tick_lots',
  'last_ticks',
  'last_lots',
  'refused',
] as const

/** An ended order as the values of its row. */
export const toOrderRow = (order: OrderData): (number | string | null)[] => [
  order.id,
  order.account,
  endingOf(order),
  order.symbol,
  order.atMs,
  order.clOrdId,
  order.side,
  order.ordType,
  order.timeInForce,
  order.execInst,
  order.expiresAtMs,
  order.orderLots,
  order.limitTicks,
  order.stopTicks,
  order.makerPpm,
  order.takerPpm,
  order.text,
  order.openLots,
  order.cumLots,
  String(order.cumTickLots),
  order.lastTicks,
  order.lastLots,
  order.refused === null ? null : JSON.stringify(order.refused),
]

/** Throws if the row does not hold an order. */
export function fromOrderRow(row: Row): OrderData {
  const ending = endings[whole(row, 'ending')]
  if (ending === undefined) throw new WrongContent(`order ${String(row.id)} ended in an unknown way`)
  return {
    id: whole(row, 'id'),
    account: whole(row, 'account'),
    clOrdId: text(row, 'cl_ord_id'),
    symbol: text(row, 'symbol'),
    side: word(row, 'side', sides),
    ordType: word(row, 'ord_type', orderTypes),
    timeInForce: word(row, 'time_in_force', timesInForce),
    execInst: row.exec_inst === null ? null : word(row, 'exec_inst', execInsts),
    expiresAtMs: orNull(whole, row, 'expires_at_ms'),
    atMs: whole(row, 'at_ms'),
    orderLots: whole(row, 'order_lots'),
    limitTicks: orNull(whole, row, 'limit_ticks'),
    stopTicks: orNull(whole, row, 'stop_ticks'),
    makerPpm: whole(row, 'maker_ppm'),
    takerPpm: whole(row, 'taker_ppm'),
    status: ending.status,
    text: orNull(text, row, 'text'),
    openLots: whole(row, 'open_lots'),
    cumLots: whole(row, 'cum_lots'),
    cumTickLots: large(row, 'cum_tick_lots'),
    lastTicks: orNull(whole, row, 'last_ticks'),
    lastLots: orNull(whole, row, 'last_lots'),
    refused: orNull(refusedAmounts, row, 'refused'),
  }
}

function refusedAmounts(row: Row, name: string): RefusedAmounts {
  const value: unknown = JSON.parse(text(row, name))
  if (typeof value !== 'object' || value === null) throw new WrongContent(`column ${name} holds no object`)
  const field = (key: string): string | null => {
    const amount: unknown = Reflect.get(value, key)
    return typeof amount === 'string' ? amount : null
  }
  return { orderQty: field('orderQty') ?? '0', price: field('price'), stopPx: field('stopPx') }
}
