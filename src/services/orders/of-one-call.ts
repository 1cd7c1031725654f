import type { ExchangeError } from '../../api/errors.ts'

/** True for an answer that is no reason not to ask for anything else: one report or list fails, others may not. */
export const isOfOneCall = ({ kind, fault, status }: ExchangeError): boolean =>
  kind === 'protocol' || (status !== null && kind !== 'rateLimited' && fault !== 'standby')

/** Faults of a call without an answer that may be of that call alone, such as of a list that takes too long. */
const silences: ReadonlySet<ExchangeError['fault']> = new Set([
  'answerTimeout',
  'bodyTimeout',
  'callTimeout',
  'connectionLost',
])

/** True for a call that had no answer, which may be of that call alone. */
export const isSilence = ({ fault, status }: ExchangeError): boolean => status === null && silences.has(fault)
