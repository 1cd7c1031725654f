import { ExchangeError } from '../../api/errors.ts'
import { type CommandIo, readingSignal } from '../../base/process/command-io.ts'
import { err, ok, type Result } from '../../base/result.ts'
import type { Secret } from '../../base/secret.ts'
import { plainText, withoutStop } from '../../base/text/plain-text.ts'
import { openAccount, openDrafts } from '../../desk/account/account.ts'
import { accountOf } from '../../desk/account/account-folder.ts'
import { draftsBeforeHub } from '../../desk/account/drafts-before-hub.ts'
import { fetchToken } from '../../desk/account/profile.ts'
import { isHubToken } from '../../desk/wiring/behind-hub.ts'
import { primaryAccount } from '../../domain/balance.ts'
import { draftStateName } from '../../domain/draft.ts'
import type { WithdrawalDraft } from '../../domain/transfers/draft.ts'
import { addressParts, type DepositAddress } from '../../domain/transfers/transfer.ts'
import { fromBalance } from '../../wire/account.ts'
import { fromDeposit, fromWithdrawal } from '../../wire/transfers.ts'
import { type Arguments, readCurrency, readTimes, type Times } from '../cli/arguments.ts'
import type { Run } from '../cli/command.ts'
import {
  done,
  type Ending,
  exitCodes,
  type Fields,
  failed,
  failure,
  settingsFailure,
  wrongUsage,
} from '../cli/exit-codes.ts'
import { amount, type Column, formOf, list, one, oneCurrency, printReading, scaled, text, time } from '../cli/output.ts'
import { beforeAnswer, noticeOf, readProfile, withSession } from '../cli/session.ts'
import { type Read, readable, readRun } from './read-command.ts'

const inCents: Column = {
  ...amount('volumeInUSD', '30 DAYS USD'),
  shown: (usd) => usd.toFixed(Math.max(2, usd.decimalPlaces())),
}

const fees: Read<null> = {
  columns: [amount('makerRate', 'MAKER'), amount('takerRate', 'TAKER'), inCents],
  query: () => ok(null),
  async fetch(_query, { client }, { signal }) {
    const { makerRate, takerRate, volumeUsd } = await client.fetchFees(signal)
    const row = { makerRate, takerRate, volumeInUSD: volumeUsd }
    return one(row)
  },
}

type BalanceQuery = { account: string | null; currency: string | null }

const balances: Read<BalanceQuery> = {
  columns: [
    text('account', 'ACCOUNT', 3),
    text('currency', 'CURRENCY'),
    ...oneCurrency([amount('balance', 'BALANCE'), amount('available', 'AVAILABLE')]).map((column) =>
      scaled('currency', column),
    ),
    ...oneCurrency([amount('balance_local', 'LOCAL', 1), amount('available_local', 'LOCAL AVAIL', 2)]),
    amount('rate', 'RATE', 2),
  ],
  query(given) {
    const currency = readCurrency('--currency', given.value('currency'))
    if (!currency.ok) return currency
    return ok({ account: given.value('account') ?? null, currency: currency.value ?? null })
  },
  async fetch({ account, currency }, { client }, context) {
    const { signal } = context
    if (currency !== null) {
      const name = account ?? primaryAccount
      const row = { account: name, ...fromBalance(await client.fetchBalance(name, currency, signal)) }
      return one(row)
    }
    const all = await client.fetchAccounts(signal)
    if (account !== null && !all.has(account)) {
      const names = [...all.keys()].map(plainText)
      const listed = names.length === 0 ? 'The exchange lists none.' : `There are: ${names.join(', ')}.`
      return failure('rejected', `The exchange has no account ${plainText(account)}. ${listed}`)
    }
    const accounts = [...all].filter(([name]) => account === null || name === account)
    return list(
      accounts.flatMap(([name, held]) =>
        readable(held, 'balance', context).map((each) => ({ account: name, ...fromBalance(each) })),
      ),
      'No balances.',
    )
  },
}

const timeQuery: Read<TransferQuery>['query'] = (given, nowMs) => {
  const [id] = given.words
  if (id !== undefined && (given.has('from') || given.has('to')))
    return err('an id shows that one alone: no times go with it')
  const times = readTimes(given, nowMs)
  return times.ok ? ok({ ...times.value, id: id ?? null }) : times
}
type TransferQuery = Times & { id: string | null }

