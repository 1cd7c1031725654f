import { keyOf } from '../../../domain/desk/session.ts'
import { Decimal, formatGrouped } from '../../../domain/money.ts'
import type { WhitelistEntry } from '../../../domain/transfers/transfer.ts'
import { whitelistNews } from '../../../domain/transfers/whitelist.ts'
import type { WithdrawalCheck } from '../../../domain/transfers/withdrawal-checks.ts'
import { currencyScale } from '../../../domain/transfers/withdrawal-review.ts'
import { usdText } from '../../../domain/usd-value.ts'
import { wallNow } from '../../../store/clock.ts'
import type { DeskState } from '../../../store/desk.ts'
import { equityNow, isEquityStale } from '../../../store/equity.ts'
import {
  fieldsOf,
  type WithdrawAgreed,
  type WithdrawEditing,
  type WithdrawField,
  type WithdrawForm,
} from '../../../store/transfers/withdraw.ts'
import {
  asked,
  beneficiariesOf,
  needsApproval,
  readWithdraw,
  type WithdrawOutlook,
  type WithdrawReading,
  withdrawCurrencies,
  withdrawOutlook,
} from '../../../store/transfers/withdraw-reading.ts'
import { shareOfLimit } from '../../tables/limits-used.ts'
import { windowOf } from '../../tables/list-window.ts'
import { cellText, cut, cutWords, safeText, wrapWords } from '../../text/cells.ts'
import { ageText } from '../../text/moment.ts'
import { own, ownChecks } from '../../text/privacy.ts'
import { cursorMark, type Row, span, typedText } from '../../text/row.ts'
import type { Tone } from '../../text/theme.ts'
import { partText } from '../../text/worth.ts'

/** Wrapped words; continuation lines are indented. */
export const words = (text: string, width: number, tone: Tone = 'text', indent = ''): Row[] =>
  wrapWords(cellText(text), width - 2 - indent.length).map((line, at) => [
    span(` ${at === 0 ? '' : indent}${line}`, tone),
  ])

const nameWidth = 10

/** A labeled value; only the first of its lines has the label. */
export const valued = (name: string, text: string, width: number, tone: Tone = 'text'): Row[] =>
  wrapWords(cellText(text), width - nameWidth - 3).map((line, at) => [
    span(`  ${(at === 0 ? name : '').padEnd(nameWidth)}`, 'label'),
    span(line, tone),
  ])

/** The user's note, in one line; empty without one. */
export const noteRows = (note: string | null, width: number): Row[] =>
  note === null || note.trim() === '' ? [] : valued('note', cut(cellText(note.trim()), width - nameWidth - 3), width)

/** An amount with its currency's decimals, or all of its own if there are more. */
export function amountText(state: DeskState, amount: Decimal, currency: string): string {
  const scale = currencyScale(currency, state.instruments.value ?? new Map()) ?? 0
  // Two decimals are always shown; of more, only those that are significant.
  return `${formatGrouped(amount, Math.max(amount.decimalPlaces(), Math.min(scale, 2)))} ${currency}`
}

/** The whole available balance: in capitals, because it is more than an amount. */
export const allText = (currency: string): string => `ALL available ${currency}, less the fee`

/** `cold-1 (wl_8f2c)`: the name is free text, the id is what counts. */
export const entryText = ({ name, whitelistId }: WhitelistEntry): string =>
  name === '' ? whitelistId : `${name} (${whitelistId})`

/** A warning about a whitelist entry, in a word or two; empty if there is none. */
export function entryMark(state: DeskState, entry: WhitelistEntry): string {
  const news = whitelistNews(entry, state.withdrawalRules.memory, wallNow(state))
  if (news.kind === 'known') return ''
  return news.kind === 'new' ? 'NEW' : `RENAMED, was "${news.from}"`
}

/** The amount that would arrive: the fee is added to an amount, but deducted from "all"; null if unknown. */
function arriving({ how }: WithdrawForm, { request, available, fee }: WithdrawReading): Decimal | null {
  if (how === 'amount') return request === null || request.amount === 'max' ? null : request.amount
  return available === null || fee === null || fee.gt(available) ? null : available.minus(fee)
}

