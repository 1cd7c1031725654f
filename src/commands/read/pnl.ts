import { type CommandIo, readingSignal } from '../../base/command-io.ts'
import { csvLine } from '../../base/csv.ts'
import { plainText } from '../../base/plain-text.ts'
import { ok, type Result } from '../../base/result.ts'
import { utcSecond } from '../../base/time-text.ts'
import { openCosts } from '../../desk/account.ts'
import { accountOf } from '../../desk/account-folder.ts'
import { Decimal, formatGrouped } from '../../domain/money.ts'
import type { Books } from '../../domain/positions/lots.ts'
import {
  currencyPnlFields,
  lotHead,
  lotRows,
  noSymbol,
  type Pnl,
  pnlFields,
  pnlHead,
  pnlRows,
  shownLots,
  statedCostFields,
  symbolPnlFields,
} from '../../domain/positions/pnl.ts'
import { type CostMethod, costMethods, type MarkPrice, markPrices } from '../../domain/positions/position.ts'
import { type Fields, recordedSentence } from '../../domain/statement/statement.ts'
import { HistoryError } from '../../history/history-database.ts'
import { openHistory } from '../../history/history-file.ts'
import { type Recorded, withRecorded } from '../../services/history/recorded.ts'
import { fetchPnl } from '../../services/pnl.ts'
import { type Arguments, readTimes } from '../cli/arguments.ts'
import type { Run } from '../cli/command.ts'
import { done, failed, wrongUsage } from '../cli/exit-codes.ts'
import { amount, type Column, formOf, jsonLinePieces, tableLines, text, time } from '../cli/output.ts'
import { withSession } from '../cli/session.ts'
import { progressOf, runUntilBrokenOff } from './read-command.ts'

const ofSums = [amount('realizedUsd', 'REALIZED'), amount('feesUsd', 'FEES')]

const currencyColumns: readonly Column[] = [
  text('currency', 'CURRENCY'),
  amount('quantity', 'QUANTITY'),
  amount('quantityOfUnknownCost', 'HELD, COST ?', 3),
  amount('averageCostUsd', 'AVERAGE', 1),
  amount('costUsd', 'COST', 2),
  amount('markUsd', 'MARK', 4),
  amount('unrealizedUsd', 'UNREALIZED'),
  ...ofSums,
  amount('proceedsOfUnknownCostUsd', 'SOLD, COST ?', 2),
]

const symbolColumns: readonly Column[] = [
  text('symbol', 'SYMBOL'),
  text('held', 'HELD OF IT', 3),
  amount('costUsd', 'COST', 2),
  amount('unrealizedUsd', 'UNREALIZED'),
  ...ofSums,
  amount('proceedsOfUnknownCostUsd', 'SOLD, COST ?', 2),
]

const matchColumns: readonly Column[] = [
  time('closed', 'TIME'),
  text('closedBy', 'OUT BY'),
  text('closedId', 'ID', 2),
  text('symbol', 'SYMBOL', 1),
  text('currency', 'CURRENCY'),
  amount('quantity', 'QUANTITY'),
  text('openedId', 'LOT'),
  amount('costUsd', 'COST'),
  amount('proceedsUsd', 'PROCEEDS'),
  amount('realizedUsd', 'REALIZED'),
]

const lotColumns: readonly Column[] = [
  text('openedId', 'LOT'),
  text('openedBy', 'IN BY'),
  time('opened', 'TIME', 1),
  text('currency', 'CURRENCY'),
  amount('quantity', 'QUANTITY'),
  amount('costUsd', 'COST'),
  text('source', 'KNOWN FROM', 2),
]

const statedColumns: readonly Column[] = [
  text('currency', 'CURRENCY'),
  amount('quantity', 'QUANTITY'),
  amount('usdEach', 'USD EACH'),
  amount('counted', 'COUNTS FOR'),
  time('timestamp', 'HELD AT (UTC)', 1),
]

/** Digits of a price in a table: some currencies are worth less than a cent. */
const priceDigits = 8

/** USD to the cent and prices short, for a table: JSON and CSV have every digit. */
const inCents = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (!name.endsWith('Usd') || !Decimal.isDecimal(value)) return [name, value]
      const isPrice = name === 'markUsd' || name === 'averageCostUsd'
      return [name, isPrice ? value.toSignificantDigits(priceDigits) : value.toDecimalPlaces(2)]
    }),
  )

/** Currencies that a symbol is told to hold; the others are counted. */
const heldShown = 2

