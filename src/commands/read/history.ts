import type { CommandIo, CommandTools } from '../../base/process/command-io.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { Secret } from '../../base/secret.ts'
import { symbolSuggestion } from '../../base/text/nearest-name.ts'
import { plainText } from '../../base/text/plain-text.ts'
import { dayMs, hourMs, secondMs } from '../../base/text/time-text.ts'
import type { Settings } from '../../config/settings.ts'
import { accountOf } from '../../desk/account/account-folder.ts'
import { fetchToken } from '../../desk/account/profile.ts'
import { barSpanMs } from '../../domain/market/bar.ts'
import { Decimal, formatCount, formatGrouped } from '../../domain/money.ts'
import { HistoryError } from '../../history/history-database.ts'
import { type HistoryFile, openHistory } from '../../history/history-file.ts'
import { diskSpansOf } from '../../history/kept-bars.ts'
import type { HistorySize } from '../../history/thinning.ts'
import { endedOrdersKept } from '../../history/thinning.ts'
import { fromOrder } from '../../wire/order.ts'
import { type Arguments, readSymbol, readTimes, shown } from '../cli/arguments.ts'
import type { Run } from '../cli/command.ts'
import { done, type Ending, type Fields, failed, settingsFailure, wrongUsage } from '../cli/exit-codes.ts'
import { amount, type Column, formOf, leftOutTo, pagedList, printReading, text, time } from '../cli/output.ts'
import { readProfile } from '../cli/session.ts'
import { orderColumns } from './order-rows.ts'
import { fillColumns, fillFields } from './orders.ts'
import { tellTimes } from './read-command.ts'

type Times = { fromMs: number; toMs: number }

/** One list of the history: its columns, and its rows, oldest first, a few at a time. */
export type Kept = { columns: readonly Column[]; rows: (file: HistoryFile, times: Times) => Iterable<Fields> }

const bars = (symbol: string): Kept => ({
  columns: [
    time('timestamp', 'TIME (UTC)'),
    text('seconds', 'SECONDS', 2),
    ...['open', 'high', 'low', 'close'].map((field) => amount(field, field.toUpperCase())),
    text('looks', 'LOOKS', 1),
    amount('spread', 'SPREAD', 1),
  ],
  *rows(file, { fromMs, toMs }) {
    for (const bar of file.eachBar(symbol, fromMs, toMs)) {
      const { startMs, open, high, low, close, lookCount, spread } = bar
      const seconds = barSpanMs(bar) / secondMs
      yield { timestamp: startMs, seconds, open, high, low, close, looks: lookCount, spread }
    }
  },
})

const equity: Kept = {
  columns: [
    time('timestamp', 'TIME (UTC)'),
    amount('equityUsd', 'EQUITY USD'),
    amount('knownUsd', 'KNOWN USD', 1),
    text('unknown', 'UNKNOWN', 1),
  ],
  *rows(file, { fromMs, toMs }) {
    for (const { startMs, equityUsd, knownUsd, unknown } of file.eachEquity(fromMs, toMs))
      yield { timestamp: startMs, equityUsd, knownUsd, unknown: unknown.join(' ') }
  },
}

const fills: Kept = {
  columns: fillColumns,
  *rows(file, { fromMs, toMs }) {
    for (const fill of file.fills({ afterMs: fromMs - 1, toMs })) yield fillFields(fill)
  },
}

const orders: Kept = {
  columns: orderColumns,
  *rows(file, { fromMs, toMs }) {
    for (const order of file.endedOrders(fromMs, toMs)) yield fromOrder(order)
  },
}

/** The lists of the history, for other callers. */
export const historyLists = { bars, equity, fills, orders }

function keptOf(given: Arguments): Result<Kept> {
  const symbol = readSymbol(given.value('bars'))
  if (!symbol.ok) return symbol
  const asked = [
    ...(symbol.value === undefined ? [] : [bars(symbol.value)]),
    ...(given.has('equity') ? [equity] : []),
    ...(given.has('fills') ? [fills] : []),
    ...(given.has('orders') ? [orders] : []),
  ]
  const [first] = asked
  return first !== undefined && asked.length === 1 ? ok(first) : err('use one of --bars, --equity, --fills, --orders')
}

/** The error for a `--bars` symbol without records: a typo must not look like an empty history. */
function unknownSymbol(given: Arguments, file: HistoryFile): string | null {
  const typed = readSymbol(given.value('bars'))
  if (!typed.ok || typed.value === undefined) return null
  const known = file.symbols()
  if (known.length === 0 || known.includes(typed.value)) return null
  const near = symbolSuggestion(typed.value, known) || '.'
  return `no bars of ${shown(typed.value)} are recorded${near} There are ${known.join(', ')}`
}

/** Rows printed together. */
const pageRows = 200

