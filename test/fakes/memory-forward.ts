import type { Clock } from '../../src/base/clock.ts'
import type { StoredEvent } from '../../src/domain/gateway/inbox-source.ts'
import type { ForwardAttempt, ForwardStore, GivenUp, Waiting } from '../../src/inbox/store/forward-store.ts'

type Kept = Pick<ForwardStore, 'takeLease' | 'renewLease' | 'releaseLease' | 'movePlace' | 'waitingEvents'>

/**
 * What a store keeps of handing on to one target, in memory: its clock is the store's. `eventAt` finds an event by its
 * number.
 */
export function memoryForward(clock: Pick<Clock, 'now'>, eventAt: (sequence: number) => StoredEvent | undefined) {
  const waiting = new Map<number, Omit<Waiting, 'sequence'> & { isAsked: boolean }>()
  const kept = {
    upTo: 0,
    fence: 0,
    holder: '',
    untilMs: Number.NEGATIVE_INFINITY,
    isNew: true,
    waiting,
    attempts: [] as ForwardAttempt[],
    dead: [] as GivenUp[],
    /** Moves that came under a lease that was not the newest. */
    refusedCount: 0,
    failing: false,
    numbers: () => [...waiting.keys()].toSorted((one, other) => one - other),
  }
  const working = () => {
    if (kept.failing) throw new Error('the disk is gone')
  }
  const store: Kept = {
    async takeLease({ holder, leaseMs, begin }) {
      working()
      if (clock.now() < kept.untilMs) return null
      // Who takes one after the other without a pause would never let a test come to its end.
      if (kept.fence >= 1_000) throw new Error('too many leases')
      if (kept.isNew) {
        kept.upTo = begin.upTo
        for (const at of begin.waiting.filter((each) => eventAt(each) !== undefined))
          waiting.set(at, { tries: 0, refusals: 0, isAsked: false })
      }
      Object.assign(kept, { isNew: false, holder, fence: kept.fence + 1, untilMs: clock.now() + leaseMs })
      return { fence: kept.fence, upTo: kept.upTo }
    },
    async renewLease(_target, fence, leaseMs, from) {
      working()
      if (fence !== kept.fence || kept.upTo < from) return false
      kept.untilMs = clock.now() + leaseMs
      return true
    },
    async releaseLease(_target, fence) {
      working()
      if (fence === kept.fence) kept.untilMs = Number.NEGATIVE_INFINITY
    },
    async movePlace(_target, fence, change) {
      working()
      if (fence !== kept.fence || kept.upTo < change.from) {
        kept.refusedCount += 1
        return false
      }
      kept.upTo = change.upTo
      for (const at of change.done) if (waiting.get(at)?.isAsked === false) waiting.delete(at)
      for (const at of change.answered) waiting.delete(at)
      for (const { sequence, ...tries } of change.waiting) waiting.set(sequence, { ...tries, isAsked: false })
      kept.attempts.push(...change.attempts)
      kept.dead.push(...change.givenUp)
      return true
    },
    async waitingEvents(_target, { after, count, isAsked }) {
      working()
      return kept
        .numbers()
        .filter((at) => at > after && waiting.get(at)?.isAsked === isAsked)
        .slice(0, count)
        .flatMap((at) => {
          const [event, tries] = [eventAt(at), waiting.get(at)]
          return event === undefined || tries === undefined
            ? []
            : [{ ...event, tries: tries.tries, refusals: tries.refusals }]
        })
    },
  }
  return { kept, store }
}
