import type { Clock } from './clock.ts'
import type { Environment } from './environment.ts'
import type { JobControl } from './job-control.ts'
import type { Output } from './output.ts'

/** All that a command uses of the process; a test passes its own. */
export type CommandIo = {
  environment: Environment
  stdin: NodeJS.ReadStream
  stdout: NodeJS.WriteStream
  /** stdout. When `unread` is aborted its reader has left, as after `| head`: stop, that is not a failure. */
  output: Pick<Output, 'write' | 'isMidLine' | 'written' | 'end' | 'unread'>
  /** Writes one line to `output`. */
  print: (line: string) => Promise<void>
  /** stderr itself, for who has to say how it is written to; absent where it is not a stream. */
  stderr?: object
  /** Writes one line to stderr. */
  printError: (line: string) => void
  /** Shows a line of progress where stderr is a terminal, in place of the one before; null erases it. */
  progress: (line: string | null) => void
  /** Aborted by SIGINT, SIGTERM or SIGHUP; the reason is the signal's name. */
  signal: AbortSignal
  /** Aborted by a second such signal: whoever waits for something on the way out waits no longer. */
  hurry?: AbortSignal
  /** The job control of the shell (Ctrl-Z, fg); absent where there is none. */
  jobs?: JobControl
  /** Registers what a crash runs before its message, such as giving the terminal back. */
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

/** Time and chance, passed in. */
export type CommandTools = {
  clock: Clock
  random: () => number
  randomBytes: (count: number) => Buffer
}
