import { constants } from 'node:os'
import type { Clock } from './clock.ts'
import type { Environment } from './environment.ts'
import type { JobControl } from './job-control.ts'
import type { Output } from './output.ts'

/** What a command may touch of the process: so that a test can be one. */
export type CommandIo = {
  environment: Environment
  stdin: NodeJS.ReadStream
  stdout: NodeJS.WriteStream
  /** Results go out here. Aborted `unread`: what is left to tell interests nobody, and nothing failed for that. */
  output: Pick<Output, 'write' | 'isMidLine' | 'written' | 'end' | 'unread'>
  /** Writes one line to `output`. */
  print: (line: string) => Promise<void>
  /** Writes one line to stderr. */
  printError: (line: string) => void
  /** Shows a line for as long as something takes, where stderr is a terminal; null takes it away. */
  progress: (line: string | null) => void
  /** Aborted by SIGINT, SIGTERM or SIGHUP; the reason is the signal's name. */
  signal: AbortSignal
  /** The job control of the shell that started the program; none where a shell cannot have. */
  jobs?: JobControl
  /** What must be put back before a crash is told of: the terminal. */
  restoreAtCrash: (restore: () => void) => void
  /** Ends the program for a fault of its own: terminal back, one message, a crash file. */
  crash: (error: unknown) => void
}

/** 0 success, 1 a failure explained in one line on stderr, 2 wrong usage, 128 + n ended by signal n. */
export type ExitCode = number

/** Aborted when a read has nobody left to read for: by a signal, or because its output reaches nobody any more. */
export const readingSignal = ({ signal, output }: Pick<CommandIo, 'signal' | 'output'>): AbortSignal =>
  AbortSignal.any([signal, output.unread])

/** The exit code of a program that a signal ended, as shells reckon it. */
export function exitCodeOf(signal: AbortSignal): ExitCode {
  const name = String(signal.reason)
  const number = Object.entries(constants.signals).find(([key]) => key === name)?.[1]
  return number === undefined ? 1 : 128 + number
}

/** Resolves when the signal is there. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** Time and chance, passed in. */
export type CommandTools = {
  clock: Clock
  random: () => number
  randomBytes: (count: number) => Buffer
}

/** What was typed after a command's name. */
export type Arguments = {
  words: readonly string[]
  /** The value of a flag; undefined when it was not given. */
  value: (name: string) => string | undefined
  /** Every value of a flag that may come more than once, in the order typed. */
  values: (name: string) => readonly string[]
  has: (name: string) => boolean
}

/** The desk takes no flags of the inbox. */
export const noArguments: Arguments = { words: [], value: () => undefined, values: () => [], has: () => false }
