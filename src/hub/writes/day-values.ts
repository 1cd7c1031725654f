import { utcDayStart } from '../../base/time-text.ts'
import { Decimal, zero } from '../../domain/money.ts'
import { keyName } from '../../journal/record.ts'
import type { CountedKey, CountedWrite } from './hub-journal.ts'

/** Kinds of a person's writes, which have separate limits. */
export type CountedKind = 'order' | 'withdrawal'

type Counted = { person: string; kind: CountedKind; usd: Decimal; dayMs: number }

export type DayValues = {
  /** The sum of the person's writes of this UTC day, in USD. */
  of(person: string, kind: CountedKind): Decimal
  /** True when a write under this id was counted today. */
  has(key: CountedKey): boolean
  /** Counts a write, before it is sent. */
  add(key: CountedKey, write: { person: string; kind: CountedKind; usd: Decimal }): void
  /** Removes a write that never began. */
  forget(key: CountedKey): void
  /** Reduces a write's value; it can only shrink. Returns true when that changes anything. */
  reduce(key: CountedKey, usd: Decimal): boolean
}

const kindOf = (key: CountedKey): CountedKind => (key.kind === 'order' || key.kind === 'plan' ? 'order' : 'withdrawal')

/**
 * Sums each person's writes of the UTC day, for personal limits. A write counts fully before it is sent, and less only
 * when the exchange has certainly taken less, so a sum is never too small. No write counts less than zero, whatever
 * value is told or was stored by an earlier hub: it would give its person more than the limit.
 */
export function createDayValues(wallMs: () => number, before: readonly CountedWrite[]): DayValues {
  const writes = new Map<string, Counted>()
  const today = (): number => {
    const dayMs = utcDayStart(wallMs())
    for (const [name, write] of writes) if (write.dayMs < dayMs) writes.delete(name)
    return dayMs
  }
  const add: DayValues['add'] = (key, write) => {
    writes.set(keyName(key), { ...write, usd: Decimal.max(zero, write.usd), dayMs: today() })
  }
  for (const { person, keys, usd } of before)
    for (const key of keys.slice(0, 1)) add(key, { person, kind: kindOf(key), usd })
  return {
    of(person, kind) {
      today()
      let sum = zero
      for (const write of writes.values()) if (write.person === person && write.kind === kind) sum = sum.plus(write.usd)
      return sum
    },
    has: (key) => writes.has(keyName(key)),
    add,
    forget: (key) => void writes.delete(keyName(key)),
    reduce(key, usd) {
      const write = writes.get(keyName(key))
      const left = Decimal.max(zero, usd)
      if (write === undefined || write.usd.lte(left)) return false
      writes.set(keyName(key), { ...write, usd: left })
      return true
    },
  }
}
