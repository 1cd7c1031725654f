import type { Check } from '../../../domain/check.ts'
import { mayPlace } from '../../../domain/mode.ts'
import { readTicket, ticketSummary } from '../../../domain/ticket.ts'
import { checkContext } from '../../../store/check-context.ts'
import type { DeskState, TicketState } from '../../../store/state.ts'
import { footEntries, type KeyEntry } from '../../key-help.ts'
import { cellText, wrapWords } from '../../text/cells.ts'
import { type Row, rowWidth, span } from '../../text/row.ts'
import type { FrameKind, PaneContent } from '../../widgets/pane-frame.ts'
import { currencyScales } from '../balances/balances-rows.ts'
import { checkRows } from './check-rows.ts'
import { fieldRows } from './field-rows.ts'
import { orderSentence } from './order-sentence.ts'
import { summaryRows } from './summary-rows.ts'

/** A ticket's place: what it says, and which frame says what stage it is in. */
export type TicketContent = PaneContent & { kind: FrameKind }

type Size = { width: number; rowCount: number }

function reading(state: DeskState, ticket: TicketState) {
  const { form } = ticket
  const { draft, checks } = readTicket(form, checkContext(state, form.symbol))
  const instrument = state.instruments.value?.get(form.symbol)
  return { draft, checks, instrument }
}

/** A mode that sends nothing is said in the ticket as well: the order would be refused at the end. */
function withModeCheck(state: DeskState, checks: readonly Check[]): Check[] {
  if (mayPlace(state.mode)) return [...checks]
  const text = `the desk is ${state.mode.kind}: L arms it before anything is sent`
  return [{ rule: 'mode', level: 'warn', text }, ...checks]
}

function summaryOf(state: DeskState, ticket: TicketState, width: number): Row[] {
  const { draft, instrument } = reading(state, ticket)
  const fees = state.fees.value
  const book = state.books.get(ticket.form.symbol)?.value ?? null
  const summary = draft === null || fees === null ? null : ticketSummary(draft, book, fees)
  if (draft === null || summary === null || instrument === undefined) return []
  const scales = currencyScales(state.instruments.value)
  return summaryRows({ draft, summary, instrument, book, balances: state.balances.value ?? [], scales, width })
}

/** Keys on the last line, as many as fit. */
function keysRow(entries: readonly KeyEntry[], width: number): Row {
  const row: Row[number][] = []
  for (const { keys, label, isDanger } of entries) {
    const piece = [
      span(row.length === 0 ? ' ' : '  '),
      span(keys, 'key'),
      span(` ${label}`, isDanger ? 'warn' : 'label'),
    ]
    if (rowWidth([...row, ...piece]) > width) break
    row.push(...piece)
  }
  return row
}

/**
 * Sections below each other in `rowCount` lines, the last of them at the bottom. Fields, complaints and keys always show;
 * the summary has what is left, and empty lines between the sections are the first to go.
 */
function stacked(sections: { fields: Row[]; summary: Row[]; checks: Row[]; keys: Row }, rowCount: number): Row[] {
  const { fields, keys } = sections
  const checks = sections.checks.slice(0, Math.max(0, rowCount - fields.length - 1))
  const room = Math.max(0, rowCount - fields.length - checks.length - 1)
  const summary = sections.summary.slice(0, room)
  let spare = room - summary.length
  const gap = (): Row[] => {
    if (spare <= 0) return []
    spare -= 1
    return [[]]
  }
  const beforeChecks = checks.length > 0 ? gap() : []
  const beforeSummary = summary.length > 0 ? gap() : []
  const body = [...fields, ...beforeSummary, ...summary, ...beforeChecks, ...checks]
  const fill = Array.from({ length: Math.max(0, rowCount - body.length - 1) }, (): Row => [])
  return [...body, ...fill, keys]
}

function editContent(state: DeskState, ticket: TicketState, { width, rowCount }: Size): TicketContent {
  const { checks, instrument } = reading(state, ticket)
  const { form } = ticket
  const isShort = rowCount < 14
  const sections = {
    fields: fieldRows(form, ticket.field, instrument, { width, isShort }),
    summary: summaryOf(state, ticket, width),
    checks: checkRows(withModeCheck(state, checks), width),
    keys: keysRow(footEntries(['ticket']), width),
  }
  const title: Row = [
    span('Ticket ', 'title'),
    span(form.side, form.side === 'BUY' ? 'bid' : 'ask'),
    span(` ${form.type} ${cellText(form.symbol)}`, 'title'),
  ]
  return { title, rows: stacked(sections, rowCount), kind: 'focus' }
}

/** The sentence of what goes out, in the side's tone, over as many lines as it takes. */
function sentenceRows(state: DeskState, ticket: TicketState, width: number): Row[] {
  const { draft, instrument } = reading(state, ticket)
  if (draft === null || instrument === undefined) return []
  return wrapWords(cellText(orderSentence(draft, instrument, state.venue)), width - 2).map((line) => [
    span(` ${line}`, draft.side === 'BUY' ? 'bid' : 'ask'),
  ])
}

/** The key that confirms a soft limit is named where one is exceeded. */
const reviewKeys = (checks: readonly Check[]): KeyEntry[] => {
  const isAsking = checks.some(({ level }) => level === 'ask')
  return footEntries(['review']).filter(({ keys }) => isAsking || keys !== 'Y')
}

function reviewContent(
  state: DeskState,
  ticket: Extract<TicketState, { stage: 'review' }>,
  { width, rowCount }: Size,
): TicketContent {
  const { checks } = reading(state, ticket)
  const sections = {
    fields: sentenceRows(state, ticket, width),
    summary: summaryOf(state, ticket, width),
    checks: checkRows(withModeCheck(state, checks), width, ticket.confirmed),
    keys: keysRow(reviewKeys(checks), width),
  }
  return { title: [span('REVIEW: send this?', 'warn')], rows: stacked(sections, rowCount), kind: 'dialog' }
}

function sendingContent(state: DeskState, ticket: TicketState, { width, rowCount }: Size): TicketContent {
  const waiting = wrapWords('On its way. The answer is awaited: do not send it again.', width - 2)
  const rows: Row[] = [
    ...sentenceRows(state, ticket, width),
    [],
    ...waiting.map((line): Row => [span(` ${line}`, 'warn')]),
  ]
  return { title: [span('SENDING…', 'warn')], rows: rows.slice(0, rowCount), kind: 'dialog' }
}

/** What stands in the ticket's place while a ticket is open, in `rowCount` lines of `width` cells. */
export function ticketContent(state: DeskState, ticket: TicketState, size: Size): TicketContent {
  switch (ticket.stage) {
    case 'edit':
      return editContent(state, ticket, size)
    case 'review':
      return reviewContent(state, ticket, size)
    case 'sending':
      return sendingContent(state, ticket, size)
  }
}
