import { plainText } from '../base/plain-text.ts'

/** What a check of an order or of a withdrawal comes to. */
type Judgement = { rule: string; level: string; text: string }

/** One line for each rule: what it says, or that it is satisfied. */
export const checkLines = (checks: readonly Judgement[]): string[] =>
  checks.map(({ rule, level, text }) => plainText(`${level.padEnd(5)}  ${rule.padEnd(12)}  ${text}`).trimEnd())

/** What blocks, as one clause; empty when nothing does. */
export const blockText = (checks: readonly Judgement[]): string =>
  checks
    .filter(({ level }) => level === 'block')
    .map(({ text }) => text)
    .join('; ')
