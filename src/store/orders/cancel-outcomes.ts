import type { WriteEvent } from '../../domain/desk/events.ts'
import type { Order } from '../../domain/orders/order.ts'
import { tallyText } from '../../domain/orders/order-outcome.ts'
import { cancelAllKey, cancelKey, type Unsettled } from '../../domain/orders/unknown-write.ts'
import type { FeedsSlice } from '../feeds/feeds.ts'
import { withEnded } from '../feeds/reduce-feeds.ts'
import { logged, type Noting, noted } from '../log.ts'
import type { ModeSlice } from '../mode.ts'
import type { TablesSlice } from '../tables/tables.ts'
import { describeCanceled, describeEnd } from './describe.ts'
import { withOrderChosen } from './order-outcomes.ts'
import { orderKey } from './order-selectors.ts'
import { type WritesSlice, withoutUnsettled, withUnanswered } from './writes.ts'

/** What the outcome of a cancel touches. */
type CancelNeeds = FeedsSlice & WritesSlice & TablesSlice & Noting

/** What a write without an outcome touches, or the cancel of all. */
export type UnknownNeeds = ModeSlice & WritesSlice & Noting

/**
 * Where the cursor stands on an order that is being canceled it goes on to the working one below, or above at the end.
 */
function withCursorPast<S extends FeedsSlice & WritesSlice & TablesSlice>(state: S, gone: Order, atMs: number): S {
  const goneKey = orderKey(gone)
  if (state.tables.views.orders.selectedKey !== goneKey) return state
  const keys = (state.orders.value ?? []).map(orderKey)
  const at = keys.indexOf(goneKey)
  const next = keys[at + 1] ?? keys[at - 1]
  return next === undefined ? state : { ...withOrderChosen(state, next), cursorCame: { key: next, atMs } }
}

export function withCancelOutcome<S extends CancelNeeds>(
  state: S,
  event: Extract<WriteEvent, { type: 'cancelOutcome' }>,
): S {
  const { outcome, isMove = false, atMs } = event
  const key = cancelKey(outcome.orderId)
  const settled = withoutUnsettled(state, key)
  switch (outcome.kind) {
    case 'canceled': {
      const ended = withEnded(isMove ? settled : withCursorPast(settled, outcome.order, atMs), outcome.order)
      const text = describeCanceled(outcome.order, outcome.isOwn, state.instruments.value)
      // Of a move only where it went is news.
      return isMove ? logged(ended, 'info', text, atMs) : noted(ended, 'good', text, atMs)
    }
    case 'ended': {
      const text = `Not canceled: ${withoutCapital(describeEnd(outcome.order, state.instruments.value))}`
      return noted(withEnded(settled, outcome.order), 'warn', text, atMs)
    }
    case 'refused':
      return noted(
        settled,
        'warn',
        `Cancel of ${outcome.orderId} refused: ${outcome.reason}. See 2 Orders for its state.`,
        atMs,
      )
    case 'unknown': {
      const why = outcome.reason.startsWith(acceptedMark)
        ? `Cancel of ${outcome.orderId}: ${outcome.reason}`
        : `No answer for the cancel of ${outcome.orderId}`
      const sentence = `${why}. It may still be working: checking.`
      return noted(withUnanswered(state, unsettledCancel('cancel', key, null, sentence, atMs)), 'bad', sentence, atMs)
    }
  }
}

/** A cancel that was answered with a yes which nothing bears out yet begins its reason like this. */
const acceptedMark = 'the cancel was accepted'

const withoutCapital = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1)

const unsettledCancel = (
  kind: 'cancel' | 'cancelAll',
  key: string,
  symbol: string | null,
  sentence: string,
  atMs: number,
): Unsettled => ({ key, kind, symbol, sentence, atMs, order: null, question: null })

const idsShown = 6

/** The orders that a cancel of all left, by their ids. */
function leftText(left: readonly Order[]): string {
  if (left.length === 0) return 'an unreadable order'
  const ids = left.slice(0, idsShown).map(({ orderId, clientOrderId }) => orderId ?? clientOrderId)
  return `${ids.join(', ')}${left.length > idsShown ? ` and ${left.length - idsShown} more` : ''}`
}

function refusedSentence(scope: string, { left, reason }: { left: unknown; reason: string }): string {
  if (left === null) return `Orders of ${scope} may still be working, cancel refused: ${reason}.`
  return `Orders of ${scope} stay working, cancel refused: ${reason}.`
}

export function withCancelAllOutcome<S extends UnknownNeeds>(
  state: S,
  event: Extract<WriteEvent, { type: 'cancelAllOutcome' }>,
): S {
  const { outcome, atMs } = event
  const scope = outcome.symbol ?? 'every symbol'
  const key = cancelAllKey(outcome.symbol)
  // A halted desk took its orders back because it was halted.
  const head = state.mode.kind === 'HALTED' ? 'Halted: ' : ''
  const begin = (sentence: string) => (head === '' ? sentence : head + withoutCapital(sentence))
  switch (outcome.kind) {
    case 'canceled': {
      const tally = tallyText(outcome.tally)
      const text = tally === '' ? `no order of ${scope} is working.` : `${tally}.`
      return noted(
        withoutUnsettled(state, key),
        'good',
        head === '' ? `Cancel all ${scope}: ${text}` : head + text,
        atMs,
      )
    }
    case 'left': {
      const tally = tallyText(outcome.tally)
      const text = `${tally === '' ? '' : `${tally}; `}still working: ${leftText(outcome.left)}. Checking.`
      const sentence = head === '' ? `Cancel all ${scope}: ${text}` : head + text
      return noted(
        withUnanswered(state, unsettledCancel('cancelAll', key, outcome.symbol, sentence, atMs)),
        'bad',
        sentence,
        atMs,
      )
    }
    case 'refused':
      return noted(withoutUnsettled(state, key), 'bad', begin(refusedSentence(scope, outcome)), atMs)
    case 'unknown': {
      const why = outcome.reason.startsWith(acceptedMark)
        ? `Cancel all ${scope}: ${outcome.reason}`
        : `No answer for the cancel of all ${scope} orders`
      const sentence = begin(`${why}. Some may still be working: checking.`)
      return noted(
        withUnanswered(state, unsettledCancel('cancelAll', key, outcome.symbol, sentence, atMs)),
        'bad',
        sentence,
        atMs,
      )
    }
  }
}
