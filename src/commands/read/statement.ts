import { type CommandIo, readingSignal } from '../../base/command-io.ts'
import { csvLine } from '../../base/csv.ts'
import { plainText } from '../../base/plain-text.ts'
import { utcSecond } from '../../base/time-text.ts'
import { accountOf } from '../../desk/account-folder.ts'
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
import { type Arguments, readTimes } from '../cli/arguments.ts'
import type { Run } from '../cli/command.ts'
import { done, wrongUsage } from '../cli/exit-codes.ts'
import { amount, type Column, formOf, jsonLinePieces, oneCurrency, tableLines, text } from '../cli/output.ts'
import { withSession } from '../cli/session.ts'
import { progressOf, runUntilBrokenOff } from './read-command.ts'

/** What the table shows of each currency; what is left out on a narrow terminal is in the JSON. */
const columns: readonly Column[] = [
  text('currency', 'CURRENCY'),
  ...oneCurrency([
    amount('opening', 'OPENING', 1),
    amount('deposits', 'DEPOSITS', 3),
    amount('withdrawals', 'WITHDRAWN', 3),
    amount('withdrawalFees', 'ITS FEES', 5),
    amount('bought', 'BOUGHT', 4),
    amount('sold', 'SOLD', 4),
    amount('tradeFees', 'FEES', 3),
    amount('closing', 'CLOSING'),
  ]),
  text('check', 'BALANCE', 0),
]

function* csvPieces(statement: Statement): Generator<string> {
  yield `${csvLine(statementHead)}\n`
  for (const row of statementRows(statement)) yield `${csvLine(row)}\n`
}

async function printTable(statement: Statement, io: CommandIo): Promise<void> {
  const { period, currencies, movements, missing } = statement
  const rows = currencies.map(currencyFields)
  await io.print(
    `Statement from ${utcSecond(period.fromMs)} to ${utcSecond(period.toMs)} UTC, ${movements.length} lines`,
  )
  for (const line of tableLines(rows, columns, io.stdout.columns || 80)) await io.print(line)
  for (const { currency, inFlight } of currencies)
    if (!inFlight.isZero())
      await io.print(`In flight, and still in the balance: ${inFlight.toFixed(sharedDecimals([inFlight]))} ${currency}`)
  for (const sentence of missing) await io.print(plainText(sentence))
  for (const sentence of recordedSentence(statement.fills)) await io.print(sentence)
}

/** Deposits, withdrawals, fills and fees between two moments, added up by currency and held against the balances. */
export const runStatement: Run = async (given, io, tools) => {
  const times = readTimes(given)
  if (!times.ok) return wrongUsage(times.error)
  const { fromMs = 0, toMs = tools.clock.wallMs() } = times.value
  if (fromMs > toMs) return wrongUsage('--from is in the future')
  const context = { signal: readingSignal(io), onPage: progressOf(io, tools, 'fills ') }
  return withSession(given, { io, tools, mayWrite: false }, ({ client, settings, token }) =>
    runUntilBrokenOff(io, async () => {
      const { folder } = accountOf(settings, token, io)
      // What desks recorded is not asked for again; without it everything is read from the exchange.
      const statement = await withRecorded(
        async () => openHistory(folder, { isReadOnly: true }),
        (recorded) => fetchStatement(client, { fromMs, toMs }, { ...context, recorded }),
      )
      await print(statement, given, io)
      return done
    }),
  )
}

/** What is missing from a list without room for sentences goes to stderr. */
async function print(statement: Statement, given: Arguments, io: CommandIo): Promise<void> {
  switch (formOf(given, io.stdout)) {
    case 'json':
      for (const piece of jsonLinePieces(statementFields(statement))) await io.output.write(piece)
      break
    case 'csv':
      for (const piece of csvPieces(statement)) await io.output.write(piece)
      for (const sentence of statement.missing) io.printError(plainText(sentence))
      break
    case 'table':
      await printTable(statement, io)
  }
}
