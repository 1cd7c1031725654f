/** How many attempts of one kind may be under way to one endpoint at a time. */
export const laneWidth = { first: 256, again: 64 } as const
export type Lane = keyof typeof laneWidth

/**
 * Lets work for each endpoint run at once, up to a width: first attempts and later ones in lanes of their own, so that
 * neither another endpoint nor what has failed before stands in the way of an event that is new.
 */
export class Lanes {
  private readonly lanes = new Map<string, { running: number; waiting: Array<() => Promise<void>> }>()
  private readonly running = new Set<Promise<void>>()

  /** `work` must not reject. */
  run(endpointId: number, kind: Lane, work: () => Promise<void>): void {
    const key = `${kind} ${endpointId}`
    const lane = this.lanes.get(key) ?? { running: 0, waiting: [] }
    this.lanes.set(key, lane)
    lane.waiting.push(work)
    this.fill(key, laneWidth[kind])
  }

  /** Forgets what has not begun. */
  forgetWaiting(): void {
    for (const lane of this.lanes.values()) lane.waiting = []
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running)
  }

  private fill(key: string, width: number): void {
    const lane = this.lanes.get(key)
    while (lane !== undefined && lane.running < width) {
      const work = lane.waiting.shift()
      if (work === undefined) break
      lane.running += 1
      const run = work().finally(() => {
        lane.running -= 1
        this.running.delete(run)
        this.fill(key, width)
      })
      this.running.add(run)
    }
    if (lane !== undefined && lane.running === 0 && lane.waiting.length === 0) this.lanes.delete(key)
  }
}
