import { utcDayStart } from '../../../base/text/time-text.ts'
import type { Decimal } from '../../../domain/money.ts'
import type { Fill } from '../../../domain/orders/fills.ts'
import { type Order, openQuantity } from '../../../domain/orders/order.ts'
import { ownDraft, triggerSign } from '../../../domain/orders/own-draft.ts'
import type { UnknownWrite } from '../../../domain/unknown-write.ts'
import { exchangeNow } from '../../../store/clock.ts'
import type { DeskState } from '../../../store/desk.ts'
import { type Feed, isStale } from '../../../store/feeds/feed.ts'
import { cutMark, noOrdersListed } from '../../../store/feeds/feeds.ts'
import { dayUse, openUse } from '../../tables/limits-used.ts'
import { filledText, quantities } from '../../tables/order-items.ts'
import { isUntriggered } from '../../tables/orders-table.ts'
import { readableAmount } from '../../tables/symbols-context.ts'
import { withoutTrailingZeros } from '../../text/amounts.ts'
import { nameText } from '../../text/cells.ts'
import { ageTime } from '../../text/desk-context.ts'
import { exchangeAheadMs, pastText, shortPastText, wholeAgeText } from '../../text/moment.ts'
import { contentOf, type KeepRow, makeEachRow, type Row, rowWidth, span } from '../../text/row.ts'
import type { Tone } from '../../text/theme.ts'
import { feedAge, fittingLine, labeled, priceIn, type Size, type WallContent } from './market-rows.ts'

/** Replaces a hidden number. */
const hidden = '***'

export type OrdersView = Pick<DeskState, 'orders' | 'unknownWrites' | 'instruments' | 'ownDrafts'> & {
  open: string
  openTone: Tone
  day: string
  dayTone: Tone
  old: string
  /** Suffix of the count, see `cutMark`. */
  cut: '' | '+'
  /** The sentence for an empty list. */
  none: string
  isPrivate: boolean
  /** Wall-clock time, in steps. */
  wallMs: number
  aheadMs: number
}

export function ordersView(state: DeskState): OrdersView {
  const { orders, unknownWrites, instruments, ownDrafts, looks } = state
  const { isPrivate } = looks
  const [open, day] = [openUse(state), dayUse(state)]
  return {
    ...{
      orders: { ...orders, atMs: null },
      unknownWrites,
      ownDrafts,
      instruments: { ...instruments, atMs: null },
      isPrivate,
    },
    cut: cutMark(state),
    none: noOrdersListed(state),
    open: isPrivate ? open.share : open.text,
    openTone: open.tone,
    day: isPrivate ? day.share : day.text,
    dayTone: day.tone,
    old: isStale(orders, 'orders', state.nowMs) ? `STALE ${feedAge(state, orders)}` : '',
    wallMs: ageTime(state) + state.ahead.wallMs,
    aheadMs: exchangeAheadMs(state.ahead),
  }
}

type Rules = OrdersView['instruments']['value']

const quantityOf = (value: Decimal | null, symbol: string, rules: Rules): string =>
  value === null ? '?' : withoutTrailingZeros(readableAmount(value, 'quantity', rules?.get(symbol)))

/** The limit price; for a pending stop its trigger, if known on this machine, because its limit does not apply yet. */
function orderPrice(order: Order, { instruments, ownDrafts }: OrdersView): string {
  const { limitPrice, type, symbol, side } = order
  const price = (value: Decimal) => priceIn(value, instruments.value?.get(symbol))
  if (isUntriggered(order)) {
    const stopPrice = ownDraft(order, ownDrafts)?.stopPrice ?? null
    return stopPrice === null ? type : `${triggerSign(side)} ${price(stopPrice)}`
  }
  return limitPrice === null ? type : `@ ${price(limitPrice)}`
}

const sideTone = (side: Order['side']): Tone => (side === 'BUY' ? 'bid' : 'ask')

const ageAt = (fromMs: number | null, nowMs: number): string => (fromMs === null ? '' : wholeAgeText(nowMs - fromMs))

