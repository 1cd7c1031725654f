import { formatPrice, formatQuantity, type Instrument } from '../../../domain/market/instrument.ts'
import { dayStartMs, daysUntil, dayText, readDay } from '../../../domain/orders/order-fields.ts'
import type { TicketForm } from '../../../domain/orders/ticket.ts'
import { isTextField, type TicketField, textOf, ticketFields } from '../../../store/ticket/ticket.ts'
import { left } from '../../text/cells.ts'
import { cursorMark, edges, type Row, rowWidth, span } from '../../text/row.ts'
import type { Tone } from '../../text/theme.ts'
import { typedText } from '../../text/typed.ts'
import { labelWidth } from './ticket-layout.ts'

const labels: Readonly<Record<TicketField, string>> = {
  side: 'side',
  type: 'type',
  quantity: 'qty',
  price: 'price',
  stop: 'stop',
  timeInForce: 'tif',
  expiry: 'until',
  minimum: 'min',
  postOnly: 'post',
}

/** What the fields are shown with: the form, where the keys act (null in a review), the symbol's rules and the time. */
export type FieldsView = {
  form: TicketForm
  focused: TicketField | null
  /** The field's text is being typed; until then it is as if it were selected, and has no caret. */
  isTyped: boolean
  instrument: Instrument | undefined
  nowMs: number
  width: number
}

function fieldText(form: TicketForm, field: TicketField): string {
  if (isTextField(field)) return form[textOf[field]]
  switch (field) {
    case 'postOnly':
      return form.postOnly ? 'ONLY' : 'no'
    case 'side':
    case 'type':
    case 'timeInForce':
      return form[field]
  }
}

/** The expiry day as a weekday and how far off it is: `Thu, 41 d`. */
function dayHint(text: string, nowMs: number): string {
  const read = readDay(text)
  const startMs = read.ok ? dayStartMs(read.value) : null
  if (!read.ok || startMs === null) return 'YYYYMMDD'
  const days = daysUntil(startMs, nowMs)
  if (days < 0) return 'it is over'
  return days === 0 ? 'today' : `${dayText(read.value).slice(0, 3)}, ${days} d`
}

function hintOf(field: TicketField, { form, focused, instrument, nowMs }: FieldsView): string {
  if (field === 'expiry') return dayHint(form.expireText, nowMs)
  if (!isTextField(field)) return field === focused ? 'arrows change' : ''
  if (instrument === undefined) return ''
  if (field === 'minimum' && form.minimumText === '') return 'may be empty'
  return field === 'quantity' || field === 'minimum'
    ? `lot ${formatQuantity(instrument.lotSize, instrument)}`
    : `tick ${formatPrice(instrument.tickSize, instrument)}`
}

const toneOf = (field: TicketField, { form, focused }: FieldsView): Tone =>
  field === focused ? 'cursor' : field === 'side' ? (form.side === 'BUY' ? 'bid' : 'ask') : 'text'

function fieldRow(field: TicketField, view: FieldsView): Row {
  const { form, focused, width } = view
  const isFocused = field === focused
  const hint = hintOf(field, view)
  const value = fieldText(form, field)
  const room = width - 1 - labelWidth - 1
  const hasHint = hint !== '' && hint.length + 2 + (isFocused ? value.length + 1 : value.length) <= room
  const hasCaret = isFocused && (view.isTyped || value === '')
  const text = isTextField(field) ? typedText(value, hasCaret, room) : value
  const start: Row = [
    cursorMark(isFocused),
    span(left(labels[field], labelWidth), 'label'),
    span(text === '' ? '-' : text, toneOf(field, view)),
  ]
  return edges(start, hasHint ? [span(`${hint} `, 'dim')] : [], width)
}

/** The fields that are choices in one line, for a ticket with few lines. */
function choicesRow(fields: readonly TicketField[], view: FieldsView): Row {
  const { form, focused, width } = view
  const gap = width < 34 ? ' ' : '  '
  const row = fields.flatMap((field): Row => {
    const name = field === 'postOnly' ? [span('post ', 'label')] : []
    return [cursorMark(field === focused), ...name, span(fieldText(form, field), toneOf(field, view)), span(gap)]
  })
  const isChoosing = focused !== null && fields.includes(focused)
  const hint = isChoosing && rowWidth(row) + 15 <= width ? [span('arrows change ', 'dim')] : []
  return edges(row, hint, width)
}

/** The ticket's fields, one a line, or with the choices in one line when `isShort`. */
export function fieldRows(view: FieldsView, isShort: boolean): Row[] {
  const fields = ticketFields(view.form)
  if (!isShort) return fields.map((field) => fieldRow(field, view))
  const choices = fields.filter((field) => !isTextField(field))
  return [choicesRow(choices, view), ...fields.filter(isTextField).map((field) => fieldRow(field, view))]
}
