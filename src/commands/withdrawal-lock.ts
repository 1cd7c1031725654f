import { xdgFolders } from '../config/folders.ts'
import { type ApprovalAnswer, lockRefusal } from '../domain/lock.ts'
import { err, ok, type Result } from '../domain/result.ts'
import { type DeskLock, openDeskLock } from '../lock/desk-lock.ts'
import type { CommandTools } from './command.ts'
import { openHiddenLines } from './hidden-lines.ts'
import type { CommandIo } from './io.ts'

const clause = (sentence: string): string => sentence.replace(/\.$/, '')

/** The lock that withdrawals are behind, with the person who approves them. */
export const openWithdrawalLock = (
  { environment }: Pick<CommandIo, 'environment'>,
  { clock }: Pick<CommandTools, 'clock'>,
): Promise<Result<DeskLock>> => openDeskLock(xdgFolders(environment).state, clock)

/** What is typed on the terminal without being shown; the error is a clause. */
async function askHidden(io: CommandIo, question: string, noTerminal: string): Promise<Result<string>> {
  if (!io.stdin.isTTY) return err(noTerminal)
  const lines = openHiddenLines(io)
  const typed = await lines.ask(question).finally(() => lines.close())
  return typed === null ? err('nothing was typed') : ok(typed)
}

/** The second lock, where one is set up: it opens by what a person types, and therefore not from a script. The error is a clause. */
export async function passWithdrawalLock(lock: DeskLock, io: CommandIo): Promise<Result<null>> {
  if (lock.method === 'none') return ok(null)
  const typed = await askHidden(
    io,
    `Withdrawals are behind a lock. Its ${lock.method === 'code' ? 'code' : 'passphrase'} (it is not shown):`,
    'withdrawals are behind a lock that a person opens: do it in a terminal',
  )
  if (!typed.ok) return err(`the lock was not opened: ${typed.error}`)
  const answer = await lock.open(typed.value)
  return answer.kind === 'opened' ? ok(null) : err(refusal(answer))
}

/** Asks the second person on the terminal; who it was, or as a clause why it is no approval. */
export async function askApproval(lock: DeskLock, io: CommandIo): Promise<Result<string>> {
  if (lock.approver === null) return err(refusal({ kind: 'nobody' }))
  const typed = await askHidden(
    io,
    `${lock.approver} approves withdrawals. Their passphrase (it is not shown):`,
    `${lock.approver} has to approve it in person: do it in a terminal`,
  )
  if (!typed.ok) return err(`it was not approved: ${typed.error}`)
  const answer = await lock.approve(typed.value)
  return answer.kind === 'approved' ? ok(answer.by) : err(refusal(answer))
}

const refusal = (answer: Exclude<ApprovalAnswer, { kind: 'approved' }>): string => {
  if (answer.kind === 'wrong' || answer.kind === 'early')
    return `the lock stays shut: try again in ${Math.ceil(answer.waitMs / 1000)} s`
  const sentence = clause(lockRefusal(answer))
  return answer.kind === 'broken' ? sentence : sentence.charAt(0).toLowerCase() + sentence.slice(1)
}
