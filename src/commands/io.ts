import { constants } from 'node:os'
import type { Environment } from '../config/environment.ts'
import type { JobControl } from './job-control.ts'

/** What a command may touch of the process: so that a test can be one. */
export type CommandIo = {
  environment: Environment
  stdin: NodeJS.ReadStream
  stdout: NodeJS.WriteStream
  /** Writes one line to stdout. */
  print: (line: string) => void
  /** Writes one line to stderr. */
  complain: (line: string) => void
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

/** Whether the reader of the output has had enough (`| head`): what is left to tell interests nobody, and nothing failed. */
export const isReaderGone = (signal: AbortSignal): boolean => signal.aborted && signal.reason === 'SIGPIPE'

/** The exit code of a program that a signal ended, as shells reckon it. */
export function exitCodeOf(signal: AbortSignal): ExitCode {
  const name = String(signal.reason)
  const number = Object.entries(constants.signals).find(([key]) => key === name)?.[1]
  return number === undefined ? 1 : 128 + number
}
