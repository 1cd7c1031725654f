import { type CommandIo, readingSignal } from '../../base/process/command-io.ts'
import { csvLine } from '../../base/text/csv.ts'
import { plainText } from '../../base/text/plain-text.ts'
import { accountOf } from '../../desk/account/account-folder.ts'
import { sharedDecimals } from '../../domain/balance.ts'
import {
  currencyFields,
  recordedSentence,
  type Statement,
  statementFields,
  statementHead,
  statementRows,
} from '../../domain/statement/statement.ts'
import { openHistory } from '../../history/history-file.ts'
import { withRecorded } from '../../services/history/recorded.ts'
import { fetchStatement } from '../../services/statement.ts'
import { wrapWords } from '../../ui/text/cells.ts'
import { jsonLinePieces } from '../../wire/json-pieces.ts'
import type { Arguments } from '../cli/arguments.ts'
import type { Run } from '../cli/command.ts'
import { wrongUsage } from '../cli/exit-codes.ts'
import { amount, type Column, formOf, oneCurrency, tableLines, text, writePieces } from '../cli/output.ts'
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

/** The table's columns for each currency. */
const columns: readonly Column[] = [
  text('currency', 'CURRENCY'),
  ...oneCurrency([
    amount('opening', 'OPENING', 1),
    amount('deposits', 'DEPOSITED', 3),
    amount('withdrawals', 'WITHDRAWN', 3),
    amount('withdrawalFees', 'WITHDRAWAL FEES', 5),
    amount('bought', 'BOUGHT', 4),
    amount('sold', 'SOLD', 4),
    amount('tradeFees', 'TRADE FEES', 3),
    amount('closing', 'CLOSING'),
  ]),
  text('check', 'BALANCE', 0),
]

function* csvPieces(statement: Statement): Generator<string> {
  yield `${csvLine(statementHead)}\n`
  for (const row of statementRows(statement)) yield `${csvLine(row)}\n`
}

async function printTable(statement: Statement, io: CommandIo): Promise<void> {
  const { period, currencies, lineCount, missing } = statement
  const width = io.stdout.columns || 80
  const count = `${lineCount} ${lineCount === 1 ? 'line' : 'lines'}`
  for (const line of wrapWords(`Statement ${periodText(period)}, ${count}`, width)) await io.print(line)
  // Its columns add up, so none may be left out.
  const look = { none: 'Nothing held, and nothing moved.', isWhole: true }
  for (const line of tableLines(currencies.map(currencyFields), columns, width, look)) await io.print(line)
  const inFlight = currencies.flatMap(({ currency, inFlight: held }) =>
    held.isZero() ? [] : [`In flight, and still in the balance: ${held.toFixed(sharedDecimals([held]))} ${currency}`],
  )
  for (const sentence of [...inFlight, ...missing.map(plainText), ...recordedSentence(statement.fills)])
    for (const line of wrapWords(sentence, width)) await io.print(line)
}

/** Deposits, withdrawals, fills and fees between two moments, summed by currency and compared with the balances. */
export const runStatement: Run = async (given, io, tools) => {
  const { clock } = tools
  const written = checkTimes(given)
  if (!written.ok) return wrongUsage(written.error)
  const signal = readingSignal(io)
  return withSession(given, { io, tools, mayWrite: false, inDesk: '": statement today" writes one' }, (session) =>
    runUntilBrokenOff(io, async () => {
      const asked = await readPeriodAsked(given, session, { clock, signal })
      if (!asked.ok) return wrongUsage(asked.error)
      const nowMs = exchangeClockOf(session, clock)
      const context = { signal, onPage: progressOf(io, tools, 'fills '), nowMs, aheadOfMs: clock.wallMs() }
      const account = accountOf(session.settings, session.token, io)
      const bounds = () => readBounds(session.client, account, signal)
      // Recorded history is not requested again; without it everything is read from the exchange.
      return withRecorded(
        async () => openHistory(account.folder, { isReadOnly: true }),
        (recorded) => fetchStatement(session.client, asked.value, { ...context, recorded, bounds }),
        (statement) =>
          toldWhole(async () => {
            await print(statement, given, io)
            tellPeriod(given, statement, io)
            return endReport(given, statement.faults, io)
          }),
      )
    }),
  )
}

/** Faults go to stderr if the form has no place for sentences. */
async function print(statement: Statement, given: Arguments, io: CommandIo): Promise<void> {
  switch (formOf(given, io.stdout)) {
    case 'json':
      await writePieces(jsonLinePieces(statementFields(statement)), io)
      break
    case 'csv':
      await writePieces(csvPieces(statement), io)
      for (const sentence of statement.missing) io.printError(plainText(sentence))
      break
    case 'table':
      await printTable(statement, io)
  }
}
