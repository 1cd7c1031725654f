import { keyOf } from '../../../domain/desk/session.ts'
import { formatQuantity, type Instrument } from '../../../domain/market/instrument.ts'
import { type Decimal, formatGrouped } from '../../../domain/money.ts'
import type { Order } from '../../../domain/orders/order.ts'
import type { DeskState } from '../../../store/desk.ts'
import type { MoveState } from '../../../store/move/move.ts'
import { type MoveReading, readMove } from '../../../store/move/move-commands.ts'
import { type Binding, footEntriesOf, offeredEntriesOf, withKeys } from '../../tables/key-bindings.ts'
import { cellText, nameText } from '../../text/cells.ts'
import { type Row, span, wordRows } from '../../text/row.ts'
import type { Tone } from '../../text/theme.ts'
import { orderSentence } from '../../text/trade-words.ts'
import { complaintRows, formContent, passedRows, withModeCheck } from './check-rows.ts'
import { keysRow, type TicketContent } from './ticket-layout.ts'

type Size = { width: number; rowCount: number; bindings: readonly Binding[] }

const sentences = (text: string, width: number, tone: Tone): Row[] => wordRows(cellText(text), width, tone)

const priceText = (price: Decimal, { priceScale }: Instrument): string => formatGrouped(price, priceScale)

const idOf = ({ orderId, clientOrderId }: Order): string => orderId ?? clientOrderId

/** How far, and in which direction, the price is to go: `+3 ticks`. */
function distance(from: Decimal | null, to: Decimal, { tickSize }: Instrument): string {
  const ticks = from === null ? null : to.minus(from).div(tickSize).toDecimalPlaces(0)
  if (ticks === null || ticks.isZero()) return 'as it is'
  return `${ticks.gt(0) ? '+' : ''}${ticks} tick${ticks.abs().eq(1) ? '' : 's'}`
}

/**
 * Both writes as they follow each other, and what lies between them:
 * `Cancel order 9912041 at 64,209.50, then BUY 0.0500 BTC-USD LIMIT 64,210.00 GTC on PRACTICE.`
 */
function moveSentence(state: DeskState, picked: Order, reading: MoveReading, instrument: Instrument): string {
  const order = reading.order ?? picked
  const at = order.limitPrice === null ? '' : ` at ${priceText(order.limitPrice, instrument)}`
  return `Cancel order ${idOf(order)}${at}, then ${orderSentence(reading.rest, instrument, state.venue)}.`
}

/** Three lines of the narrowest ticket. */
const between = 'No order works in between. The new one is last in its queue.'

function priceKeys({ reboundKeys }: DeskState, bindings: readonly Binding[]): string {
  const hasArrows = !reboundKeys.has('moveDown') && !reboundKeys.has('moveUp')
  return withKeys(`{moveDown} and {moveUp}${hasArrows ? ', or the arrows,' : ''} choose the new price.`, bindings)
}

function chooseContent(state: DeskState, move: MoveState, instrument: Instrument, size: Size): TicketContent {
  const { width, rowCount, bindings } = size
  const { order, price } = move
  const reading = readMove(state, order, price)
  const live = reading.order ?? order
  const checks = withModeCheck(reading.checks, state)
  const label = (name: string, text: string, tone: Tone = 'text'): Row => [
    span(` ${name.padEnd(7)}`, 'label'),
    span(text, tone),
  ]
  const from = live.limitPrice === null ? '-' : priceText(live.limitPrice, instrument)
  const head: Row[] = [
    label('order', cellText(idOf(live))),
    label('open', `${formatQuantity(reading.rest.orderQuantity, instrument)} ${cellText(instrument.base)}`),
    label('from', from),
    label('to', `${priceText(price, instrument)}  ${distance(live.limitPrice, price, instrument)}`, 'cursor'),
  ]
  const title: Row = [
    span('Move ', 'title'),
    span(order.side, order.side === 'BUY' ? 'bid' : 'ask'),
    span(` ${nameText(order.symbol)}`, 'title'),
  ]
  const sections = {
    head,
    complaints: complaintRows(checks, width),
    summary: sentences(priceKeys(state, bindings), width, 'label'),
    extra: passedRows(checks, width),
    keys: keysRow(footEntriesOf(bindings, ['move']), width),
  }
  return formContent({ title, sections, checks, kind: 'focus' }, rowCount)
}

function reviewContent(
  state: DeskState,
  move: Extract<MoveState, { stage: 'review' }>,
  instrument: Instrument,
  { width, rowCount, bindings }: Size,
): TicketContent {
  const reading = readMove(state, move.order, move.price)
  const checks = withModeCheck(reading.checks, state)
  const sections = {
    head: sentences(
      moveSentence(state, move.order, reading, instrument),
      width,
      move.order.side === 'BUY' ? 'bid' : 'ask',
    ),
    complaints: complaintRows(checks, width, {
      confirmed: move.confirmed,
      key: keyOf(state.reboundKeys, 'confirmMoveLimits'),
      retyped: '',
    }),
    summary: sentences(between, width, 'text'),
    extra: passedRows(checks, width),
    keys: keysRow(offeredEntriesOf(bindings, 'moveReview', state), width),
  }
  const title = [span('REVIEW: move it?', 'warn')]
  return formContent({ title, sections, checks, kind: 'dialog' }, rowCount)
}

function sendingContent(
  state: DeskState,
  move: MoveState,
  instrument: Instrument,
  { width, rowCount }: Size,
): TicketContent {
  const waiting = 'Moving: first the cancel, then, once that is certain, the new order. Do not resubmit.'
  const reading = readMove(state, move.order, move.price)
  const rows = [
    ...sentences(moveSentence(state, move.order, reading, instrument), width, 'text'),
    [],
    ...sentences(waiting, width, 'warn'),
  ]
  return { title: [span('MOVING…', 'warn')], rows: rows.slice(0, rowCount), kind: 'dialog' }
}

/** What stands in the ticket's place while an own order is moved. */
export function moveContent(state: DeskState, move: MoveState, size: Size): TicketContent {
  const instrument = state.instruments.value?.get(move.order.symbol)
  if (instrument === undefined)
    return {
      title: [span('Move', 'title')],
      rows: sentences('Waiting for the symbols…', size.width, 'dim'),
      kind: 'plain',
    }
  switch (move.stage) {
    case 'choose':
      return chooseContent(state, move, instrument, size)
    case 'review':
      return reviewContent(state, move, instrument, size)
    case 'sending':
      return sendingContent(state, move, instrument, size)
  }
}
