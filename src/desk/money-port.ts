import { ExchangeError } from '../api/errors.ts'
import type { ExchangeClient } from '../api/exchange-client.ts'
import type { Clock } from '../base/clock.ts'
import { plainText } from '../base/plain-text.ts'
import { err, ok, type Result } from '../base/result.ts'
import type { Period } from '../domain/statement/movement.ts'
import type { Statement } from '../domain/statement/statement.ts'
import { statementFields, statementHead, statementRows } from '../domain/statement/statement-cells.ts'
import type { DepositAddress } from '../domain/transfers/transfer.ts'
import type { DeskLock } from '../lock/desk-lock.ts'
import { failureNotice } from '../services/failure-sentences.ts'
import { fetchStatement, type StatementClient } from '../services/statement.ts'
import type { WithdrawalQueue } from '../services/transfers/withdrawal-queue.ts'
import { createCsvExport, createJsonExport } from '../state-files/exports.ts'
import type { DeskPort } from '../store/commands.ts'
import type { DeskStore } from '../store/desk.ts'
import { type StatementForm, statementAnswered, type WrittenStatement } from '../store/exports.ts'
import { writeJson } from '../wire/exact-json.ts'
import { type DraftPort, draftPort, withdrawFormPort } from './withdrawal-port.ts'

type Options = { exportsFolder: string; copy?: (text: string) => boolean; clock: Clock }
type Parts = {
  client: ExchangeClient
  queue: WithdrawalQueue
  lock: DeskLock
  store: DeskStore
  signal: AbortSignal
  track: (work: Promise<unknown>) => void
}

export type MoneyPort = ReturnType<typeof depositPort> &
  ReturnType<typeof statementPort> &
  ReturnType<typeof withdrawFormPort> &
  DraftPort

/** What a person may do about money that comes in and leaves, and the account's books. */
export function moneyPort({ exportsFolder, copy, clock }: Options, parts: Parts): MoneyPort {
  const { client, queue, lock, store, signal, track } = parts
  return {
    ...depositPort({ client, store, signal, track, copy }),
    ...statementPort({ client, exportsFolder, store, clock, signal, track }),
    ...withdrawFormPort({ lock, queue, track }),
    ...draftPort({ queue, store, clock, track }),
  }
}

type DepositParts = {
  client: Pick<ExchangeClient, 'createDepositAddress'>
  store: DeskStore
  signal: AbortSignal
  track: (work: Promise<unknown>) => void
  /**
   * Hands text to the clipboard of whoever sits at the terminal; false where there is no terminal that could take it.
   */
  copy?: ((text: string) => boolean) | undefined
}

/**
 * Deposit addresses for a person. Asking for one moves no money and may be repeated, so that the journal has no part in
 * it.
 */
function depositPort(parts: DepositParts): Pick<DeskPort, 'fetchDepositAddress' | 'copyText'> {
  const { client, store, signal, track, copy = () => false } = parts
  const ask = async (currency: string): Promise<Result<DepositAddress>> => {
    try {
      return ok(await client.createDepositAddress(currency, signal))
    } catch (error) {
      if (error instanceof ExchangeError) return err(failureNotice(error))
      throw error
    }
  }
  return {
    fetchDepositAddress: (currency) =>
      track(ask(currency).then((answer) => store.dispatch({ type: 'depositAddressAnswered', currency, answer }))),
    copyText: copy,
  }
}

type StatementParts = {
  client: StatementClient
  exportsFolder: string
  store: DeskStore
  clock: Clock
  signal: AbortSignal
  track: (work: Promise<unknown>) => void
}

const statementName = 'statement'

/** The account's statement as a file: read from the exchange for as long as it takes, beside everything else. */
function statementPort(parts: StatementParts): Pick<DeskPort, 'exportStatement'> {
  const { client, exportsFolder, store, clock, signal, track } = parts
  const written = (statement: Statement, form: StatementForm): Promise<Result<{ path: string }>> =>
    form === 'csv'
      ? createCsvExport(exportsFolder, clock).write({
          name: statementName,
          head: statementHead,
          rows: statementRows(statement),
        })
      : createJsonExport(exportsFolder, clock).write(
          statementName,
          plainText(writeJson(statementFields(statement), 'strings')),
        )
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
