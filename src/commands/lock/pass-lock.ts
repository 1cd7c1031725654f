import type { CommandIo, CommandTools } from '../../base/command-io.ts'
import { xdgFolders } from '../../base/environment.ts'
import { withoutStop } from '../../base/plain-text.ts'
import { err, ok, type Result } from '../../base/result.ts'
import type { Settings } from '../../config/settings.ts'
import { type ApprovalAnswer, lockRefusal } from '../../domain/desk/lock.ts'
import { type DeskLock, openDeskLock } from '../../lock/desk-lock.ts'
import { openHiddenLines } from '../cli/prompt.ts'

/**
 * The desk's lock, before a command places an order or sends money: else a command would be a way around the locked
 * desk. It opens by what the user types, and therefore not from a script, unless the profile lets commands pass. The
 * error is a clause.
 */
export async function passLock(
  { lockCommands }: Pick<Settings, 'lockCommands'>,
  io: CommandIo,
  { clock }: Pick<CommandTools, 'clock'>,
): Promise<Result<null>> {
  if (lockCommands === 'allow') return ok(null)
  const read = await openDeskLock(xdgFolders(io.environment).state, clock)
  if (!read.ok) return err(withoutStop(read.error))
  const lock = read.value
  if (lock.method === 'none') return ok(null)
  if (!io.stdin.isTTY)
    return err('the desk is locked: open it in a terminal, or set lock_commands = "allow" for scripts')
  const typed = await hidden(`Desk lock. Its ${lock.method === 'code' ? 'code' : 'passphrase'} (not shown):`, io)
  if (typed === null) return err('the lock was not opened')
  const answer = await lock.open(typed)
  return answer.kind === 'opened' ? ok(null) : err(refusal(answer))
}

/** The second person agrees by a passphrase of their own, typed in a terminal; their name. The error is a clause. */
export async function passApproval(lock: DeskLock, io: CommandIo): Promise<Result<string>> {
  const { approver } = lock
  if (approver === null) return err(refusal({ kind: 'nobody' }))
  if (!io.stdin.isTTY) return err('an approval is typed in a terminal')
  const typed = await hidden(`${approver}, your passphrase (it is not shown):`, io)
  if (typed === null) return err('it was not approved')
  const answer = await lock.approve(typed)
  return answer.kind === 'approved' ? ok(answer.by) : err(refusal(answer))
}

function refusal(answer: Exclude<ApprovalAnswer, { kind: 'approved' }>): string {
  if (answer.kind === 'wrong' || answer.kind === 'early') {
    return answer.waitMs === 0
      ? 'wrong passphrase or code'
      : `not accepted, try again in ${Math.ceil(answer.waitMs / 1000)} s`
  }
  return withoutStop(lockRefusal(answer))
}

async function hidden(question: string, io: CommandIo): Promise<string | null> {
  const lines = openHiddenLines(io)
  return await lines.ask(question).finally(() => lines.close())
}
