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
export type CheckLevel = 'ok' | 'warn' | 'block'

/** The outcome of one rule. A block cannot be confirmed away; a warning is shown again in the review. */
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
export const block = (rule: CheckRule, text: string): Check => ({
  rule,
  level: 'block',
  text,
})

export const isBlocked = (checks: readonly Check[]): boolean => checks.some((check) => check.level === 'block')
