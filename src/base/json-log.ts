import type { CommandIo } from './command-io.ts'
import { plainText } from './plain-text.ts'

export type LogLevel = 'info' | 'warn' | 'error'

/** What a line says beside its words; amounts are texts. */
export type LogMore = Readonly<Record<string, string | number | boolean | null>>

/** A log of one JSON object a line: `time` (RFC 3339, UTC), `level`, `event`, `text`, then what the event has too. */
export type JsonLog = {
  /** Never waits and never throws, whatever reads the log. No control character gets into a line. */
  write(level: LogLevel, event: string, text: string, more?: LogMore): void
  /** Why the log is not where it should be, as a clause; null while it is. */
  trouble(): string | null
  /** Lines that were left out because the log was read too slowly. */
  leftOut(): number
  /** Resolves when every line so far has been handed to the system, or can be no more. */
  written(): Promise<void>
}

/** Lines that wait for a slow reader; those after them are left out, and counted. */
const linesMost = 2_000

type LogOptions = Pick<CommandIo, 'output' | 'printError'> & { wallMs: () => number }

const clean = (more: LogMore): LogMore =>
  Object.fromEntries(
    Object.entries(more).map(([name, value]) => [name, typeof value === 'string' ? plainText(value) : value]),
  )

/**
 * Logs to stdout. Where nobody takes that any more (its reader has left, the disk is full) the log says so and goes on
 * on stderr: what logs has other things to do than to end with its log.
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

  async function writeAll(): Promise<void> {
    for (let line = waiting.shift(); line !== undefined; line = waiting.shift()) {
      // What waited for a reader that has left is no less worth knowing.
      if (output.unread.aborted) toErrors(line)
      else await output.write(`${line}\n`)
      if (waiting.length > 0 || untold === 0) continue
      waiting.push(lineOf('warn', 'log', `${untold} lines left out: the log was read too slowly.`, { count: untold }))
      untold = 0
    }
    writing = null
  }

  return {
    write(level, event, text, more) {
      const line = lineOf(level, event, text, more)
      if (output.unread.aborted) return toErrors(line)
      if (waiting.length >= linesMost) {
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
