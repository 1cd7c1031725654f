import { readTypedAmount } from '../../domain/amount-text.ts'
import { type EntryRules, usualEntry } from '../../domain/entry-rules.ts'
import { formatPrice, formatQuantity, type Instrument } from '../../domain/market/instrument.ts'
import type { CheckRule } from '../../domain/orders/checks/check.ts'
import type { DraftedOrder } from '../../domain/orders/drafted-order.ts'
import { type OrderDraft, orderTypes } from '../../domain/orders/order.ts'
import {
  needsLimitPrice,
  needsStopPrice,
  nudgeDay,
  takesExpiry,
  takesMinimum,
  takesPostOnly,
  timesInForceOf,
} from '../../domain/orders/order-fields.ts'
import { isBracket, nudge, priceUse, quantityUse, type TicketForm } from '../../domain/orders/ticket.ts'
import { sides } from '../../domain/side.ts'
import type { PaneName } from '../view/panes.ts'

export type TicketField =
  | 'side'
  | 'type'
  | 'quantity'
  | 'stop'
  | 'price'
  | 'timeInForce'
  | 'expiry'
  | 'minimum'
  | 'postOnly'
  | 'loss'
  | 'target'

/** The pane that an order was taken from as a draft, and which draft: who leaves the ticket goes on there. */
type TakenFrom = { pane: PaneName; draftId: string }

/** Where a ticket came from. */
type TicketOrigin = {
  /** What the ladder showed before a sentence opened the ticket in another symbol: who leaves it sees that again. */
  symbolBefore?: string
  /** The draft that the order is, as long as nothing of it was changed. */
  drafted?: DraftedOrder
  takenFrom?: TakenFrom
  /** The pane whose keys opened it, where that is no ladder: they are meant again once the ticket is left or sent. */
  paneBefore?: PaneName
}

/**
 * The ticket goes edit → review → sending; a review is armed a moment after it opened so that a repeat of Enter
 * cannot send.
 */
export type TicketState = TicketOrigin &
  (
    | {
        stage: 'edit'
        form: TicketForm
        field: TicketField
        /**
         * Something was typed into the field since it was chosen; until then the first character takes the place of
         * what stands there.
         */
        isTyped?: true
        /** The first line shown of what the checks say, where there are too few lines; until the next change. */
        top?: number
      }
    | {
        stage: 'review'
        /** With the quantity that goes out, whatever the price does meanwhile. */
        form: TicketForm
        /** The size that the quantity was computed from, as it was typed; left out for one typed as a quantity. */
        sizeText?: string
        field: TicketField
        reviewedAtMs: number
        /** Rules whose soft limits the person has confirmed for this order. */
        confirmed: readonly CheckRule[]
        /** The quantity typed once more, as far as it is typed: what confirms an unusual size. */
        retyped: string
        /** The first line that is shown, where there are too few for all; the first of all unless given. */
        top?: number
      }
    | { stage: 'sending'; form: TicketForm; field: TicketField }
  )

export type TicketEvent =
  /** `isTaking`: the order takes from the book as the ticket opens. */
  | {
      type: 'ticketOpened'
      form: TicketForm
      field: TicketField
      isTaking?: boolean
      symbolBefore?: string
      drafted?: DraftedOrder
      takenFrom?: TakenFrom
    }
  /** `isTyped` where a person edits the text itself, so that the next character goes on from it. */
  | { type: 'ticketChanged'; form: TicketForm; isTyped?: true }
  | { type: 'ticketFieldChosen'; field: TicketField }
  /** `quantityText` is what a size comes to now, and stands from then on; left out where the quantity was typed. */
  | { type: 'ticketReviewed'; atMs: number; quantityText?: string }
  | { type: 'ticketConfirmed'; rules: readonly CheckRule[] }
  | { type: 'ticketRetyped'; text: string }
  | { type: 'ticketScrolled'; top: number }
  | { type: 'ticketBackToEdit' }
  /** `sizeText` is what the next ticket of the symbol begins with. */
  | { type: 'ticketSending'; sizeText?: string }
  | { type: 'ticketClosed' }

/** A key repeat that opened the review must not also send it. */
export const reviewArmedAfterMs = 150

/** The ticket after what a person did to it; what does not fit its stage changes nothing. */
export function ticketAfter(ticket: TicketState | null, event: TicketEvent): TicketState | null {
  const after = nextStage(ticket, event)
  if (after === null || after === ticket) return after
  const kept: TicketOrigin = (event.type === 'ticketOpened' ? event : ticket) ?? {}
  const { symbolBefore, drafted, takenFrom, paneBefore } = kept
  return {
    ...after,
    ...(symbolBefore === undefined ? {} : { symbolBefore }),
    ...(takenFrom === undefined ? {} : { takenFrom }),
    ...(paneBefore === undefined ? {} : { paneBefore }),
    // What a person changes is that person's order: the draft stays as it is.
    ...(drafted === undefined || event.type === 'ticketChanged' ? {} : { drafted }),
  }
}

