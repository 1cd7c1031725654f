import { err } from '../base/result.ts'
import type { Accounts, Balance, Fees } from '../domain/balance.ts'
import { fillsWithinDate, listWithinDate, withinDate } from '../domain/dated.ts'
import { type Listing, noneUnreadable } from '../domain/listing.ts'
import type { Book, OrderByOrderBook } from '../domain/market/book.ts'
import type { Instrument } from '../domain/market/instrument.ts'
import type { Ticker } from '../domain/market/ticker.ts'
import type { Fill } from '../domain/orders/fills.ts'
import type { Order, OrderStatus } from '../domain/orders/order.ts'
import type {
  Deposit,
  DepositAddress,
  WhitelistEntry,
  Withdrawal,
  WithdrawalRequest,
} from '../domain/transfers/transfer.ts'
import { readAccounts, readBalance, readFees } from '../wire/account.ts'
import { readBook, readOrderByOrderBook } from '../wire/book.ts'
import { type OrderPage, readFills, readOrder, readOrderOf, readOrderPage, readOrders } from '../wire/order.ts'
import { type NewOrder, writeNewOrder } from '../wire/order-requests.ts'
import { readSymbol, readSymbols, type SymbolsReading } from '../wire/symbol.ts'
import { readTicker, readTickers } from '../wire/ticker.ts'
import {
  readDeposit,
  readDepositAddress,
  readDeposits,
  readWhitelist,
  readWithdrawal,
  readWithdrawalOf,
  readWithdrawals,
  writeNewWithdrawal,
} from '../wire/transfers.ts'
import { type Caller, createCaller, datedReader, endpointPath, memoizeReader, memoizeReaderByName } from './caller.ts'
import { createHubClient, type HubClient } from './hub-client.ts'
import { createHubPlansClient, type HubPlansClient } from './hub-plans-client.ts'
import type { ReadPriority, Transport, TransportRequest } from './transport.ts'

/** The header that carries the key to the exchange. */
export const exchangeKeyHeader = 'x-api-token'

/** The exchange's interface, one method per endpoint. Every method throws `ExchangeError` and nothing else. */
export type ExchangeClient = MarketDataClient & TradingClient & PaymentsClient & HubClient & HubPlansClient & Shared

/** A client for the desk's own polling: reads wait for others, writes go first. */
export const createExchangeClient = (transport: Transport): ExchangeClient => clientOver(transport, 'poll')

/** A client for a waiting user: its reads precede every poll. May share its transport with the polls' client. */
export const createPersonClient = (transport: Transport): ExchangeClient => clientOver(transport, 'person')

/** A client for long lists that no one waits for: polls go first, and it leaves them room. */
export const createBackgroundClient = (transport: Transport): ExchangeClient => clientOver(transport, 'background')

function clientOver(transport: Transport, priority: ReadPriority): ExchangeClient {
  const caller = createCaller(transport, priority)
  return {
    ...createMarketDataClient(caller),
    ...createTradingClient(caller),
    ...createPaymentsClient(caller),
    ...createHubClient(caller),
    ...createHubPlansClient(caller),
    seenAtMs: (answer) => caller.seenAtMs(answer),
    isShared: () => transport.isShared(),
  }
}

/** Facts about answers through a hub. */
type Shared = {
  /** When the hub received an answer of this client from the exchange, in desk time; null when no hub answered. */
  seenAtMs(answer: unknown): number | null
  /** True once a hub has answered, which asks the exchange once for all equal requests. */
  isShared(): boolean
}

type MarketDataClient = {
  /** GET /l2/{symbol}: the book by price. */
  fetchBook(symbol: string, signal?: AbortSignal): Promise<Book>
  /** GET /l3/{symbol}: the book by order. */
  fetchOrderByOrderBook(symbol: string, signal?: AbortSignal): Promise<OrderByOrderBook>
  /** GET /tickers */
  fetchTickers(signal?: AbortSignal): Promise<Listing<Ticker>>
  /** GET /tickers/{symbol} */
  fetchTicker(symbol: string, signal?: AbortSignal): Promise<Ticker>
  /** GET /symbols: all readable symbols, and a sentence for each unreadable one. */
  fetchSymbols(signal?: AbortSignal): Promise<SymbolsReading>
  /** GET /symbols/{symbol} */
  fetchSymbol(symbol: string, signal?: AbortSignal): Promise<Instrument>
}

/** Polled reads return the same object for the same response text, and the same entries for the same entry text. */
function createMarketDataClient(caller: Caller): MarketDataClient {
  const bookOf = memoizeReaderByName(readBook)
  const queueOf = memoizeReaderByName(readOrderByOrderBook)
  const tickers = memoizeReader(readTickers)
  const symbols = memoizeReader(readSymbols)
  return {
    fetchBook: (symbol, signal) => caller.get(endpointPath`/l2/${symbol}`, (json) => bookOf(json, symbol), signal),
    fetchOrderByOrderBook: (symbol, signal) =>
      caller.get(endpointPath`/l3/${symbol}`, (json) => queueOf(json, symbol), signal),
    fetchTickers: (signal) => caller.get(endpointPath`/tickers`, tickers, signal),
    fetchTicker: (symbol, signal) =>
      caller.get(endpointPath`/tickers/${symbol}`, (json) => readTicker(json, symbol), signal),
    fetchSymbols: (signal) => caller.get(endpointPath`/symbols`, symbols, signal),
    fetchSymbol: (symbol, signal) =>
      caller.get(endpointPath`/symbols/${symbol}`, (json) => readSymbol(json, symbol), signal),
  }
}