const deposits: Read<TransferQuery> = {
  columns: [
    time('timestamp', 'TIME (UTC)', 1),
    text('depositId', 'ID'),
    scaled('currency', amount('amount', 'AMOUNT')),
    text('currency', 'CURRENCY'),
    text('state', 'STATE'),
    text('address', 'ADDRESS', 2),
    text('txHash', 'TRANSACTION', 3),
  ],
  query: timeQuery,
  async fetch({ id, ...times }, { client }, context) {
    const { signal } = context
    if (id === null)
      return list(
        readable(await client.fetchDeposits(times, signal), 'deposit', context).map(fromDeposit),
        'No deposits.',
      )
    const row = fromDeposit(await client.fetchDeposit(id, signal))
    return one(row)
  },
}

const withdrawals: Read<TransferQuery> = {
  columns: [
    time('timestamp', 'TIME (UTC)', 1),
    text('withdrawalId', 'ID'),
    scaled('currency', amount('amount', 'AMOUNT')),
    scaled('currency', amount('fee', 'FEE', 2)),
    text('currency', 'CURRENCY'),
    text('state', 'STATE'),
    text('beneficiary', 'BENEFICIARY', 1),
  ],
  query: timeQuery,
  async fetch({ id, ...times }, { client }, context) {
    const { signal } = context
    if (id === null)
      return list(
        readable(await client.fetchWithdrawals(times, signal), 'withdrawal', context).map(fromWithdrawal),
        'No withdrawals.',
      )
    const row = fromWithdrawal(await client.fetchWithdrawal(id, signal))
    return one(row)
  },
}

const whitelist: Read<string | undefined> = {
  columns: [text('whitelistId', 'ID'), text('name', 'NAME'), text('currency', 'CURRENCY')],
  query: (given) => readCurrency('--currency', given.value('currency')),
  async fetch(currency, { client }, context) {
    const { signal } = context
    const listing =
      currency === undefined ? await client.fetchWhitelist(signal) : await client.fetchWhitelistOf(currency, signal)
    const entries = readable(listing, 'whitelist entry', context)
    return list(
      entries.map(({ whitelistId, name, currency: of }) => ({ whitelistId, name, currency: of })),
      'No whitelist entries.',
    )
  },
}

/** The reads of this file, for other callers. */
export const accountReads = { fees, balances, deposits, withdrawals, whitelist }

export const runFees = readRun(fees)
export const runBalances = readRun(balances)
export const runDeposits = readRun(deposits)
const listWithdrawals = readRun(withdrawals)

/** Withdrawals as the exchange has them, or the drafts of this machine or hub. */
export const runWithdrawals: Run = (given, io, tools) =>
  given.has('drafts') ? runDrafts(given, io, tools) : listWithdrawals(given, io, tools)
export const runWhitelist = readRun(whitelist)

const addressColumns = [
  text('currency', 'CURRENCY'),
  text('type', 'TYPE'),
  text('address', 'ADDRESS'),
  text('tag', 'TAG'),
]

/** The deposit address of a crypto currency, its tag apart. Asking moves no money, but may create a new address. */
export const runDepositAddress: Run = (given, io, tools) => {
  const read = readCurrency('a currency', given.words[0])
  if (!read.ok) return Promise.resolve(wrongUsage(read.error))
  const currency = read.value
  if (currency === undefined) return Promise.resolve(wrongUsage('currency missing, e.g. pitdesk deposit-address BTC'))
  return withSession(given, { io, tools, mayWrite: true }, async ({ client, settings, token }) => {
    if (settings.isMonitor)
      return failure(
        'notSent',
        `profile ${settings.profileName} is read only (MONITOR), and asking may make an address`,
      )
    const asked = await addressOf(() => client.createDepositAddress(currency, io.signal), token, io)
    if (!asked.ok) return asked.error
    const { type, address: whole } = asked.value
    const { address, tag } = addressParts(whole)
    const form = formOf(given, io.stdout)
    if (form === 'table') {
      await io.print(plainText(`Deposit ${currency} to: ${address}`))
      if (tag !== null) await io.print(plainText(`With the tag (without it the money is lost): ${tag}`))
      return done
    }
    const row = { currency, type, address, tag }
    await printReading(one(row), addressColumns, form, io)
    return done
  })
}

