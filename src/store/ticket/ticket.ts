import { readTypedAmount } from '../../domain/amount-text.ts'
import { type EntryRules, usualEntry } from '../../domain/entry-rules.ts'
import { formatPrice, formatQuantity, type Instrument } from '../../domain/market/instrument.ts'
import { anyUnusual, type Confirmed } from '../../domain/orders/checks/check.ts'
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

/** The pane and draft that an order came from: leaving the ticket returns there. */
type TakenFrom = { pane: PaneName; draftId: string }

/** The origin of a ticket. */
type TicketOrigin = {
  /** The ladder's symbol before a sentence opened the ticket in another one: leaving the ticket restores it. */
  symbolBefore?: string
  /** The draft of the order, while nothing of it has changed. */
  drafted?: DraftedOrder
  takenFrom?: TakenFrom
  /** The pane whose keys opened it, unless a ladder: it gets the keys back once the ticket is left or sent. */
  paneBefore?: PaneName
}

/**
 * The ticket goes edit → review → sending; a review is armed shortly after it opened, so that a repeated Enter cannot
 * send.
 */
export type TicketState = TicketOrigin &
  (
    | {
        stage: 'edit'
        form: TicketForm
        field: TicketField
        /** The field was edited since it was selected; until then the first character replaces its text. */
        isTyped?: true
        /** The first visible line of the checks, if they do not all fit; until the next change. */
        top?: number
      }
    | {
        stage: 'review'
        /** With the quantity to send, whatever the price does meanwhile. */
        form: TicketForm
        /** The size behind the quantity, as typed; omitted for one typed as a quantity. */
        sizeText?: string
        field: TicketField
        reviewedAtMs: number
        /** The soft limits that the user has confirmed for this order. */
        confirmed: readonly Confirmed[]
        /** The quantity typed again so far, which confirms an unusual size. */
        retyped: string
        /** The first visible line, if they do not all fit; 0 unless given. */
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
  /** `isTyped` when the user edits the text itself, so that the next character is appended. */
  | { type: 'ticketChanged'; form: TicketForm; isTyped?: true }
  | { type: 'ticketFieldChosen'; field: TicketField }
  /** `quantityText` is the present quantity of a size, fixed from then on; omitted for a typed quantity. */
  | { type: 'ticketReviewed'; atMs: number; quantityText?: string }
  | { type: 'ticketConfirmed'; limits: readonly Confirmed[] }
  | { type: 'ticketRetyped'; text: string }
  | { type: 'ticketScrolled'; top: number }
  | { type: 'ticketBackToEdit' }
  /** `sizeText` is the initial size of the symbol's next ticket. */
  | { type: 'ticketSending'; sizeText?: string }
  | { type: 'ticketClosed' }

/** A key repeat that opened the review must not also send it. */
export const reviewArmedAfterMs = 150

/** The ticket after the user's action; one that does not fit its stage changes nothing. */
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
    // A changed order is the user's own: the draft stays as it is.
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
      return stage === 'review' ? { ...ticket, confirmed: event.limits } : ticket
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

/** The review of the form, with a fixed quantity. */
function reviewOf(
  { form, field }: TicketState,
  { atMs, quantityText }: Extract<TicketEvent, { type: 'ticketReviewed' }>,
): TicketState {
  const review = { stage: 'review', field, reviewedAtMs: atMs, confirmed: [], retyped: '' } as const
  return quantityText === undefined
    ? { ...review, form }
    : { ...review, form: { ...form, quantityText }, sizeText: form.quantityText }
}

/** Editing again, with the size as typed: it follows the price again. */
function editAgain(ticket: TicketState): TicketState {
  const { form, field } = ticket
  const sizeText = ticket.stage === 'review' ? ticket.sizeText : undefined
  return { stage: 'edit', form: sizeText === undefined ? form : { ...form, quantityText: sizeText }, field }
}

/** An overlay takes a ticket under review one step back, so that it is reviewed again before sending. */
export const withoutTicketReview = (ticket: TicketState | null): TicketState | null =>
  ticket?.stage === 'review' ? editAgain(ticket) : ticket

/** True when the retyped quantity is the one to be sent. */
const isRetyped = (retyped: string, draft: OrderDraft): boolean =>
  readTypedAmount(retyped)?.eq(draft.orderQuantity) === true

/** What is confirmed in a review: soft limits by their key, an unusual size by the retyped quantity. */
export const confirmedLimits = (
  { confirmed, retyped }: Extract<TicketState, { stage: 'review' }>,
  draft: OrderDraft,
): Confirmed[] => (isRetyped(retyped, draft) ? [...confirmed, anyUnusual] : [...confirmed])

/** The form's property for each typed field. */
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

/** The fields that apply to the form's type and time in force, in Tab order. */
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

/** The value `step` places after `value`, cyclically. */
export function wrapped<T>(values: readonly T[], value: T, step: number): T {
  const index = (values.indexOf(value) + step) % values.length
  return values.at(index) ?? value
}

/** GTD starts with today: the day order of other desks. */
const withTime = (form: TicketForm, timeInForce: TicketForm['timeInForce'], nowMs: number): TicketForm => ({
  ...form,
  timeInForce,
  expireText: takesExpiry(timeInForce) && form.expireText === '' ? nudgeDay('', 0, nowMs) : form.expireText,
})

/**
 * The form with another type. Its time in force becomes the type's first if the type does not allow it, or if it was
 * only the previous type's first: a limit order viewed as a market order and back does not stay immediate-or-cancel.
 */
function withType(form: TicketForm, type: TicketForm['type'], nowMs: number): TicketForm {
  const times = timesInForceOf(type)
  const wasChosen = form.timeInForce !== timesInForceOf(form.type)[0]
  const timeInForce = wasChosen && times.includes(form.timeInForce) ? form.timeInForce : (times[0] ?? 'GTC')
  // A stop starts at the former price: the ladder's row in which the ticket was opened.
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
    // From the entry: a tick above nothing is not a price.
    case 'loss':
      return { ...form, lossText: priceText(form.lossText === '' ? form.priceText : form.lossText) }
    case 'target':
      return { ...form, targetText: priceText(form.targetText === '' ? form.priceText : form.targetText) }
  }
}

/** The choice of a letter: the next one that begins with it, so that a second `s` goes from STOP to STOPLIMIT. */
function named<T extends string>(values: readonly T[], value: T, letter: string): T {
  const at = values.indexOf(value)
  const after = [...values.slice(at + 1), ...values.slice(0, at + 1)]
  return after.find((each) => each.toLowerCase().startsWith(letter)) ?? value
}

/** The form after a letter in a choice field; a letter without a choice changes nothing. */
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

/** The rules of order entry; `lastSizes`: symbol → the last sent size, as typed. */
export type EntrySlice = {
  entry: EntryRules
  lastSizes: ReadonlyMap<string, string>
  /** The mode changed with the ticket open: its order needs a review, whatever its size. */
  isReviewDue: boolean
  /** The order took from the book as the ticket opened, so the user meant that. */
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
  /** Sends an order draft as it was reviewed, once; the outcome arrives as for any other order. */
  sendOrderDraft(draftId: string, reviewed: OrderDraft): void
}
