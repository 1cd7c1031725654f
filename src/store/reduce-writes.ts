import type { WriteEvent } from '../domain/desk-events.ts'
import { keyOf } from '../domain/key-setting.ts'
import { zero } from '../domain/money.ts'
import { isWorking, type Order, type OrderDraft } from '../domain/order.ts'
import type { OrderOutcome } from '../domain/order-outcome.ts'
import { cancelAllKey, cancelKey, type Unsettled } from '../domain/unsettled.ts'
import { describeDraft, describeEnd, describeWithdrawal } from './describe.ts'
import { arrived } from './feed.ts'
import { noted } from './log.ts'
import { withEnded } from './reduce-feeds.ts'
import type { DeskState } from './state.ts'
import { withTaken } from './transfer-feeds.ts'

/** A sent order as a row, before or without an answer. */
function unansweredOrder(draft: OrderDraft, clientOrderId: string, atMs: number): Order {
  return {
    orderId: null,
    clientOrderId,
    symbol: draft.symbol,
    side: draft.side,
    type: draft.type,
    status: 'PENDING',
    limitPrice: draft.limitPrice,
    leavesQuantity: draft.orderQuantity,
    cumQuantity: zero,
    averagePrice: null,
    lastQuantity: null,
    lastPrice: null,
    text: null,
    timestampMs: atMs,
  }
}

/** A refused order as a row of the ended ones: what was asked for, and why it was refused. */
const rejectedOrder = (
  { draft, atMs }: Extract<WriteEvent, { type: 'orderOutcome' }>,
  { clientOrderId, reason }: Extract<OrderOutcome, { kind: 'rejected' }>,
): Order => ({ ...unansweredOrder(draft, clientOrderId, atMs), status: 'REJECTED', text: reason })

const withUnsettled = (state: DeskState, entry: Unsettled): DeskState => ({
  ...state,
  unsettled: [...state.unsettled.filter((other) => other.key !== entry.key), entry],
})

const withoutUnsettled = (state: DeskState, key: string): DeskState =>
  state.unsettled.some((entry) => entry.key === key)
    ? {
        ...state,
        unsettled: state.unsettled.filter((entry) => entry.key !== key),
      }
    : state

/** An accepted order joins the working ones at once; one that has already ended joins the ended ones. */
function withAccepted(state: DeskState, order: Order, atMs: number): DeskState {
  if (!isWorking(order))
    return noted(withEnded(state, order), 'good', describeEnd(order, state.instruments.value), atMs)
  const others = (state.orders.value ?? []).filter((other) => other.orderId !== order.orderId)
  const orders = { ...state.orders, value: [order, ...others] }
  const next = {
    ...state,
    orders: state.orders.atMs === null ? arrived(orders.value, atMs) : orders,
  }
  const what = order.status === 'PENDING' ? 'waits for its trigger' : 'is working'
  return noted(next, 'good', `Order ${order.orderId ?? order.clientOrderId} ${what}.`, atMs)
}

function withOrderOutcome(state: DeskState, event: Extract<WriteEvent, { type: 'orderOutcome' }>): DeskState {
  const { outcome, draft, atMs } = event
  const ticket = state.ticket?.stage === 'sending' ? null : state.ticket
  switch (outcome.kind) {
    case 'accepted':
      return withAccepted(withoutUnsettled({ ...state, ticket }, outcome.order.clientOrderId), outcome.order, atMs)
    case 'rejected':
      return noted(
        withEnded(
          withoutUnsettled({ ...state, ticket: backToEdit(state) }, outcome.clientOrderId),
          rejectedOrder(event, outcome),
        ),
        'bad',
        `Order rejected: ${outcome.reason}. Nothing was placed.`,
        atMs,
      )
    case 'unknown': {
      const sentence = `No answer for order ${outcome.clientOrderId}. It may be live: checking. Do not resubmit.`
      const order = unansweredOrder(draft, outcome.clientOrderId, atMs)
      const entry: Unsettled = {
        key: outcome.clientOrderId,
        kind: 'order',
        symbol: draft.symbol,
        sentence,
        atMs,
        order,
        question: null,
      }
      return noted(withUnsettled({ ...state, ticket }, entry), 'bad', sentence, atMs)
    }
  }
}

/** A refused order's ticket stays open with what was typed, ready to be put right. */
function backToEdit(state: DeskState): DeskState['ticket'] {
  return state.ticket?.stage === 'sending' ? { ...state.ticket, stage: 'edit' } : state.ticket
}

function withCancelOutcome(state: DeskState, event: Extract<WriteEvent, { type: 'cancelOutcome' }>): DeskState {
  const { outcome, atMs } = event
  const key = cancelKey(outcome.orderId)
  switch (outcome.kind) {
    case 'canceled':
      return noted(withoutUnsettled(state, key), 'good', `Order ${outcome.orderId} is cancelled.`, atMs)
    case 'refused':
      return noted(
        withoutUnsettled(state, key),
        'warn',
        `Cancel of ${outcome.orderId} refused: ${outcome.reason}. The order is as the list shows it.`,
        atMs,
      )
    case 'unknown': {
      const sentence = `No answer for the cancel of ${outcome.orderId}. It may still be working: checking.`
      const entry: Unsettled = {
        key,
        kind: 'cancel',
        symbol: null,
        sentence,
        atMs,
        order: null,
        question: null,
      }
      return noted(withUnsettled(state, entry), 'bad', sentence, atMs)
    }
  }
}

