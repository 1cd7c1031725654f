import { err, ok, type Result } from '../../base/result.ts'
import { suggestion } from '../../base/text/nearest-name.ts'
import { plainText } from '../../base/text/plain-text.ts'
import type { CheckRule } from '../../domain/orders/checks/check.ts'
import type { WithdrawalRule } from '../../domain/transfers/withdrawal-checks.ts'
import { type Arguments, type Flag, shown } from '../cli/arguments.ts'
import type { Fields } from '../cli/exit-codes.ts'

/** The words by which a script accepts what a check may ask or warn, each with its meaning. */
const meanings = {
  'soft-limit': 'over a soft limit, or a limit that cannot be judged',
  'unusual-size': 'over half of the hard limit, or through many price levels',
  'partial-fill': 'the book or the balance holds less than the order asks for',
  'stop-price': 'a stop that triggers at once, or may not fill then',
  'self-match': 'a match with your own orders',
  repeat: 'the same withdrawal went out, or was rejected, within ten minutes',
  'new-beneficiary': 'a whitelist entry that is new or renamed',
  fee: 'a fee that is unknown, or at least as much as would arrive',
} as const
export type AcceptWord = keyof typeof meanings

/** The word that accepts each rule of orders; null for one that only ever blocks. */
const ofOrders: Readonly<Record<CheckRule, AcceptWord | null>> = {
  orderValue: 'soft-limit',
  dayValue: 'soft-limit',
  openOrders: 'soft-limit',
  collar: 'soft-limit',
  unusual: 'unusual-size',
  market: 'partial-fill',
  funds: 'partial-fill',
  stop: 'stop-price',
  selfMatch: 'self-match',
  duplicate: null,
  fields: null,
  freshness: null,
  status: null,
  tick: null,
  lot: null,
  minimum: null,
  maximum: null,
  postOnly: null,
  // Commands cancel and place; they move nothing.
  plan: null,
  mode: null,
}
/** The word that accepts each rule of withdrawals; null for one that only ever blocks. */
const ofWithdrawals: Readonly<Record<WithdrawalRule, AcceptWord | null>> = {
  repeat: 'repeat',
  dayCurrency: 'soft-limit',
  dayUsd: 'soft-limit',
  whitelist: 'new-beneficiary',
  fee: 'fee',
  approval: null,
  freshness: null,
  beneficiary: null,
  amount: null,
  scale: null,
  funds: null,
  mode: null,
}

/** The result of a check of an order or a withdrawal. */
export type Judgement<Rule extends string = string> = { rule: Rule; level: string; text: string }

/** True when a check asks or warns: a terminal shows it before the question, a script accepts it by name. */
export const isConcern = ({ level }: Pick<Judgement, 'level'>): boolean => level === 'ask' || level === 'warn'

/** Unaccepted concerns: the reason why nothing is sent, as a clause, and what to do about it, as a sentence. */
export type Unaccepted = { reason: string; todo: string }

/** How a script accepts the concerns of one kind of write by name. */
export type Acceptance<Rule extends string> = {
  /** The flag `--accept`. */
  flag: Flag
  /** The words given by the flag. An error is wrong usage. */
  read(given: Arguments): Result<ReadonlySet<AcceptWord>>
  /** The unaccepted concerns among these checks; null when it may be sent. */
  unaccepted(checks: readonly Judgement<Rule>[], accepted: ReadonlySet<AcceptWord>): Unaccepted | null
  /** The words a script needs for these checks. */
  wordsOf(checks: readonly Judgement<Rule>[]): AcceptWord[]
}

function acceptanceOf<Rule extends string>(byRule: Readonly<Record<Rule, AcceptWord | null>>): Acceptance<Rule> {
  const words = [...new Set(Object.values<AcceptWord | null>(byRule))].filter((word) => word !== null)
  const explained = words.map((word) => `${word} (${meanings[word]})`).join('; ')
  return {
    flag: {
      name: 'accept',
      placeholder: 'WORDS',
      meaning: `with --yes: warnings to accept beside the plain question, as a list: ${explained}`,
      listed: words,
      repeats: true,
    },
    read(given) {
      const typed = given.values('accept').flatMap((value) => value.split(','))
      const accepted = new Set<AcceptWord>()
      for (const each of typed.map((text) => text.trim()).filter((text) => text !== '')) {
        const word = words.find((known) => known === each.toLowerCase())
        if (word === undefined) {
          const meant = suggestion(shown(each), words) || `: it takes ${words.join(', ')}`
          return err(`--accept does not know "${shown(each)}"${meant}`)
        }
        accepted.add(word)
      }
      return ok(accepted)
    },
    unaccepted(checks, accepted) {
      const open = checks.filter((check) => {
        const word = byRule[check.rule]
        return isConcern(check) && (word === null || !accepted.has(word))
      })
      if (open.length === 0) return null
      const missing = [...new Set(open.map(({ rule }) => byRule[rule]))]
      return {
        reason: open.map(({ text }) => text).join('; '),
        todo: missing.includes(null)
          ? 'Confirm it on a terminal.'
          : `To accept that, add --accept ${[...accepted, ...missing].join(',')}.`,
      }
    },
    wordsOf: (checks) => [...new Set(checks.filter(isConcern).flatMap(({ rule }) => byRule[rule] ?? []))],
  }
}

/** Why `--accept` does not go with `--draft`, as a clause: what was accepted so would be forgotten. */
export const acceptsNoDraft = '--accept goes with what is sent: a draft is checked anew when it is sent'
/** A draft that is not saved would be forgotten too. */
export const draftOrDry = 'use --draft or --dry-run, not both'

export const orderAcceptance = acceptanceOf(ofOrders)
export const withdrawalAcceptance = acceptanceOf(ofWithdrawals)

/** A check's fields for scripts and agents. */
export const checkFields = ({ rule, level, text }: Judgement): Fields => ({ rule, level, text })

/** One line for each rule: its text, also when it passes. */
export const checkLines = (checks: readonly Judgement[]): string[] =>
  checks.map(({ rule, level, text }) => plainText(`${level.padEnd(5)}  ${rule.padEnd(12)}  ${text}`).trimEnd())

/** The blocking checks, as one clause; empty for none. */
export const blockText = (checks: readonly Judgement[]): string =>
  checks
    .filter(({ level }) => level === 'block')
    .map(({ text }) => text)
    .join('; ')
