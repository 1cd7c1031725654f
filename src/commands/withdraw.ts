import { xdgFolders } from '../config/folders.ts'
import { readTypedAmount } from '../domain/amount-text.ts'
import { primaryAccount } from '../domain/balance.ts'
import type { NotSent, WithdrawalOutcome } from '../domain/order-outcome.ts'
import { plainText } from '../domain/plain-text.ts'
import { err, ok, type Result } from '../domain/result.ts'
import type { WithdrawalRequest } from '../domain/transfer.ts'
import { type WithdrawalCheck, withdrawalChecks } from '../domain/withdrawal-checks.ts'
import { openDeskLock } from '../lock/desk-lock.ts'
import { writeNewWithdrawal } from '../wire/new-withdrawal.ts'
import { fromWithdrawal } from '../wire/withdrawal.ts'
import type { Arguments } from './arguments.ts'
import { blockText, checkLines } from './check-lines.ts'
import { type CommandTools, done, type Ending, failed, type Run, wrongUsage } from './command.ts'
import { confirmed, consentOf } from './confirm.ts'
import { openHiddenLines } from './hidden-lines.ts'
import type { CommandIo } from './io.ts'
import { readAmount } from './order-draft.ts'
import { formOf, jsonLine } from './read-output.ts'
import { placeOf, type Session, withSession } from './session.ts'
import { withWriting } from './with-writing.ts'
import { ownPatienceMs, type Writing } from './writing.ts'

const usage = 'say what to send as: BTC 0.5 --to WHITELIST-ID, or BTC --max --to WHITELIST-ID'

function readRequest(given: Arguments): Result<WithdrawalRequest> {
  const [code, amountText] = given.words
  const beneficiary = given.value('to')
  if (code === undefined || beneficiary === undefined || (amountText === undefined) !== given.has('max'))
    return err(usage)
  if (!/^[A-Za-z0-9]{1,20}$/.test(code)) return err('a currency is a code such as BTC')
  const currency = code.toUpperCase()
  if (amountText === undefined) return ok({ currency, beneficiary, amount: 'max' })
  const amount = readAmount('the amount', amountText)
  return amount.ok ? ok({ currency, beneficiary, amount: amount.value }) : amount
}

/** Sends money out to a beneficiary of the whitelist, after the checks and the lock, once the amount was typed again. */
export const runWithdraw: Run = (given, io, tools) => {
  const request = readRequest(given)
  if (!request.ok) return Promise.resolve(wrongUsage(request.error))
  if (given.has('dry-run')) {
    return withSession(given, { io, tools, mayWrite: false }, (session) => dryRun(request.value, session, given, io))
  }
  const consent = consentOf(given, io)
  if (!consent.ok) return Promise.resolve(wrongUsage(consent.error))
  return withWriting({ given, io, tools }, async (session, writing) => {
    const judged = await judge(request.value, session, io)
    const blocked = blockText(judged.checks)
    if (blocked !== '') return failed(`not sent: ${blocked}. Nothing left the account.`)
    const locked = await passLock(io, tools)
    if (!locked.ok) return failed(`${locked.error}. Nothing left the account.`)
    const { amount } = request.value
    const what = amount === 'max' ? 'max' : 'the amount once more'
    const question = `${judged.sentence} on ${placeOf(session)}\nType ${what} to send it:`
    const isYes = (typed: string) => (amount === 'max' ? typed === 'max' : readTypedAmount(typed)?.eq(amount) === true)
    if (!(await confirmed(consent.value, io, { question, isYes })))
      return failed('left as it is: nothing left the account.')
    if (io.signal.aborted) return failed('ended before it was sent. Nothing left the account.')
    const { currency, beneficiary } = request.value
    const content = { currency, amount, beneficiary: { whitelistId: beneficiary, name: judged.name }, note: null }
    const sent = await writing.trading.withdrawals.sendNew({ ...content, wantsApproval: false }, [])
    return tell(sent, { given, io, writing })
  })
}

type Judged = { checks: WithdrawalCheck[]; sentence: string; name: string }

