import type { Clock } from '../../base/clock.ts'

/** How soon what another process has written is noticed. */
const lookEveryMs = 250

/**
 * Who wants to know that something new is there, told of what this process writes at once, and of what others write
 * soon after. `version` is a number that changes with what other connections commit, and only then.
 */
export function watchFile(version: () => number, clock: Clock) {
  const listeners = new Set<() => void>()
  let looking: AbortController | null = null

  const tell = (): void => {
    for (const listener of [...listeners]) listener()
  }

  const look = async (signal: AbortSignal): Promise<void> => {
    let seen = version()
    for (;;) {
      await clock.sleep(lookEveryMs, signal)
      if (signal.aborted) return
      const now = version()
      if (now !== seen) tell()
      seen = now
    }
  }

  const end = (): void => {
    looking?.abort()
    looking = null
    listeners.clear()
  }

  const listen = (listener: () => void): (() => void) => {
    const own = () => listener()
    listeners.add(own)
    if (looking === null) {
      looking = new AbortController()
      void look(looking.signal)
    }
    return () => {
      listeners.delete(own)
      if (listeners.size === 0) end()
    }
  }

  return { listen, tell, end }
}
