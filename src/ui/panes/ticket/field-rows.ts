import { formatPrice, formatQuantity, type Instrument } from '../../../domain/instrument.ts'
import type { TicketForm } from '../../../domain/ticket.ts'
import type { TicketField } from '../../../store/state.ts'
import { ticketFields } from '../../../store/ticket-form.ts'
import { left } from '../../text/cells.ts'
import { cursorMark, edges, type Row, span } from '../../text/row.ts'

const labels: Readonly<Record<TicketField, string>> = {
  side: 'side',
  type: 'type',
  quantity: 'qty',
  price: 'price',
  stop: 'stop',
  timeInForce: 'tif',
}

/** Width of the names in front of the values, the same in all of the ticket's lines. */
export const labelWidth = 7

function fieldText(form: TicketForm, field: TicketField): string {
  switch (field) {
    case 'side':
    case 'type':
    case 'timeInForce':
      return form[field]
    case 'quantity':
      return form.quantityText
    case 'price':
      return form.priceText
    case 'stop':
      return form.stopText
  }
}

const isChoice = (field: TicketField): boolean => field === 'side' || field === 'type' || field === 'timeInForce'

function hintOf(field: TicketField, instrument: Instrument | undefined, isFocused: boolean): string {
  if (isChoice(field)) return isFocused ? 'arrows change' : ''
  if (instrument === undefined) return ''
  return field === 'quantity'
    ? `lot ${formatQuantity(instrument.lotSize, instrument)}`
    : `tick ${formatPrice(instrument.tickSize, instrument)}`
}

/** A typed value as it stands; what is longer than its place shows its end, where the typing goes on. */
function typed(text: string, isFocused: boolean, width: number): string {
  const full = isFocused ? `${text}_` : text
  return full.length <= width ? full : `…${full.slice(full.length - width + 1)}`
}

function fieldRow(
  form: TicketForm,
  field: TicketField,
  focused: TicketField | null,
  instrument: Instrument | undefined,
  width: number,
): Row {
  const isFocused = field === focused
  const hint = hintOf(field, instrument, isFocused)
  const value = fieldText(form, field)
  const room = width - 1 - labelWidth - 1
  const hasHint = hint !== '' && hint.length + 2 + (isFocused ? value.length + 1 : value.length) <= room
  const text = isChoice(field) ? value : typed(value, isFocused, room)
  const tone = isFocused ? 'cursor' : field === 'side' ? (form.side === 'BUY' ? 'bid' : 'ask') : 'text'
  const start: Row = [
    cursorMark(isFocused),
    span(left(labels[field], labelWidth), 'label'),
    span(text === '' ? '-' : text, tone),
  ]
  return edges(start, hasHint ? [span(`${hint} `, 'dim')] : [], width)
}

/** Side, type and time in force in one line, for a ticket with few lines. */
function choicesRow(form: TicketForm, focused: TicketField | null, width: number): Row {
  const fields: TicketField[] = ['side', 'type', 'timeInForce']
  const row = fields.flatMap((field): Row => {
    const isFocused = field === focused
    const tone = isFocused ? 'cursor' : field === 'side' ? (form.side === 'BUY' ? 'bid' : 'ask') : 'text'
    return [cursorMark(isFocused), span(fieldText(form, field), tone), span('  ')]
  })
  const isChoosing = focused !== null && isChoice(focused)
  return edges(row, isChoosing && width >= 38 ? [span('arrows change ', 'dim')] : [], width)
}

/** The ticket's fields, one a line, or with the three choices in one line when `isShort`. `focused` is null in a review. */
export function fieldRows(
  form: TicketForm,
  focused: TicketField | null,
  instrument: Instrument | undefined,
  { width, isShort }: { width: number; isShort: boolean },
): Row[] {
  const fields = ticketFields(form)
  if (!isShort) return fields.map((field) => fieldRow(form, field, focused, instrument, width))
  const typedFields = fields.filter((field) => !isChoice(field))
  return [
    choicesRow(form, focused, width),
    ...typedFields.map((field) => fieldRow(form, field, focused, instrument, width)),
  ]
}
