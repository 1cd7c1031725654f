export type InFlight = {
  /** Tracks a user's promise until it settles; a rejection is a bug and goes to onBug. */
  track: (work: Promise<unknown>) => void
  /** How much of it there is. */
  count(): number
  /** Resolves when all of it is over. */
  ended(): Promise<unknown>
}

/** Tracks what the user began: the desk closes only when all of it has settled. */
export function createInFlight(onBug: (error: unknown) => void): InFlight {
  const inFlight = new Set<Promise<unknown>>()
  return {
    track(work) {
      const tracked = work.catch(onBug).finally(() => inFlight.delete(tracked))
      inFlight.add(tracked)
    },
    count: () => inFlight.size,
    ended: () => Promise.all(inFlight),
  }
}
