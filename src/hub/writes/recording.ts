import type { Clock } from '../../base/clock.ts'
import { minuteMs } from '../../base/text/time-text.ts'

/** Whether the database takes what has to be on record before anything is sent, for whoever looks after the hub. */
export type Recording = {
  /** Call with null when a write is on record before it is sent, and with the reason when the database refuses one. */
  tried(failure: string | null): void
  /** Why the last write was not recorded; null where it was, or where nobody has tried for a while. */
  trouble(): string | null
}

/** How long a failure says something of the database: a write after that may be recorded again. */
export const troubleMs = minuteMs

/** A database that is read or beaten to may still take nothing: its disk is full, or it is a copy that only reads. */
export function createRecording(clock: Pick<Clock, 'now'>, log: (line: string) => void): Recording {
  let last: { failure: string; atMs: number } | null = null
  return {
    tried(failure) {
      if (failure !== null && last === null) log(`ALARM writes are not recorded, and none but cancels go: ${failure}`)
      if (failure === null && last !== null) log('writes are recorded again')
      last = failure === null ? null : { failure, atMs: clock.now() }
    },
    trouble: () => (last === null || clock.now() - last.atMs > troubleMs ? null : last.failure),
  }
}