function nextStage(ticket: TicketState | null, event: TicketEvent): TicketState | null {
  if (event.type === 'ticketOpened') return { stage: 'edit', form: event.form, field: event.field }
  if (ticket === null || event.type === 'ticketClosed') return null
  const { form, field, stage } = ticket
  switch (event.type) {
    case 'ticketChanged':
      if (stage !== 'edit') return ticket
      return event.isTyped === true
        ? { stage, form: event.form, field, isTyped: true }
        : { stage, form: event.form, field }
    case 'ticketFieldChosen':
      return stage === 'edit' ? { stage, form, field: event.field } : ticket
    case 'ticketReviewed':
      return stage === 'edit' ? reviewOf(ticket, event) : ticket
    case 'ticketConfirmed':
      return stage === 'review' ? { ...ticket, confirmed: event.rules } : ticket
    case 'ticketRetyped':
      return stage === 'review' ? { ...ticket, retyped: event.text } : ticket
    case 'ticketScrolled':
      return stage === 'sending' ? ticket : { ...ticket, top: event.top }
    case 'ticketBackToEdit':
      return editAgain(ticket)
    case 'ticketSending':
      return { stage: 'sending', form, field }
  }
}

/** The review of what is in the fields; its quantity stands still. */
function reviewOf(
  { form, field }: TicketState,
  { atMs, quantityText }: Extract<TicketEvent, { type: 'ticketReviewed' }>,
): TicketState {
  const review = { stage: 'review', field, reviewedAtMs: atMs, confirmed: [], retyped: '' } as const
  return quantityText === undefined
    ? { ...review, form }
    : { ...review, form: { ...form, quantityText }, sizeText: form.quantityText }
}

/** Back in the fields, with the size as it was typed: it follows the price again. */
function editAgain(ticket: TicketState): TicketState {
  const { form, field } = ticket
  const sizeText = ticket.stage === 'review' ? ticket.sizeText : undefined
  return { stage: 'edit', form: sizeText === undefined ? form : { ...form, quantityText: sizeText }, field }
}

/** A ticket under review is looked at again before it goes: what covers the screen takes it a step back. */
export const withoutTicketReview = (ticket: TicketState | null): TicketState | null =>
  ticket?.stage === 'review' ? editAgain(ticket) : ticket

/** True once the quantity has been typed again and is the very one that goes out. */
const isRetyped = (retyped: string, draft: OrderDraft): boolean =>
  readTypedAmount(retyped)?.eq(draft.orderQuantity) === true

/** The rules a review has had confirmed: soft limits by their key, an unusual size by the quantity typed once more. */
export const confirmedRules = (
  { confirmed, retyped }: Extract<TicketState, { stage: 'review' }>,
  draft: OrderDraft,
): CheckRule[] => (isRetyped(retyped, draft) ? [...confirmed, 'unusual'] : [...confirmed])

/** Where each typed field keeps its text in the form. */
export const textOf = {
  quantity: 'quantityText',
  price: 'priceText',
  stop: 'stopText',
  minimum: 'minimumText',
  loss: 'lossText',
  target: 'targetText',
  expiry: 'expireText',
} as const
export type TextField = keyof typeof textOf
export const isTextField = (field: TicketField): field is TextField => field in textOf

/** The fields that apply to the form's type and time in force, in the order Tab walks them. */
export function ticketFields({ type, timeInForce, isProtected }: TicketForm): TicketField[] {
  const fields: TicketField[] = ['side', 'type', 'quantity']
  if (needsStopPrice(type)) fields.push('stop')
  if (needsLimitPrice(type)) fields.push('price')
  if (isBracket({ type, isProtected })) return [...fields, 'loss', 'target']
  fields.push('timeInForce')
  if (takesExpiry(timeInForce)) fields.push('expiry')
  if (takesMinimum(timeInForce)) fields.push('minimum')
  if (takesPostOnly(type, timeInForce)) fields.push('postOnly')
  return fields
}

/** The value `step` places on from `value`, round and round. */
export function wrapped<T>(values: readonly T[], value: T, step: number): T {
  const index = (values.indexOf(value) + step) % values.length
  return values.at(index) ?? value
}

/** With a day to live to, today is where it starts: the day order of other desks. */
const withTime = (form: TicketForm, timeInForce: TicketForm['timeInForce'], nowMs: number): TicketForm => ({
  ...form,
  timeInForce,
  expireText: takesExpiry(timeInForce) && form.expireText === '' ? nudgeDay('', 0, nowMs) : form.expireText,
})

