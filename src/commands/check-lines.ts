import type { Check } from '../domain/check.ts'
import { plainText } from '../domain/plain-text.ts'

/** One line for each rule: what it says, or that it is satisfied. */
export const checkLines = (
  checks: readonly Pick<Check, 'rule' | 'level' | 'text'>[] | readonly { rule: string; level: string; text: string }[],
): string[] =>
  checks.map(({ rule, level, text }) => plainText(`${level.padEnd(5)}  ${rule.padEnd(12)}  ${text}`).trimEnd())

/** What blocks, in one sentence part; empty when nothing does. */
export const blockText = (checks: readonly { level: string; text: string }[]): string =>
  checks
    .filter(({ level }) => level === 'block')
    .map(({ text }) => text)
    .join('; ')
