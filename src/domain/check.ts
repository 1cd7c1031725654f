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
  | 'ownMatch'
  /** A size that is easily a slip of the finger: confirmed by typing the quantity once more. */
  | 'unusual'
/** `ask` is a soft limit: nothing is sent before a person has confirmed that very rule. */
export type CheckLevel = 'ok' | 'warn' | 'ask' | 'block'

/** The outcome of one rule. A block cannot be confirmed away; a warning is only shown, again in the review. */
export type Check = { rule: CheckRule; level: CheckLevel; text: string }

export const pass = (rule: CheckRule): Check => ({
  rule,
  level: 'ok',
  text: '',
})
export const warn = (rule: CheckRule, text: string): Check => ({
  rule,
  level: 'warn',
  text,
})
export const ask = (rule: CheckRule, text: string): Check => ({
  rule,
  level: 'ask',
  text,
})
export const block = (rule: CheckRule, text: string): Check => ({
  rule,
  level: 'block',
  text,
})

export const isBlocked = (checks: readonly Check[]): boolean => checks.some((check) => check.level === 'block')

/** Soft limits that are exceeded and not among the `confirmed` ones. */
export const unconfirmed = (checks: readonly Check[], confirmed: readonly CheckRule[]): Check[] =>
  checks.filter(({ level, rule }) => level === 'ask' && !confirmed.includes(rule))
