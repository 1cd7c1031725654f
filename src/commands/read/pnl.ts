import { type CommandIo, type CommandTools, readingSignal } from '../../base/process/command-io.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { csvLine } from '../../base/text/csv.ts'
import { plainText, someNamed } from '../../base/text/plain-text.ts'
import { openCosts } from '../../desk/account/account.ts'
import { accountOf } from '../../desk/account/account-folder.ts'
import type { Session } from '../../desk/account/profile.ts'
import { sharedDecimals } from '../../domain/balance.ts'
import { Decimal, formatGrouped } from '../../domain/money.ts'
import { type Pnl, type PnlCurrency, type PnlSymbol, partly, profitSentences } from '../../domain/positions/pnl.ts'
import {
  currencyPnlFields,
  type LotLists,
  lotFields,
  lotHead,
  lotRows,
  pnlFields,
  pnlHead,
  pnlRows,
  statedCostFields,
  symbolPnlFields,
} from '../../domain/positions/pnl-fields.ts'
import { type CostMethod, costMethods, type MarkPrice, markPrices } from '../../domain/positions/position.ts'
import { isRealizedPartial } from '../../domain/positions/realized.ts'
import { recordedSentence } from '../../domain/statement/statement.ts'
import { HistoryError } from '../../history/history-database.ts'
import { openHistory } from '../../history/history-file.ts'
import { withRecorded } from '../../services/history/recorded.ts'
import { type FetchedPnl, fetchPnl } from '../../services/pnl.ts'
import { wrapWords } from '../../ui/text/cells.ts'
import { jsonLinePieces } from '../../wire/json-pieces.ts'
import type { Arguments } from '../cli/arguments.ts'
import type { Run } from '../cli/command.ts'
import { type Fields, failed, wrongUsage } from '../cli/exit-codes.ts'
import { amount, type Column, type Form, formOf, tableLines, text, time, writePieces } from '../cli/output.ts'
import { withSession } from '../cli/session.ts'
import { readBounds } from './own-bounds.ts'
import { progressOf, runUntilBrokenOff } from './read-command.ts'
import {
  checkTimes,
  endReport,
  exchangeClockOf,
  periodText,
  readPeriodAsked,
  tellPeriod,
  toldWhole,
} from './report-period.ts'

/** USD to the cent: JSON and CSV are exact. */
const usd = (field: string, head: string, rank = 0): Column => ({
  ...amount(field, head, rank),
  shown: (value) => formatGrouped(value, 2),
})

/** Significant digits of a price: some currencies are worth less than a cent. */
const priceDigits = 8
const priceFields = ['averageCostUsd', 'markUsd']
const shortPrice = (value: Decimal): Decimal => value.toSignificantDigits(priceDigits)

const amountsIn = (row: Fields, fields: readonly string[]): Decimal[] =>
  fields.flatMap((field) => {
    const value = row[field]
    return Decimal.isDecimal(value) ? [value] : []
  })

/** A short price, with the decimals of the other price of its row. */
const price = (field: string, head: string, rank: number): Column => ({
  ...amount(field, head, rank),
  shown: (value, row) => formatGrouped(shortPrice(value), sharedDecimals(amountsIn(row, priceFields).map(shortPrice))),
})

const unitFields = ['quantity', 'quantityOfUnknownCost']

/** Exact units, those of a currency with the same decimals in all rows. */
function units(field: string, head: string, rows: readonly Fields[], rank = 0): Column {
  const byCurrency = Map.groupBy(rows, ({ currency }) => currency)
  const decimals = new Map(
    [...byCurrency].map(([currency, of]) => [
      currency,
      sharedDecimals(of.flatMap((row) => amountsIn(row, unitFields))),
    ]),
  )
  return {
    ...amount(field, head, rank),
    shown: (value, row) => formatGrouped(value, decimals.get(row.currency) ?? value.decimalPlaces()),
  }
}