/** What arrives, the fee, what leaves, and what remains; unknown figures are named as such. */
export function sumRows(state: DeskState, form: WithdrawForm, reading: WithdrawReading, width: number): Row[] {
  const { currency } = form
  if (currency === null) return []
  const { fee, leaves, remains } = reading
  const { isPrivate } = state.looks
  const show = (amount: Decimal | null) => (amount === null ? '-' : amountText(state, amount, currency))
  const isAll = form.how === 'all'
  // For a withdrawal of everything, the amount would reveal the balance.
  const shown = (amount: Decimal | null) => own(show(amount), isPrivate && isAll)
  const arrives = arriving(form, reading)
  const feeText = fee === null ? 'unknown until the exchange has charged one' : `${show(fee)} (last charged)`
  return [
    ...valued('arrives', arrives === null && isAll ? 'what is available, less the fee' : shown(arrives), width),
    ...valued('fee', `${feeText}${isAll ? '; deducted from the amount' : ''}`, width),
    ...valued('total', `${shown(leaves)}${leaves !== null && fee === null && !isAll ? ' and the fee' : ''}`, width),
    ...valued(
      'remains',
      `${own(show(remains), isPrivate)}${remains !== null && fee === null && !isAll ? ' less the fee' : ''}`,
      width,
    ),
  ]
}

const ofCases = (count: number): string => `${count} seen`

/** How long withdrawals of the currency took and what they cost, from those that this desk saw complete. */
function usualText(state: DeskState, { time, fee }: WithdrawOutlook, currency: string): string {
  const took = time === null ? 'time unknown' : `${ageText(time.medianMs)} (median, ${ofCases(time.count)})`
  const cost =
    fee === null ? 'fee unknown' : `fee ${amountText(state, fee.median, currency)} (median, ${ofCases(fee.count)})`
  return time === null && fee === null ? `unknown: no completed withdrawal of ${currency} seen yet` : `${took}, ${cost}`
}

/** A withdrawal's value; `hasFee`: `leavesUsd` includes the fee; `isAll`: it is the whole available balance. */
type OutlookValue = { usd: Decimal; leavesUsd: Decimal | null; hasFee: boolean; isAll: boolean }

/**
 * Its value, its share of the account's equity, and what amount and fee leave of that; in privacy mode only the value
 * of what was typed.
 */
function valueText(state: DeskState, { usd, leavesUsd, hasFee, isAll }: OutlookValue): string {
  const { worth } = equityNow(state)
  const amount = usdText(usd)
  // Beside the value, its share would reveal the equity.
  if (state.looks.isPrivate) return own(amount, isAll)
  if (isEquityStale(state) || !worth.isAtLeast || worth.knownUsd.lte(0)) return amount
  const share = partText(new Decimal(usd).div(new Decimal(worth.knownUsd)))
  const part = `${worth.equityUsd === null ? 'at most ' : ''}${share} of equity`
  if (worth.equityUsd === null || leavesUsd === null) return `${amount}, ${part}`
  const left = `, which leaves ${hasFee ? '' : 'at most '}${usdText(worth.equityUsd.minus(leavesUsd))}`
  return `${amount}, ${part}${left}`
}

/**
 * `0.15 of 2.00 BTC, 9,631.58 of 250,000.00 USD`: the day's limits with this withdrawal; in privacy mode as
 * percentages, but not for the whole available balance, which they would reveal.
 */
const dayText = (state: DeskState, days: WithdrawOutlook['days'], isAll: boolean): string =>
  days
    .map(({ used, bound, unit }) => {
      const share = used === null ? '?' : own(shareOfLimit(used, bound), isAll)
      if (state.looks.isPrivate) return `${share} of the limit in ${unit}`
      const text = (amount: Decimal) => (unit === 'USD' ? usdText(amount) : amountText(state, amount, unit))
      return `${used === null ? '?' : text(used).replace(` ${unit}`, '')} of ${text(bound)}`
    })
    .join(', ')

/** Experience with such withdrawals, the value of this one, and what it leaves of the day's limits. */
export function outlookRows(state: DeskState, form: WithdrawForm, reading: WithdrawReading, width: number): Row[] {
  const { currency } = form
  const outlook = withdrawOutlook(state, form, reading)
  if (currency === null || outlook === null) return []
  const { usd, leavesUsd, days } = outlook
  const isAll = form.how === 'all'
  const hasFee = isAll || reading.fee !== null
  const value =
    usd === null ? `unknown: no price of ${currency} in USD` : valueText(state, { usd, leavesUsd, hasFee, isAll })
  return [
    ...valued('usual', usualText(state, outlook, currency), width),
    ...(reading.request === null ? [] : valued('value', value, width)),
    ...(days.length === 0 ? [] : valued('today', `${dayText(state, days, isAll)}, with this`, width)),
  ]
}

