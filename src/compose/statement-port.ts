import { ExchangeError } from '../api/errors.ts'
import type { Clock } from '../base/clock.ts'
import { plainText } from '../base/plain-text.ts'
import { err, ok, type Result } from '../base/result.ts'
import type { Period } from '../domain/statement/movement.ts'
import type { Statement } from '../domain/statement/statement.ts'
import { statementFields, statementHead, statementRows } from '../domain/statement/statement-cells.ts'
import { failureNotice } from '../services/failure-sentences.ts'
import { fetchStatement, type StatementClient } from '../services/statement.ts'
import { createCsvExport } from '../state-files/csv-export.ts'
import { createJsonExport } from '../state-files/json-export.ts'
import type { DeskPort } from '../store/commands.ts'
import type { DeskStore } from '../store/desk.ts'
import { type StatementForm, statementAnswered, type WrittenStatement } from '../store/exports.ts'
import { writeJson } from '../wire/exact-json.ts'

type StatementParts = {
  client: StatementClient
  exportsFolder: string
  store: DeskStore
  clock: Clock
  signal: AbortSignal
  track: (work: Promise<unknown>) => void
}

const name = 'statement'

/** The account's statement as a file: read from the exchange for as long as it takes, beside everything else. */
export function statementPort(parts: StatementParts): Pick<DeskPort, 'exportStatement'> {
  const { client, exportsFolder, store, clock, signal, track } = parts
  const written = (statement: Statement, form: StatementForm): Promise<Result<{ path: string }>> =>
    form === 'csv'
      ? createCsvExport(exportsFolder, clock).write({ name, head: statementHead, rows: statementRows(statement) })
      : createJsonExport(exportsFolder, clock).write(name, plainText(writeJson(statementFields(statement), 'strings')))
  const make = async (period: Period, form: StatementForm): Promise<Result<WrittenStatement>> => {
    try {
      const statement = await fetchStatement(client, period, { signal })
      const file = await written(statement, form)
      const { movements, missing } = statement
      return file.ok ? ok({ path: file.value.path, lineCount: movements.length, missing }) : file
    } catch (error) {
      if (error instanceof ExchangeError) return err(failureNotice(error))
      throw error
    }
  }
  return {
    exportStatement: (period, form) =>
      track(make(period, form).then((answer) => store.dispatchAll(statementAnswered(answer, clock.now())))),
  }
}
