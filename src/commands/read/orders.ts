import { ExchangeError } from '../../api/errors.ts'
import type { FillQuery, OrderQuery } from '../../api/exchange-client.ts'
import { readingSignal } from '../../base/process/command-io.ts'
import { err, ok, type Result } from '../../base/result.ts'
import type { FeedEvent } from '../../domain/desk/events.ts'
import type { Fill } from '../../domain/orders/fills.ts'
import { isWorking, type Order, orderStatuses } from '../../domain/orders/order.ts'
import { currenciesOf } from '../../domain/statement/movement.ts'
import { failureNotice } from '../../services/failure-sentences.ts'
import { createPoller } from '../../services/polling/poller.ts'
import { createWorkingOrders } from '../../services/polling/working-orders.ts'
import { jsonLine } from '../../wire/json-pieces.ts'
import { fromFill, fromOrder } from '../../wire/order.ts'
import { type Arguments, readId, readSymbol, readTimes } from '../cli/arguments.ts'
import type { Run } from '../cli/command.ts'
import { done, type Fields, wrongUsage } from '../cli/exit-codes.ts'
import { amount, type Column, one, own, pagedList, scaled, text, time } from '../cli/output.ts'
import { fillsPaged, ordersById, ordersPaged, type PagingContext, tradesPaged } from '../cli/paging.ts'
import { withSession } from '../cli/session.ts'
import { readCount } from '../cli/usual-count.ts'
import { listedOrderColumns, type OrderRows, orderRows } from './order-rows.ts'
import { type Read, type ReadContext, readable, readRun } from './read-command.ts'

/** Paging of a read; unreadable entries are reported as they come. */
const pagingOf = (most: number | null, what: string, reading: ReadContext): PagingContext => ({
  most,
  signal: reading.signal,
  onPage: reading.onPage,
  leftOut: (unreadable) => readable({ entries: [], unreadable }, what, reading),
})

async function* orderPages(
  pages: AsyncIterable<readonly Order[]>,
  toRows: OrderRows,
): AsyncGenerator<readonly Fields[]> {
  for await (const page of pages) yield await toRows(page)
}

async function* rowsOf<T>(pages: AsyncIterable<readonly T[]>, toRow: (entry: T) => Fields): AsyncGenerator<Fields[]> {
  for await (const page of pages) yield page.map(toRow)
}

type Counted<Query> = Query & { most: number | null }

/** Symbol, times and count, common to the lists. */
function readCommon(given: Arguments, nowMs: number): Result<Counted<Pick<OrderQuery, 'symbol' | 'fromMs' | 'toMs'>>> {
  const symbol = readSymbol(given.value('symbol'))
  if (!symbol.ok) return symbol
  const times = readTimes(given, nowMs)
  if (!times.ok) return times
  const most = readCount(given)
  if (!most.ok) return most
  return ok({ ...times.value, ...(symbol.value === undefined ? {} : { symbol: symbol.value }), most: most.value })
}

type OrdersQuery = Counted<OrderQuery> & { engine: { afterId: string | null } | null }

const orders: Read<OrdersQuery> = {
  columns: listedOrderColumns,
  query(given, nowMs) {
    const common = readCommon(given, nowMs)
    if (!common.ok) return common
    const status = orderStatuses.find((each) => each === given.value('status'))
    const after = given.value('after')
    if (after !== undefined && !given.has('engine')) return err('--after needs --engine')
    const afterId = after === undefined ? ok(null) : readId('--after', after)
    if (!afterId.ok) return afterId
    const engine = given.has('engine') ? { afterId: afterId.value } : null
    // The number of working orders is limited, and a part would pass for all that is at risk: only --limit shortens it.
    const isBounded = engine === null && (status === undefined || isWorking({ status }))
    const most = isBounded && !given.has('limit') ? null : common.value.most
    return ok({ ...common.value, most, ...(status === undefined ? {} : { status }), engine })
  },
  most: ({ most }) => most,
  fetch({ most, engine, ...query }, session, reading) {
    const { client } = session
    const toRows = orderRows(reading.form, session, reading.io)
    const context = pagingOf(most, 'order', reading)
    if (engine === null) return pagedList(orderPages(ordersPaged(client, query, context), toRows), noOrders)
    const after = engine.afterId === null ? {} : { afterId: engine.afterId }
    return pagedList(orderPages(ordersById(client, { ...query, ...after }, context), toRows), noOrders)
  },
}

const noOrders = 'No such orders.'

const trades: Read<Counted<OrderQuery>> = {
  columns: listedOrderColumns,
  query: readCommon,
  most: ({ most }) => most,
  fetch({ most, ...query }, session, reading) {
    const pages = tradesPaged(session.client, query, pagingOf(most, 'order', reading))
    return pagedList(orderPages(pages, orderRows(reading.form, session, reading.io)), 'No orders that have filled.')
  },
}

export const fillColumns: readonly Column[] = [
  time('timestamp', 'TIME (UTC)', 1),
  text('symbol', 'SYMBOL'),
  text('side', 'SIDE'),
  scaled('quantity', amount('qty', 'QUANTITY')),
  scaled('price', amount('price', 'PRICE')),
  scaled('counter', amount('fee', 'FEE')),
  // Not reported by the exchange: fees are charged in the counter currency.
  own(text('feeCurrency', 'IN')),
  text('exOrdId', 'ORDER ID', 3),
  text('tradeId', 'TRADE ID', 5),
  text('execId', 'EXECUTION ID', 4),
]

