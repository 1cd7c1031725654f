import { flushCompileCache } from 'node:module'
import type { Clock } from '../base/clock.ts'

/** By then a desk has started and shown its first prices. */
const startedAfterMs = 5_000

/**
 * Keeps what the start has compiled for the next one, unless `signal` ends the program before. At its end it would be
 * too late: what only the start needs has been given up by then, and a program that is killed keeps nothing. Costs some
 * 25 ms the first time, then nothing.
 */
export async function keepCompiled(clock: Clock, signal: AbortSignal): Promise<void> {
  await clock.sleep(startedAfterMs, signal)
  if (!signal.aborted) flushCompileCache()
}
