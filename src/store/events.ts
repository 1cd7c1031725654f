import type { Balance, Fees, Ticker } from '../domain/balance.ts'
import type { Book } from '../domain/book.ts'
import type { Fill } from '../domain/fill.ts'
import type { Instrument } from '../domain/instrument.ts'
import type { Mode } from '../domain/mode.ts'
import type { Order, OrderDraft } from '../domain/order.ts'
import type { CancelAllOutcome, CancelOutcome, OrderOutcome } from '../domain/order-outcome.ts'
import type { TicketForm } from '../domain/ticket.ts'
import type { FeedName } from './feed.ts'
import type { LogLevel, Overlay, PaneName, Screen, TicketField } from './state.ts'

/** What the polling services report. */
export type FeedEvent =
  | {
      type: 'instruments'
      instruments: ReadonlyMap<string, Instrument>
      atMs: number
    }
  | { type: 'book'; symbol: string; book: Book; atMs: number }
  | { type: 'tickers'; tickers: ReadonlyMap<string, Ticker>; atMs: number }
  | { type: 'orders'; orders: readonly Order[]; atMs: number }
  | { type: 'orderEnded'; order: Order; atMs: number }
  | { type: 'fills'; fills: readonly Fill[]; atMs: number }
  | { type: 'balances'; balances: readonly Balance[]; atMs: number }
  | { type: 'fees'; fees: Fees; atMs: number }
  | {
      type: 'feedFailed'
      feed: FeedName
      symbol: string | null
      sentence: string
      atMs: number
    }
  | { type: 'answered'; roundTripMs: number; skewMs: number | null }

/** What became of writes. */
export type WriteEvent =
  | {
      type: 'orderSent'
      draft: OrderDraft
      clientOrderId: string
      atMs: number
    }
  | {
      type: 'orderOutcome'
      draft: OrderDraft
      outcome: OrderOutcome
      atMs: number
    }
  | { type: 'orderNotSent'; draft: OrderDraft; reason: string; atMs: number }
  | { type: 'cancelSent'; orderId: string; atMs: number }
  | { type: 'cancelOutcome'; outcome: CancelOutcome; atMs: number }
  | { type: 'cancelAllSent'; symbol: string | null; atMs: number }
  | { type: 'cancelAllOutcome'; outcome: CancelAllOutcome; atMs: number }
  | {
      type: 'settled'
      key: string
      sentence: string
      level: LogLevel
      atMs: number
    }

/** What a person does, already read from keys. */
export type PersonEvent =
  | { type: 'paneFocused'; pane: PaneName }
  | { type: 'cursorMoved'; rows: number; atMs: number }
  | { type: 'ladderCentred'; atMs: number }
  | { type: 'groupChanged'; step: 1 | -1; atMs: number }
  | { type: 'orderSelected'; step: number }
  | { type: 'ticketOpened'; form: TicketForm; field: TicketField }
  | { type: 'ticketChanged'; form: TicketForm }
  | { type: 'ticketFieldChosen'; field: TicketField }
  | { type: 'ticketReviewed'; atMs: number }
  | { type: 'ticketBackToEdit' }
  | { type: 'ticketSending' }
  | { type: 'ticketClosed' }
  | { type: 'symbolChosen'; symbol: string; atMs: number }
  | { type: 'overlayOpened'; overlay: Overlay }
  | { type: 'overlayClosed' }
  | { type: 'modeChanged'; mode: Mode; atMs: number }

/** What the desk itself does. */
export type DeskEvent =
  | { type: 'ticked'; nowMs: number }
  | { type: 'resized'; screen: Screen }
  | { type: 'noted'; level: LogLevel; text: string; atMs: number }

export type StoreEvent = FeedEvent | WriteEvent | PersonEvent | DeskEvent
