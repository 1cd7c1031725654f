import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../clock.ts'
import { whole } from './rows.ts'

/** How soon what another process has written is noticed. */
const lookEveryMs = 250

/** Who wants to know that something new is there, told of what this process writes at once, and of what others write soon after. */
export function watchFile(database: DatabaseSync, clock: Clock) {
  const listeners = new Set<() => void>()
  const version = database.prepare('PRAGMA data_version')
  let looking: AbortController | null = null

  const tell = (): void => {
    for (const listener of [...listeners]) listener()
  }

  const look = async (signal: AbortSignal): Promise<void> => {
    let seen = whole(version.get(), 'data_version')
    for (;;) {
      await clock.sleep(lookEveryMs, signal)
      if (signal.aborted) return
      // The number changes with what other connections commit, and only then.
      const now = whole(version.get(), 'data_version')
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
