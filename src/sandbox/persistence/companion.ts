import type { DataFile } from './data-file.ts'

/**
 * What lives beside the exchange in its data file, with tables of its own, and becomes durable in the same commits.
 * What changed waits in memory until `write`; a query of its tables that writes nothing therefore sees durable rows
 * only.
 */
export type Companion = {
  /** True when something changed that is in no transaction yet. */
  readonly isWaiting: boolean
  /** Writes what is waiting into the transaction under way. */
  write(): void
  /** A new world begins, in a transaction that also empties the tables: what is waiting is to be forgotten. */
  startOver(): void
}

/** All that live beside one exchange, as one. */
export class Companions {
  private readonly members: Companion[] = []

  add<T extends Companion>(companion: T): T {
    this.members.push(companion)
    return companion
  }

  get isWaiting(): boolean {
    return this.members.some((member) => member.isWaiting)
  }

  /** Opens a transaction on the file unless nothing is waiting, and writes all that is. */
  write(file: DataFile): void {
    if (!this.isWaiting) return
    file.begin()
    file.attempt(() => {
      for (const member of this.members) if (member.isWaiting) member.write()
    })
  }

  startOver(): void {
    for (const member of this.members) member.startOver()
  }
}
