import type { ExchangeError } from '../api/errors.ts'
import type { Clock } from '../base/clock.ts'
import type { FailureNotice } from '../services/failure-sentences.ts'
import type { Arguments } from './arguments.ts'
import type { CommandIo, ExitCode } from './io.ts'
import type { Fields } from './read-output.ts'

/** A flag of a command. None ever takes a key: argument lists can be read by everyone on a machine. */
export type Flag = {
  name: string
  /** What its value is called in the usage; null: it takes none. */
  placeholder: string | null
  meaning: string
  /** The only values it takes, when they can be listed. */
  choices?: readonly string[]
  /** The choices are only those that are known beforehand. */
  takesOthers?: true
  /** It may be given more than once. */
  repeats?: true
}

/** Time and chance, passed in. */
export type CommandTools = {
  clock: Clock
  random: () => number
  randomBytes: (count: number) => Buffer
}

/**
 * What a failure means for the money, as scripts read it: the word in JSON and its exit code. Nothing was sent after
 * `usage`, `notSent` (a check, a limit or the lock refused) and `unreachable` (the exchange could not be reached or
 * asked); after `rejected` the exchange said no, and nothing was placed or left; after `unknown` it may be live.
 * `failed` is everything else.
 */
export const exitCodes = { failed: 1, usage: 2, notSent: 3, rejected: 4, unreachable: 5, unknown: 6 } as const
export type FailureKind = keyof typeof exitCodes

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

/** The failure that an error of a service is. `notice` says it in words. */
export function failureOf(
  { kind, fault }: Pick<ExchangeError, 'kind' | 'fault'>,
  { message, todo }: FailureNotice,
): Ending {
  const more = todo === null ? {} : { todo }
  // Held back here: the transport only reads, or the call cannot be put into a request.
  if (fault === 'readOnly') return failure('notSent', message, more)
  if (fault === 'badRequest') return failure('failed', message, more)
  const isAnswer = kind === 'rejected' || kind === 'notFound' || kind === 'unauthorized' || fault === 'errorInAnswer'
  return failure(isAnswer ? 'rejected' : 'unreachable', message, more)
}

export type Run = (given: Arguments, io: CommandIo, tools: CommandTools) => Promise<Ending>
/** A command that reads its arguments by itself, `--help` too. */
export type OwnRun = (argv: readonly string[], io: CommandIo, tools: CommandTools) => Promise<ExitCode>

export type CommandRow = {
  /** One word, or a noun and a verb. */
  name: string
  summary: string
  /** How the words after the name are called in the usage. */
  words: string
  wordsMost: number
  /** The words that can be listed, for completion. */
  wordChoices?: readonly string[]
  flags: readonly Flag[]
  /**
   * JSON only where it is asked for; other commands with the flag `json` also give it where stdout is not a terminal.
   */
  isPlain?: true
  /** Further sentences of the help page. */
  notes: readonly string[]
} & ({ kind: 'parsed'; load: () => Promise<Run> } | { kind: 'own'; load: () => Promise<OwnRun> }) // Loaded when it runs: what a command does not need is not waited for.
