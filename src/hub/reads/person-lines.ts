import type { Clock } from '../../base/clock.ts'
import { secondMs } from '../../base/time-text.ts'

/**
 * Calls of one person, and of all persons together, that the exchange works on at once: of the eight that it works on
 * for a hub some are left to the hub's own, however slowly it answers what persons ask.
 */
export const atOnceEach = 2
export const atOnceAll = 4

/** Whoever waits longer is turned away: their desk asks anew by then. */
const patienceMs = 5 * secondMs

/** Work whose turn may still have to come. */
type InLine<T> = {
  readonly answer: Promise<T>
  /** Others ask for the same: it begins when one of them may, at once where the hub itself asks (undefined). */
  join(by: readonly string[] | undefined): void
}

type Waiting = { readonly persons: Set<string>; readonly sinceMs: number; begin(who: string | null): void; end(): void }

export type PersonLines = {
  /**
   * Runs the work when it is this person's turn, or at once for the hub itself (null); rejects with the error of `late`
   * where that takes too long.
   */
  run<T>(who: string | null, work: () => Promise<T>, late: () => Error): InLine<T>
}

/** Lets work of persons begin in the order of asking, but nobody's beyond what one person may have at once. */
export function createPersonLines(clock: Pick<Clock, 'now'>): PersonLines {
  const own = new Map<string, number>()
  const waiting = new Set<Waiting>()
  const mayBegin = (who: string): boolean => {
    const all = [...own.values()].reduce((sum, count) => sum + count, 0)
    return all < atOnceAll && (own.get(who) ?? 0) < atOnceEach
  }
  const letIn = (): void => {
    for (const each of waiting) {
      const isLate = clock.now() - each.sinceMs > patienceMs
      const who = [...each.persons].find(mayBegin)
      if (!isLate && who === undefined) continue
      waiting.delete(each)
      if (isLate || who === undefined) each.end()
      else each.begin(who)
    }
  }
  const within = async <T>(who: string | null, work: () => Promise<T>): Promise<T> => {
    if (who === null) return await work()
    own.set(who, (own.get(who) ?? 0) + 1)
    try {
      return await work()
    } finally {
      const left = (own.get(who) ?? 1) - 1
      if (left === 0) own.delete(who)
      else own.set(who, left)
      letIn()
    }
  }
  return {
    run<T>(who: string | null, work: () => Promise<T>, late: () => Error): InLine<T> {
      if (who === null || mayBegin(who)) return { answer: within(who, work), join: () => undefined }
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      const each: Waiting = {
        ...{ persons: new Set([who]), sinceMs: clock.now() },
        begin: (person) => void within(person, work).then(resolve, reject),
        end: () => reject(late()),
      }
      waiting.add(each)
      return {
        answer: promise,
        join(by) {
          if (!waiting.has(each)) return
          for (const person of by ?? []) each.persons.add(person)
          if (by !== undefined) return letIn()
          waiting.delete(each)
          each.begin(null)
        },
      }
    },
  }
}