const levelWords = { block: 'BLOCK', ask: 'ASK', warn: 'WARN' } as const
const levelTones = { block: 'bad', ask: 'warn', warn: 'warn' } as const

/**
 * Every check with something to say, each on lines of its own: blocking ones first, then those to confirm and warnings,
 * then information. `review`: the confirmations given there, and the key that confirms.
 */
export function checkRows(
  checks: readonly WithdrawalCheck[],
  width: number,
  review: (WithdrawAgreed & { key: string }) | null,
): Row[] {
  const open = review === null ? [] : asked({ checks }, review)
  const askedText = (check: WithdrawalCheck) => {
    if (review === null) return `${check.text}: the review asks`
    return `${check.text}: ${open.includes(check) ? `type ${review.key}` : 'CONFIRMED'}`
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

/** The last refusal for lack of two-factor authentication, shown before anything is typed. */
function twoFactorRows({ followed }: DeskState, width: number): Row[] {
  const refusal = followed.twoFactorRefusal
  if (refusal === null) return []
  const at = `${new Date(refusal.atMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return words(`WARN last one refused (${at}): ${refusal.reason}`, width, 'warn', '  ')
}

const names: Readonly<Record<WithdrawField, string>> = {
  currency: 'currency',
  beneficiary: 'to',
  how: 'send',
  amount: 'amount',
  approval: 'approval',
  note: 'note',
}
/** Choices visible at a time. */
const choicesMax = 5

/** The user's note: its end while it is being typed, otherwise its start. */
function noteText(note: string, isHere: boolean, room: number, isAtHub: boolean): string {
  const cells = cellText(note)
  const empty = isAtHub ? 'goes to the hub: the approver reads it' : 'stays on this machine'
  if (!isHere) return cells === '' ? cut(empty, room) : cut(cells, room)
  return typedText(cells, true, room)
}

/** A field's value, in words. */
function fieldText(
  state: DeskState,
  { form, field, query }: WithdrawEditing,
  shown: WithdrawField,
  { room, isApprovalNeeded }: { room: number; isApprovalNeeded: boolean },
): string {
  const isHere = field === shown
  switch (shown) {
    case 'currency':
      return `${form.currency ?? (isHere ? '' : 'none yet')}${isHere && query !== '' ? `  search: ${query}_` : ''}`
    case 'beneficiary': {
      const entry = state.whitelist.value?.find(({ whitelistId }) => whitelistId === form.whitelistId)
      const name = entry === undefined ? (form.whitelistId ?? (isHere ? '' : 'none yet')) : entryText(entry)
      const mark = entry === undefined ? '' : entryMark(state, entry)
      return `${name}${mark === '' ? '' : `  ${mark}`}${isHere && query !== '' ? `  search: ${query}_` : ''}`
    }
    case 'how':
      return form.how === 'amount' ? 'an amount' : 'all available, less the fee'
    case 'amount':
      return `${form.amountText}${isHere ? '_' : ''} ${form.currency ?? ''}`
    case 'approval':
      // If the limits require approval, the user's choice makes no difference.
      return isApprovalNeeded || form.wantsApproval
        ? `${isApprovalNeeded ? 'required: ' : ''}${state.withdrawalRules.approver ?? 'a second person'} has to approve`
        : 'not asked for'
    case 'note':
      return noteText(form.note ?? '', isHere, room, state.hub !== null)
  }
}

type FieldPlace = { width: number; isApprovalNeeded: boolean }

function fieldRow(state: DeskState, overlay: WithdrawEditing, field: WithdrawField, place: FieldPlace): Row {
  const isHere = overlay.field === field
  const text = fieldText(state, overlay, field, { ...place, room: place.width - nameWidth - 3 })
  return [
    span(' '),
    cursorMark(isHere),
    span(names[field].padEnd(nameWidth), 'label'),
    span(
      field === 'note' ? safeText(text) : cutWords(safeText(text), place.width - nameWidth - 3),
      isHere ? 'cursor' : 'text',
    ),
  ]
}

/** A choice with a remark: the longest form of it that fits, otherwise the last one, cut with a mark. */
function choiceRow(
  isChosen: boolean,
  name: string,
  said: { forms: readonly string[]; tone: Tone },
  width: number,
): Row {
  const room = width - name.length - 4
  const text = said.forms.find((form) => form.length <= room) ?? cutWords(said.forms.at(-1) ?? '', Math.max(0, room))
  return [span('   '), cursorMark(isChosen), span(name), span(text, said.tone)]
}

function currencyChoices(state: DeskState, { form, query }: WithdrawEditing, width: number): Row[] {
  const all = withdrawCurrencies(state, query)
  if (state.balances.value === null) return [[span('   Waiting for the balances…', 'dim')]]
  if (all.length === 0)
    return words(`No currency matches. ${keyOf(state.reboundKeys, 'eraseInWithdraw')} deletes.`, width, 'dim', '  ')
  return windowOf(all, Math.max(0, all.indexOf(form.currency ?? '')), choicesMax).map((currency): Row => {
    const balance = state.balances.value?.find((each) => each.currency === currency)
    const entries = beneficiariesOf(state, currency, '').length
    const available =
      balance === undefined ? 'none' : own(amountText(state, balance.available, currency), state.looks.isPrivate)
    const to = entries === 0 ? 'nothing on the whitelist' : `${entries} on the whitelist`
    const forms = [
      `${available} available, ${to}`,
      `${available}, ${to}`,
      `${available}, ${entries === 0 ? 'none' : entries} listed`,
    ].map(cellText)
    const said = { forms, tone: entries === 0 ? ('dim' as const) : ('label' as const) }
    return choiceRow(currency === form.currency, cellText(currency.padEnd(6)), said, width)
  })
}

function beneficiaryChoices(state: DeskState, { form, query }: WithdrawEditing, width: number): Row[] {
  if (state.whitelist.value === null) return [[span('   Waiting for the whitelist…', 'dim')]]
  const all = beneficiariesOf(state, form.currency, query)
  if (all.length === 0)
    return words(
      query === ''
        ? `No whitelist entry for ${form.currency ?? 'it'}: add entries on the exchange's web page.`
        : `No entry matches. ${keyOf(state.reboundKeys, 'eraseInWithdraw')} deletes.`,
      width,
      'warn',
    )
  const at = all.findIndex(({ whitelistId }) => whitelistId === form.whitelistId)
  return windowOf(all, Math.max(0, at), choicesMax).map((entry): Row => {
    const mark = entryMark(state, entry)
    const said = { forms: [cellText(mark === '' ? '' : `  ${mark}`)], tone: 'warn' as const }
    const name = cutWords(cellText(entryText(entry)), width - 5)
    return choiceRow(entry.whitelistId === form.whitelistId, name, said, width)
  })
}

function choiceRows(state: DeskState, overlay: WithdrawEditing, width: number): Row[] {
  if (overlay.field === 'currency') return [...currencyChoices(state, overlay, width), []]
  if (overlay.field === 'beneficiary') return [...beneficiaryChoices(state, overlay, width), []]
  return []
}

/** The form: its fields, the choices of the focused one, the sums, and every check. */
export function withdrawFormRows(state: DeskState, overlay: WithdrawEditing, width: number): Row[] {
  const { form, field } = overlay
  const reading = readWithdraw(state, form)
  const fields = fieldsOf(form, state.withdrawalRules.approver)
  const { available } = reading
  const isApprovalNeeded = needsApproval(reading, form) && !form.wantsApproval
  const availableRow =
    form.currency === null || available === null
      ? []
      : valued('available', own(amountText(state, available, form.currency), state.looks.isPrivate), width)
  return [
    ...twoFactorRows(state, width),
    ...fields.flatMap((each) => [
      fieldRow(state, overlay, each, { width, isApprovalNeeded }),
      ...(each === field ? choiceRows(state, overlay, width) : []),
    ]),
    [],
    ...availableRow,
    ...sumRows(state, form, reading, width),
    ...outlookRows(state, form, reading, width),
    [],
    ...checkRows(ownChecks(reading.checks, state.looks.isPrivate), width, null),
  ]
}

/** As much of the form as fits: always including the focused field and its selected choice. */
export function formInRoom(rows: readonly Row[], room: number): Row[] {
  if (rows.length <= room) return [...rows]
  const mark = cursorMark(true).text
  const cursorAt = rows.findLastIndex((row) => row[1]?.text === mark)
  const top = Math.max(0, Math.min(cursorAt + 2 - (room - 1), rows.length - (room - 1)))
  const below = rows.length - top - (room - 1)
  return [
    ...rows.slice(top, top + room - 1),
    below > 0 ? [span(` ${below} more below: the review shows them`, 'dim')] : [],
  ]
}
