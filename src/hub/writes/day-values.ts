import type { Clock } from '../../base/clock.ts'
import { dayMs, utcDayStart } from '../../base/text/time-text.ts'
import { dayNowMs } from '../../domain/limits.ts'
import { Decimal, zero } from '../../domain/money.ts'
import { keyName } from '../../journal/record.ts'
import type { CountedFrom, CountedKey, CountedWrite } from './hub-journal.ts'

/** Kinds of a person's writes, which have separate limits. */
export type CountedKind = 'order' | 'withdrawal'

/**
 * `whole`: what it counted at first. `atMs`: the date of what an earlier leader counted. A write of this one has its
 * age instead, by `sinceMs` in desk time: its date follows the wall clock when that is set, and stays in its day.
 */
type Counted = { person: string; kind: CountedKind; usd: Decimal; whole: Decimal; atMs: number | null; sinceMs: number }

export type DayValues = {
  /** The sum of the person's writes of the UTC day, in USD: of the earliest day that any clock says it is. */
  of(person: string, kind: CountedKind): Decimal
  /** True when a write under this id was counted today or the day before, by whatever clock. */
  has(key: CountedKey): boolean
  /** Counts a write, before it is sent. */
  add(key: CountedKey, write: { person: string; kind: CountedKind; usd: Decimal }): void
  /** Removes a write that never began. */
  forget(key: CountedKey): void
  /** Reduces a write's value. Returns true when that changes anything. */
  reduce(key: CountedKey, usd: Decimal): boolean
  /**
   * Counts a write fully again, which was said not to have been placed and is there all the same: as at first, or
   * `otherwise` where an earlier leader counted nothing of it any more. Returns its value; null when that changes
   * nothing.
   */
  restore(key: CountedKey, otherwise: Decimal): Decimal | null
}

const kindOf = (key: CountedKey): CountedKind => (key.kind === 'order' || key.kind === 'plan' ? 'order' : 'withdrawal')

/** What a new leader knows of the time before the exchange has told its own, in ms. */
export type TimesAtStart = {
  readonly wallMs: number
  readonly databaseMs: number
  /** How far the exchange's clock was ahead of the last leader's; null where that was not known. */
  readonly lastSkewMs: number | null
}

/** Newest writes that are read whatever their dates say. */
const newestCounted = 1_000

/**
 * What a new leader reads of what was counted before: what is of the day by the clock that is the furthest behind, or
 * of the day before, since the exchange's clock is not known yet; and the newest writes, however the clock of the
 * leader that dated them was set, and this one's.
 */
export const countedFrom = ({ wallMs, databaseMs, lastSkewMs }: TimesAtStart): CountedFrom => ({
  sinceMs: utcDayStart(Math.min(wallMs, databaseMs) + Math.min(0, lastSkewMs ?? 0)) - dayMs,
  newest: newestCounted,
})

/** How long a write is kept: as long as a day can last by clocks that differ by up to one. */
const keptMs = 2 * dayMs

type Clocks = {
  clock: Pick<Clock, 'now' | 'wallMs'>
  /** How far the exchange's clock is ahead of the wall clock, in ms; null while that is not known. */
  skewMs: () => number | null
  /** The database's clock, in ms since 1970. */
  databaseMs: () => number
}

/**
 * Sums each person's writes of the UTC day, for personal limits. A write counts fully before it is sent, and less only
 * when the exchange says that it has taken less; it counts fully again where that turns out to be false. No write
 * counts less than zero, whatever value is told or was stored by an earlier hub: it would give its person more than the
 * limit.
 */
export function createDayValues({ clock, skewMs, databaseMs }: Clocks, before: readonly CountedWrite[]): DayValues {
  const writes = new Map<string, Counted>()
  const ageMs = ({ sinceMs }: Counted): number => clock.now() - sinceMs
  const dateOf = (write: Counted): number => write.atMs ?? clock.wallMs() - ageMs(write)
  // By age: a wall clock that is days ahead for a moment must not end what it counted.
  const tidy = (): void => {
    for (const [name, write] of writes) if (ageMs(write) > keptMs) writes.delete(name)
  }
  const keep = (key: CountedKey, { usd, ...write }: Omit<Counted, 'whole' | 'sinceMs'>): void => {
    const whole = Decimal.max(zero, usd)
    writes.set(keyName(key), { ...write, usd: whole, whole, sinceMs: clock.now() })
  }
  for (const { person, keys, usd, atMs } of before)
    for (const key of keys.slice(0, 1)) keep(key, { person, kind: kindOf(key), usd, atMs })
  return {
    of(person, kind) {
      tidy()
      // By the clock that is the furthest behind: one that is ahead must not begin the day's sum anew.
      const sinceMs = utcDayStart(Math.min(dayNowMs(clock.wallMs(), skewMs()), databaseMs()))
      let sum = zero
      for (const write of writes.values())
        if (write.person === person && write.kind === kind && dateOf(write) >= sinceMs) sum = sum.plus(write.usd)
      return sum
    },
    has: (key) => writes.has(keyName(key)),
    add: (key, write) => keep(key, { ...write, atMs: null }),
    forget: (key) => void writes.delete(keyName(key)),
    reduce(key, usd) {
      const write = writes.get(keyName(key))
      const left = Decimal.max(zero, usd)
      if (write === undefined || write.usd.lte(left)) return false
      writes.set(keyName(key), { ...write, usd: left })
      return true
    },
    restore(key, otherwise) {
      const write = writes.get(keyName(key))
      if (write === undefined) return null
      const usd = write.whole.isZero() ? otherwise : write.whole
      if (write.usd.gte(usd)) return null
      writes.set(keyName(key), { ...write, usd })
      return usd
    },
  }
}
