import { mayPlace } from '../../../domain/desk/mode.ts'
import { keyName, keyOf } from '../../../domain/desk/session.ts'
import { presetsMax, presetsOf } from '../../../domain/entry-rules.ts'
import { formatPrice, formatQuantity, type Instrument } from '../../../domain/market/instrument.ts'
import type { Decimal } from '../../../domain/money.ts'
import type { Check } from '../../../domain/orders/checks/check.ts'
import { dayStartMs, daysUntil, dayText, readDay } from '../../../domain/orders/order-fields.ts'
import { isBracket, type ReckonedSize, type TicketForm } from '../../../domain/orders/ticket.ts'
import { exchangeNow, wallNow } from '../../../store/clock.ts'
import type { DeskState } from '../../../store/desk.ts'
import { legAway, readBracket } from '../../../store/plans/ticket-plan.ts'
import { isTextField, type TicketField, type TicketState, textOf, ticketFields } from '../../../store/ticket/ticket.ts'
import { sendsAtOnce, ticketRemedy } from '../../../store/ticket/ticket-reading.ts'
import { type Binding, footEntriesOf, withKeys } from '../../tables/key-bindings.ts'
import { cellText, left, nameText, safeText } from '../../text/cells.ts'
import { own, ownChecks } from '../../text/privacy.ts'
import { cursorMark, edges, type Row, rowWidth, span, typedText } from '../../text/row.ts'
import type { Scrolled } from '../../text/scrolled.ts'
import type { Tone } from '../../text/theme.ts'
import { complaintRows, formContent, passedRows } from './check-rows.ts'
import { draftRows, riskRows } from './order-rows.ts'
import { reading, summaryOf, ticketPlace } from './review.ts'
import { keysRow, labelWidth, type TicketContent, valueRows } from './ticket-layout.ts'

/** Cells and lines inside a ticket's borders, and the key bindings it names. */
export type TicketSize = { width: number; rowCount: number; bindings: readonly Binding[] }

/** From this many lines on, every field has a line of its own. */
export const roomyRows = 20

/** The offered value as shown: one that derives from the user's balance would reveal it in privacy mode. */
function ownRemedy<R extends { check: Check; text: string }>(remedy: R, isPrivate: boolean): R {
  const [check = remedy.check] = ownChecks([remedy.check], isPrivate)
  return check === remedy.check ? remedy : { ...remedy, check, text: own(remedy.text, isPrivate) }
}

/** A bracket is run by this desk, not the exchange: the ticket must say so while one is written. */
const planRows = (form: TicketForm, width: number): Row[] =>
  isBracket(form)
    ? valueRows('plan', ['carried out on this side only', 'this side only', 'this side'], width, 'warn')
    : []

/** The prices of a bracket's legs that were typed as a percentage of the entry. */
function legPricesOf(state: DeskState, form: TicketForm, instrument: Instrument | undefined): FieldsView['legPrices'] {
  if (instrument === undefined || !isBracket(form)) return {}
  const [loss, target] = (['loss', 'target'] as const).map((leg) => legAway(state, form, leg, instrument))
  return {
    ...(loss?.ok === true ? { loss: loss.value } : {}),
    ...(target?.ok === true ? { target: target.value } : {}),
  }
}

