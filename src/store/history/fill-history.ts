import type { Result } from '../../base/result.ts'
import type { Fill } from '../../domain/orders/fills.ts'
import { compareIds } from '../../domain/orders/order.ts'

/** Fills from before those that polls bring, fetched page by page when somebody scrolls to them. */
export type FillHistory = {
  /** Newest first, each once. */
  fills: readonly Fill[]
  /** How far back they go: nowhere yet, some pages, to the first fill there is, or as far as is kept. */
  reach: 'none' | 'some' | 'all' | 'most'
  call: { kind: 'resting' } | { kind: 'asking' } | { kind: 'failed'; sentence: string }
}

export type FillHistoryEvent =
  | { type: 'fillHistoryAsked' }
  /** `isLast`: nothing is older. */
  | { type: 'fillHistory'; fills: readonly Fill[]; isLast: boolean }
  | { type: 'fillHistoryFailed'; sentence: string }

/** What became of a page that was asked for, as an event. */
export const fillHistoryAnswered = (answer: Result<{ fills: readonly Fill[]; isLast: boolean }>): FillHistoryEvent =>
  answer.ok ? { type: 'fillHistory', ...answer.value } : { type: 'fillHistoryFailed', sentence: answer.error }

/** More than anyone scrolls through; what is older is a matter for `pitdesk fills --all`. */
export const fillHistoryMost = 5_000

export const emptyFillHistory: FillHistory = { fills: [], reach: 'none', call: { kind: 'resting' } }

const newestFirst = (left: Fill, right: Fill): number => compareIds(right.execId, left.execId)

/** Both lists as one, newest first, each execution once; the same list when the second brings nothing new. */
export function allFills(recent: readonly Fill[], older: readonly Fill[]): readonly Fill[] {
  const ids = new Set(recent.map(({ execId }) => execId))
  const more = older.filter(({ execId }) => !ids.has(execId))
  return more.length === 0 ? recent : [...recent, ...more].toSorted(newestFirst)
}

/** The history after an event. */
export function reduceFillHistory(history: FillHistory, event: FillHistoryEvent): FillHistory {
  switch (event.type) {
    case 'fillHistoryAsked':
      return { ...history, call: { kind: 'asking' } }
    case 'fillHistoryFailed':
      return { ...history, call: { kind: 'failed', sentence: event.sentence } }
    case 'fillHistory': {
      const fills = allFills(history.fills, event.fills).slice(0, fillHistoryMost)
      const reach = event.isLast ? 'all' : fills.length >= fillHistoryMost ? 'most' : 'some'
      return { fills, reach, call: { kind: 'resting' } }
    }
  }
}