function heldText(held: Pnl['symbols'][number]['held']): string {
  const named = held.slice(0, heldShown).map(({ currency, quantity }) => `${quantity.toFixed()} ${currency}`)
  const more = held.length - named.length
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

const cents = (usd: Decimal): string => formatGrouped(usd, 2)

type Asked = { books: Books; hasLots: boolean }

function* tablePieces(pnl: Pnl, asked: Asked, width: number) {
  const { period, method, currencies, symbols, total, stated, missing } = pnl
  const table = (rows: readonly Fields[], columns: readonly Column[]) => tableLines(rows.map(inCents), columns, width)
  yield `P&L from ${utcSecond(period.fromMs)} to ${utcSecond(period.toMs)} UTC, ${method}, in USD`
  yield* table(currencies.map(currencyPnlFields), currencyColumns)
  yield ''
  yield* table(
    symbols.map((each) => ({
      ...symbolPnlFields(each),
      symbol: each.symbol ?? noSymbol,
      held: heldText(each.held),
    })),
    symbolColumns,
  )
  if (asked.hasLots) {
    const { matches, lots } = shownLots(asked.books, period)
    for (const [title, rows, columns] of [
      ['Matches', matches, matchColumns],
      ['Open lots', lots, lotColumns],
    ] as const) {
      yield ''
      yield title
      yield* table(rows, columns)
    }
  }
  if (stated.length > 0) {
    yield ''
    yield 'Stated costs (in the desk "cost btc" lists them, "cost btc forget" takes one back)'
    yield* table(stated.map(statedCostFields), statedColumns)
  }
  const { realizedUsd, feesUsd } = total.realized
  yield ''
  yield `Realized ${cents(realizedUsd)}, fees ${cents(feesUsd)}, net ${cents(realizedUsd.minus(feesUsd))}, ` +
    `unrealized ${cents(total.unrealizedUsd)} USD`
  for (const sentence of missing) yield plainText(sentence)
  yield* recordedSentence(pnl.fills)
}

async function print(pnl: Pnl, asked: Asked, given: Arguments, io: CommandIo): Promise<void> {
  const { books, hasLots } = asked
  switch (formOf(given, io.stdout)) {
    case 'json':
      for (const piece of jsonLinePieces(pnlFields(pnl, hasLots ? books : null))) await io.output.write(piece)
      break
    case 'csv':
      await io.output.write(`${csvLine(hasLots ? lotHead : pnlHead)}\n`)
      for (const row of hasLots ? lotRows(books, pnl.period) : pnlRows(pnl)) await io.output.write(`${csvLine(row)}\n`)
      for (const sentence of pnl.missing) io.printError(plainText(sentence))
      break
    case 'table':
      for (const line of tablePieces(pnl, asked, io.stdout.columns || 80)) await io.print(line)
  }
}

type Query = { fromMs: number; toMs: number; method: CostMethod | undefined; mark: MarkPrice; isToNow: boolean }

function readQuery(given: Arguments, nowMs: number): Result<Query> {
  const times = readTimes(given)
  if (!times.ok) return times
  const { fromMs = 0, toMs = nowMs } = times.value
  const method = costMethods.find((each) => each === given.value('method'))
  const mark = markPrices.find((each) => each === given.value('mark')) ?? 'mid'
  return ok({ fromMs, toMs, method, mark, isToNow: toMs >= nowMs })
}

/** What came of the account between two moments, and what it holds at the second one. */
export const runPnl: Run = async (given, io, tools) => {
  const query = readQuery(given, tools.clock.wallMs())
  if (!query.ok) return wrongUsage(query.error)
  const { fromMs, toMs, method, mark, isToNow } = query.value
  if (fromMs > toMs) return wrongUsage('--from is in the future')
  const context = { signal: readingSignal(io), onPage: progressOf(io, tools, 'fills ') }
  return withSession(given, { io, tools, mayWrite: false }, ({ client, settings, token }) =>
    runUntilBrokenOff(io, async () => {
      const account = accountOf(settings, token, io)
      const costs = await openCosts(account, tools).read()
      if (!costs.ok) return failed(costs.error)
      const request = { period: { fromMs, toMs }, method: method ?? settings.costMethod, mark, isToNow }
      // What desks recorded is not asked for again; without it everything is read from the exchange.
      const open = async () => openHistory(account.folder, { isReadOnly: true })
      const fetch = (recorded: Recorded) => {
        const { usdAt } = recorded
        const asked = { ...request, statedCosts: costs.value, ...(usdAt === undefined ? {} : { usdAt }) }
        return fetchPnl(client, asked, { ...context, recorded })
      }
      try {
        const { pnl, books } = await withRecorded(open, fetch)
        await print(pnl, { books, hasLots: given.has('lots') }, given, io)
        return done
      } catch (error) {
        if (error instanceof HistoryError) return failed(error.message)
        throw error
      }
    }),
  )
}