const ofSums = [usd('realizedUsd', 'REALIZED'), usd('feesUsd', 'FEES')]
const soldOfUnknownCost = usd('proceedsOfUnknownCostUsd', 'SOLD, COST UNKNOWN', 2)

const currencyColumns = (rows: readonly Fields[], isChange: boolean): Column[] => [
  text('currency', 'CURRENCY'),
  units('quantity', 'QUANTITY', rows),
  units('quantityOfUnknownCost', 'COST UNKNOWN', rows, 3),
  price('averageCostUsd', 'AVERAGE', 1),
  usd('costUsd', 'COST', 2),
  price('markUsd', 'MARK', 4),
  usd('unrealizedUsd', 'UNREALIZED'),
  ...(isChange ? [usd('startUnrealizedUsd', 'BEFORE', 3), usd('unrealizedChangeUsd', 'CHANGE', 3)] : []),
  ...ofSums,
  soldOfUnknownCost,
]

const symbolColumns: readonly Column[] = [
  text('name', 'SYMBOL'),
  text('held', 'HELD OF IT', 3),
  usd('costUsd', 'COST', 2),
  usd('unrealizedUsd', 'UNREALIZED'),
  ...ofSums,
  soldOfUnknownCost,
]

const statedColumns = (rows: readonly Fields[]): Column[] => [
  text('currency', 'CURRENCY'),
  units('quantity', 'QUANTITY', rows),
  amount('usdEach', 'USD EACH'),
  units('counted', 'COUNTS FOR', rows),
  time('timestamp', 'HELD AT (UTC)', 1),
]

/** The lists of `--lots`, in the order of the help. */
const lotTables = {
  matches: {
    title: 'Matches',
    none: 'No matches.',
    columns: (rows: readonly Fields[]) => [
      time('closed', 'TIME (UTC)'),
      text('closedBy', 'OUT BY'),
      text('closedId', 'ID', 2),
      text('symbol', 'SYMBOL', 1),
      text('currency', 'CURRENCY'),
      units('quantity', 'QUANTITY', rows),
      text('openedId', 'LOT'),
      usd('costUsd', 'COST'),
      usd('proceedsUsd', 'PROCEEDS'),
      usd('realizedUsd', 'REALIZED'),
    ],
  },
  fees: {
    title: 'Fees',
    none: 'No fees.',
    columns: (rows: readonly Fields[]) => [
      time('closed', 'TIME (UTC)'),
      text('closedId', 'ID'),
      text('symbol', 'SYMBOL', 1),
      units('quantity', 'FEE', rows),
      text('currency', 'IN'),
      usd('feeUsd', 'USD'),
    ],
  },
  transfers: {
    title: 'Deposits and withdrawals',
    none: 'No deposits, and no withdrawals.',
    columns: (rows: readonly Fields[]) => [
      time('opened', 'IN (UTC)'),
      time('closed', 'OUT (UTC)'),
      text('record', 'KIND'),
      text('openedId', 'ID IN', 1),
      text('closedId', 'ID OUT', 1),
      text('currency', 'CURRENCY'),
      units('quantity', 'QUANTITY', rows),
      units('quantityOfUnknownCost', 'COST UNKNOWN', rows, 3),
      usd('costUsd', 'COST', 2),
    ],
  },
  lots: {
    title: 'Open lots',
    none: 'No open lots.',
    columns: (rows: readonly Fields[]) => [
      text('openedId', 'LOT'),
      text('openedBy', 'IN BY'),
      time('opened', 'TIME (UTC)', 1),
      text('currency', 'CURRENCY'),
      units('quantity', 'QUANTITY', rows),
      usd('costUsd', 'COST'),
      text('source', 'KNOWN FROM', 2),
    ],
  },
} as const
const lotLists = ['matches', 'fees', 'transfers', 'lots'] as const

/** Null for zero: a column of nothing else is left out. */
const orNothing = (value: Decimal): Decimal | null => (value.isZero() ? null : value)

