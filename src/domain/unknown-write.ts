import { type Order, type OrderDraft, scopeText } from './orders/order.ts'
import type { Withdrawal, WithdrawalRequest } from './transfers/transfer.ts'

/** The user's answers about a write that the exchange's reports do not resolve, the last two about a cancel. */
export const verdicts = ['placed', 'notPlaced', 'canceled', 'notCanceled'] as const
export type Verdict = (typeof verdicts)[number]

/** An answer in words, behind `Resolved by you as`. */
export const verdictWords: Readonly<Record<Verdict, string>> = {
  placed: 'placed',
  notPlaced: 'not placed',
  canceled: 'canceled',
  notCanceled: 'not canceled',
}

/** The answer to one who was shown other evidence than there is by now. */
export const evidenceChanged = 'Not resolved: evidence changed. Look again.'

/** Put before a person: what was looked at and found, and the answers that make sense. */
export type UnknownWriteQuestion = {
  evidence: string
  verdicts: readonly Verdict[]
  /** What the exchange lists, where the question is about a withdrawal. */
  withdrawals?: WithdrawalEvidence
}

/**
 * Beside the evidence about a withdrawal: what was asked for, those that may be it, and others of its currency in its
 * time.
 */
export type WithdrawalEvidence = {
  request: WithdrawalRequest
  matches: readonly Withdrawal[]
  others: readonly Withdrawal[]
}

/** A write with an unknown outcome: it stays on screen until it is resolved. */
export type UnknownWrite = {
  /** Names it wherever it is reported: see `orderKey`, `cancelKey`, `cancelAllKey`, `withdrawalKey`. */
  key: string
  kind: 'order' | 'cancel' | 'cancelAll' | 'withdrawal'
  symbol: string | null
  sentence: string
  /** By the wall clock. */
  atMs: number
  /** What was sent, for the row in the orders pane. */
  order: Order | null
  /** The terms of an order or a move, while which no duplicate is sent; missing for what this desk sent itself. */
  draft?: OrderDraft
  /** Null while it is being looked up. */
  question: UnknownWriteQuestion | null
}

/** An order or a move without an outcome that another process of the account sent. */
export type OrderElsewhere = { clientOrderId: string; draft: OrderDraft }

/** An unanswered order goes by its client order id. */
export const orderKey = (clientOrderId: string): string => clientOrderId
export const cancelKey = (orderId: string): string => `cancel ${orderId}`
export const cancelAllKey = (symbol: string | null): string => `cancel all ${scopeText(symbol)}`
/** A withdrawal has no client id: it goes by its entry in the journal. */
export const withdrawalKey = (entryId: string): string => `withdrawal ${entryId}`
