import { err, ok, type Result } from '../base/result.ts'
import { mayPlace } from '../domain/desk/mode.ts'
import { keyOf } from '../domain/desk/session.ts'
import { formatPrice, formatQuantity, type Instrument, roundToTick } from '../domain/market/instrument.ts'
import type { Side } from '../domain/orders/order.ts'
import type { TicketRequest } from '../domain/orders/sentence.ts'
import { emptyTicket, type TicketForm } from '../domain/orders/ticket.ts'
import type { CommandContext } from './command-context.ts'
import { activeLadder, activeSymbol } from './ladder/ladders.ts'
import { modeSentence } from './mode-sentence.ts'
import type { DeskState } from './state.ts'
import { isTextField, textOf, ticketFields } from './ticket-form.ts'
import { shareText } from './ticket-share.ts'

export type TicketOpenCommands = {
  /** Opens the ticket at the ladder's cursor. */
  openTicket(side: Side): void
  /**
   * Opens the ticket with what was asked for, in the symbol it names; a share of what is available is reckoned now. It
   * is the same ticket with the same checks, open for editing: nothing is sent.
   */
  openTicketWith(request: TicketRequest): void
}

/** Symbol → the quantity a person sent last in it, as typed: what the next ticket starts with. */
export type LastQuantity = Map<string, string>

/** Opening the ticket, from the ladder and from a sentence. */
export function createTicketOpenCommands(
  { store, port }: CommandContext,
  lastQuantity: LastQuantity,
): TicketOpenCommands {
  const say = (text: string) => store.dispatch({ type: 'noted', level: 'warn', text, atMs: port.now() })
  /** The rules of a symbol that a ticket can be opened in just now, or why none can. */
  const rulesFor = (state: DeskState, symbol: string): Result<Instrument> => {
    const instrument = state.instruments.value?.get(symbol)
    if (instrument === undefined) return err(`The rules of ${symbol} are not here yet: wait for them.`)
    if (!mayPlace(state.mode)) return err(modeSentence(state))
    // While an order is on its way its ticket stays: a second one would hide what became of the first.
    if (state.ticket?.stage === 'sending') return err('Wait: the last order has no answer yet.')
    return ok(instrument)
  }
  return {
    openTicket(side) {
      const state = store.getState()
      const symbol = activeSymbol(state)
      const rules = rulesFor(state, symbol)
      if (!rules.ok) return say(rules.error)
      const instrument = rules.value
      const cursor = state[activeLadder(state)].cursorPrice
      const priceText = cursor === null ? '' : formatPrice(roundToTick(cursor, side, instrument), instrument)
      const quantityText = lastQuantity.get(symbol) ?? formatQuantity(instrument.minQuantity, instrument)
      const form = { ...emptyTicket(instrument, side), priceText, quantityText }
      store.dispatch({ type: 'ticketOpened', form, field: 'quantity' })
    },
    openTicketWith({ form, sharePercent }) {
      const state = store.getState()
      const rules = rulesFor(state, form.symbol)
      if (!rules.ok) return say(rules.error)
      if (form.symbol !== activeSymbol(state)) {
        store.dispatch({ type: 'symbolChosen', symbol: form.symbol, atMs: port.now() })
        port.refresh()
      }
      const share =
        sharePercent === null ? form.quantityText : shareText(store.getState(), form, sharePercent, rules.value)
      const filled = { ...form, quantityText: share ?? '' }
      store.dispatch({ type: 'ticketOpened', form: filled, field: firstEmpty(filled) })
      if (share !== null) return
      const key = keyOf(state.reboundKeys, 'share', '%')
      say(`Press ${key} in a moment: ${sharePercent ?? ''}% of available is not known yet.`)
    },
  }
}

/** The first field that still needs a text; the quantity when none does. */
const firstEmpty = (form: TicketForm) =>
  ticketFields(form).find((field) => isTextField(field) && field !== 'minimum' && form[textOf[field]] === '') ??
  'quantity'