/** Maximum currencies named as held of a symbol; the others are counted. */
const heldShown = 2

function heldText(held: Pnl['symbols'][number]['held']): string | null {
  const named = held.map(({ currency, quantity }) => `${quantity.toFixed()} ${currency}`)
  return held.length === 0 ? null : someNamed(named, heldShown)
}

type Field = Fields[string]

/** A partly unknown amount has `?` after it; a wholly unknown one is `?` alone. */
const marked = (value: Field, isPartial: boolean): Field =>
  isPartial ? partly(Decimal.isDecimal(value) ? value : null, true) : value

type Summed = Pick<PnlCurrency | PnlSymbol, 'realized' | 'isUnclear'>

/** A row with `?` marks for unknown parts. */
function markedRow(row: Fields, { realized, isUnclear }: Summed, hasUnknownCost: boolean): Fields {
  return {
    ...row,
    costUsd: marked(row.costUsd, hasUnknownCost),
    unrealizedUsd: marked(row.unrealizedUsd, isUnclear),
    realizedUsd: marked(row.realizedUsd, isRealizedPartial(realized)),
    feesUsd: marked(row.feesUsd, realized.unknownFeeCount > 0),
    proceedsOfUnknownCostUsd: orNothing(realized.proceedsOfUnknownCostUsd),
  }
}

function currencyRow(each: PnlCurrency): Fields {
  const row = currencyPnlFields(each)
  const { position, start, isUnclear } = each
  const wasUnclear = start?.isUnclear === true
  return {
    ...markedRow(row, each, !position.quantityOfUnknownCost.isZero()),
    quantityOfUnknownCost: orNothing(position.quantityOfUnknownCost),
    startUnrealizedUsd: marked(row.startUnrealizedUsd, wasUnclear),
    unrealizedChangeUsd: marked(row.unrealizedChangeUsd, wasUnclear || isUnclear),
  }
}

const symbolRow = (each: PnlSymbol): Fields => ({
  ...markedRow(
    symbolPnlFields(each),
    each,
    each.held.some(({ quantityOfUnknownCost }) => !quantityOfUnknownCost.isZero()),
  ),
  held: heldText(each.held),
})

function* tablePieces(pnl: Pnl, lots: LotLists | null, width: number) {
  const { period, method, markedAt, currencies, symbols, stated, fills, missing } = pnl
  const sums = { none: 'Nothing held, and nothing realized.', isWhole: true }
  const marked = markedAt === 'last' ? 'at last prices' : `at ${markedAt}`
  yield* wrapWords(`P&L ${periodText(period)}, ${method}, in USD ${marked}`, width)
  const held = currencies.map(currencyRow)
  yield* tableLines(held, currencyColumns(held, period.fromMs > 0), width, sums)
  const traded = symbols.map(symbolRow)
  if (traded.length > 0) {
    yield ''
    yield* tableLines(traded, symbolColumns, width, sums)
  }
  if (lots !== null) {
    const lists = lotFields(lots, period)
    for (const name of lotLists) {
      const { title, none, columns } = lotTables[name]
      // Laid out together: all of them share their columns.
      const rows = [...lists[name]]
      yield ''
      yield title
      yield* tableLines(rows, columns(rows), width, { none })
    }
  }
  if (stated.length > 0) {
    const rows = stated.map(statedCostFields)
    yield ''
    yield* wrapWords('Stated costs: "cost btc" in the desk lists them, "cost btc forget" takes one back', width)
    yield* tableLines(rows, statedColumns(rows), width)
  }
  yield ''
  for (const sentence of [...profitSentences(pnl), ...missing.map(plainText), ...recordedSentence(fills)])
    yield* wrapWords(sentence, width)
}

