import { systemClock } from '../../src/base/clock.ts'

/** Far above what anything takes on a machine that has other work too: it ends a wait in vain, and measures nothing. */
export const patienceMs = 240_000

const soonMs = 2
const seldomMs = 50

/**
 * After a while it looks less often: most looks are calls and queries, which take processor time from the very thing
 * that is waited for.
 */
const pauseAfter = (waitedMs: number): number => Math.min(Math.max(waitedMs / 5, soonMs), seldomMs)

/**
 * Resolves once `check` throws no more, with what it gave; rejects with what it threw last. For what only the machine's
 * own time brings and nothing tells of.
 */
export const eventually = <Value>(check: () => Value | Promise<Value>): Promise<Value> => looking(check, pauseAfter)

/** The same where the check itself lets a test's clock go on: as often at the end as at the beginning. */
export const steadily = <Value>(check: () => Value | Promise<Value>): Promise<Value> => looking(check, () => soonMs)

async function looking<Value>(
  check: () => Value | Promise<Value>,
  pauseOf: (waitedMs: number) => number,
): Promise<Value> {
  for (const beganMs = performance.now(); ; ) {
    try {
      return await check()
    } catch (error) {
      if (performance.now() - beganMs > patienceMs) throw error
    }
    await systemClock.sleep(pauseOf(performance.now() - beganMs))
  }
}