/** Times in ms since 1970, both included; omitted fields do not limit. */
export type OrderQuery = { symbol?: string; fromMs?: number; toMs?: number; status?: OrderStatus; limit?: number }
export type TradeQuery = Omit<OrderQuery, 'status'>
/** The page after `orderId`, which is the `nextOrderId` of the previous page. */
export type OrderPageQuery = { fromMs?: number; orderId?: string; limit?: number }
/** `fromExecId` lists from that execution forwards, `toExecId` backwards. */
export type FillQuery = TradeQuery & { fromExecId?: string; toExecId?: string }

type StoppedNow = TransportRequest['stoppedNow']

type TradingClient = {
  /** GET /fees */
  fetchFees(signal?: AbortSignal): Promise<Fees>
  /** GET /internal/orders: all orders from the matching engine, ascending by id. */
  fetchOrderPage(query: OrderPageQuery, signal?: AbortSignal): Promise<OrderPage>
  /** GET /orders: newest first; working orders unless a status is given. */
  fetchOrders(query: OrderQuery, signal?: AbortSignal): Promise<Listing<Order>>
  /**
   * POST /orders: an order rejected by the exchange is returned with its reason, not thrown. `stoppedNow`, here and
   * below, is asked once more right before the first byte: see `TransportRequest`.
   */
  placeOrder(order: NewOrder, signal?: AbortSignal, stoppedNow?: StoppedNow): Promise<Order>
  /** DELETE /orders: all working orders, of one symbol unless it is null. */
  cancelAllOrders(symbol: string | null, signal?: AbortSignal, stoppedNow?: StoppedNow): Promise<void>
  /** GET /orders/{orderId}. An answer about another order is a failure. */
  fetchOrder(orderId: string, signal?: AbortSignal): Promise<Order>
  /** DELETE /orders/{orderId} */
  cancelOrder(orderId: string, signal?: AbortSignal, stoppedNow?: StoppedNow): Promise<void>
  /** GET /trades: orders with fills, newest first. */
  fetchTrades(query: TradeQuery, signal?: AbortSignal): Promise<Listing<Order>>
  /** GET /fills: newest first. */
  fetchFills(query: FillQuery, signal?: AbortSignal): Promise<Listing<Fill>>
}

/** Polled reads return the same object for the same response text, and the same entries for the same entry text. */
function createTradingClient(caller: Caller): TradingClient {
  const fees = memoizeReader(readFees)
  const { dateMaxMs } = caller
  // A thousand working orders are ten pages, each polled by its own query.
  const ordersOf = memoizeReaderByName((json, _, known: Parameters<typeof readOrders>[1]) => readOrders(json, known))
  const orders = datedReader(ordersOf, dateMaxMs, listWithinDate)
  const otherOrders = datedReader((json) => readOrders(json), dateMaxMs, listWithinDate)
  const ordersById = datedReader(readOrderPage, dateMaxMs, pageWithinDate)
  const fills = datedReader(memoizeReader(readFills), dateMaxMs, fillsWithinDate)
  return {
    fetchFees: (signal) => caller.get(endpointPath`/fees`, fees, signal),
    fetchOrderPage: ({ fromMs, orderId, limit }, signal) =>
      caller.get(endpointPath`/internal/orders`, ordersById, signal, {
        from: fromMs ?? null,
        orderId: orderId ?? null,
        limit: limit ?? null,
      }),
    fetchOrders(query, signal) {
      const fields = { ...tradeFields(query), status: query.status ?? null }
      const name = Object.values(fields).join(' ')
      return caller.get(endpointPath`/orders`, (json) => orders(json, name), signal, fields)
    },
    placeOrder: (order, signal, stoppedNow) =>
      caller.post(
        endpointPath`/orders`,
        writeNewOrder(order, 'numbers'),
        datedReader(readOrder, dateMaxMs, withinDate),
        signal,
        stoppedNow,
      ),
    // An empty symbol in the query could be taken for none, which cancels everything.
    cancelAllOrders: (symbol, signal, stoppedNow) =>
      caller.delete(symbol === '' ? err('an empty symbol') : endpointPath`/orders`, signal, { symbol }, stoppedNow),
    fetchOrder: (orderId, signal) =>
      caller.find(
        endpointPath`/orders/${orderId}`,
        datedReader((json) => readOrderOf(json, orderId), dateMaxMs, withinDate),
        signal,
      ),
    cancelOrder: (orderId, signal, stoppedNow) =>
      caller.delete(endpointPath`/orders/${orderId}`, signal, {}, stoppedNow),
    fetchTrades: (query, signal) => caller.get(endpointPath`/trades`, otherOrders, signal, tradeFields(query)),
    fetchFills: (query, signal) =>
      caller.get(endpointPath`/fills`, fills, signal, {
        ...tradeFields(query),
        fromExecId: query.fromExecId ?? null,
        toExecId: query.toExecId ?? null,
      }),
  }
}