/** An order being written: its fields, its checks, and its summary. */
export function editContent(
  state: DeskState,
  ticket: Extract<TicketState, { stage: 'edit' }>,
  { width, rowCount, bindings }: TicketSize,
): TicketContent {
  const { draft, checks: ofEntry, size, instrument } = reading(state, ticket)
  const { form, field: focused } = ticket
  const checks = [...(readBracket(state, form)?.checks ?? []), ...ofEntry]
  const isAtOnce = sendsAtOnce(state, form)
  const remedy = checks.some(({ remedy: offered }) => offered !== undefined) ? ticketRemedy(state, form) : null
  const key = keyOf(state.reboundKeys, 'takeRemedy')
  const offered = bindings.filter(({ isOffered }) => isOffered?.({ ...state, ticket }) ?? true)
  const sections = {
    head: [
      ...fieldRows(
        {
          ...{ form, focused, isTyped: ticket.isTyped === true, instrument, size, nowMs: exchangeNow(state), width },
          legPrices: legPricesOf(state, form, instrument),
          changeHint: changeHint(state, bindings),
        },
        rowCount < roomyRows,
      ),
      ...planRows(form, width),
      ...draftRows(ticket.drafted, width, { nowMs: wallNow(state) }),
    ],
    complaints: complaintRows(
      checks,
      width,
      null,
      remedy === null ? null : { ...ownRemedy(remedy, state.looks.isPrivate), key },
    ),
    summary: summaryOf(state, draft, width),
    extra: [...presetRows(presetsOf(state.entry, form.symbol), bindings, width), ...passedRows(checks, width)],
    keys: keysRow(
      // A what-if cannot be sent: the key that arms the desk replaces the one that reviews.
      mayPlace(state.mode)
        ? footEntriesOf(offered, isAtOnce ? ['oneKey', 'ticket'] : ['ticket'])
        : footEntriesOf(
            offered.filter(({ scope, action }) => scope === 'ticket' || action === 'toggleArmed'),
            ['anywhere', 'ticket'],
          ).map((entry) => ({ ...entry, label: entry.footLabel(state.mode) })),
      width,
    ),
  }
  const order: Row = [
    span(form.side, form.side === 'BUY' ? 'bid' : 'ask'),
    span(` ${isBracket(form) ? 'BRACKET' : form.type} ${nameText(form.symbol)}`, 'title'),
  ]
  const named: Row = [span(mayPlace(state.mode) ? 'Ticket ' : 'What-if ', 'title'), ...order]
  // Short of room, drop the word `Ticket`, not the end of the symbol; the border takes a cell on either side.
  const title = rowWidth(named) <= width - 2 ? named : order
  const scrolling = { top: ticket.top ?? 0, key: keyOf(state.reboundKeys, 'moreChecks'), width }
  return formContent({ title, sections, checks, kind: 'focus' }, rowCount, scrolling)
}

/** The scroll position of the ticket being written; null if all of it fits, or none is being written. */
export function scrolledTicket(state: DeskState): Scrolled | null {
  const { ticket } = state
  if (ticket?.stage !== 'edit') return null
  return editContent(state, ticket, { ...ticketPlace(state), bindings: [] }).scrolled ?? null
}

/** The preset sizes, each after its key. */
function presetRows(presets: readonly string[], bindings: readonly Binding[], width: number): Row[] {
  const pieces = presets.slice(0, presetsMax).flatMap((text, index) => {
    const key = bindings.find(({ action }) => action === `takeSize${index + 1}`)?.keys[0]
    return key === undefined ? [] : [`${keyName(key)} ${cellText(text)}`]
  })
  return pieces.length === 0 ? [] : valueRows('sizes', [pieces.join('  ')], width)
}

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
  loss: 'stop',
  target: 'target',
}

/** Inputs of the fields: the form, the focused field (null in a review), the symbol's rules, and the time. */
type FieldsView = {
  form: TicketForm
  focused: TicketField | null
  /** The field's text is being typed; until then it acts as if selected, and has no caret. */
  isTyped: boolean
  instrument: Instrument | undefined
  /** What the quantity is computed from, if it was entered as another kind of size. */
  size: ReckonedSize | null
  /** The prices of a stop or target typed as a distance. */
  legPrices: { loss?: Decimal; target?: Decimal }
  nowMs: number
  width: number
  /** The keys that change a choice field. */
  changeHint: string
}

const changeHint = ({ reboundKeys }: DeskState, bindings: readonly Binding[]): string =>
  reboundKeys.has('stepUp') || reboundKeys.has('stepDown')
    ? withKeys('{stepUp} {stepDown} change', bindings)
    : 'arrows change'

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

