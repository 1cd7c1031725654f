import type { DeskState } from '../../../store/desk.ts'
import { fieldsOf, type WithdrawEditing, type WithdrawField } from '../../../store/transfers/withdraw.ts'
import {
  beneficiariesOf,
  needsApproval,
  readWithdraw,
  withdrawCurrencies,
} from '../../../store/transfers/withdraw-reading.ts'
import { windowOf } from '../../tables/list-window.ts'
import { cellText, cut, safeText } from '../../text/cells.ts'
import { cursorMark, type Row, span } from '../../text/row.ts'
import { typedText } from '../../text/typed.ts'
import { amountText, checkRows, entryMark, entryText, sumRows, twoFactorRows, valued, words } from './withdraw-parts.ts'

const names: Readonly<Record<WithdrawField, string>> = {
  currency: 'currency',
  beneficiary: 'to',
  how: 'send',
  amount: 'amount',
  approval: 'approval',
  note: 'note',
}
const nameWidth = 10
/** Choices beside each other on screen at a time. */
const choicesMost = 5

/** One's own remark: while it is written its end, else its beginning. */
function noteText(note: string, isHere: boolean, room: number): string {
  const cells = cellText(note)
  if (!isHere) return cells === '' ? 'stays on this machine' : cut(cells, room)
  return typedText(cells, true, room)
}

/** What a field holds, in words. */
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
      const name = entry === undefined ? (form.whitelistId ?? (isHere ? '' : 'nobody yet')) : entryText(entry)
      const mark = entry === undefined ? '' : entryMark(state, entry)
      return `${name}${mark === '' ? '' : `  ${mark}`}${isHere && query !== '' ? `  search: ${query}_` : ''}`
    }
    case 'how':
      return form.how === 'amount' ? 'an amount' : 'everything that is available, less the fee'
    case 'amount':
      return `${form.amountText}${isHere ? '_' : ''} ${form.currency ?? ''}`
    case 'approval':
      // Where the limits want it, nobody's wish makes a difference.
      return isApprovalNeeded || form.wantsApproval
        ? `${isApprovalNeeded ? 'required: ' : ''}${state.withdrawalRules.approver ?? 'a second person'} has to approve`
        : 'not asked for'
    case 'note':
      return noteText(form.note ?? '', isHere, room)
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
    span(safeText(text), isHere ? 'cursor' : 'text'),
  ]
}

function currencyChoices(state: DeskState, { form, query }: WithdrawEditing): Row[] {
  const all = withdrawCurrencies(state, query)
  if (state.balances.value === null) return [[span('   Waiting for the balances…', 'dim')]]
  if (all.length === 0) return [[span('   No currency matches: Backspace takes letters away.', 'dim')]]
  return windowOf(all, Math.max(0, all.indexOf(form.currency ?? '')), choicesMost).map((currency): Row => {
    const balance = state.balances.value?.find((each) => each.currency === currency)
    const entries = beneficiariesOf(state, currency, '').length
    const available = balance === undefined ? 'none' : amountText(state, balance.available, currency)
    const to = entries === 0 ? 'nobody on the whitelist' : `${entries} on the whitelist`
    return [
      span('   '),
      cursorMark(currency === form.currency),
      span(cellText(currency.padEnd(6))),
      span(cellText(`${available} available, ${to}`), entries === 0 ? 'dim' : 'label'),
    ]
  })
}

function beneficiaryChoices(state: DeskState, { form, query }: WithdrawEditing, width: number): Row[] {
  if (state.whitelist.value === null) return [[span('   Waiting for the whitelist…', 'dim')]]
  const all = beneficiariesOf(state, form.currency, query)
  if (all.length === 0)
    return words(
      query === ''
        ? `Nobody on the whitelist for ${form.currency ?? 'it'}: entries are made on the exchange's own web page.`
        : 'Nobody matches: Backspace takes letters away.',
      width,
      'warn',
    )
  const at = all.findIndex(({ whitelistId }) => whitelistId === form.whitelistId)
  return windowOf(all, Math.max(0, at), choicesMost).map((entry): Row => {
    const mark = entryMark(state, entry)
    return [
      span('   '),
      cursorMark(entry.whitelistId === form.whitelistId),
      span(cellText(entryText(entry))),
      span(cellText(mark === '' ? '' : `  ${mark}`), 'warn'),
    ]
  })
}

function choiceRows(state: DeskState, overlay: WithdrawEditing, width: number): Row[] {
  if (overlay.field === 'currency') return [...currencyChoices(state, overlay), []]
  if (overlay.field === 'beneficiary') return [...beneficiaryChoices(state, overlay, width), []]
  return []
}

/** The form: its fields, the choices of the one with the cursor, what it comes to, and every check. */
export function withdrawFormRows(state: DeskState, overlay: WithdrawEditing, width: number): Row[] {
  const { form, field } = overlay
  const reading = readWithdraw(state, form)
  const fields = fieldsOf(form, state.withdrawalRules.approver)
  const { available } = reading
  const isApprovalNeeded = needsApproval(reading, form) && !form.wantsApproval
  const availableRow =
    form.currency === null || available === null
      ? []
      : valued('available', amountText(state, available, form.currency), width)
  return [
    ...twoFactorRows(state, width),
    ...fields.flatMap((each) => [
      fieldRow(state, overlay, each, { width, isApprovalNeeded }),
      ...(each === field ? choiceRows(state, overlay, width) : []),
    ]),
    [],
    ...availableRow,
    ...sumRows(state, form, reading, width),
    [],
    ...checkRows(reading.checks, width, null),
  ]
}
