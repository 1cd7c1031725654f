import type { Clock } from '../../base/clock.ts'

/** Waits for what a terminal says of its ground. */
export type GroundWait = {
  /** Whether an answer may still come in time. */
  isDue(): boolean
  /** The terminal has been asked. */
  begin(): void
  /** The terminal has the shell's screen again. */
  end(): void
  /** What the terminal said, also late; null: by now it would have answered. */
  told(colour: string | null): void
}

/** `onGround` is told each colour, and null once when an answer that was due does not come within `mostMs`. */
export function createGroundWait(clock: Clock, mostMs: number, onGround: (colour: string | null) => void): GroundWait {
  let waiting: AbortController | null = null
  const end = () => {
    waiting?.abort()
    waiting = null
  }
  const told = (colour: string | null) => {
    if (colour === null && waiting === null) return
    end()
    onGround(colour)
  }
  const giveUpInTime = async () => {
    const own = new AbortController()
    waiting = own
    await clock.sleep(mostMs, own.signal)
    if (!own.signal.aborted) told(null)
  }
  return {
    isDue: () => waiting !== null,
    begin() {
      end()
      void giveUpInTime()
    },
    end,
    told,
  }
}
