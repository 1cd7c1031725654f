export type InFlight = {
  /** Keeps what a person began until it is over; an error of it is a bug. */
  track: (work: Promise<unknown>) => void
  /** How much of it there is. */
  count(): number
  /** Resolves when all of it is over. */
  ended(): Promise<unknown>
}

/** What a person began and what must come to its end before the desk is closed. */
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
