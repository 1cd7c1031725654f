import type { OutboxEvent } from '../world.ts'

/** Tells of events once they are durable, in their order. */
export class Announcer {
  private readonly settled: () => Promise<void> | null
  private readonly listeners = new Set<(event: OutboxEvent) => void>()
  private waiting: OutboxEvent[] = []
  private isTelling = false
  private generation = 0

  /** `settled`: null when everything is durable; else it resolves when it is, and rejects when it cannot be. */
  constructor(settled: () => Promise<void> | null) {
    this.settled = settled
  }

  listen(listener: (event: OutboxEvent) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  add(event: OutboxEvent): void {
    this.waiting.push(event)
    if (!this.isTelling) void this.tell()
  }

  /** Nobody is told any more of what nobody was told yet. */
  forget(): void {
    this.generation += 1
    this.waiting = []
  }

  private async tell(): Promise<void> {
    this.isTelling = true
    while (this.waiting.length > 0) {
      const { generation, waiting } = this
      this.waiting = []
      // Should the disk fail, everybody hears of that from the data file; an event that is not in it never was.
      const isDurable = await Promise.resolve(this.settled()).then(
        () => true,
        () => false,
      )
      if (!isDurable || generation !== this.generation) continue
      for (const event of waiting) for (const listener of this.listeners) listener(event)
    }
    this.isTelling = false
  }
}