function pageWithinDate(page: OrderPage, dateMaxMs: number): OrderPage {
  const listing = { entries: page.orders, unreadable: page.unreadable ?? noneUnreadable }
  const within = listWithinDate(listing, dateMaxMs)
  return within === listing ? page : { ...page, orders: within.entries, unreadable: within.unreadable }
}

const tradeFields = ({ symbol, fromMs, toMs, limit }: TradeQuery) => ({
  symbol: symbol ?? null,
  from: fromMs ?? null,
  to: toMs ?? null,
  limit: limit ?? null,
})

/** Times in ms since 1970, both included; omitted fields do not limit. */
export type TransferQuery = { fromMs?: number; toMs?: number }

type PaymentsClient = {
  /** GET /accounts: the balances of every account. */
  fetchAccounts(signal?: AbortSignal): Promise<Accounts>
  /** GET /accounts/{account}/{currency} */
  fetchBalance(account: string, currency: string, signal?: AbortSignal): Promise<Balance>
  /**
   * POST /deposits/{currency}: the address for deposits of a crypto currency. A write, because it may create a new
   * address.
   */
  createDepositAddress(currency: string, signal?: AbortSignal, stoppedNow?: StoppedNow): Promise<DepositAddress>
  /** GET /deposits */
  fetchDeposits(query: TransferQuery, signal?: AbortSignal): Promise<Listing<Deposit>>
  /** GET /deposits/{depositId} */
  fetchDeposit(depositId: string, signal?: AbortSignal): Promise<Deposit>
  /** GET /whitelist */
  fetchWhitelist(signal?: AbortSignal): Promise<Listing<WhitelistEntry>>
  /** GET /whitelist/{currency} */
  fetchWhitelistOf(currency: string, signal?: AbortSignal): Promise<Listing<WhitelistEntry>>
  /** GET /withdrawals */
  fetchWithdrawals(query: TransferQuery, signal?: AbortSignal): Promise<Listing<Withdrawal>>
  /** POST /withdrawals */
  createWithdrawal(request: WithdrawalRequest, signal?: AbortSignal, stoppedNow?: StoppedNow): Promise<Withdrawal>
  /** GET /withdrawals/{withdrawalId} */
  fetchWithdrawal(withdrawalId: string, signal?: AbortSignal): Promise<Withdrawal>
}

/** Polled reads return the same object for the same response text, and the same entries for the same entry text. */
function createPaymentsClient(caller: Caller): PaymentsClient {
  const accounts = memoizeReader(readAccounts)
  const { dateMaxMs } = caller
  const deposits = datedReader(memoizeReader(readDeposits), dateMaxMs, listWithinDate)
  const whitelist = memoizeReader(readWhitelist)
  const withdrawals = datedReader(memoizeReader(readWithdrawals), dateMaxMs, listWithinDate)
  return {
    fetchAccounts: (signal) => caller.get(endpointPath`/accounts`, accounts, signal),
    fetchBalance: (account, currency, signal) =>
      caller.get(endpointPath`/accounts/${account}/${currency}`, (json) => readBalance(json, currency), signal),
    createDepositAddress: (currency, signal, stoppedNow) =>
      caller.post(
        endpointPath`/deposits/${currency}`,
        null,
        (json) => readDepositAddress(json, currency),
        signal,
        stoppedNow,
      ),
    fetchDeposits: (query, signal) => caller.get(endpointPath`/deposits`, deposits, signal, timeFields(query)),
    fetchDeposit: (depositId, signal) =>
      caller.find(
        endpointPath`/deposits/${depositId}`,
        datedReader((json) => readDeposit(json, depositId), dateMaxMs, withinDate),
        signal,
      ),
    fetchWhitelist: (signal) => caller.get(endpointPath`/whitelist`, whitelist, signal),
    fetchWhitelistOf: (currency, signal) => caller.get(endpointPath`/whitelist/${currency}`, readWhitelist, signal),
    fetchWithdrawals: (query, signal) => caller.get(endpointPath`/withdrawals`, withdrawals, signal, timeFields(query)),
    createWithdrawal: (request, signal, stoppedNow) =>
      caller.post(
        endpointPath`/withdrawals`,
        writeNewWithdrawal(request, 'numbers'),
        datedReader(readWithdrawal, dateMaxMs, withinDate),
        signal,
        stoppedNow,
      ),
    fetchWithdrawal: (withdrawalId, signal) =>
      caller.find(
        endpointPath`/withdrawals/${withdrawalId}`,
        datedReader((json) => readWithdrawalOf(json, withdrawalId), dateMaxMs, withinDate),
        signal,
      ),
  }
}

const timeFields = ({ fromMs, toMs }: TransferQuery) => ({ from: fromMs ?? null, to: toMs ?? null })
