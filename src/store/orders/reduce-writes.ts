import type { WriteEvent } from '../../domain/desk/events.ts'
import { keyOf } from '../../domain/desk/session.ts'
import { describeDraft } from '../../domain/orders/describe.ts'
import { scopeText } from '../../domain/orders/order.ts'
import { isUntaken } from '../../domain/orders/order-outcome.ts'
import { withdrawalText } from '../../domain/transfers/transfer.ts'
import { acceptedWithdrawalWarning, unknownWithdrawalSentence } from '../../domain/transfers/withdrawal-outcome.ts'
import type { UnknownWrite } from '../../domain/unknown-write.ts'
import type { DutiesSlice } from '../duties.ts'
import type { FeedsSlice } from '../feeds/feeds.ts'
import { withTaken } from '../feeds/reduce-feeds.ts'
import { logged, type Noting, noted } from '../log.ts'
import { isHaltUntaken, type ModeSlice } from '../mode.ts'
import type { TablesSlice } from '../tables/tables.ts'
import type { TicketSlice } from '../ticket/ticket.ts'
import { passedByOf } from '../writes/passed-orders.ts'
import { type WritesSlice, withoutUnknownWrite, withUnanswered, withUnknownWrite } from '../writes/writes.ts'
import {
  tellerOf,
  ticketAfterNo,
  type UnknownNeeds,
  withCancelAllOutcome,
  withCancelOutcome,
  withCancelsEnded,
  withOrderOutcome,
} from './order-outcomes.ts'

/** The state that any of them changes. */
type WriteNeeds = ModeSlice & DutiesSlice & FeedsSlice & WritesSlice & TicketSlice & TablesSlice & Noting

function withWithdrawalOutcome<S extends FeedsSlice & WritesSlice & Noting>(
  state: S,
  { request, outcome, atMs }: Extract<WriteEvent, { type: 'withdrawalOutcome' }>,
): S {
  const what = withdrawalText(request)
  switch (outcome.kind) {
    case 'accepted': {
      const { withdrawalId, state: status } = outcome.withdrawal
      const taken = withTaken(state, outcome.withdrawal)
      const warning = acceptedWithdrawalWarning(what, outcome)
      if (warning !== null) return noted(taken, 'warn', warning, atMs)
      return noted(
        taken,
        'good',
        `Withdrawal ${withdrawalId ?? 'without an id'} of ${what} is ${status ?? 'accepted'}.`,
        atMs,
      )
    }
    case 'rejected':
      return noted(state, 'bad', `Withdrawal of ${what} refused: ${outcome.reason}. Nothing was sent.`, atMs)
    case 'unknown': {
      const sentence = unknownWithdrawalSentence(what, outcome)
      const { key } = outcome
      const entry: UnknownWrite = { key, kind: 'withdrawal', symbol: null, sentence, atMs, order: null, question: null }
      return noted(withUnanswered(state, entry), 'bad', sentence, atMs)
    }
  }
}

/** A halt whose cancel nobody took stays visible until somebody does; the log has it once. */
function withUntakenHalt<S extends WriteNeeds>(
  state: S,
  { symbol }: { symbol: string | null },
  { reason, atMs }: { reason: string; atMs: number },
): S {
  const { untakenHalts } = state
  // What is told of all symbols is told of each.
  if (isHaltUntaken(state) && (untakenHalts.includes(null) || untakenHalts.includes(symbol))) return state
  const left = `Orders may still work in ${scopeText(symbol)}: the desk tries again.`
  const text = `HALTED, but its cancel is NOT taken: ${reason}. ${left}`
  return noted({ ...state, untakenHalts: [...untakenHalts, symbol] }, 'bad', text, atMs)
}

/** An unresolved write keeps its place in the list, now with the question. */
function withQuestion<S extends UnknownNeeds & DutiesSlice>(
  state: S,
  { key, question, atMs }: Extract<WriteEvent, { type: 'writeQuestion' }>,
): S {
  if (!state.unknownWrites.some((entry) => entry.key === key)) return state
  const unknownWrites = state.unknownWrites.map((entry) => (entry.key === key ? { ...entry, question } : entry))
  const askKey = keyOf(state.reboundKeys, 'askUnsettled')
  // A watch has no keys: its writes pass to the desk that opens after it.
  const first = state.duties.role === 'watch' ? 'End the watch, open the desk and press' : 'Press'
  return noted({ ...state, unknownWrites }, 'warn', `${first} ${askKey} to resolve: ${question.evidence}`, atMs)
}

