import type { Clock } from '../clock.ts'
import type { Environment } from './environment.ts'
import type { JobControl } from './job-control.ts'
import type { Output } from './output.ts'

/** Everything a command uses of its process; tests pass their own. */
export type CommandIo = {
  environment: Environment
  stdin: NodeJS.ReadStream
  stdout: NodeJS.WriteStream
  /** stdout. `unread` is aborted when its reader has left, as after `| head`: stop then, it is not a failure. */
  output: Pick<Output, 'write' | 'again' | 'isMidLine' | 'written' | 'end' | 'unread'>
  /** Writes one line to `output`. */
  print: (line: string) => Promise<void>
  /** The stderr stream, for code that needs more than lines; absent when it is not a stream. */
  stderr?: object
  /** Writes one line to stderr. */
  printError: (line: string) => void
  /** Shows a progress line when stderr is a terminal, replacing the previous one; null erases it. */
  progress: (line: string | null) => void
  /** Aborted by SIGINT, SIGTERM, SIGHUP or SIGQUIT; the reason is the signal's name. */
  signal: AbortSignal
  /** Aborted by a second such signal: stop waiting for anything while shutting down. */
  hurry?: AbortSignal
  /** The job control of the shell (Ctrl-Z, fg); absent where there is none. */
  jobs?: JobControl
  /** Registers what a crash runs before its message, such as restoring the terminal. */
  restoreAtCrash: (restore: () => void) => void
  /** Ends the program because of a bug: restores the terminal, prints one message, writes a crash file. */
  crash: (error: unknown) => void
}

/** Aborted when a read is no longer wanted: by a signal, or because the reader of stdout has left. */
export const readingSignal = ({ signal, output }: Pick<CommandIo, 'signal' | 'output'>): AbortSignal =>
  AbortSignal.any([signal, output.unread])

/** Resolves when the signal is aborted. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** Time and randomness, passed in. */
export type CommandTools = {
  clock: Clock
  random: () => number
  randomBytes: (count: number) => Buffer
  /** Whether the process is the program's own: only then it sets bounds for the engine, and tidies its heap. */
  isOwnProcess: boolean
}
