import type { ExchangeError } from '../api/exchange-error.ts'
import { type FailureRow, faultRows, rowOfStatus } from './failure-table.ts'
import { type Risk, riskOf } from './write-risk.ts'

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
const withoutStop = (text: string): string => text.replace(/[\s.]+$/, '')

/** `try again in 3 s`, as the service asked; seconds are rounded up so that nobody comes too early. */
function tryAgain(retryAfterMs: number | null): string {
  if (retryAfterMs === null) return 'try again in a moment'
  const seconds = Math.ceil(retryAfterMs / 1_000)
  return seconds < 120 ? `try again in ${seconds} s` : `try again in ${Math.ceil(seconds / 60)} min`
}

/** The row for kinds of errors that carry neither a status nor a fault. */
const plainRow = ({ reason }: ExchangeError): FailureRow => ({ happened: reason, next: 'try again', short: reason })

function rowOf(error: ExchangeError): FailureRow {
  const when = tryAgain(error.retryAfterMs)
  if (error.fault === 'status' || error.fault === null) {
    return error.status === null ? plainRow(error) : rowOfStatus(error.status, when)
  }
  return faultRows[error.fault](error, when)
}

/** What happened, with the service's own words where it gave some. */
const happenedOf = (error: ExchangeError, { happened }: FailureRow): string =>
  error.words === null ? happened : `${happened}: ${withoutStop(error.words)}`

/**
 * Sentences: what happened and what it means for the money; and what to do next, null while there is nothing else to
 * do.
 */
export type FailureNotice = { message: string; todo: string | null }

/**
 * A failure for a person: what happened, for a write what it means for the money, and what to do next. Nothing secret
 * is in it.
 */
export function failureParts(error: ExchangeError): FailureNotice {
  const row = rowOf(error)
  const happened = `${capital(happenedOf(error, row))}.`
  const todo = `${capital(row.next)}.`
  const risk: Risk | null = riskOf(error)
  if (risk === null) return { message: happened, todo }
  return { message: `${happened} ${risk.sentence}`, todo: risk.isOpen ? null : todo }
}

/** The same as one notice, ended by a full stop. */
export function failureNotice(error: ExchangeError): string {
  const { message, todo } = failureParts(error)
  return todo === null ? message : `${message} ${todo}`
}

/**
 * A failure as a clause without a full stop. Of a read: short enough for a pane's title. Of a write: what happened and
 * what to do next, for whoever says himself what it means for the money.
 */
export function failureSentence(error: ExchangeError): string {
  const row = rowOf(error)
  // A refusal of what was asked is not understood without the service's own words.
  if (error.outcome === null)
    return error.kind === 'rejected' || error.fault === 'errorInAnswer'
      ? happenedOf(error, { ...row, happened: row.short })
      : row.short
  return error.outcome === 'unknown' ? happenedOf(error, row) : `${happenedOf(error, row)}; ${row.next}`
}
