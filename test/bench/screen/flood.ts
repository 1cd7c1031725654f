import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { TapeDesk } from './tape-desk.ts'

/**
 * A person who trades a thousand times a day is a busy one: most rounds of the tape bring no order that was not there
 * before.
 */
const lapsAlike = 64

/** Plays updates as fast as they go and collects garbage at the end, so that what is left is what is kept. */
export function createFlood(desk: TapeDesk): (count: number, stepMs: number, updatesPerTurn: number) => Promise<void> {
  return async (count, stepMs, updatesPerTurn) => {
    for (let index = 0; index < count; index += 1) {
      desk.next(stepMs, lapsAlike)
      // The screen is drawn between turns of the event loop.
      if (index % updatesPerTurn === 0) await new Promise<void>((resolve) => setImmediate(resolve))
    }
    setFlagsFromString('--expose-gc')
    const collectGarbage: () => void = runInNewContext('gc')
    collectGarbage()
  }
}