/** Neither an unusable address nor a signal is an outage of the exchange: a repeat may get the same. */
async function addressOf(
  ask: () => Promise<DepositAddress>,
  token: Secret,
  { signal }: Pick<CommandIo, 'signal'>,
): Promise<Result<DepositAddress, Ending>> {
  try {
    return ok(await ask())
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error
    if (error.fault === 'canceled' && signal.aborted)
      return err(failure('failed', beforeAnswer, { todo: 'No money is at risk. Ask for the address again.' }))
    if (error.fault !== 'unreadableAnswer') throw error
    return err(failed(withoutStop(noticeOf(error, token).message)))
  }
}

const draftColumns: readonly Column[] = [
  time('timestamp', 'DRAFTED (UTC)', 2),
  text('draftId', 'DRAFT'),
  amount('amount', 'AMOUNT'),
  text('currency', 'CURRENCY'),
  text('name', 'TO', 1),
  text('beneficiary', 'BENEFICIARY', 3),
  text('state', 'STATE'),
  text('approval', 'APPROVAL', 2),
  text('withdrawalId', 'WITHDRAWAL', 2),
  text('note', 'NOTE', 4),
  text('madeBy', 'BY', 4),
]

const draftCsvColumns = [...draftColumns, text('approvedBy', 'APPROVED BY'), text('reason', 'REASON')]

/** A draft by the wire's names, where there are any. The whole available balance is `sendMax`, as on the wire. */
export function draftFields({ amount: asked, beneficiary, approval, state, ...draft }: WithdrawalDraft): Fields {
  return {
    draftId: draft.draftId,
    currency: draft.currency,
    amount: asked === 'max' ? null : asked,
    sendMax: asked === 'max' ? true : null,
    beneficiary: beneficiary.whitelistId,
    name: beneficiary.name,
    state: draftStateName(state),
    approval: approval.kind,
    approvedBy: approval.kind === 'given' ? approval.by : null,
    madeBy: draft.madeBy ?? draft.origin,
    reason: state.kind === 'refused' ? state.reason : null,
    withdrawalId: state.kind === 'sent' ? state.withdrawalId : null,
    note: draft.note,
    key: draft.key,
    timestamp: draft.createdAtMs,
  }
}

/** The drafts on this machine, without a call to the exchange; or only those of the hub. */
const runDrafts: Run = async (given, io, tools) => {
  if (given.has('from') || given.has('to') || given.words.length > 0)
    return wrongUsage('--drafts lists all drafts: neither an id nor times go with it')
  const settings = readProfile(given, io)
  if (!settings.ok) return settingsFailure(settings.error)
  const token = await fetchToken(settings.value, io, tools)
  if (!token.ok) return failed(token.error)
  if (isHubToken(token.value)) return await runHubDrafts(given, io, tools)
  const opened = await openAccount(settings.value, token.value, io, tools)
  if (!opened.ok) return failed(withoutStop(opened.error.sentence))
  for (const notice of opened.value.notices) io.printError(plainText(notice))
  const drafts = await openDrafts(opened.value.account, tools).read()
  if (!drafts.ok) return failed(withoutStop(drafts.error))
  return await printDrafts(drafts.value, 'No drafts on this machine.', given, io)
}

/** The firm's drafts as the hub lists them, with a note about drafts left on this machine before the hub. */
const runHubDrafts: Run = (given, io, tools) =>
  withSession(given, { io, tools, mayWrite: false }, async ({ client, settings, token }) => {
    for (const sentence of await draftsBeforeHub(accountOf(settings, token, io), io, tools))
      io.printError(plainText(sentence))
    const { drafts, unreadable } = await client.fetchHubDrafts(readingSignal(io))
    for (const { reason } of unreadable) io.printError(plainText(`A draft of the hub cannot be read: ${reason}.`))
    const ending = await printDrafts(drafts, 'No drafts at the hub.', given, io)
    return unreadable.length === 0 ? ending : { code: exitCodes.failed }
  })

async function printDrafts(drafts: readonly WithdrawalDraft[], none: string, given: Arguments, io: CommandIo) {
  const form = formOf(given, io.stdout)
  const rows = drafts.map(draftFields)
  // A table and CSV show it in the amount column.
  const shown = rows.map((row) => (row.sendMax === true ? { ...row, amount: 'max' } : row))
  const columns = form === 'csv' ? draftCsvColumns : draftColumns
  await printReading(form === 'json' ? list(rows) : list(shown, none), columns, form, io)
  return done
}
