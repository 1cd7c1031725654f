import { plainText } from '../text/plain-text.ts'
import type { CommandIo } from './command-io.ts'

export type LogLevel = 'info' | 'warn' | 'error'

/** More fields of a log line; amounts are text. */
export type LogMore = Readonly<Record<string, string | number | boolean | null>>

/**
 * A log with one JSON object per line: `time` (RFC 3339, UTC), `level`, `event`, `text`, then the event's own fields.
 */
export type JsonLog = {
  /** Never waits and never throws, whatever reads the log. Removes control characters. */
  write(level: LogLevel, event: string, text: string, more?: LogMore): void
  /** Why the log is not on stdout, as a clause; null while it is. */
  trouble(): string | null
  /** Number of lines dropped because the log was read too slowly. */
  leftOut(): number
  /** Resolves when every line so far was handed to the system, or can no longer be. */
  written(): Promise<void>
}

/** Lines queued for a slow reader; later ones are dropped and counted. */
const linesMax = 2_000

type LogOptions = Pick<CommandIo, 'output' | 'printError'> & { wallMs: () => number }

const clean = (more: LogMore): LogMore =>
  Object.fromEntries(
    Object.entries(more).map(([name, value]) => [name, typeof value === 'string' ? plainText(value) : value]),
  )

/**
 * Logs to stdout. When stdout can no longer be written (its reader left, the disk is full), says so and continues on
 * stderr: the logging program must not end because of its log. Once the disk has room again so has stdout.
 */
export function createJsonLog({ output, printError, wallMs }: LogOptions): JsonLog {
  const waiting: string[] = []
  let leftOut = 0
  let untold = 0
  let isMoved = false
  let writing: Promise<void> | null = null

  const lineOf = (level: LogLevel, event: string, text: string, more: LogMore = {}): string =>
    JSON.stringify({ time: new Date(wallMs()).toISOString(), level, event, text: plainText(text), ...clean(more) })

  const toErrors = (line: string): void => {
    if (!isMoved) printError(lineOf('warn', 'log', 'stdout cannot be written: logging to stderr.'))
    isMoved = true
    printError(line)
  }

  /** Writes to stdout, where it was full after a line that says so; false when it cannot be written. */
  async function toOutput(line: string): Promise<boolean> {
    if (!output.unread.aborted) {
      await output.write(`${line}\n`)
      return true
    }
    const back = isMoved ? `${lineOf('warn', 'log', 'stdout can be written again: it lacks what stderr had.')}\n` : ''
    if (!(await output.again(`${back}${line}\n`))) return false
    isMoved = false
    return true
  }

  async function writeAll(): Promise<void> {
    for (let line = waiting.shift(); line !== undefined; line = waiting.shift()) {
      // Lines queued for a reader that has left are still worth reading.
      if (!(await toOutput(line))) toErrors(line)
      if (waiting.length > 0 || untold === 0) continue
      waiting.push(lineOf('warn', 'log', `${untold} lines left out: the log was read too slowly.`, { count: untold }))
      untold = 0
    }
    writing = null
  }

  return {
    write(level, event, text, more) {
      const line = lineOf(level, event, text, more)
      if (waiting.length >= linesMax) {
        leftOut += 1
        untold += 1
        return
      }
      waiting.push(line)
      writing ??= writeAll()
    },
    trouble: () => (output.unread.aborted ? 'stdout cannot be written: the log is on stderr' : null),
    leftOut: () => leftOut,
    async written() {
      await writing
      await output.written()
    },
  }
}
