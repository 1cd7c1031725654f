import { collectAll, tidyEveryMs } from '../../../src/base/process/node-runtime.ts'
import type { TapeDesk } from './tape-desk.ts'

/**
 * A person who trades a thousand times a day is a busy one: most rounds of the tape bring no order that was not there
 * before.
 */
const lapsAlike = 64

/**
 * Plays updates as fast as they go, and tidies the heap as often in the market's time as the program does; at the end
 * too, so that what is left is what is kept.
 */
export function createFlood(desk: TapeDesk): (count: number, stepMs: number, updatesPerTurn: number) => Promise<void> {
  return async (count, stepMs, updatesPerTurn) => {
    const tidyEvery = Math.ceil(tidyEveryMs / stepMs)
    for (let index = 0; index < count; index += 1) {
      desk.next(stepMs, lapsAlike)
      if (index % tidyEvery === tidyEvery - 1) collectAll()
      // The screen is drawn between turns of the event loop.
      if (index % updatesPerTurn === 0) await new Promise<void>((resolve) => setImmediate(resolve))
    }
    collectAll()
  }
}
