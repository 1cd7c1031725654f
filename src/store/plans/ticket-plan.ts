import { withoutStop } from '../../base/plain-text.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { block, blockOf, type Check } from '../../domain/orders/checks/check.ts'
import { isBracket, priceUse, readField, type TicketForm } from '../../domain/orders/ticket.ts'
import { exitTerms, type PlanTerms, termsComplaint } from '../../domain/plans/terms.ts'
import type { Checked } from '../ticket/check-context.ts'
import type { EntrySlice, TicketSlice } from '../ticket/ticket.ts'
import { ticketReading } from '../ticket/ticket-reading.ts'

/** The bracket that a ticket with stop and target comes to; the checks say what of these two is missing or wrong. */
export type BracketReading = { terms: PlanTerms | null; checks: readonly Check[] }

/** What a form's stop and target come to; null where it asks for none. The entry has checks of its own. */
export function readBracket(
  state: Checked & EntrySlice,
  form: TicketForm,
  nowMs: number = state.nowMs,
): BracketReading | null {
  if (!isBracket(form)) return null
  const instrument = state.instruments.value?.get(form.symbol)
  const use = priceUse(instrument)
  const wrong: Check[] = []
  const stopPrice = readField('stop', form.lossText, use, wrong)
  const targetPrice = readField('target', form.targetText, use, wrong)
  const { draft } = ticketReading(state, form, nowMs)
  if (instrument === undefined || stopPrice === null || targetPrice === null) return { terms: null, checks: wrong }
  const exit = form.side === 'BUY' ? 'SELL' : 'BUY'
  const legs = exitTerms({ stopPrice, targetPrice }, exit, instrument, state.entry)
  const refused = (sentence: string): BracketReading => ({
    terms: null,
    checks: [block('fields', withoutStop(sentence.replace(/: nothing was planned\.$/, '')))],
  })
  if (!legs.ok) return refused(legs.error)
  if (draft === null) return { terms: null, checks: [] }
  const { symbol, side, orderQuantity: quantity, limitPrice: entryPrice } = draft
  const terms: PlanTerms = { kind: 'bracket', symbol, side, quantity, entryPrice, ...legs.value }
  const complaint = termsComplaint(terms, instrument)
  return complaint === null ? { terms, checks: [] } : refused(complaint)
}

/** The plan that the open ticket asks for, or what is wrong with it as a clause; null where it asks for an order. */
export function ticketPlan(state: Checked & TicketSlice & EntrySlice, nowMs: number): Result<PlanTerms> | null {
  const { ticket } = state
  if (ticket?.stage !== 'edit') return null
  const read = readBracket(state, ticket.form, nowMs)
  if (read === null) return null
  const entry = ticketReading(state, ticket.form, nowMs).checks
  const wrong = blockOf([...entry, ...read.checks])
  if (wrong !== undefined || read.terms === null) return err(wrong?.text ?? 'the plan is not complete')
  return ok(read.terms)
}
