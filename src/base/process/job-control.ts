import type { Clock } from '../clock.ts'

/** Maximum time the process still runs after SIGTSTP; if it runs longer, it was not stopped. */
const stopWithinMs = 250
/** After a stop that time is over at once on waking, and Node reports SIGCONT a little later. */
const toldWithinMs = 50

/** Job control of the shell, for a program that holds the terminal. */
export type JobControl = {
  /** Calls `listener` on SIGTSTP instead of stopping, which would leave the terminal in raw mode. */
  onAsked(listener: () => void): void
  /**
   * Calls `listener` when the process goes on after a stop that it was not asked for, as by SIGSTOP: whoever had the
   * terminal meanwhile may have left it in another mode. Never called for `stop`.
   */
  onContinued(listener: () => void): void
  /**
   * Calls `listener` when the terminal's size was set, once Node has read it: of a size that was another one for a
   * moment only, Node tells nothing.
   */
  onResized(listener: () => void): void
  /**
   * Stops the whole job until the shell continues it (`fg`). Returns false when nothing stopped, because no such shell
   * exists.
   */
  stop(): Promise<boolean>
  /** Restores the default action of SIGTSTP, and listens no more. */
  end(): void
}

type Listen = (signal: 'SIGTSTP' | 'SIGCONT' | 'SIGWINCH', listener: () => void) => unknown

/** The part of `process` that job control uses. */
type JobSignals = {
  readonly pid: number
  readonly on: Listen
  readonly once: Listen
  readonly off: Listen
  /** `pid` is its own, or 0 for its whole process group. */
  kill(pid: number, signal: 'SIGTSTP' | 'SIGWINCH'): unknown
}

/** Creates job control on `signals`, which is the process itself. */
export function createJobControl(signals: JobSignals, clock: Clock): JobControl {
  let asked: (() => void) | null = null
  let isStopping = false
  let continued: (() => void) | null = null
  let resized: (() => void) | null = null
  const goOn = () => {
    if (!isStopping) continued?.()
  }
  const listen = () => asked !== null && signals.on('SIGTSTP', asked)
  const ignore = () => asked !== null && signals.off('SIGTSTP', asked)
  return {
    onAsked(listener) {
      ignore()
      asked = listener
      listen()
    },
    onContinued(listener) {
      if (continued === null) signals.on('SIGCONT', goOn)
      continued = listener
    },
    onResized(listener) {
      if (resized !== null) signals.off('SIGWINCH', resized)
      resized = listener
      signals.on('SIGWINCH', listener)
    },
    async stop() {
      isStopping = true
      const woken = new AbortController()
      const wake = () => woken.abort()
      signals.once('SIGCONT', wake)
      // Without a listener the signal has its default action, on every process of the shell's job.
      ignore()
      signals.kill(0, 'SIGTSTP')
      await clock.sleep(stopWithinMs, woken.signal)
      await clock.sleep(toldWithinMs, woken.signal)
      signals.off('SIGCONT', wake)
      listen()
      // The terminal may have been resized while stopped: this signal makes Node read its size again.
      signals.kill(signals.pid, 'SIGWINCH')
      isStopping = false
      return woken.signal.aborted
    },
    end() {
      ignore()
      asked = null
      signals.off('SIGCONT', goOn)
      continued = null
      if (resized !== null) signals.off('SIGWINCH', resized)
      resized = null
    },
  }
}
