import type { Clock } from './clock.ts'

/** How long after SIGTSTP the process still runs at most; one that runs longer was not stopped. */
const stopWithinMs = 250
/** A process that was stopped finds that time over at once when it wakes; Node reports SIGCONT a little later. */
const toldWithinMs = 50

/** The shell's job control, as far as it concerns a program that holds the terminal. */
export type JobControl = {
  /**
   * Calls `listener` at SIGTSTP instead of stopping, which would leave the terminal in raw mode.
   */
  onAsked(listener: () => void): void
  /** Stops the whole job until the shell continues it (`fg`). False when nothing stopped, as there is no such shell. */
  stop(): Promise<boolean>
  /** From here on SIGTSTP stops the process as usual. */
  end(): void
}

type Listen = (signal: 'SIGTSTP' | 'SIGCONT', listener: () => void) => unknown

/** The part of `process` that job control uses. */
type JobSignals = {
  readonly pid: number
  readonly on: Listen
  readonly once: Listen
  readonly off: Listen
  /** To itself, or with 0 to its whole job. */
  kill(pid: number, signal: 'SIGTSTP' | 'SIGWINCH'): unknown
}

/** The job control of `signals`, which is the process itself. */
export function createJobControl(signals: JobSignals, clock: Clock): JobControl {
  let asked: (() => void) | null = null
  const listen = () => asked !== null && signals.on('SIGTSTP', asked)
  const ignore = () => asked !== null && signals.off('SIGTSTP', asked)
  return {
    onAsked(listener) {
      ignore()
      asked = listener
      listen()
    },
    async stop() {
      const woken = new AbortController()
      const wake = () => woken.abort()
      signals.once('SIGCONT', wake)
      // Without a listener the signal does what it usually does; it goes to all that the shell knows as one job.
      ignore()
      signals.kill(0, 'SIGTSTP')
      await clock.sleep(stopWithinMs, woken.signal)
      await clock.sleep(toldWithinMs, woken.signal)
      signals.off('SIGCONT', wake)
      listen()
      // The terminal may have been resized meanwhile: this signal makes Node read its size again.
      signals.kill(signals.pid, 'SIGWINCH')
      return woken.signal.aborted
    },
    end() {
      ignore()
      asked = null
    },
  }
}
