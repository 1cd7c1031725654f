import { keyOf } from '../../../domain/desk/session.ts'
import { exactPriceScale, formatAverage, formatQuantity, type Instrument } from '../../../domain/market/instrument.ts'
import { type Decimal, formatGrouped } from '../../../domain/money.ts'
import { isPending, type Order, openQuantity } from '../../../domain/orders/order.ts'
import { standsAt } from '../../../domain/orders/order-move.ts'
import { fillNow } from '../../../domain/orders/ticket-summary.ts'
import type { DeskState } from '../../../store/desk.ts'
import { type MoveForm, type MoveState, ticksText } from '../../../store/move/move.ts'
import { type MovesReading, readMove } from '../../../store/move/move-commands.ts'
import { type Binding, footEntriesOf, offeredEntriesOf, withKeys } from '../../tables/key-bindings.ts'
import { cellText, nameText } from '../../text/cells.ts'
import { type Row, span, wordRows } from '../../text/row.ts'
import { scrolledTo } from '../../text/scrolled.ts'
import type { Tone } from '../../text/theme.ts'
import { orderSentence } from '../../text/trade-words.ts'
import { complaintRows, formContent, type LongReview, longContent, passedRows, withModeCheck } from './check-rows.ts'
import { ticketPlace } from './review.ts'
import { keysRow, type TicketContent } from './ticket-layout.ts'

type Size = { width: number; rowCount: number; bindings: readonly Binding[] }

const sentences = (text: string, width: number, tone: Tone): Row[] => wordRows(cellText(text), width, tone)

const priceText = (price: Decimal, instrument: Instrument): string =>
  formatGrouped(price, exactPriceScale(price, instrument))

const idOf = ({ orderId, clientOrderId }: Order): string => orderId ?? clientOrderId

/**
 * Both writes in order, and what happens in between: `Cancel order 9912041 at 64,209.50, then BUY 0.0500 BTC-USD LIMIT
 * 64,210.00 GTC on PRACTICE.` For several orders, one sentence each.
 */
const moveSentences = (state: DeskState, { all }: MovesReading, instrument: Instrument): string[] =>
  all.map(({ order, rest }) => {
    const name = order === null ? 'that has ended' : idOf(order)
    const stands = order === null ? null : standsAt(order, state.ownDrafts)
    const stop = order !== null && isPending(order) ? 'stop ' : ''
    const beside = stands?.limit == null ? '' : ` limit ${priceText(stands.limit, instrument)}`
    const at = stands === null ? '' : ` at ${stop}${priceText(stands.price, instrument)}${beside}`
    const open = order === null ? null : openQuantity(order)
    const was = open === null || open.eq(rest.orderQuantity) ? '' : `, ${formatQuantity(open, instrument)} open`
    return `Cancel order ${name}${at}${was}, then ${orderSentence(rest, instrument, state.venue)}.`
  })

/** At most three lines in the narrowest ticket. */
const alone = 'No order works in between.'
const between = `${alone} The new one is last in its queue.`
const betweenStops = 'No stop stands in between.'
const betweenMany = 'One after the other; stops at the first without a sure outcome.'

/** What the new orders would take from the book at once, in words; null if they would only rest. */
function takenAtOnce({ books, tickers }: DeskState, { all }: MovesReading, instrument: Instrument): string | null {
  const book = books.get(instrument.symbol)?.value ?? null
  const lastPrice = tickers.value?.get(instrument.symbol)?.lastPrice ?? null
  const taken = all.map(({ rest }) => fillNow(rest, { book, instrument, lastPrice }))
  const [first, ...more] = taken.filter(({ quantity }) => quantity.gt(0))
  if (first === undefined || first.averagePrice === null) return null
  // The first order may take what the next one would: no amount can be promised for several.
  if (all.length > 1) return `${more.length + 1} of ${all.length} cross the book and take from it at once.`
  const fills = `${formatQuantity(first.quantity, instrument)} fills at once`
  return `Crosses the book: ${fills}, at ${formatAverage(first.averagePrice, instrument)}.`
}