/** The expiry day as a weekday and its distance: `Thu, 41 d`. */
function dayHint(text: string, nowMs: number): string {
  const read = readDay(text)
  const startMs = read.ok ? dayStartMs(read.value) : null
  if (!read.ok || startMs === null) return 'YYYYMMDD'
  const days = daysUntil(startMs, nowMs)
  if (days < 0) return 'past date'
  return days === 0 ? 'today' : `${dayText(read.value).slice(0, 3)}, ${days} d`
}

function hintOf(
  field: TicketField,
  { form, focused, instrument, size, legPrices, nowMs, changeHint: choosing }: FieldsView,
): string {
  if (field === 'expiry') return dayHint(form.expireText, nowMs)
  if (!isTextField(field)) return field === focused ? choosing : ''
  if (instrument === undefined) return ''
  if (field === 'quantity' && size !== null)
    return `= ${formatQuantity(size.quantity, instrument)} ${cellText(instrument.base)}`
  const legPrice = field === 'loss' || field === 'target' ? legPrices[field] : undefined
  if (legPrice !== undefined) return `= ${formatPrice(legPrice, instrument)}`
  if (field === 'minimum' && form.minimumText === '') return 'may be empty'
  return field === 'quantity' || field === 'minimum'
    ? `lot ${formatQuantity(instrument.lotSize, instrument)}`
    : `tick ${formatPrice(instrument.tickSize, instrument)}`
}

const toneOf = (field: TicketField, { form, focused }: FieldsView): Tone =>
  field === focused ? 'cursor' : field === 'side' ? (form.side === 'BUY' ? 'bid' : 'ask') : 'text'

function fieldRow(field: TicketField, view: FieldsView): Row[] {
  const { form, focused, width } = view
  const isFocused = field === focused
  const hint = hintOf(field, view)
  const value = safeText(fieldText(form, field))
  const room = width - 1 - labelWidth - 1
  const hasHint = hint !== '' && hint.length + 2 + (isFocused ? value.length + 1 : value.length) <= room
  const hasCaret = isFocused && (view.isTyped || value === '')
  const text = isTextField(field) ? typedText(value, hasCaret, room) : value
  const start: Row = [
    cursorMark(isFocused),
    span(left(labels[field], labelWidth), 'label'),
    span(text === '' ? '-' : text, toneOf(field, view)),
  ]
  // A computed quantity is never dropped: if it does not fit beside the size, it gets a line of its own.
  const isReckoned = hint.startsWith('= ')
  const below = isReckoned && !hasHint ? valueRows('', [hint], width, 'dim') : []
  const sized = field === 'quantity' ? view.size?.size : undefined
  const risk = sized === undefined || view.instrument === undefined ? [] : riskRows(sized, view.instrument, width)
  return [edges(start, hasHint ? [span(`${hint} `, 'dim')] : [], width), ...below, ...risk]
}

/** The choice fields in one line, for a ticket with few lines. */
function choicesRow(fields: readonly TicketField[], view: FieldsView): Row {
  const { form, focused, width, changeHint: choosing } = view
  const gap = width < 34 ? ' ' : '  '
  const row = fields.flatMap((field): Row => {
    const name = field === 'postOnly' ? [span('post ', 'label')] : []
    return [cursorMark(field === focused), ...name, span(fieldText(form, field), toneOf(field, view)), span(gap)]
  })
  const isChoosing = focused !== null && fields.includes(focused)
  const hint = isChoosing && rowWidth(row) + choosing.length + 2 <= width ? [span(`${choosing} `, 'dim')] : []
  return edges(row, hint, width)
}

/** The ticket's fields, one per line; if `isShort`, the choices share a line. */
function fieldRows(view: FieldsView, isShort: boolean): Row[] {
  const fields = ticketFields(view.form)
  if (!isShort) return fields.flatMap((field) => fieldRow(field, view))
  const choices = fields.filter((field) => !isTextField(field))
  return [choicesRow(choices, view), ...fields.filter(isTextField).flatMap((field) => fieldRow(field, view))]
}
