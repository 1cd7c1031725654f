import { err, ok, type Result } from '../../base/result.ts'
import { withoutStop } from '../../base/text/plain-text.ts'
import { readTypedAmount } from '../../domain/amount-text.ts'
import type { Instrument } from '../../domain/market/instrument.ts'
import type { Decimal } from '../../domain/money.ts'
import { block, blockOf, type Check } from '../../domain/orders/checks/check.ts'
import { isBracket, priceUse, readField, type TicketForm } from '../../domain/orders/ticket.ts'
import { priceAway, readAwayText } from '../../domain/plans/leg-away.ts'
import { exitTerms, type PlanTerms, termsComplaint } from '../../domain/plans/terms.ts'
import type { EntrySlice, TicketSlice } from '../ticket/ticket.ts'
import { ticketReading } from '../ticket/ticket-reading.ts'
import { outlookMarket, type PlanChecked } from './plan-checks.ts'

/** The bracket of a ticket with stop and target; the checks report faults of these two. */
export type BracketReading = { terms: PlanTerms | null; checks: readonly Check[] }

/** The fields of a bracket's legs, and their names in sentences. */
const legNames = { loss: 'stop', target: 'target' } as const
type Leg = keyof typeof legNames

/** The base price for a leg in percent: the entry's limit, else the market; null while unknown. */
const entryPriceOf = (state: PlanChecked, { type, priceText, symbol }: TicketForm): Decimal | null =>
  type === 'LIMIT' ? (readTypedAmount(priceText) ?? null) : outlookMarket(state, symbol).price

/** The price of a leg typed in percent; null for one typed as a price. The error is a sentence. */
export function legAway(
  state: PlanChecked,
  form: TicketForm,
  leg: Leg,
  instrument: Instrument,
): Result<Decimal> | null {
  const away = readAwayText(leg === 'loss' ? form.lossText : form.targetText)
  if (away === null) return null
  const price = entryPriceOf(state, form)
  const exit = form.side === 'BUY' ? 'SELL' : 'BUY'
  return priceAway(away, { leg: legNames[leg], exit, instrument, price })
}

/** A leg's price, typed or by its distance; faults go to `wrong`. */
function readLeg(
  state: PlanChecked,
  form: TicketForm,
  leg: Leg,
  { instrument, wrong }: { instrument: Instrument | undefined; wrong: Check[] },
): Decimal | null {
  const away = instrument === undefined ? null : legAway(state, form, leg, instrument)
  if (away === null)
    return readField(legNames[leg], leg === 'loss' ? form.lossText : form.targetText, priceUse(instrument), wrong)
  if (away.ok) return away.value
  wrong.push(block('fields', withoutStop(away.error)))
  return null
}

/** The bracket of a form's stop and target; null without them. The entry has checks of its own. */
export function readBracket(
  state: PlanChecked & EntrySlice,
  form: TicketForm,
  nowMs: number = state.nowMs,
): BracketReading | null {
  if (!isBracket(form)) return null
  const instrument = state.instruments.value?.get(form.symbol)
  const wrong: Check[] = []
  const stopPrice = readLeg(state, form, 'loss', { instrument, wrong })
  const targetPrice = readLeg(state, form, 'target', { instrument, wrong })
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

/** The open ticket's plan, or its fault as a clause; null when it is an order. */
export function ticketPlan(state: PlanChecked & TicketSlice & EntrySlice, nowMs: number): Result<PlanTerms> | null {
  const { ticket } = state
  if (ticket?.stage !== 'edit') return null
  const read = readBracket(state, ticket.form, nowMs)
  if (read === null) return null
  const entry = ticketReading(state, ticket.form, nowMs).checks
  const wrong = blockOf([...entry, ...read.checks])
  if (wrong !== undefined || read.terms === null) return err(wrong?.text ?? 'the plan is not complete')
  return ok(read.terms)
}