function priceKeys({ reboundKeys }: DeskState, bindings: readonly Binding[]): string {
  const hasArrows = !reboundKeys.has('moveDown') && !reboundKeys.has('moveUp')
  const arrows = hasArrows ? ', or the arrows,' : ''
  return withKeys(
    `{moveDown} and {moveUp}${arrows} step; type a price, 64k or +2t ticks. {nextMoveField}: quantity.`,
    bindings,
  )
}

/** The text typed into a field, with a caret, or the current value. */
const fieldText = (typed: string | null, standing: string): string =>
  typed === null ? standing : `${cellText(typed)}_`

/** How a shortened amount was read: ` = 64,000.00`. */
const shortText = (typed: string | null, standing: string): string =>
  typed !== null && /[km]\s*$/i.test(typed) ? ` = ${standing}` : ''

/** The distance of the typed move; empty if the input is not an amount. */
function farText(move: MoveForm, { isReadable }: MovesReading, instrument: Instrument): string {
  if (!isReadable) return ''
  const far = ticksText(move, instrument)
  // The input already is the distance: the narrowest form has no room to repeat it.
  if (/t(icks?)?\s*$/i.test(move.priceText ?? '')) return ` = ${priceText(move.price, instrument)}`
  return `${shortText(move.priceText, priceText(move.price, instrument))}  ${far === '' ? 'as it is' : far}`
}

function crossingRows(state: DeskState, reading: MovesReading, instrument: Instrument, width: number): Row[] {
  const taken = reading.isReadable ? takenAtOnce(state, reading, instrument) : null
  return taken === null ? [] : sentences(taken, width, 'warn')
}

/** Which orders the move includes. */
function scopeRow(move: MoveForm, reading: MovesReading, bindings: readonly Binding[]): Row {
  const count = reading.all.length
  const key = withKeys('{widenMove}', bindings)
  const what = {
    one: `this one; ${key}: its row, its side`,
    row: count === 1 ? `just this one in its row; ${key}: its side` : `${count} of its row`,
    side: `all ${count} ${move.order.side}s`,
  }
  return [span(' all    ', 'label'), span(what[move.scope], move.scope === 'one' ? 'dim' : 'warn')]
}

function chooseContent(state: DeskState, move: MoveForm, instrument: Instrument, size: Size): TicketContent {
  const { width, rowCount, bindings } = size
  const { order, limit } = move
  const reading = readMove(state, move)
  const live = reading.order ?? order
  const isStop = isPending(order)
  const checks = withModeCheck(reading.checks, state)
  const label = (name: string, text: string, tone: Tone = 'text', more: Row = []): Row => [
    span(` ${name.padEnd(7)}`, 'label'),
    span(text, tone),
    ...more,
  ]
  const toneOf = (field: MoveForm['field']): Tone => (move.field === field ? 'cursor' : 'text')
  const quantity = formatQuantity(reading.rest.orderQuantity, instrument)
  const head: Row[] = [
    label('order', cellText(idOf(live))),
    label('open', `${fieldText(move.quantityText, quantity)} ${cellText(instrument.base)}`, toneOf('quantity'), [
      span(shortText(move.quantityText, quantity), 'label'),
    ]),
    label('from', `${isStop ? 'stop ' : ''}${priceText(move.from, instrument)}`),
    label('to', fieldText(move.priceText, priceText(move.price, instrument)), toneOf('price'), [
      span(farText(move, reading, instrument), 'label'),
    ]),
    ...(limit === null
      ? []
      : [label('limit', fieldText(limit.text, priceText(limit.price, instrument)), toneOf('limit'))]),
    ...(move.scope === 'one' ? [] : [scopeRow(move, reading, bindings)]),
  ]
  const title: Row = [
    span('Move ', 'title'),
    span(order.side, order.side === 'BUY' ? 'bid' : 'ask'),
    span(` ${nameText(order.symbol)}`, 'title'),
  ]
  const sections = {
    head,
    complaints: [...complaintRows(checks, width), ...crossingRows(state, reading, instrument, width)],
    summary: sentences(priceKeys(state, bindings), width, 'label'),
    extra: passedRows(checks, width),
    keys: keysRow(footEntriesOf(bindings, ['move']), width),
  }
  return formContent({ title, sections, checks, kind: 'focus' }, rowCount)
}