async function judge(request: WithdrawalRequest, { client }: Session, { signal }: CommandIo): Promise<Judged> {
  const [whitelist, accounts, symbols] = await Promise.all([
    client.fetchWhitelist(signal),
    client.fetchAccounts(signal),
    client.fetchSymbols(signal),
  ])
  const { currency } = request
  const scales = [...symbols.instruments.values()].flatMap(({ base, counter, baseScale, counterScale }) =>
    base === currency ? [baseScale] : counter === currency ? [counterScale] : [],
  )
  const checks = withdrawalChecks(request, {
    whitelist,
    balances: accounts.get(primaryAccount) ?? [],
    scale: scales[0] ?? null,
  })
  const name = whitelist.find(({ whitelistId }) => whitelistId === request.beneficiary)?.name ?? ''
  return { checks, sentence: sentenceOf(request, name), name }
}

function sentenceOf({ currency, beneficiary, amount }: WithdrawalRequest, name: string): string {
  const what = amount === 'max' ? `all available ${currency} less the fee` : `${amount} ${currency}`
  return plainText(`Withdraw ${what} to ${name === '' ? beneficiary : `${name} (${beneficiary})`}`)
}

async function dryRun(request: WithdrawalRequest, session: Session, given: Arguments, io: CommandIo): Promise<Ending> {
  const { checks, sentence } = await judge(request, session, io)
  const body = writeNewWithdrawal(request, 'strings')
  if (formOf(given, io.stdout) === 'table') {
    io.print(`Would: ${sentence}`)
    io.print(plainText(`POST /withdrawals ${body}`))
    for (const line of checkLines(checks)) io.print(line)
  } else {
    const { currency, beneficiary, amount } = request
    const fields = { currency, beneficiary, ...(amount === 'max' ? { sendMax: true } : { amount }) }
    io.print(jsonLine({ request: fields, checks }))
  }
  const blocked = blockText(checks)
  return blocked === '' ? done : failed(`it would not be sent: ${blocked}`)
}

/** The second lock, where one is set up: it opens by what a person types, and therefore not from a script. */
async function passLock(io: CommandIo, { clock }: CommandTools): Promise<Result<null>> {
  const lock = await openDeskLock(xdgFolders(io.environment).state, clock)
  if (!lock.ok) return lock
  const { method } = lock.value
  if (method === 'none') return ok(null)
  if (!io.stdin.isTTY) return err('withdrawals are behind a lock that a person opens: do it in a terminal')
  const lines = openHiddenLines(io)
  const typed = await lines
    .ask(`Withdrawals are behind a lock. Its ${method === 'code' ? 'code' : 'passphrase'} (it is not shown):`)
    .finally(() => lines.close())
  if (typed === null) return err('the lock was not opened')
  const answer = await lock.value.open(typed)
  switch (answer.kind) {
    case 'opened':
      return ok(null)
    case 'broken':
      return err(answer.sentence.replace(/\.$/, ''))
    case 'wrong':
    case 'early':
      return err(`the lock stays shut: try again in ${Math.ceil(answer.waitMs / 1000)} s`)
  }
}

type Telling = { given: Arguments; io: CommandIo; writing: Writing }

async function tell(outcome: WithdrawalOutcome | NotSent, { given, io, writing }: Telling): Promise<Ending> {
  switch (outcome.kind) {
    case 'accepted': {
      const { withdrawal } = outcome
      const line = `Withdrawal ${withdrawal.withdrawalId ?? ''} is ${withdrawal.state ?? 'taken'}.`
      io.print(formOf(given, io.stdout) === 'table' ? plainText(line) : jsonLine(fromWithdrawal(withdrawal)))
      return done
    }
    case 'notSent':
      return failed(`not sent: ${outcome.reason}. Nothing left the account.`)
    case 'rejected':
      return failed(`the exchange refused it: ${outcome.reason}. Nothing left the account.`)
    case 'unknown':
      io.complain('No answer. The money may be on its way: looking for it. Do not send it again.')
      await writing.settle(ownPatienceMs)
      return failed(
        `there was no answer (${outcome.reason}): look at pitdesk withdrawals; it stays in the journal, and a like one is held back until it is settled`,
      )
  }
}
