import type { Balance, Fees } from '../balance.ts'
import type { Names } from '../limits.ts'
import type { Listing, UnreadableEntry } from '../listing.ts'
import type { Bar, EquityPoint } from '../market/bar.ts'
import type { Book, OrderByOrderBook } from '../market/book.ts'
import type { Instrument } from '../market/instrument.ts'
import type { Ticker } from '../market/ticker.ts'
import type { Decimal } from '../money.ts'
import type { Fill } from '../orders/fills.ts'
import type { Order, OrderDraft } from '../orders/order.ts'
import type { CancelAllOutcome, CancelEnd, CancelOutcome, OrderOutcome } from '../orders/order-outcome.ts'
import type { Deposit, WhitelistEntry, Withdrawal, WithdrawalRequest } from '../transfers/transfer.ts'
import type { WithdrawalOutcome } from '../transfers/withdrawal-outcome.ts'
import type { OrderElsewhere, UnknownWrite, UnknownWriteQuestion } from '../unknown-write.ts'
import type { FeedName } from './feeds.ts'

/** Levels of news. */
export type NewsLevel = 'info' | 'good' | 'warn' | 'bad'

/** The use of calls to the exchange: calls per second, the allowed rate, and retries. */
export type CallUse = {
  perSecond: number
  perSecondMax: number
  /** Remaining pause of polls requested by the service; 0 without one. */
  pausedMs: number
  /** Retried reads since the desk started. */
  retryCount: number
}

/** The answer of a poll; `unread` are the symbols whose rules cannot be read. */
export type FeedAnswer = (
  | { type: 'instruments'; instruments: ReadonlyMap<string, Instrument>; unread?: Names }
  | { type: 'book'; symbol: string; book: Book }
  /** The book by order. */
  | { type: 'queue'; symbol: string; book: OrderByOrderBook }
  | { type: 'tickers'; tickers: ReadonlyMap<string, Ticker> }
  /**
   * `unlistedSince`: which of them the list lacks while nothing readable tells of their end, by client order id, and
   * since when; missing for none.
   */
  | { type: 'orders'; orders: readonly Order[]; unlistedSince?: ReadonlyMap<string, number> }
  | { type: 'fills'; fills: readonly Fill[] }
  /** Balances of the primary account; `others` are all further accounts of the answer, unknown when missing. */
  | { type: 'balances'; balances: readonly Balance[]; others?: ReadonlyMap<string, Listing<Balance>> }
  | { type: 'fees'; fees: Fees }
  /** All known ones, newest first; `sentIds` are those of new ones that the account's own journal has as sent. */
  | { type: 'withdrawals'; withdrawals: readonly Withdrawal[]; sentIds?: ReadonlySet<string> }
  | { type: 'deposits'; deposits: readonly Deposit[] }
  | { type: 'whitelist'; whitelist: readonly WhitelistEntry[] }
) & {
  atMs: number
  /** Unreadable entries of the list, if any. */
  unreadable?: readonly UnreadableEntry[]
  /** False when the list was not read to its end; true by default. */
  isWhole?: boolean
  /** Age at which it becomes stale, when requested pauses exceed the usual limit. */
  staleAfterMs?: number
}

/** Events of the polling services. */
export type FeedEvent =
  | FeedAnswer
  | { type: 'orderEnded'; order: Order; atMs: number }
  | {
      type: 'feedFailed'
      feed: FeedName
      symbol: string | null
      sentence: string
      /** When the call was made that came to nothing; about `atMs` unless given. */
      askedAtMs?: number
      /** The exchange answers, and does not know the symbol. */
      isUnknownSymbol?: true
      atMs: number
    }
  | { type: 'answered'; roundTripMs: number; skewMs: number | null; calls?: CallUse }
  /** An order that is shown as working is not certain to be there; a sentence. */
  | { type: 'orderDoubted'; sentence: string; atMs: number }
  /** Many orders are listed no more, and how each ended is asked over a while; a sentence. */
  | { type: 'orderEndsAwaited'; sentence: string; atMs: number }
  /** Something unreadable in an answer, which was skipped. */
  | { type: 'leftOut'; sentence: string; atMs: number }