/** What happens between the two writes. */
function betweenText({ order }: MoveForm, { all }: MovesReading, isCrossing: boolean): string {
  if (isPending(order)) return betweenStops
  if (all.length > 1) return betweenMany
  return isCrossing ? alone : between
}

type MoveReview = Extract<MoveState, { stage: 'review' }>

/** What the user approves: both writes of each order, every failed check, and what happens in between. */
function reviewed(state: DeskState, move: MoveReview, instrument: Instrument, width: number) {
  const reading = readMove(state, move)
  const checks = withModeCheck(reading.checks, state)
  const tone = move.order.side === 'BUY' ? 'bid' : 'ask'
  const crossing = crossingRows(state, reading, instrument, width)
  return {
    count: reading.all.length,
    checks,
    head: moveSentences(state, reading, instrument).flatMap((text) => sentences(text, width, tone)),
    complaints: [
      ...complaintRows(checks, width, {
        confirmed: move.confirmed,
        key: keyOf(state.reboundKeys, 'confirmMoveLimits'),
        retyped: '',
      }),
      ...crossing,
    ],
    summary: sentences(betweenText(move, reading, crossing.length > 0), width, 'text'),
  }
}

/**
 * The review as it scrolls above its keys; null if both writes and all that is wrong with them fit, where the summary
 * gives way. The user must see every line of a long one.
 */
function longReview(
  { head, complaints, summary }: ReturnType<typeof reviewed>,
  { top = 0 }: MoveReview,
  rowCount: number,
): LongReview | null {
  const lines = [...head, ...complaints, ...summary]
  const isLong = head.length + complaints.length >= rowCount
  return isLong ? { lines, ...scrolledTo(lines.length, top, rowCount - 1) } : null
}

/** The long review of a move on screen; null if the whole review fits, or none is open. */
export function longMoveNow(state: DeskState): LongReview | null {
  const { move } = state
  const instrument = state.instruments.value?.get(move?.order.symbol ?? '')
  if (move?.stage !== 'review' || instrument === undefined) return null
  const { width, rowCount } = ticketPlace(state)
  return longReview(reviewed(state, move, instrument, width), move, rowCount)
}

function reviewContent(
  state: DeskState,
  move: MoveReview,
  instrument: Instrument,
  { width, rowCount, bindings }: Size,
): TicketContent {
  const { count, checks, ...shown } = reviewed(state, move, instrument, width)
  const title = [span(count === 1 ? 'REVIEW: move it?' : `REVIEW: move ${count}?`, 'warn')]
  const keys = keysRow(offeredEntriesOf(bindings, 'moveReview', state), width)
  const long = longReview({ count, checks, ...shown }, move, rowCount)
  if (long !== null)
    return longContent(long, { title, checks, key: withKeys('{moveReviewDown}', bindings), keys: [keys] })
  const room = rowCount - 1 - shown.head.length - shown.complaints.length
  // What holds of every move goes whole, so that nothing is said to be hidden.
  const summary = shown.summary.length > room ? [] : shown.summary
  const sections = { ...shown, summary, extra: passedRows(checks, width), keys }
  return formContent({ title, sections, checks, kind: 'dialog' }, rowCount)
}

function sendingContent(
  state: DeskState,
  move: MoveState,
  instrument: Instrument,
  { width, rowCount }: Size,
): TicketContent {
  const waiting = 'Moving: first the cancel, then, once that is certain, the new order. Do not resubmit.'
  const reading = readMove(state, move)
  const rows = [
    ...moveSentences(state, reading, instrument).flatMap((text) => sentences(text, width, 'text')),
    [],
    ...sentences(waiting, width, 'warn'),
  ]
  return { title: [span('MOVING…', 'warn')], rows: rows.slice(0, rowCount), kind: 'dialog' }
}

/** Replaces the ticket while the user's order is being moved. */
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
