import { constants } from 'node:os'
import type { ExchangeError, Fault } from '../../api/errors.ts'
import type { SettingsFault } from '../../config/settings.ts'
import type { FailureNotice } from '../../services/failure-sentences.ts'
import type { Writable } from '../../wire/exact-json.ts'

/** One row, by the wire's field names. */
export type Fields = { readonly [field: string]: Writable }

/**
 * The meaning of a failure for the money, as scripts read it: the word in JSON and its exit code. Nothing was sent
 * after `usage`, `notSent` (a check, a limit or the lock refused) and `unreachable` (the exchange could not be reached
 * or asked); after `rejected` the exchange refused, and nothing was placed or left; after `unknown` it may be live.
 * `failed` is everything else.
 */
export const exitCodes = { failed: 1, usage: 2, notSent: 3, rejected: 4, unreachable: 5, unknown: 6 } as const

export type FailureKind = keyof typeof exitCodes

/** The meaning of an exit code; any unlisted one is a failure. */
export const kindOfCode = (code: ExitCode): FailureKind =>
  (Object.keys(exitCodes) as FailureKind[]).find((kind) => exitCodes[kind] === code) ?? 'failed'

/** How a command ended. */
export type Ending = {
  code: ExitCode
  /**
   * For a failure: what happened and what it means for the money, on stderr after the command's name and as `message`
   * in JSON.
   */
  sentence?: string
  /** The next step, a sentence of its own. */
  todo?: string
  clientOrderId?: string
  /** Fields of the JSON object beside `error`: known in spite of the failure. */
  beside?: Fields
  /** What was done, as a sentence for stderr in case stdout cannot be written. */
  did?: string
}

export const done: Ending = { code: 0 }

export const failure = (kind: FailureKind, sentence: string, more: Omit<Ending, 'code' | 'sentence'> = {}): Ending => ({
  ...more,
  code: exitCodes[kind],
  sentence,
})

export const failed = (sentence: string): Ending => failure('failed', sentence)

export const wrongUsage = (sentence: string, todo?: string): Ending =>
  failure('usage', sentence, todo === undefined ? {} : { todo })

/** The failure for unreadable settings: an error on the command line itself is wrong usage. */
export const settingsFailure = ({ sentence, isTyped }: SettingsFault): Ending =>
  isTyped ? wrongUsage(sentence) : failed(sentence)

/** A signal came before all was printed: the output is incomplete, and its JSON list unclosed. */
export class CutShort extends Error {
  override readonly name = 'CutShort'
}

/** Held back on this side: the transport is read only, or the desk was halted, or the order stopped before sending. */
const heldBackFaults: ReadonlySet<Fault> = new Set(['readOnly', 'notLeading', 'halted', 'stopped'])

/** The failure for a service's error. `notice` has the words. */
export function failureOf(
  { kind, fault }: Pick<ExchangeError, 'kind' | 'fault'>,
  { message, todo }: FailureNotice,
): Ending {
  const more = todo === null ? {} : { todo }
  if (fault !== null && heldBackFaults.has(fault)) return failure('notSent', message, more)
  if (fault === 'badRequest') return failure('failed', message, more)
  const isAnswer = kind === 'rejected' || kind === 'notFound' || kind === 'unauthorized' || fault === 'errorInAnswer'
  return failure(isAnswer ? 'rejected' : 'unreachable', message, more)
}

/** What happened, and its meaning for the money unless that is obvious. */
type Meaning = { happened: string; money: string | null }
/** `kind` is the word in JSON; null for codes that are not failures of the command. */
type ExitMeaning = Meaning & { code: string; kind: FailureKind | null }

const failures: Readonly<Record<FailureKind, Meaning>> = {
  failed: { happened: 'any other failure', money: null },
  usage: { happened: 'wrong usage', money: null },
  notSent: { happened: 'not sent: a check, a limit or the lock refused', money: null },
  rejected: { happened: 'rejected by the exchange', money: 'nothing was placed or left' },
  unreachable: { happened: 'the exchange could not be reached or asked', money: 'nothing was sent' },
  unknown: { happened: 'outcome unknown', money: 'it may be live' },
}

/** Every exit code in words, ascending: for the help of commands, the man page and the manual. */
export const exitMeanings: readonly ExitMeaning[] = [
  { code: '0', kind: null, happened: 'done, and seen to be so', money: null },
  ...(Object.keys(exitCodes) as FailureKind[]).map((kind) => ({ code: `${exitCodes[kind]}`, kind, ...failures[kind] })),
  { code: '128 + n', kind: null, happened: 'ended by signal n', money: null },
]

/** 0 for success, one of `exitCodes` for a failure, or 128 + n when signal n ended the program. */
export type ExitCode = number

/** The exit code of a program ended by a signal, as shells compute it. */
export function exitCodeOf(signal: AbortSignal): ExitCode {
  const name = String(signal.reason)
  const number = Object.entries(constants.signals).find(([key]) => key === name)?.[1]
  return number === undefined ? 1 : 128 + number
}
