import { type Balance, unreadOf } from '../../balance.ts'
import type { Bounds } from '../../limits.ts'
import type { UnreadableEntry } from '../../listing.ts'
import { Decimal } from '../../money.ts'

/** The rule of a check; each rule has one line in the ticket. */
export type CheckRule =
  | 'fields'
  | 'freshness'
  | 'status'
  | 'tick'
  | 'lot'
  | 'minimum'
  | 'maximum'
  | 'postOnly'
  | 'market'
  | 'funds'
  | 'mode'
  | 'orderValue'
  | 'dayValue'
  | 'openOrders'
  | 'collar'
  | 'duplicate'
  | 'stop'
  | 'selfMatch'
  /** The order belongs to a plan, which manual changes put on hold. */
  | 'plan'
  /** A size that may be a typing mistake: confirmed by typing the quantity again. */
  | 'unusual'
/** `ask` is a soft limit: nothing is sent before the user has confirmed this rule. */
export const checkLevels = ['ok', 'warn', 'ask', 'block'] as const
type CheckLevel = (typeof checkLevels)[number]

/** A value for a field of the order with which a blocking rule would pass. */
export type Remedy = { field: 'quantity' | 'price' | 'stop' | 'minimum'; value: Decimal }

/** What a soft limit asks about, and its figure: a larger one is worse. */
type Asked = { of: string; figure: Decimal }

/**
 * The result of a rule, by default a rule of orders. A block cannot be confirmed; a warning is only shown, again in the
 * review.
 */
export type Check<Rule extends string = CheckRule> = {
  rule: Rule
  level: CheckLevel
  text: string
  remedy?: Remedy
  /** Of a soft limit whose figure the market or other orders change; missing for any other. */
  asked?: Asked
}

/** A soft limit that the user has confirmed, as it asked then. */
export type Confirmed = Pick<Check, 'rule' | 'asked'>

export const pass = <Rule extends string>(rule: Rule, text = ''): Check<Rule> => ({ rule, level: 'ok', text })
export const warn = <Rule extends string>(rule: Rule, text: string): Check<Rule> => ({ rule, level: 'warn', text })
export const ask = <Rule extends string>(rule: Rule, text: string): Check<Rule> => ({ rule, level: 'ask', text })
export const block = <Rule extends string>(rule: Rule, text: string, remedy: Remedy | null = null): Check<Rule> =>
  remedy === null ? { rule, level: 'block', text } : { rule, level: 'block', text, remedy }

/** The texts of blocking checks in one line; null when there are none. */
export const stopTexts = (stops: readonly Pick<Check<string>, 'text'>[]): string | null =>
  stops.length === 0 ? null : stops.map(({ text }) => text).join('; ')

/** Adds a remedy to a blocking check if the value is above zero. */
export const withRemedy = (check: Check, field: Remedy['field'], value: Decimal | null): Check =>
  check.level === 'block' && value?.gt(0) === true ? { ...check, remedy: { field, value } } : check

/** Blocks above the hard bound and asks above the soft one; `sentence` names the exceeded bound. */
export function bounded<Rule extends string, T>(
  rule: Rule,
  isOver: (bound: T) => boolean,
  { hard, soft }: Bounds<T>,
  sentence: (kind: 'hard' | 'soft', bound: T) => string,
): Check<Rule> {
  if (hard !== null && isOver(hard)) return block(rule, sentence('hard', hard))
  if (soft !== null && isOver(soft)) return ask(rule, sentence('soft', soft))
  return pass(rule)
}

/** The first blocking check; undefined when there is none. */
export const blockOf = (checks: readonly Check[]): Check | undefined => checks.find(({ level }) => level === 'block')

export const isBlocked = (checks: readonly Check[]): boolean => blockOf(checks) !== undefined

/** The check with what it asks about, where it asks. */
export const asking = (check: Check, of: string, figure: Decimal): Check =>
  check.level === 'ask' ? { ...check, asked: { of, figure } } : check

/** Figures move with every price: one that is worse by up to this share is still the one that was confirmed. */
const sameUpTo = new Decimal('1.1')

/** True when the user has confirmed this soft limit, by a figure that is no better than the present one. */
export const isConfirmed = ({ rule, asked }: Check, confirmed: readonly Confirmed[]): boolean =>
  confirmed.some(
    ({ rule: before, asked: then }) =>
      before === rule &&
      (asked === undefined ||
        then === undefined ||
        (asked.of === then.of && asked.figure.lte(then.figure.times(sameUpTo)))),
  )

/** An unusual size is confirmed as a whole: the quantity was typed again. */
export const anyUnusual: Confirmed = { rule: 'unusual' }

/** Exceeded soft limits that are not among the `confirmed` ones. */
export const unconfirmed = (checks: readonly Check[], confirmed: readonly Confirmed[]): Check[] =>
  checks.filter((check) => check.level === 'ask' && !isConfirmed(check, confirmed))

/**
 * A value that checks depend on, or why it is unreliable: never loaded, not in what was loaded (`why`: a clause),
 * stale, or partial because some of it is unreadable.
 */
export type Known<T> =
  | { kind: 'fresh'; value: T }
  | { kind: 'missing' }
  | { kind: 'absent'; why: string }
  | { kind: 'stale'; ageMs: number }
  /** `unreadableCount` 0 means that the list was not read to its end. */
  | { kind: 'partial'; value: T; unreadableCount: number }

/** The value as complete or partial, by its number of unreadable entries and whether the list was read to its end. */
export const partly = <T>(value: T, unreadableCount: number, isWhole = true): Known<T> =>
  unreadableCount === 0 && isWhole ? { kind: 'fresh', value } : { kind: 'partial', value, unreadableCount }

/** The balances for what needs that of one currency: partial where it may be among the unreadable ones. */
export const balancesFor = (
  currency: string,
  balances: Known<readonly Balance[]>,
  unreadable: readonly UnreadableEntry[] | undefined,
): Known<readonly Balance[]> =>
  balances.kind === 'fresh' ? partly(balances.value, unreadOf(currency, balances.value, unreadable).length) : balances

/** Maps the value, keeping whether it is fresh or partial. */
export const mapKnown = <From, To>(known: Known<From>, map: (value: From) => To): Known<To> =>
  known.kind === 'fresh' || known.kind === 'partial' ? { ...known, value: map(known.value) } : known

/** Why a value is unreliable, in words; null when it is reliable. */
export function unreliable(name: string, known: Known<unknown>): string | null {
  switch (known.kind) {
    case 'fresh':
      return null
    case 'missing':
      return `${name} not loaded`
    case 'absent':
      return known.why
    case 'stale':
      return `${name} ${Math.floor(known.ageMs / 1000)} s old`
    case 'partial':
      return known.unreadableCount === 0
        ? `${name} incomplete`
        : `${name}: ${known.unreadableCount} unreadable ${known.unreadableCount === 1 ? 'entry' : 'entries'}`
  }
}

/** Blocks while any of these named values is unreliable. */
export function freshnessCheck(needed: Readonly<Record<string, Known<unknown>>>): Check<'freshness'> {
  const reasons = Object.entries(needed).flatMap(([name, known]) => unreliable(name, known) ?? [])
  if (reasons.length === 0) return pass('freshness')
  // What is not there does not come with fresh data.
  const isAbsent = Object.values(needed).some(({ kind }) => kind === 'absent')
  return block('freshness', isAbsent ? reasons.join(', ') : `${reasons.join(', ')}: wait for fresh data`)
}
