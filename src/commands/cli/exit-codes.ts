import { constants } from 'node:os'
import type { ExchangeError, Fault } from '../../api/errors.ts'
import type { SettingsFault } from '../../config/settings.ts'
import type { FailureNotice } from '../../services/failure-sentences.ts'
import type { Writable } from '../../wire/exact-json.ts'

/** One row, by the wire's names of its fields. */
export type Fields = { readonly [field: string]: Writable }

/**
 * What a failure means for the money, as scripts read it: the word in JSON and its exit code. Nothing was sent after
 * `usage`, `notSent` (a check, a limit or the lock refused) and `unreachable` (the exchange could not be reached or
 * asked); after `rejected` the exchange said no, and nothing was placed or left; after `unknown` it may be live.
 * `failed` is everything else.
 */
export const exitCodes = { failed: 1, usage: 2, notSent: 3, rejected: 4, unreachable: 5, unknown: 6 } as const

export type FailureKind = keyof typeof exitCodes

/** What an exit code means; any other one is a failure. */
export const kindOfCode = (code: ExitCode): FailureKind =>
  (Object.keys(exitCodes) as FailureKind[]).find((kind) => exitCodes[kind] === code) ?? 'failed'

/** How a command ended. */
export type Ending = {
  code: ExitCode
  /**
   * Of a failure: what happened and what it means for the money, on stderr after the command's name and as `message` in
   * JSON.
   */
  sentence?: string
  /** What to do next, a sentence of its own. */
  todo?: string
  clientOrderId?: string
  /** Fields of the JSON object beside `error`: what is known all the same. */
  beside?: Fields
  /** What was done, as a sentence: told where the output that should say it cannot be written. */
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

/** Why settings cannot be read: what is wrong on the command line itself is wrong usage. */
export const settingsFailure = ({ sentence, isTyped }: SettingsFault): Ending =>
  isTyped ? wrongUsage(sentence) : failed(sentence)

/** A signal came before all was printed: what is there is a part, and no list in it is closed. */
export class CutShort extends Error {
  override readonly name = 'CutShort'
}

/** Held back here: the transport only reads, or the desk was halted or the order stopped before it left. */
const heldBackFaults: ReadonlySet<Fault> = new Set(['readOnly', 'notLeading', 'halted', 'stopped'])

/** The failure that an error of a service is. `notice` says it in words. */
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

/** What happened, and what it means for the money where that is not said by it. */
type Meaning = { happened: string; money: string | null }
/** `kind` is the word that JSON has for it; null for what is not a failure of the command. */
type ExitMeaning = Meaning & { code: string; kind: FailureKind | null }

const failures: Readonly<Record<FailureKind, Meaning>> = {
  failed: { happened: 'any other failure', money: null },
  usage: { happened: 'wrong usage', money: null },
  notSent: { happened: 'not sent: a check, a limit or the lock refused', money: null },
  rejected: { happened: 'rejected by the exchange', money: 'nothing was placed or left' },
  unreachable: { happened: 'the exchange could not be reached or asked', money: 'nothing was sent' },
  unknown: { happened: 'outcome unknown', money: 'it may be live' },
}

/** Every exit code in words, ascending: what the help of commands, the man page and the manual say of it. */
export const exitMeanings: readonly ExitMeaning[] = [
  { code: '0', kind: null, happened: 'done, and seen to be so', money: null },
  ...(Object.keys(exitCodes) as FailureKind[]).map((kind) => ({ code: `${exitCodes[kind]}`, kind, ...failures[kind] })),
  { code: '128 + n', kind: null, happened: 'ended by signal n', money: null },
]

/** 0 for success, one of `exitCodes` for a failure, or 128 + n when signal n ended the program. */
export type ExitCode = number

/** The exit code of a program that a signal ended, as shells reckon it. */
export function exitCodeOf(signal: AbortSignal): ExitCode {
  const name = String(signal.reason)
  const number = Object.entries(constants.signals).find(([key]) => key === name)?.[1]
  return number === undefined ? 1 : 128 + number
}