function* pagesOf(rows: Iterable<Fields>): Generator<readonly Fields[]> {
  let page: Fields[] = []
  for (const row of rows) {
    page.push(row)
    if (page.length < pageRows) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}

/** The account folder of these settings and their key. */
async function folderOf(settings: Settings, io: CommandIo, tools: CommandTools): Promise<Result<string>> {
  // The desk's own practice exchange has one account, whatever its key.
  const token = settings.exchange.kind === 'own' ? ok(new Secret('')) : await fetchToken(settings, io, tools)
  return token.ok ? ok(accountOf(settings, token.value, io).folder) : token
}

/** `129.4 MB` */
const sizeText = (bytes: number): string => `${formatGrouped(new Decimal(bytes).div(1_000_000), 1)} MB`

/** The contents of a history, in words: `129.4 MB, 1,000,000 fills, 12,345 ended orders, …`. */
export const historyText = ({ bytes, fills: fillCount, endedOrders, bars: barCount, symbols }: HistorySize): string =>
  `${sizeText(bytes)}: ${formatCount(fillCount)} fills, ${formatCount(endedOrders)} ended orders, ` +
  `${formatCount(barCount)} bars of ${symbols} symbols`

/** What the list of fills lacks for good, as a clause. */
export const unreadableText = ({ unreadableFills: count }: Pick<HistoryFile, 'unreadableFills'>): string =>
  `${count} or fewer fills that the exchange lists and that cannot be read`

const sizeColumns: readonly Column[] = [text('what', 'WHAT'), amount('rows', 'ROWS'), text('kept', 'KEPT')]

/** How long bars of so many symbols are kept. */
function keptText(symbolCount: number): string {
  const { minutesMs, hoursMs, daysMs } = diskSpansOf(symbolCount)
  if (!Number.isFinite(daysMs)) return 'minutes 14 days, hours a year, then days'
  const [hours, days] = [Math.floor(minutesMs / hourMs), Math.floor(hoursMs / dayMs)]
  return `minutes ${hours} hours, hours ${days} days, days ${Math.floor(daysMs / dayMs)}; of those looked at all`
}

/** The size of each list, and how long its entries are kept. */
function sizeRows(file: HistoryFile): { value: Fields; rows: readonly Fields[] } {
  const size = file.size()
  const { isFillsWhole, unreadableFills } = file
  const all = unreadableFills === 0 ? 'all that the exchange lists' : `all but ${unreadableText(file)}`
  const isRead = isFillsWhole ? all : 'not all are read yet'
  return {
    value: { path: file.path, ...size, isFillsWhole },
    rows: [
      { what: 'fills', rows: new Decimal(size.fills), kept: `every one: ${isRead}` },
      { what: 'ended orders', rows: new Decimal(size.endedOrders), kept: `the newest ${formatCount(endedOrdersKept)}` },
      { what: 'bars', rows: new Decimal(size.bars), kept: keptText(size.symbols) },
      { what: 'equity', rows: new Decimal(size.equityPoints), kept: 'minutes 14 days, hours a year, then days' },
    ],
  }
}

/** Prints the size of the account's recorded history, without a call to the exchange. */
export const runHistory: Run = async (given, io, tools) =>
  withHistory(given, { io, tools }, async (file) => {
    const { value, rows } = sizeRows(file)
    const form = formOf(given, io.stdout)
    if (form === 'table') await io.print(plainText(`${file.path}, ${sizeText(file.size().bytes)}`))
    await printReading({ kind: 'one', value, rows }, sizeColumns, form, io)
    return done
  })

/** Prints the account's recorded history, without a call to the exchange. */
export const runHistoryExport: Run = async (given, io, tools) => {
  const kept = keptOf(given)
  if (!kept.ok) return wrongUsage(kept.error)
  const times = readTimes(given, tools.clock.wallMs())
  if (!times.ok) return wrongUsage(times.error)
  const { fromMs = 0, toMs = Number.MAX_SAFE_INTEGER } = times.value
  return withHistory(given, { io, tools }, async (file) => {
    const unknown = unknownSymbol(given, file)
    if (unknown !== null) return wrongUsage(unknown)
    const { columns, rows } = kept.value
    const form = formOf(given, io.stdout)
    await tellTimes(given, times.value, form, io)
    await printReading(pagedList(pagesOf(rows(file, { fromMs, toMs })), 'Nothing recorded.'), columns, form, io)
    if (given.has('fills') && !file.isFillsWhole)
      io.printError(
        'Not all fills have been read from the exchange yet: a desk that runs reads them in the background.',
      )
    const { leftOut, ending } = leftOutTo(io)
    const rowCount = file.takeLeftOut()
    if (rowCount > 0) leftOut(`rows of the history that cannot be read: ${rowCount}`)
    if (given.has('fills') && file.unreadableFills > 0) leftOut(unreadableText(file))
    return ending()
  })
}

/** Runs with the account's history, closed afterwards; fails with a sentence if there is none. */
async function withHistory(
  given: Arguments,
  { io, tools }: { io: CommandIo; tools: CommandTools },
  run: (file: HistoryFile) => Promise<Ending>,
): Promise<Ending> {
  const settings = readProfile(given, io)
  if (!settings.ok) return settingsFailure(settings.error)
  const folder = await folderOf(settings.value, io, tools)
  if (!folder.ok) return failed(folder.error)
  const file = openHistory(folder.value, { isReadOnly: true })
  if (!file.ok) return failed(file.error.message)
  try {
    return await run(file.value)
  } catch (error) {
    if (!(error instanceof HistoryError)) throw error
    return failed(error.kind === 'damaged' ? `${error.message}: the next desk puts it aside` : error.message)
  } finally {
    file.value.close()
  }
}
