import { edited, lineOf, typedInto } from '../../base/text/edited-line.ts'
import { plainText } from '../../base/text/plain-text.ts'
import { readPastedAmount } from '../../domain/amount-text.ts'
import { noteLengthMax } from '../../domain/draft.ts'
import type { FeedsSlice } from '../feeds/feeds.ts'
import { type NotedEvent, sayer } from '../log.ts'
import { type Covering, isOverlay, type OverlayEvent, type SliceContext } from '../slice.ts'
import type { TransfersSlice } from './transfers.ts'
import { fieldsOf, type WithdrawEditing, type WithdrawField, type WithdrawForm, withCurrency } from './withdraw.ts'
import { beneficiariesOf, withdrawCurrencies } from './withdraw-reading.ts'

/** The parts that its commands use. */
type Context = SliceContext<Choosable & Covering, OverlayEvent<WithdrawEditing> | NotedEvent>

export type WithdrawEditCommands = {
  /** +1 for the next field of the form, −1 for the previous one. */
  nextWithdrawField(step: 1 | -1): void
  /** The next or previous choice of a field with choices. */
  chooseInWithdraw(step: 1 | -1): void
  /** A character of the amount, of a choice's name, or of the note. */
  typeIntoWithdraw(text: string): void
  /** Pasted text is never read as keys, and changes the amount only if it certainly is one. */
  pasteIntoWithdraw(text: string): void
  eraseInWithdraw(): void
  clearWithdrawField(): void
}

const textMax = 32

/** The ids of a field's choices that begin with the typed text. */
function choices(state: FeedsSlice, { form, field, query }: WithdrawEditing): string[] {
  if (field === 'currency') return withdrawCurrencies(state, query)
  if (field === 'beneficiary') return beneficiariesOf(state, form.currency, query).map(({ whitelistId }) => whitelistId)
  return []
}

const chosen = (form: WithdrawForm, field: WithdrawField): string | null =>
  field === 'currency' ? form.currency : field === 'beneficiary' ? form.whitelistId : null

function withChoice(form: WithdrawForm, field: WithdrawField, choice: string): WithdrawForm {
  return field === 'currency' ? withCurrency(form, choice) : { ...form, whitelistId: choice }
}

/** Fills in a withdrawal. Nothing here saves or sends it. */
export function createWithdrawEditCommands({ store, port }: Context): WithdrawEditCommands {
  const say = sayer({ store, port }, { isOfField: true })
  const edit = (change: (overlay: WithdrawEditing, state: Choosable & Covering) => WithdrawEditing) => {
    const state = store.getState()
    const { overlay } = state
    if (!isOverlay<WithdrawEditing>(overlay, 'withdraw')) return
    const next = change(overlay, state)
    // A change takes away what was said of a field: where there is none, why there is none stays on screen.
    if (next !== overlay) store.dispatch({ type: 'overlayOpened', overlay: next })
  }
  /** Selects a typed choice as soon as it is the only one left. */
  const search = (overlay: WithdrawEditing, query: string, state: Choosable & Covering): WithdrawEditing => {
    const next = { ...overlay, query: query.slice(0, textMax) }
    const [only, ...others] = choices(state, next)
    return only === undefined || others.length > 0 ? next : { ...next, form: withChoice(next.form, next.field, only) }
  }
  const typed = (overlay: WithdrawEditing, text: string, state: Choosable & Covering): WithdrawEditing => {
    const { form, field, query } = overlay
    if (field === 'currency' || field === 'beneficiary') return search(overlay, query + text, state)
    if (field === 'note') return noted(overlay, text)
    if (field !== 'amount') return text === ' ' ? switched(overlay) : overlay
    // An amount takes every character and its check reports the wrong one: dropping it would make another amount of the
    // rest.
    return { ...overlay, form: { ...form, amountText: (form.amountText + text).slice(0, textMax) } }
  }
  const noted = (overlay: WithdrawEditing, text: string): WithdrawEditing => {
    const { line } = typedInto(lineOf(overlay.form.note ?? ''), plainText(text), noteLengthMax)
    return { ...overlay, form: { ...overlay.form, note: line } }
  }
  const switched = (overlay: WithdrawEditing): WithdrawEditing => {
    const { form, field } = overlay
    if (field === 'how') return { ...overlay, form: { ...form, how: form.how === 'all' ? 'amount' : 'all' } }
    if (field === 'approval') return { ...overlay, form: { ...form, wantsApproval: !form.wantsApproval } }
    return overlay
  }
  return {
    nextWithdrawField: (step) =>
      edit((overlay, { withdrawalRules }) => {
        const fields = fieldsOf(overlay.form, withdrawalRules.approver)
        const field = fields.at((fields.indexOf(overlay.field) + step) % fields.length) ?? overlay.field
        return { ...overlay, field, query: '' }
      }),
    chooseInWithdraw: (step) =>
      edit((overlay, state) => {
        const all = choices(state, overlay)
        if (all.length === 0) return switched(overlay)
        const at = all.indexOf(chosen(overlay.form, overlay.field) ?? '')
        const next = at === -1 ? (step === 1 ? 0 : all.length - 1) : Math.max(0, Math.min(all.length - 1, at + step))
        const choice = all[next]
        return choice === undefined ? overlay : { ...overlay, form: withChoice(overlay.form, overlay.field, choice) }
      }),
    typeIntoWithdraw: (text) => edit((overlay, state) => typed(overlay, text, state)),
    pasteIntoWithdraw: (text) =>
      edit((overlay, state) => {
        if (overlay.field === 'currency' || overlay.field === 'beneficiary')
          return search(overlay, overlay.query + text.trim(), state)
        if (overlay.field === 'note') return noted(overlay, text)
        if (overlay.field !== 'amount') return overlay
        const read = readPastedAmount(text, { what: 'amount', unit: overlay.form.currency })
        const plain = read.ok ? read.value.toFixed() : ''
        if (read.ok && plain.length <= textMax) return { ...overlay, form: { ...overlay.form, amountText: plain } }
        say(read.ok ? 'Paste has too many digits. Field unchanged.' : read.error)
        return overlay
      }),
    eraseInWithdraw: () =>
      edit((overlay, state) => {
        const { form, field, query } = overlay
        if (field === 'amount') return { ...overlay, form: { ...form, amountText: form.amountText.slice(0, -1) } }
        if (field === 'note')
          return { ...overlay, form: { ...form, note: edited(lineOf(form.note ?? ''), 'erase').line } }
        return query === '' ? overlay : search(overlay, query.slice(0, -1), state)
      }),
    clearWithdrawField: () =>
      edit((overlay) => {
        const { form, field } = overlay
        if (field === 'amount') return { ...overlay, form: { ...form, amountText: '' } }
        return field === 'note' ? { ...overlay, form: { ...form, note: null } } : { ...overlay, query: '' }
      }),
  }
}

/** The data that a withdrawal's choices come from. */
type Choosable = FeedsSlice & TransfersSlice
