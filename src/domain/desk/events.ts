import type { Balance, Fees, Ticker } from '../balance.ts'
import type { Listing, UnreadableEntry } from '../listing.ts'
import type { Bar, EquityPoint } from '../market/bar.ts'
import type { Book, OrderByOrderBook } from '../market/book.ts'
import type { Instrument } from '../market/instrument.ts'
import type { Decimal } from '../money.ts'
import type { Fill } from '../orders/fills.ts'
import type { Order, OrderDraft } from '../orders/order.ts'
import type {
  CancelAllOutcome,
  CancelEnd,
  CancelOutcome,
  OrderOutcome,
  WithdrawalOutcome,
} from '../orders/order-outcome.ts'
import type { UnknownWrite, UnknownWriteQuestion } from '../orders/unknown-write.ts'
import type { Deposit, WhitelistEntry, Withdrawal, WithdrawalRequest } from '../transfers/transfer.ts'
import type { FeedName } from './feeds.ts'

/** How good or bad a piece of news is. */
export type NewsLevel = 'info' | 'good' | 'warn' | 'bad'

/** How the calls to the exchange go: how many a second of how many allowed, and how many were made again. */
export type CallUse = {
  perSecond: number
  perSecondMax: number
  /** How long polls rest because the service asked for it; 0 when they do not. */
  pausedMs: number
  /** Reads that were sent once more since the desk started. */
  retryCount: number
}

/** What a poll brought. */
export type FeedAnswer = (
  | { type: 'instruments'; instruments: ReadonlyMap<string, Instrument> }
  | { type: 'book'; symbol: string; book: Book }
  /** The book order by order. */
  | { type: 'queue'; symbol: string; book: OrderByOrderBook }
  | { type: 'tickers'; tickers: ReadonlyMap<string, Ticker> }
  | { type: 'orders'; orders: readonly Order[] }
  | { type: 'fills'; fills: readonly Fill[] }
  /** Of the primary account; `others` are all that the answer has beside it, unknown unless given. */
  | { type: 'balances'; balances: readonly Balance[]; others?: ReadonlyMap<string, Listing<Balance>> }
  | { type: 'fees'; fees: Fees }
  /** All of them that are known, newest first. */
  | { type: 'withdrawals'; withdrawals: readonly Withdrawal[] }
  | { type: 'deposits'; deposits: readonly Deposit[] }
  | { type: 'whitelist'; whitelist: readonly WhitelistEntry[] }
) & {
  atMs: number
  /** Entries of the list that cannot be read, where there are any. */
  unreadable?: readonly UnreadableEntry[]
  /** False where the list could not be read to its end; whole unless said. */
  isWhole?: boolean
  /** The age from which on it looks stale, where the pauses that somebody asked for are too long for the usual one. */
  staleAfterMs?: number
}

/** What the polling services report. */
export type FeedEvent =
  | FeedAnswer
  | { type: 'orderEnded'; order: Order; atMs: number }
  | {
      type: 'feedFailed'
      feed: FeedName
      symbol: string | null
      sentence: string
      atMs: number
    }
  | { type: 'answered'; roundTripMs: number; skewMs: number | null; calls?: CallUse }
  /** Something in an answer that could not be read and was left out. */
  | { type: 'leftOut'; sentence: string; atMs: number }

/** How far the reading of fills is: of those on the exchange nobody knows how many there are. */
export type FillsReading = { from: 'exchange'; count: number } | { from: 'file'; count: number; total: number }

/** What the account's history tells. */
export type HistoryEvent =
  /** Executions in it so far; whole: all that the exchange lists. */
  | { type: 'historyProgress'; readCount: number; isWhole: boolean }
  /** Recorded minutes of a symbol, the oldest first. */
  | { type: 'barsLoaded'; symbol: string; bars: readonly Bar[] }
  | { type: 'equityLoaded'; points: readonly EquityPoint[] }

/** What became of writes. */
export type WriteEvent =
  | {
      type: 'orderSent'
      draft: OrderDraft
      clientOrderId: string
      /** Here and below: a plan sends it, and no person waits for it in a ticket. */
      isOfPlan?: true
      atMs: number
    }
  | {
      type: 'orderOutcome'
      draft: OrderDraft
      outcome: OrderOutcome
      /**
       * The order whose place it takes, where it came of a move, and what was open of it: null where that is not
       * reported. `stopPrice`: the trigger it had. `isOneOfMany`: one of several, told of together.
       */
      movedFrom?: {
        orderId: string
        limitPrice: Decimal | null
        stopPrice?: Decimal | null
        open: Decimal | null
        isOneOfMany?: boolean
      }
      isOfPlan?: true
      atMs: number
    }
  | { type: 'orderNotSent'; draft: OrderDraft; reason: string; isOfPlan?: true; atMs: number }
  /** `isOneOfMany`, here and below: one of several, which are told of together. */
  | { type: 'cancelSent'; orderId: string; isOneOfMany?: true; atMs: number }
  /** `isMove`: a part of a move, which tells of itself. */
  | { type: 'cancelOutcome'; outcome: CancelOutcome; isMove?: boolean; isOneOfMany?: true; atMs: number }
  /** Several are canceled at once, and how that ended. */
  | { type: 'cancelsSent'; count: number; atMs: number }
  | { type: 'cancelsEnded'; ends: readonly CancelEnd[]; atMs: number }
  | { type: 'cancelAllSent'; symbol: string | null; atMs: number }
  | { type: 'cancelAllOutcome'; outcome: CancelAllOutcome; atMs: number }
  /** A cancel that has not left the desk; `all`: of all orders of this symbol, of every one where it is null. */
  | { type: 'cancelNotSent'; reason: string; all?: { symbol: string | null }; isOneOfMany?: true; atMs: number }
  | { type: 'withdrawalSent'; request: WithdrawalRequest; atMs: number }
  | { type: 'withdrawalOutcome'; request: WithdrawalRequest; outcome: WithdrawalOutcome; atMs: number }
  /** The draft it is, where there is one, stays as it was unless `draftsChanged` says otherwise. */
  | { type: 'withdrawalNotSent'; request: WithdrawalRequest; reason: string; draftId?: string; atMs: number }
  /** A write without an outcome, from an earlier desk's journal. */
  | { type: 'unsettled'; write: UnknownWrite; atMs: number }
  /** An unsettled write that only a person can settle now. */
  | { type: 'unsettledQuestion'; key: string; question: UnknownWriteQuestion; atMs: number }
  /** Something about the journal that a person should know. */
  | { type: 'journalTrouble'; sentence: string; atMs: number }
  /** Whether the journal takes writes: while it does not, nothing but cancels goes out. */
  | { type: 'journalKept'; isKept: boolean }
  | {
      type: 'settled'
      key: string
      /** The exchange's own id of what it was found to be; null when there is none. */
      id: string | null
      /** Whom a withdrawal that has left pays, by the id on the whitelist. */
      paid?: string
      sentence: string
      level: NewsLevel
      atMs: number
    }