/** A fill by the wire's fields, with the currency of its fee. */
export const fillFields = (fill: Fill): Fields => ({
  ...fromFill(fill),
  feeCurrency: currenciesOf(fill.symbol, new Map())?.counter ?? null,
})

const fills: Read<Counted<FillQuery>> = {
  columns: fillColumns,
  query(given, nowMs) {
    const common = readCommon(given, nowMs)
    if (!common.ok) return common
    const ids: { fromExecId?: string; toExecId?: string } = {}
    for (const [name, key] of [
      ['from-exec', 'fromExecId'],
      ['to-exec', 'toExecId'],
    ] as const) {
      const typed = given.value(name)
      if (typed === undefined) continue
      const id = readId(`--${name}`, typed)
      if (!id.ok) return id
      ids[key] = id.value
    }
    const { fromExecId, toExecId } = ids
    if (fromExecId !== undefined && toExecId !== undefined && BigInt(fromExecId) > BigInt(toExecId))
      return err('--from-exec is after --to-exec')
    return ok({ ...common.value, ...ids })
  },
  most: ({ most }) => most,
  fetch: ({ most, ...query }, { client }, reading) =>
    pagedList(rowsOf(fillsPaged(client, query, pagingOf(most, 'fill', reading)), fillFields), 'No fills.'),
}

const show: Read<string> = {
  columns: listedOrderColumns,
  query: (given) =>
    given.words[0] === undefined
      ? err('order id missing: pitdesk orders lists them')
      : readId('the id', given.words[0]),
  async fetch(orderId, session, { signal, form, io }) {
    const order = await session.client.fetchOrder(orderId, signal)
    const [row = fromOrder(order)] = await orderRows(form, session, io)([order])
    return one(row)
  },
}

/** The reads of this file, for other callers. */
export const orderReads = { orders, trades, fills, show }

const runOrderList = readRun({ ...orders, symbolIn: ({ symbol }) => symbol })
export const runOrders: Run = (given, io, tools) =>
  given.has('watch') ? watchOrders(given, io, tools) : runOrderList(given, io, tools)
export const runTrades = readRun({ ...trades, symbolIn: ({ symbol }) => symbol })
export const runFills = readRun({ ...fills, symbolIn: ({ symbol }) => symbol })
export const runOrderShow = readRun(show)

const intervalMs = 1_000
const intervalMaxMs = 15_000

/** Streams orders as JSON lines until a signal: each when first seen, at every change, and at its end. */
const watchOrders: Run = (given, io, tools) => {
  const odd = ['csv', 'status', 'from', 'to', 'limit', 'all', 'engine', 'after'].find((name) => given.has(name))
  if (odd !== undefined) return Promise.resolve(wrongUsage(`--watch takes no --${odd}`))
  const symbol = readSymbol(given.value('symbol'))
  if (!symbol.ok) return Promise.resolve(wrongUsage(symbol.error))
  return withSession(given, { io, tools, mayWrite: false }, async (session) => {
    const { client, token } = session
    const toRows = orderRows('json', session, io, true)
    const lastLines = new Map<string, string>()
    const seen: { order: Order; isEnded: boolean }[] = []
    const tell = (order: Order, isEnded = false) => {
      if (symbol.value === undefined || order.symbol === symbol.value) seen.push({ order, isEnded })
    }
    /** The lines of changes since the last call. */
    const newLines = async () => {
      const told = seen.splice(0)
      const rows = await toRows(told.map(({ order }) => order))
      return told.flatMap(({ order, isEnded }, at) => {
        const line = jsonLine(rows[at] ?? fromOrder(order))
        const key = order.orderId ?? order.clientOrderId
        const isSame = lastLines.get(key) === line
        if (isEnded) lastLines.delete(key)
        else lastLines.set(key, line)
        return isSame ? [] : [line]
      })
    }
    const emit = (event: FeedEvent) => {
      // The list comes newest first; as news, the oldest goes first.
      if (event.type === 'orders') for (const order of event.orders.toReversed()) tell(order)
      if (event.type === 'orderEnded') tell(event.order, true)
      if (event.type === 'orderEndsAwaited') io.printError(`pitdesk orders: ${event.sentence}`)
    }
    const working = createWorkingOrders(client, () => tools.clock.now(), emit)
    let isDown = false
    const poll = async (signal: AbortSignal) => {
      try {
        await working.refresh(signal)
        // Waits for a slow reader, who gets all changes since then at the next look.
        for (const line of await newLines()) await io.print(line)
        isDown = false
        return true
      } catch (error) {
        if (!(error instanceof ExchangeError)) throw error
        // An outage is reported once; a failure that waiting cannot mend ends the watch.
        if (signal.aborted) return false
        if (error.kind === 'unauthorized') throw error
        if (!isDown) io.printError(`pitdesk orders: ${token.redact(failureNotice(error))} Still watching.`)
        isDown = true
        return false
      }
    }
    const { clock, random } = tools
    const pace = { intervalMs: () => intervalMs, intervalMaxMs, clock, random, signal: readingSignal(io) }
    await createPoller(poll, pace).run()
    return done
  })
}