/** The progress of reading fills; the exchange does not report their total. */
export type FillsReading = { from: 'exchange'; count: number } | { from: 'file'; count: number; total: number }

/** Events of the account's history. */
export type HistoryEvent =
  /** Stored executions so far; whole when all that the exchange lists are. */
  | { type: 'historyProgress'; readCount: number; isWhole: boolean }
  /** Recorded minutes of some symbols, oldest first. */
  | { type: 'barsLoaded'; bars: ReadonlyMap<string, readonly Bar[]> }
  | { type: 'equityLoaded'; points: readonly EquityPoint[] }

/** Events of writes. */
export type WriteEvent =
  | {
      type: 'orderSent'
      draft: OrderDraft
      clientOrderId: string
      /** Here and below: sent by a plan, so no ticket waits for it. */
      isOfPlan?: true
      atMs: number
    }
  | {
      type: 'orderOutcome'
      draft: OrderDraft
      outcome: OrderOutcome
      /**
       * The replaced order, for a move, and its open quantity; null when not reported. `stopPrice`: its trigger.
       * `isOneOfMany`: one of several, which are reported together.
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
  /**
   * `isThere`: its draft was sent before, or may have been. `isMove`: the new order of a move, for which no ticket
   * waits either; `clientOrderId`: the id under which it was reported as sent, if it was.
   */
  | {
      type: 'orderNotSent'
      draft: OrderDraft
      reason: string
      isOfPlan?: true
      isMove?: true
      clientOrderId?: string
      isThere?: true
      atMs: number
    }
  /** `isOneOfMany`, here and below: one of several, which are reported together. */
  | { type: 'cancelSent'; orderId: string; isOneOfMany?: true; atMs: number }
  /** `isMove`: part of a move, which reports itself. */
  | { type: 'cancelOutcome'; outcome: CancelOutcome; isMove?: boolean; isOneOfMany?: true; atMs: number }
  /** Several orders are canceled at once, with the result. */
  | { type: 'cancelsSent'; count: number; atMs: number }
  | { type: 'cancelsEnded'; ends: readonly CancelEnd[]; atMs: number }
  | { type: 'cancelAllSent'; symbol: string | null; atMs: number }
  | { type: 'cancelAllOutcome'; outcome: CancelAllOutcome; atMs: number }
  /**
   * A cancel that was not sent; `all`: of all orders of this symbol, or of all symbols for null, reported as sent at
   * `sentAtMs`.
   */
  | {
      type: 'cancelNotSent'
      reason: string
      all?: { symbol: string | null; sentAtMs: number }
      isOneOfMany?: true
      atMs: number
    }
  | { type: 'withdrawalSent'; request: WithdrawalRequest; atMs: number }
  | { type: 'withdrawalOutcome'; request: WithdrawalRequest; outcome: WithdrawalOutcome; atMs: number }
  /** Its draft, if any, is unchanged unless `draftsChanged` says otherwise. */
  | { type: 'withdrawalNotSent'; request: WithdrawalRequest; reason: string; draftId?: string; atMs: number }
  /** An unknown write from an earlier desk's journal. */
  | { type: 'writeUnknown'; write: UnknownWrite; atMs: number }
  /** An unknown write that only the user can resolve now. */
  | { type: 'writeQuestion'; key: string; question: UnknownWriteQuestion; atMs: number }
  /** Orders without an outcome of other processes that run, as the journal tells. */
  | { type: 'openElsewhere'; orders: readonly OrderElsewhere[] }
  /** Trouble of the journal for the user. */
  | { type: 'journalTrouble'; sentence: string; atMs: number }
  /** Whether the journal stores writes: while it does not, only cancels are sent. */
  | { type: 'journalKept'; isKept: boolean; atMs: number }
  | {
      type: 'writeResolved'
      key: string
      /** The exchange's id of what was found; null for none. */
      id: string | null
      /** The beneficiary of a sent withdrawal, by its whitelist id. */
      paid?: string
      sentence: string
      level: NewsLevel
      /** It was answered as rejected, or resolved as not placed, and is there all the same: an alarm. */
      isFalseRefusal?: true
      /** The order that was found has ended: nothing of it works. */
      isEnded?: true
      atMs: number
    }
