import { type Decimal, formatGrouped } from '../../../domain/money.ts'
import type { WhitelistEntry } from '../../../domain/transfers/transfer.ts'
import { whitelistNews } from '../../../domain/transfers/whitelist.ts'
import type { WithdrawalCheck, WithdrawalRule } from '../../../domain/transfers/withdrawal-checks.ts'
import { currencyScale } from '../../../domain/transfers/withdrawal-review.ts'
import { wallNow } from '../../../store/clock.ts'
import type { DeskState } from '../../../store/desk.ts'
import type { WithdrawForm } from '../../../store/transfers/withdraw.ts'
import type { WithdrawReading } from '../../../store/transfers/withdraw-reading.ts'
import { cellText, cut, wrapWords } from '../../text/cells.ts'
import { type Row, span } from '../../text/row.ts'
import type { Tone } from '../../text/theme.ts'

/** Words over as many lines as they take; those after the first stand in a little. */
export const words = (text: string, width: number, tone: Tone = 'text', indent = ''): Row[] =>
  wrapWords(cellText(text), width - 2 - indent.length).map((line, at) => [
    span(` ${at === 0 ? '' : indent}${line}`, tone),
  ])

const nameWidth = 10

/** A named value; the name is in front of the first of its lines. */
export const valued = (name: string, text: string, width: number, tone: Tone = 'text'): Row[] =>
  wrapWords(cellText(text), width - nameWidth - 3).map((line, at) => [
    span(`  ${(at === 0 ? name : '').padEnd(nameWidth)}`, 'label'),
    span(line, tone),
  ])

/** The person's own remark, in one line; nothing where there is none. */
export const noteRows = (note: string | null, width: number): Row[] =>
  note === null || note.trim() === '' ? [] : valued('note', cut(cellText(note.trim()), width - nameWidth - 3), width)

/** An amount with the decimals of its currency, and all of its own where it has more. */
export function amountText(state: DeskState, amount: Decimal, currency: string): string {
  const scale = currencyScale(currency, state.instruments.value ?? new Map()) ?? 0
  // Whole cents stay written; of eight decimals only those that are there.
  return `${formatGrouped(amount, Math.max(amount.decimalPlaces(), Math.min(scale, 2)))} ${currency}`
}

/** `cold-1 (wl_8f2c)`: the name is whatever somebody wrote, the id is what counts. */
export const entryText = ({ name, whitelistId }: WhitelistEntry): string =>
  name === '' ? whitelistId : `${name} (${whitelistId})`

/** What a person should know of an entry, in a word or two; empty when there is nothing. */
export function entryMark(state: DeskState, entry: WhitelistEntry): string {
  const news = whitelistNews(entry, state.withdrawalRules.memory, wallNow(state))
  if (news.kind === 'known') return ''
  return news.kind === 'new' ? 'NEW' : `RENAMED, was "${news.from}"`
}

/** Fee, what leaves, and what stays: what is not known is said to be so. */
export function sumRows(state: DeskState, form: WithdrawForm, reading: WithdrawReading, width: number): Row[] {
  const { currency } = form
  if (currency === null) return []
  const { fee, leaves, remains } = reading
  const show = (amount: Decimal | null) => (amount === null ? '-' : amountText(state, amount, currency))
  const isAll = form.how === 'all'
  const feeText = fee === null ? 'not known before the exchange has taken one' : `${show(fee)}, as the last one`
  return [
    ...valued('fee', `${feeText}${isAll ? '; it comes out of what is sent' : ''}`, width),
    ...valued('leaves', `${show(leaves)}${leaves !== null && fee === null && !isAll ? ' and the fee' : ''}`, width),
    ...valued('remains', `${show(remains)}${remains !== null && fee === null && !isAll ? ' less the fee' : ''}`, width),
  ]
}

const levelWords = { block: 'BLOCK', ask: 'ASK', warn: 'WARN' } as const
const levelTones = { block: 'bad', ask: 'warn', warn: 'warn' } as const

/**
 * Every rule that says something on its own lines: what blocks first, then what is asked and warned of, then what is
 * only told. `review`: what has been confirmed there, and the key that does.
 */
export function checkRows(
  checks: readonly WithdrawalCheck[],
  width: number,
  review: { confirmed: readonly WithdrawalRule[]; key: string } | null,
): Row[] {
  const askedText = ({ rule, text }: WithdrawalCheck) => {
    if (review === null) return `${text}: the review asks`
    return `${text}: ${review.confirmed.includes(rule) ? 'CONFIRMED' : `type ${review.key}`}`
  }
  const loud = (['block', 'ask', 'warn'] as const).flatMap((level) =>
    checks
      .filter((check) => check.level === level)
      .flatMap((check) =>
        words(
          `${levelWords[level]} ${level === 'ask' ? askedText(check) : check.text}`,
          width,
          levelTones[level],
          '  ',
        ),
      ),
  )
  const told = checks.filter(({ level, text }) => level === 'ok' && text !== '')
  const passed = checks.filter(({ level }) => level === 'ok').length
  return [
    ...loud,
    ...told.flatMap(({ text }) => words(`OK ${text}`, width, 'good', '  ')),
    ...(loud.length === 0 ? [[span(` OK ${passed} checks`, 'good')]] : []),
  ]
}

/** The last refusal for want of two-factor authentication, told before anything is typed. */
export function twoFactorRows({ followed }: DeskState, width: number): Row[] {
  const refusal = followed.twoFactorRefusal
  if (refusal === null) return []
  const at = `${new Date(refusal.atMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return words(`WARN the last one (${at}) was refused: ${refusal.reason}`, width, 'warn', '  ')
}
