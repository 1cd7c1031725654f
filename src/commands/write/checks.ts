import { suggestion } from '../../base/nearest-name.ts'
import { plainText } from '../../base/plain-text.ts'
import { err, ok, type Result } from '../../base/result.ts'
import type { CheckRule } from '../../domain/orders/checks/check.ts'
import type { WithdrawalRule } from '../../domain/transfers/withdrawal-checks.ts'
import { type Arguments, type Flag, shown } from '../cli/arguments.ts'

/** What a check may ask or warn of, in the words by which a script accepts it; each with what it stands for. */
const meanings = {
  'soft-limit': 'over a soft limit, or a limit that cannot be judged',
  'unusual-size': 'over half of the hard limit, or through many price levels',
  'partial-fill': 'the book or the balance holds less than the order asks for',
  'stop-price': 'a stop that triggers at once, or may not fill then',
  'self-match': 'a match with your own orders',
  repeat: 'the same withdrawal went out within ten minutes',
  'new-beneficiary': 'a whitelist entry that is new or renamed',
  fee: 'a fee that is unknown, or at least as much as would arrive',
} as const
export type AcceptWord = keyof typeof meanings

const orderWords = ['soft-limit', 'unusual-size', 'partial-fill', 'stop-price', 'self-match'] as const
const withdrawalWords = ['repeat', 'soft-limit', 'new-beneficiary', 'fee'] as const

/** The word of each rule; null for one that only ever blocks. */
const ofOrders: Readonly<Record<CheckRule, (typeof orderWords)[number] | null>> = {
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
  mode: null,
}
const ofWithdrawals: Readonly<Record<WithdrawalRule, (typeof withdrawalWords)[number] | null>> = {
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
}

const flagOf = (words: readonly AcceptWord[]): Flag => ({
  name: 'accept',
  placeholder: 'WORDS',
  meaning: `with --yes: warnings to accept beside the plain question, as a list: ${words.map((word) => `${word} (${meanings[word]})`).join('; ')}`,
  repeats: true,
})

export const orderAcceptFlag = flagOf(orderWords)
export const withdrawalAcceptFlag = flagOf(withdrawalWords)

/** The words that `--accept` names, of these. An error is wrong usage. */
function readWords(given: Arguments, words: readonly AcceptWord[]): Result<ReadonlySet<AcceptWord>> {
  const typed = given.values('accept').flatMap((value) => value.split(','))
  const accepted = new Set<AcceptWord>()
  for (const each of typed.map((text) => text.trim()).filter((text) => text !== '')) {
    const word = words.find((known) => known === each.toLowerCase())
    if (word === undefined)
      return err(
        `--accept does not know "${shown(each)}"${suggestion(shown(each), words) || `: it takes ${words.join(', ')}`}`,
      )
    accepted.add(word)
  }
  return ok(accepted)
}

export const readOrderAccepted = (given: Arguments) => readWords(given, orderWords)
export const readWithdrawalAccepted = (given: Arguments) => readWords(given, withdrawalWords)

type Concern = { level: string; text: string }
const isConcern = ({ level }: Concern): boolean => level === 'ask' || level === 'warn'

/** What is not accepted: why nothing is sent, as a clause; what to add, as a sentence where something can be added. */
type Unaccepted = { reason: string; todo: string }

function unaccepted<C extends Concern>(
  checks: readonly C[],
  accepted: ReadonlySet<AcceptWord>,
  wordOf: (check: C) => AcceptWord | null,
): Unaccepted | null {
  const open = checks.filter((check) => {
    const word = wordOf(check)
    return isConcern(check) && (word === null || !accepted.has(word))
  })
  if (open.length === 0) return null
  const words = [...new Set(open.map(wordOf))].filter((word) => word !== null)
  const named = words.length === 0 ? '' : `To accept that, add --accept ${[...accepted, ...words].join(',')}.`
  return {
    reason: open.map(({ text }) => text).join('; '),
    todo: open.some((check) => wordOf(check) === null) ? 'Confirm it on a terminal.' : named,
  }
}

/** What of an order's checks a script has not accepted by name; null when it may go. */
export const unacceptedOrder = (
  checks: ReadonlyArray<Concern & { rule: CheckRule }>,
  accepted: ReadonlySet<AcceptWord>,
): Unaccepted | null => unaccepted(checks, accepted, ({ rule }) => ofOrders[rule])

/** The same of a withdrawal's checks. */
export const unacceptedWithdrawal = (
  checks: ReadonlyArray<Concern & { rule: WithdrawalRule }>,
  accepted: ReadonlySet<AcceptWord>,
): Unaccepted | null => unaccepted(checks, accepted, ({ rule }) => ofWithdrawals[rule])

/** The words that a script needs for an order with these checks. */
export const orderWordsOf = (checks: ReadonlyArray<Concern & { rule: CheckRule }>): AcceptWord[] => [
  ...new Set(checks.filter(isConcern).flatMap(({ rule }) => ofOrders[rule] ?? [])),
]
/** The same for a withdrawal. */
export const withdrawalWordsOf = (checks: ReadonlyArray<Concern & { rule: WithdrawalRule }>): AcceptWord[] => [
  ...new Set(checks.filter(isConcern).flatMap(({ rule }) => ofWithdrawals[rule] ?? [])),
]

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
