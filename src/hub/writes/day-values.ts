import { utcDayStart } from '../../base/time-text.ts'
import { type Decimal, zero } from '../../domain/money.ts'
import { keyName } from '../../journal/record.ts'
import type { CountedKey, CountedWrite } from './hub-journal.ts'

/** What a person's writes of one kind count: orders and withdrawals have limits of their own. */
export type CountedKind = 'order' | 'withdrawal'

type Counted = { person: string; kind: CountedKind; usd: Decimal; dayMs: number }

export type DayValues = {
  /** What the person's writes of the UTC day come to, in USD. */
  of(person: string, kind: CountedKind): Decimal
  /** Whether a write under this id was counted today. */
  has(key: CountedKey): boolean
  /** Counts a write, from before it leaves. */
  add(key: CountedKey, write: { person: string; kind: CountedKind; usd: Decimal }): void
  /** It never began. */
  forget(key: CountedKey): void
  /** It came to less: what counts can only shrink. True where that changes anything. */
  reduce(key: CountedKey, usd: Decimal): boolean
}

const kindOf = (key: CountedKey): CountedKind => (key.kind === 'order' || key.kind === 'plan' ? 'order' : 'withdrawal')

/**
 * What every person has moved on the UTC day, for the limits of persons. A write counts whole from before it leaves,
 * and less only once the exchange is seen to have taken less: so a sum is never smaller than what may have happened.
 */
export function createDayValues(wallMs: () => number, before: readonly CountedWrite[]): DayValues {
  const writes = new Map<string, Counted>()
  const today = (): number => {
    const dayMs = utcDayStart(wallMs())
    for (const [name, write] of writes) if (write.dayMs < dayMs) writes.delete(name)
    return dayMs
  }
  const add: DayValues['add'] = (key, write) => {
    writes.set(keyName(key), { ...write, dayMs: today() })
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
      if (write === undefined || write.usd.lte(usd)) return false
      writes.set(keyName(key), { ...write, usd })
      return true
    },
  }
}