function orderRow(order: Order, view: OrdersView, width: number): Row {
  const price = orderPrice(order, view)
  const { open } = quantities({ kind: 'working', order }, view.ownDrafts)
  const filled = filledText({ kind: 'working', order })
  const quantity = view.isPrivate ? '' : `${quantityOf(open, order.symbol, view.instruments.value)} `
  const start: Row = [
    span(` ${order.side.padEnd(4)} `, sideTone(order.side)),
    span(`${quantity}${nameText(order.symbol)} ${price}`),
  ]
  const age = ageAt(order.timestampMs, view.wallMs + view.aheadMs)
  const ends = [
    `filled ${filled}  ${order.status}  ${age.padStart(4)} `,
    `filled ${filled}  ${age.padStart(4)} `,
    `${filled} ${age.padStart(4)} `,
    `${filled} `,
    '',
  ].map((text): Row => [span(text, 'label')])
  const side = start.slice(0, 1)
  return fittingLine(
    [start, [...side, span(`${nameText(order.symbol)} ${price}`)], [...side, span(nameText(order.symbol))]],
    ends,
    width,
  )
}

const writeNames: Readonly<Record<UnknownWrite['kind'], string>> = {
  order: 'order',
  cancel: 'cancel',
  cancelAll: 'cancel of all',
  withdrawal: 'withdrawal',
}

/** A description of an unanswered write. */
function unknownText({ kind, symbol, order }: UnknownWrite, view: OrdersView): string {
  const { instruments, isPrivate } = view
  if (order === null) return `${writeNames[kind]}${symbol === null ? '' : ` ${nameText(symbol)}`}`
  const quantity = isPrivate ? '' : ` ${quantityOf(openQuantity(order), order.symbol, instruments.value)}`
  return `${order.side}${quantity} ${nameText(order.symbol)} ${orderPrice(order, view)}`
}

/** Unanswered writes, then working orders, and below them how much of the limits is used. */
export function ordersContent(view: OrdersView, { width, height }: Size, keep: KeepRow = makeEachRow): WallContent {
  const uses = (label: string): Row => [
    ...labeled(label, view.open, view.openTone),
    span('  '),
    ...labeled('day', view.day, view.dayTone),
  ]
  const limits =
    [' limits used: open', ' open'].map(uses).find((row) => rowWidth(row) <= width) ??
    labeled(' open', view.open, view.openTone)
  const most = Math.max(0, height - 1)
  const unknown = view.unknownWrites.map((write): Row => {
    const age = ageAt(write.atMs, view.wallMs)
    const starts = [unknownText(write, view), unknownText({ ...write, order: null }, view)]
    const ends = [`${age.padStart(4)} `, '']
    const told = (text: string): Row => [span(text, 'bad')]
    return fittingLine(
      starts.map((text) => told(` UNKNOWN ${text}`)),
      ends.map(told),
      width,
    )
  })
  const { value } = view.orders
  const working = (value ?? []).map((order) => orderRow(order, view, width))
  const all = [...unknown, ...working]
  const listed = all.length > most ? all.slice(0, Math.max(0, most - 1)) : all
  const more: readonly Row[] =
    listed.length < all.length ? [[span(` ${all.length - listed.length} more`, 'label')]] : []
  const none: readonly Row[] =
    all.length > 0 ? [] : [[span(value === null ? ' Waiting for orders…' : ` ${view.none}.`, 'dim')]]
  const lines = [...listed, ...more, ...none].slice(0, most)
  const air = Array.from({ length: Math.max(0, most - lines.length) }, (): Row => [])
  const rows = [...lines, ...air, limits].map((row, at) => keep(at, contentOf(row), () => row))
  const count = value === null ? '' : ` (${value.length}${view.cut})`
  const note: Row = view.old === '' ? [] : [span(`  ${view.old}`, 'bad')]
  return { title: `Working orders${count}`, note, rows, isStale: view.old !== '' }
}

export type FlowView = Pick<DeskState, 'fills' | 'withdrawals' | 'deposits' | 'whitelist' | 'instruments'> & {
  old: string
  isPrivate: boolean
  wallMs: number
  aheadMs: number
  /** Start of the exchange's current day; fills of that day show no date. */
  dayMs: number
}

