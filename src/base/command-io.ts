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

/** Aborted when a read has nobody left to read for: by a signal, or because its output reaches nobody any more. */
export const readingSignal = ({ signal, output }: Pick<CommandIo, 'signal' | 'output'>): AbortSignal =>
  AbortSignal.any([signal, output.unread])

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