/** The report piece by piece: with every lot of a busy account it is far more than belongs in memory. */
function* piecesOf(pnl: Pnl, lots: LotLists | null, form: Form, width: number): Iterable<string> {
  switch (form) {
    case 'json':
      yield* jsonLinePieces(pnlFields(pnl, lots))
      break
    case 'csv':
      yield `${csvLine(lots === null ? pnlHead : lotHead)}\n`
      for (const row of lots === null ? pnlRows(pnl) : lotRows(lots, pnl.period)) yield `${csvLine(row)}\n`
      break
    case 'table':
      for (const line of tablePieces(pnl, lots, width)) yield `${line}\n`
  }
}

async function print(pnl: Pnl, lots: LotLists | null, given: Arguments, io: CommandIo): Promise<void> {
  const form = formOf(given, io.stdout)
  await writePieces(piecesOf(pnl, lots, form, io.stdout.columns || 80), io)
  if (form === 'csv') for (const sentence of pnl.missing) io.printError(plainText(sentence))
}

type Query = { method: CostMethod | undefined; mark: MarkPrice }

const readQuery = (given: Arguments): Query => ({
  method: costMethods.find((each) => each === given.value('method')),
  mark: markPrices.find((each) => each === given.value('mark')) ?? 'mid',
})

type PnlTools = Pick<CommandTools, 'clock'> & {
  io: Pick<CommandIo, 'environment'>
  signal: AbortSignal
  onPage: (count: number) => void
}

type PnlFault = { sentence: string; isUsage: boolean }

/**
 * P&L of a session's account between two moments, for `tell`, which can read its lots. The error is about unreadable
 * files on this machine, or usage (`isUsage`). Throws `ExchangeError`, and what `tell` throws.
 */
export async function readPnl<Told>(
  given: Arguments,
  session: Session,
  { clock, io, signal, onPage }: PnlTools,
  tell: (read: FetchedPnl) => Promise<Told>,
): Promise<Result<Told, PnlFault>> {
  const { method, mark } = readQuery(given)
  const { client, settings, token } = session
  const period = await readPeriodAsked(given, session, { clock, signal })
  if (!period.ok) return err({ sentence: period.error, isUsage: true })
  const context = { signal, onPage, nowMs: exchangeClockOf(session, clock) }
  const account = accountOf(settings, token, io)
  const costs = await openCosts(account, { clock }).read()
  if (!costs.ok) return err({ sentence: costs.error, isUsage: false })
  const request = {
    ...{ period: period.value, method: method ?? settings.costMethod, mark },
    ...{ statedCosts: costs.value, hasLots: given.has('lots') },
  }
  const bounds = () => readBounds(client, account, signal)
  // Recorded history is not requested again; without it everything is read from the exchange.
  const open = async () => openHistory(account.folder, { isReadOnly: true })
  try {
    return ok(
      await withRecorded(
        open,
        (recorded) => fetchPnl(client, request, { ...context, recorded, aheadOfMs: clock.wallMs(), bounds }),
        tell,
      ),
    )
  } catch (error) {
    if (error instanceof HistoryError) return err({ sentence: error.message, isUsage: false })
    throw error
  }
}

/** P&L of the account between two moments, and its holdings at the second one. */
export const runPnl: Run = async (given, io, tools) => {
  const written = checkTimes(given)
  if (!written.ok) return wrongUsage(written.error)
  const signal = readingSignal(io)
  return withSession(
    given,
    { io, tools, mayWrite: false, inDesk: 'P shows positions and P&L, and e there exports them' },
    (session) =>
      runUntilBrokenOff(io, async () => {
        const context = { ...tools, io, signal, onPage: progressOf(io, tools, 'fills ') }
        const ending = await readPnl(given, session, context, ({ pnl, lots, aheadCount }) =>
          toldWhole(async () => {
            await print(pnl, lots, given, io)
            tellPeriod(given, { period: pnl.period, aheadCount }, io)
            return endReport(given, pnl.faults, io)
          }),
        )
        if (ending.ok) return ending.value
        return ending.error.isUsage ? wrongUsage(ending.error.sentence) : failed(ending.error.sentence)
      }),
  )
}