function withCancelAllOutcome(state: DeskState, event: Extract<WriteEvent, { type: 'cancelAllOutcome' }>): DeskState {
  const { outcome, atMs } = event
  const scope = outcome.symbol ?? 'every symbol'
  const key = cancelAllKey(outcome.symbol)
  switch (outcome.kind) {
    case 'canceled':
      return noted(withoutUnsettled(state, key), 'good', `All orders of ${scope} are cancelled.`, atMs)
    case 'refused':
      return noted(
        withoutUnsettled(state, key),
        'bad',
        `Cancel of all ${scope} orders refused: ${outcome.reason}.`,
        atMs,
      )
    case 'unknown': {
      const sentence = `No answer for the cancel of all ${scope} orders. Some may still be working: checking.`
      const entry: Unsettled = {
        key,
        kind: 'cancelAll',
        symbol: outcome.symbol,
        sentence,
        atMs,
        order: null,
        question: null,
      }
      return noted(withUnsettled(state, entry), 'bad', sentence, atMs)
    }
  }
}

function withWithdrawalOutcome(
  state: DeskState,
  { request, outcome, atMs }: Extract<WriteEvent, { type: 'withdrawalOutcome' }>,
): DeskState {
  const what = describeWithdrawal(request)
  switch (outcome.kind) {
    case 'accepted': {
      const { withdrawalId, state: status } = outcome.withdrawal
      const taken = withTaken(state, outcome.withdrawal)
      return noted(taken, 'good', `Withdrawal ${withdrawalId ?? ''} of ${what} is ${status ?? 'accepted'}.`, atMs)
    }
    case 'rejected':
      return noted(state, 'bad', `Withdrawal of ${what} refused: ${outcome.reason}. Nothing was sent.`, atMs)
    case 'unknown': {
      const sentence = `No answer for the withdrawal of ${what}. The money may be on its way: checking. Do not repeat it.`
      const { key } = outcome
      const entry: Unsettled = { key, kind: 'withdrawal', symbol: null, sentence, atMs, order: null, question: null }
      return noted(withUnsettled(state, entry), 'bad', sentence, atMs)
    }
  }
}

/** A write that is not settled stays in its place in the list, now with the question. */
function withQuestion(
  state: DeskState,
  { key, question, atMs }: Extract<WriteEvent, { type: 'unsettledQuestion' }>,
): DeskState {
  if (!state.unsettled.some((entry) => entry.key === key)) return state
  const unsettled = state.unsettled.map((entry) => (entry.key === key ? { ...entry, question } : entry))
  const askKey = keyOf(state.reboundKeys, 'askUnsettled', 'u')
  return noted({ ...state, unsettled }, 'warn', `${question.evidence} Press ${askKey} to say what it was.`, atMs)
}

const sentSentence = (
  { instruments }: DeskState,
  { draft, clientOrderId }: Extract<WriteEvent, { type: 'orderSent' }>,
) => `Sent ${describeDraft(draft, instruments.value)} as ${clientOrderId}.`

/** What became of writes, and that they were sent. */
export function reduceWrite(state: DeskState, event: WriteEvent): DeskState {
  switch (event.type) {
    case 'orderSent':
      return noted(state, 'info', sentSentence(state, event), event.atMs)
    case 'orderNotSent':
      return noted(
        { ...state, ticket: backToEdit(state) },
        'bad',
        `Not sent: ${event.reason}. Nothing was placed.`,
        event.atMs,
      )
    case 'orderOutcome':
      return withOrderOutcome(state, event)
    case 'cancelSent':
      return noted(state, 'info', `Cancelling ${event.orderId}.`, event.atMs)
    case 'cancelOutcome':
      return withCancelOutcome(state, event)
    case 'cancelAllSent':
      return noted(state, 'info', `Cancelling all orders of ${event.symbol ?? 'every symbol'}.`, event.atMs)
    case 'cancelAllOutcome':
      return withCancelAllOutcome(state, event)
    case 'cancelNotSent':
      return noted(state, 'bad', `Not sent: ${event.reason}. Nothing was cancelled.`, event.atMs)
    case 'withdrawalSent':
      return noted(state, 'info', `Sent the withdrawal of ${describeWithdrawal(event.request)}.`, event.atMs)
    case 'withdrawalNotSent':
      return noted(state, 'bad', `Not sent: ${event.reason}. No money was moved.`, event.atMs)
    case 'withdrawalOutcome':
      return withWithdrawalOutcome(state, event)
    case 'unsettled':
      return noted(withUnsettled(state, event.write), 'bad', event.write.sentence, event.atMs)
    case 'unsettledQuestion':
      return withQuestion(state, event)
    case 'journalTrouble':
      return noted(state, 'bad', `${event.sentence}.`, event.atMs)
    case 'settled':
      return noted(withoutUnsettled(state, event.key), event.level, event.sentence, event.atMs)
  }
}
