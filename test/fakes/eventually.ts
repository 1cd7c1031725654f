import { systemClock } from '../../src/base/clock.ts'

/** Far above what anything takes on a machine that has other work too: it ends a wait in vain, and measures nothing. */
export const patienceMs = 120_000
const lookEveryMs = 2

/**
 * Resolves once `check` throws no more, with what it gave; rejects with what it threw last. For what only the machine's
 * own time brings and nothing tells of.
 */
export async function eventually<Value>(check: () => Value | Promise<Value>): Promise<Value> {
  for (const beganMs = performance.now(); ; ) {
    try {
      return await check()
    } catch (error) {
      if (performance.now() - beganMs > patienceMs) throw error
    }
    await systemClock.sleep(lookEveryMs)
  }
}