export function flowView(state: DeskState): FlowView {
  const { fills, withdrawals, deposits, whitelist, instruments, looks, nowMs } = state
  const named = { fills, out: withdrawals, in: deposits }
  const old = [
    isStale(named.fills, 'fills', nowMs) ? `fills ${feedAge(state, fills)}` : '',
    isStale(named.out, 'withdrawals', nowMs) ? `out ${feedAge(state, withdrawals)}` : '',
    isStale(named.in, 'deposits', nowMs) ? `in ${feedAge(state, deposits)}` : '',
  ].filter((text) => text !== '')
  const still = <T>(feed: Feed<T>): Feed<T> => ({ ...feed, atMs: null })
  return {
    fills: still(fills),
    withdrawals: still(withdrawals),
    deposits: still(deposits),
    whitelist: still(whitelist),
    instruments: still(instruments),
    old: old.length === 0 ? '' : `STALE ${old.join(', ')}`,
    isPrivate: looks.isPrivate,
    wallMs: ageTime(state) + state.ahead.wallMs,
    aheadMs: exchangeAheadMs(state.ahead),
    dayMs: utcDayStart(exchangeNow(state)),
  }
}

function fillRow(fill: Fill, view: FlowView, width: number): Row {
  const { side, symbol, quantity, price, timestampMs } = fill
  const rules = view.instruments.value
  const amount = view.isPrivate ? '' : `${quantityOf(quantity, symbol, rules)} `
  const text = `${amount}${nameText(symbol)} @ ${priceIn(price, rules?.get(symbol))}`
  const way = span(` ${side.padEnd(4)} `, sideTone(side))
  const times = [pastText, shortPastText].map((text) => `${text(timestampMs, view.dayMs)} `)
  const ends = [...times, ''].map((end): Row => [span(end, 'label')])
  return fittingLine(
    [
      [way, span(text)],
      [way, span(nameText(symbol))],
    ],
    ends,
    width,
  )
}

/** Withdrawals whose money may be on its way, and deposits not credited yet. */
function transferRows(view: FlowView, width: number): Row[] {
  const line = (
    way: string,
    amount: Decimal,
    currency: string,
    to: string,
    state: string,
    atMs: number | null,
  ): Row => {
    const sum = view.isPrivate ? hidden : withoutTrailingZeros(amount.toFixed())
    const age = ageAt(atMs, view.wallMs + view.aheadMs)
    const start: Row = [span(` ${way.padEnd(4)} `, 'warn'), span(`${sum} ${nameText(currency, 8)}`)]
    const ends: readonly Row[] = [
      [span(`${to}${to === '' ? '' : '  '}${state} ${age.padStart(4)} `, 'label')],
      [span(`${state} ${age.padStart(4)} `, 'label')],
      [span(`${age.padStart(4)} `, 'label')],
    ]
    return fittingLine([start], [...ends, []], width)
  }
  const nameOf = (id: string): string =>
    nameText(view.whitelist.value?.find(({ whitelistId }) => whitelistId === id)?.name ?? id, 16)
  const out = (view.withdrawals.value ?? []).filter(({ state }) => state === null || state === 'PENDING')
  const into = (view.deposits.value ?? []).filter(({ state }) => state === 'UNCONFIRMED')
  return [
    ...out.map(({ amount, currency, beneficiary, state, timestampMs }) =>
      line('OUT', amount, currency, `to ${nameOf(beneficiary)}`, state ?? '?', timestampMs),
    ),
    ...into.map(({ amount, currency, state, timestampMs }) => line('IN', amount, currency, '', state, timestampMs)),
  ]
}

/** Transfers in progress, then the last fills, newest first. */
export function flowContent(view: FlowView, { width, height }: Size, keep: KeepRow = makeEachRow): WallContent {
  const moving = transferRows(view, width)
  // At least half of the lines stay for fills.
  const most = Math.max(1, Math.floor(height / 2))
  const shown = moving.length > most ? moving.slice(0, most - 1) : moving
  const more: readonly Row[] =
    shown.length < moving.length ? [[span(` ${moving.length - shown.length} more transfers under way`, 'label')]] : []
  const above = [...shown, ...more]
  const fills = view.fills.value ?? []
  const lines = fills.slice(0, Math.max(0, height - above.length)).map((fill) => fillRow(fill, view, width))
  const none: readonly Row[] =
    fills.length > 0 ? [] : [[span(view.fills.value === null ? ' Waiting for fills…' : ' No fills yet.', 'dim')]]
  const rows = [...above, ...lines, ...none].map((row, at) => keep(at, contentOf(row), () => row))
  const note: Row = view.old === '' ? [] : [span(`  ${view.old}`, 'bad')]
  const title = moving.length === 0 ? 'Last fills' : `Under way (${moving.length}), last fills`
  return { title, note, rows, isStale: view.old !== '' }
}
