import type { Clock } from '../../base/clock.ts'
import { secondMs } from '../../base/text/time-text.ts'
import { createPersonLines, type LineLimits, type PersonLines } from './person-lines.ts'

/** The lines in which persons' writes wait, those of their plans too: what waits here is not on record yet. */
export type SendLines = {
  /** Orders, withdrawals and deposit addresses. */
  readonly orders: PersonLines
  readonly cancels: PersonLines
}

/**
 * What persons send at once of orders, with withdrawals and deposit addresses, and the same of cancels, of the eight
 * calls that the exchange works on for a hub. However slowly it answers one person or two, a third has a place.
 */
const sendLine: LineLimits = { each: 2, all: 4, keptForFirst: 1, patienceMs: 4 * secondMs }

/** Why what waited too long was not sent. */
export const waitedTooLong = 'the exchange is slow, and what other persons and you send waits for each other'

/** Two lines, so that no cancel waits behind orders. */
export const createSendLines = (clock: Pick<Clock, 'now' | 'sleep'>): SendLines => ({
  orders: createPersonLines(clock, sendLine),
  cancels: createPersonLines(clock, sendLine),
})