const sentSentence = (
  { instruments }: FeedsSlice,
  { draft, clientOrderId }: Extract<WriteEvent, { type: 'orderSent' }>,
) => `Sent ${describeDraft(draft, instruments.value)} as ${clientOrderId}.`

/** Only a log line: the user need not act, and the present notice may be more urgent. */
function withJournalKept<S extends WriteNeeds>(
  state: S,
  { isKept, atMs }: Extract<WriteEvent, { type: 'journalKept' }>,
): S {
  if (isKept !== state.isJournalDown) return state
  const next = { ...state, isJournalDown: !isKept }
  return isKept ? logged(next, 'good', 'The journal takes writes again: what is sent is on record.', atMs) : next
}

/** A write whose outcome was found. An order that works although a cancel of all was to remove it is no good news. */
function withResolved<S extends WriteNeeds>(
  state: S,
  { key, level, sentence, isEnded, atMs }: Extract<WriteEvent, { type: 'writeResolved' }>,
): S {
  const passedBy = level === 'good' && isEnded !== true ? passedByOf(state, key) : null
  const next = withoutUnknownWrite(state, key)
  if (passedBy === null) return noted(next, level, sentence, atMs)
  return noted(next, 'bad', `${sentence} It was on its way at ${passedBy}.`, atMs)
}

/** Outcomes of writes, and their sending. */
export function reduceWrite<S extends WriteNeeds>(state: S, event: WriteEvent): S {
  switch (event.type) {
    case 'orderSent':
      return noted(state, 'info', sentSentence(state, event), event.atMs)
    case 'orderNotSent':
      return noted(
        { ...state, ticket: ticketAfterNo(state, event) },
        'bad',
        `Not sent: ${event.reason}.${event.isThere === true ? '' : ' Nothing was placed.'}`,
        event.atMs,
      )
    case 'orderOutcome':
      return withOrderOutcome(state, event)
    case 'cancelSent':
      return tellerOf(event)(state, 'info', `Canceling ${event.orderId}.`, event.atMs)
    case 'cancelsSent':
      return noted(state, 'info', `Canceling ${event.count} orders.`, event.atMs)
    case 'cancelsEnded':
      return withCancelsEnded(state, event)
    case 'cancelOutcome':
      return withCancelOutcome(state, event)
    case 'cancelAllSent':
      // A retried one is reported once, until it was taken.
      if (isHaltUntaken(state)) return state
      return noted(state, 'info', `Canceling all orders of ${scopeText(event.symbol)}.`, event.atMs)
    case 'cancelAllOutcome': {
      const { outcome, atMs } = event
      const { symbol } = outcome
      if (isUntaken(outcome) && state.mode.kind === 'HALTED')
        return withUntakenHalt(state, outcome, { reason: outcome.reason, atMs })
      // A cancel of all symbols is also that of each.
      const untakenHalts = symbol === null ? [] : state.untakenHalts.filter((untaken) => untaken !== symbol)
      return withCancelAllOutcome({ ...state, untakenHalts }, event)
    }
    case 'cancelNotSent':
      if (event.all !== undefined && state.mode.kind === 'HALTED') return withUntakenHalt(state, event.all, event)
      return tellerOf(event)(state, 'bad', `Not sent: ${event.reason}. Nothing was canceled.`, event.atMs)
    case 'withdrawalSent':
      return noted(state, 'info', `Sent the withdrawal of ${withdrawalText(event.request)}.`, event.atMs)
    case 'withdrawalNotSent':
      return noted(state, 'bad', `Not sent: ${event.reason}. No money was moved.`, event.atMs)
    case 'withdrawalOutcome':
      return withWithdrawalOutcome(state, event)
    case 'writeUnknown':
      return noted(withUnknownWrite(state, event.write), 'bad', event.write.sentence, event.atMs)
    case 'writeQuestion':
      return withQuestion(state, event)
    case 'journalTrouble':
      return noted(state, 'bad', `${event.sentence}.`, event.atMs)
    case 'journalKept':
      return withJournalKept(state, event)
    case 'openElsewhere':
      return { ...state, openElsewhere: event.orders }
    case 'writeResolved':
      return withResolved(state, event)
  }
}
