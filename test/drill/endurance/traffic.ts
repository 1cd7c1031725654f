import { subscribe } from 'node:diagnostics_channel'
import { atRest } from '../../fakes/at-rest.ts'

export type Traffic = {
  /** HTTP calls that were begun since the start. */
  begun(): number
  /**
   * Resolves when every call has been answered, apart from those that wait for the drill's clock, and the disk has done
   * what it was asked.
   */
  settled(): Promise<void>
}

/** Watches all calls of this process, by what undici tells of them. */
export function watchTraffic(): Traffic {
  let begun = 0
  subscribe('undici:request:create', () => {
    begun += 1
  })
  return { begun: () => begun, settled: atRest }
}