/**
 * The form with another type. A time in force that the type does not take, or that was only the first one of the type
 * before, gives way to the type's first: a limit order looked at as a market order and back is not left
 * immediate-or-cancel.
 */
function withType(form: TicketForm, type: TicketForm['type'], nowMs: number): TicketForm {
  const times = timesInForceOf(type)
  const wasChosen = form.timeInForce !== timesInForceOf(form.type)[0]
  const timeInForce = wasChosen && times.includes(form.timeInForce) ? form.timeInForce : (times[0] ?? 'GTC')
  // A stop begins where the price stood: the row of the ladder that the ticket was opened in.
  const stopText = needsStopPrice(type) && form.stopText === '' ? form.priceText : form.stopText
  return withTime({ ...form, type, stopText }, timeInForce, nowMs)
}

export type Nudge = { count: number; instrument: Instrument; nowMs: number }

/** The form after `count` steps in a field: ticks, lots, days, or the next choice. */
export function nudged(form: TicketForm, field: TicketField, { count, instrument, nowMs }: Nudge): TicketForm {
  const step = Math.sign(count)
  const priceText = (text: string) => {
    const price = nudge(text, priceUse(instrument), instrument.tickSize, count)
    return price === null ? text : formatPrice(price, instrument)
  }
  const quantityText = (text: string) => {
    const quantity = nudge(text, quantityUse(instrument), instrument.lotSize, count)
    return quantity === null ? text : formatQuantity(quantity, instrument)
  }
  switch (field) {
    case 'side':
      return { ...form, side: form.side === 'BUY' ? 'SELL' : 'BUY' }
    case 'type':
      return withType(form, wrapped(orderTypes, form.type, step), nowMs)
    case 'timeInForce':
      return withTime(form, wrapped(timesInForceOf(form.type), form.timeInForce, step), nowMs)
    case 'postOnly':
      return { ...form, postOnly: !form.postOnly }
    case 'expiry':
      return { ...form, expireText: nudgeDay(form.expireText, count, nowMs) }
    case 'quantity':
      return { ...form, quantityText: quantityText(form.quantityText) }
    case 'minimum':
      return { ...form, minimumText: quantityText(form.minimumText) }
    case 'price':
      return { ...form, priceText: priceText(form.priceText) }
    case 'stop':
      return { ...form, stopText: priceText(form.stopText) }
    // From the entry: a tick above nothing is no price.
    case 'loss':
      return { ...form, lossText: priceText(form.lossText === '' ? form.priceText : form.lossText) }
    case 'target':
      return { ...form, targetText: priceText(form.targetText === '' ? form.priceText : form.targetText) }
  }
}

/** The choice a letter names: the next one that begins with it, so that a second `s` goes on from STOP to STOPLIMIT. */
function named<T extends string>(values: readonly T[], value: T, letter: string): T {
  const at = values.indexOf(value)
  const after = [...values.slice(at + 1), ...values.slice(0, at + 1)]
  return after.find((each) => each.toLowerCase().startsWith(letter)) ?? value
}

/** The form after a letter typed into a field that is a choice; a letter that names none changes nothing. */
export function chosenByLetter(form: TicketForm, field: TicketField, typed: string, nowMs: number): TicketForm {
  const letter = typed.toLowerCase()
  if (letter.length !== 1) return form
  switch (field) {
    case 'side':
      return { ...form, side: named(sides, form.side, letter) }
    case 'type':
      return withType(form, named(orderTypes, form.type, letter), nowMs)
    case 'timeInForce':
      return withTime(form, named(timesInForceOf(form.type), form.timeInForce, letter), nowMs)
    case 'postOnly':
      return letter === ' '
        ? { ...form, postOnly: !form.postOnly }
        : { ...form, postOnly: letter === 'y' || (letter !== 'n' && form.postOnly) }
    default:
      return form
  }
}

export type TicketSlice = { ticket: TicketState | null }

/** How orders are written here; `lastSizes`: symbol → the size that was sent last in it, as typed. */
export type EntrySlice = {
  entry: EntryRules
  lastSizes: ReadonlyMap<string, string>
  /** The mode changed over the open ticket: its order goes by a review, whatever its size. */
  isReviewDue: boolean
  /** The order of the ticket took from the book as it opened: whoever opened it meant that. */
  isOpenedTaking: boolean
}

export const startTicket = (entry: EntryRules = usualEntry): TicketSlice & EntrySlice => ({
  ticket: null,
  entry,
  lastSizes: new Map(),
  isReviewDue: false,
  isOpenedTaking: false,
})

export type TicketPort = {
  submitOrder(draft: OrderDraft): void
  /** Sends the draft of an order as it was reviewed, once; what came of it arrives as for any other order. */
  sendOrderDraft(draftId: string, reviewed: OrderDraft): void
}
