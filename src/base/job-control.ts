import type { Clock } from './clock.ts'

/** A process that was told to stop has stopped by then, if it can at all. */
const stopWithinMs = 250
/** After the time above has passed in one go the signal that woke the process is told a moment later. */
const toldWithinMs = 50

/** The shell's job control, as far as it concerns a program that holds the terminal. */
export type JobControl = {
  /**
   * Calls `listener` when the program is asked from outside to stop; without one it would stop with the terminal in its
   * hands.
   */
  onAsked(listener: () => void): void
  /**
   * Stops this process, and those that were started with it, until the shell lets them go on. False when nothing
   * stopped, because no shell stands behind them that could.
   */
  stop(): Promise<boolean>
  /** Being asked to stop means again what it means to every program. */
  end(): void
}

type Listen = (signal: 'SIGTSTP' | 'SIGCONT', listener: () => void) => unknown

/** What of a process job control needs: its signals, those it hears and those it sends. */
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
      // Nobody told a program that slept of another size of its terminal: this signal makes Node look.
      signals.kill(signals.pid, 'SIGWINCH')
      return woken.signal.aborted
    },
    end() {
      ignore()
      asked = null
    },
  }
}
