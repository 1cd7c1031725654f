import type { Bounds } from '../../limits.ts'
import type { Decimal } from '../../money.ts'

/** What a check is about; one rule gives one line in the ticket. */
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
  /** The order belongs to a plan, which a hand on it holds. */
  | 'plan'
  /** A size that is easily a slip of the finger: confirmed by typing the quantity once more. */
  | 'unusual'
/** `ask` is a soft limit: nothing is sent before a person has confirmed that very rule. */
export const checkLevels = ['ok', 'warn', 'ask', 'block'] as const
type CheckLevel = (typeof checkLevels)[number]

/** What a field of an order may hold instead, for a rule that blocks to pass. */
export type Remedy = { field: 'quantity' | 'price' | 'stop' | 'minimum'; value: Decimal }

/**
 * The outcome of one rule, of an order unless said otherwise. A block cannot be confirmed away; a warning is only
 * shown, again in the review.
 */
export type Check<Rule extends string = CheckRule> = { rule: Rule; level: CheckLevel; text: string; remedy?: Remedy }

export const pass = <Rule extends string>(rule: Rule, text = ''): Check<Rule> => ({ rule, level: 'ok', text })
export const warn = <Rule extends string>(rule: Rule, text: string): Check<Rule> => ({ rule, level: 'warn', text })
export const ask = <Rule extends string>(rule: Rule, text: string): Check<Rule> => ({ rule, level: 'ask', text })
export const block = <Rule extends string>(rule: Rule, text: string, remedy: Remedy | null = null): Check<Rule> =>
  remedy === null ? { rule, level: 'block', text } : { rule, level: 'block', text, remedy }

/** What the checks that stop something say, in one line; null when none does. */
export const stopTexts = (stops: readonly Pick<Check<string>, 'text'>[]): string | null =>
  stops.length === 0 ? null : stops.map(({ text }) => text).join('; ')

/** The check with a remedy where it blocks and the value is above zero. */
export const withRemedy = (check: Check, field: Remedy['field'], value: Decimal | null): Check =>
  check.level === 'block' && value?.gt(0) === true ? { ...check, remedy: { field, value } } : check

/** Over the hard bound it blocks, over the soft one it asks; `sentence` says which one it is over. */
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

/** The first thing that stops the order; undefined where nothing does. */
export const blockOf = (checks: readonly Check[]): Check | undefined => checks.find(({ level }) => level === 'block')

export const isBlocked = (checks: readonly Check[]): boolean => blockOf(checks) !== undefined

/** Soft limits that are exceeded and not among the `confirmed` ones. */
export const unconfirmed = (checks: readonly Check[], confirmed: readonly CheckRule[]): Check[] =>
  checks.filter(({ level, rule }) => level === 'ask' && !confirmed.includes(rule))

/**
 * A value the checks rest on, or why it cannot be relied on: never seen, older than its limit, or only a part of what
 * there is, because some of it cannot be read.
 */
export type Known<T> =
  | { kind: 'fresh'; value: T }
  | { kind: 'missing' }
  | { kind: 'stale'; ageMs: number }
  /** `unreadableCount` 0: the list could not be read to its end. */
  | { kind: 'partial'; value: T; unreadableCount: number }

/** The value, held against how many of its entries cannot be read and whether all of them were read. */
export const partly = <T>(value: T, unreadableCount: number, isWhole = true): Known<T> =>
  unreadableCount === 0 && isWhole ? { kind: 'fresh', value } : { kind: 'partial', value, unreadableCount }

/** Knowledge of another value, fresh or partial as before. */
export const mapKnown = <From, To>(known: Known<From>, map: (value: From) => To): Known<To> =>
  known.kind === 'fresh' || known.kind === 'partial' ? { ...known, value: map(known.value) } : known

/** Why a value cannot be relied on, in words; null when it can. */
export function unreliable(name: string, known: Known<unknown>): string | null {
  switch (known.kind) {
    case 'fresh':
      return null
    case 'missing':
      return `${name} not loaded`
    case 'stale':
      return `${name} ${Math.floor(known.ageMs / 1000)} s old`
    case 'partial':
      return known.unreadableCount === 0
        ? `${name} incomplete`
        : `${name}: ${known.unreadableCount} unreadable ${known.unreadableCount === 1 ? 'entry' : 'entries'}`
  }
}

/** Blocks while any of these, by their names, cannot be relied on. */
export function freshnessCheck(needed: Readonly<Record<string, Known<unknown>>>): Check<'freshness'> {
  const reasons = Object.entries(needed).flatMap(([name, known]) => unreliable(name, known) ?? [])
  return reasons.length === 0 ? pass('freshness') : block('freshness', `${reasons.join(', ')}: wait for fresh data`)
}
