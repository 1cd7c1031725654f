import { err, ok, type Result } from '../base/result.ts'
import { type LockMethod, lockRefusal } from '../domain/desk/lock.ts'
import { openDeskLock } from '../lock/desk-lock.ts'
import type { LockSecret } from '../lock/lock-file.ts'
import { keepPassphrase } from '../lock/passphrase.ts'
import { type CommandTools, done, failed } from './command.ts'
import { type HiddenLines, openHiddenLines } from './hidden-lines.ts'
import type { CommandIo } from './io.ts'

const passphraseLeast = 8
export const nothingTyped = 'Nothing was typed: nothing was changed.'
export const nothingChanged = 'Nothing was changed.'

export const methodName: Readonly<Record<LockMethod, string>> = {
  none: 'nothing',
  passphrase: 'a passphrase',
  code: 'a code of an authenticator app',
}

/** Whoever changes a lock opens it first. Says what opened it. */
export async function openPresentLock(
  lines: HiddenLines,
  stateFolder: string,
  { clock }: CommandTools,
): Promise<Result<LockMethod>> {
  const lock = await openDeskLock(stateFolder, clock)
  if (!lock.ok) return lock
  const { method } = lock.value
  if (method === 'none') return ok(method)
  const typed = await lines.ask(`A lock is set up. What opens it now (${methodName[method]}; it is not shown):`)
  if (typed === null) return err(nothingTyped)
  const answer = await lock.value.open(typed)
  return answer.kind === 'opened' ? ok(method) : err(`${lockRefusal(answer)} ${nothingChanged}`)
}

/** A new passphrase, typed twice. `isTaken` says why it cannot be this one; null when it can. */
export async function askNewPassphrase(
  lines: HiddenLines,
  { randomBytes }: CommandTools,
  isTaken: (passphrase: string) => Promise<string | null>,
): Promise<Result<LockSecret>> {
  const first = await lines.ask(`New passphrase (${passphraseLeast} characters or more; it is not shown):`)
  if (first === null) return err(nothingTyped)
  if ([...first].length < passphraseLeast)
    return err(`A passphrase has ${passphraseLeast} characters or more: nothing was changed.`)
  const second = await lines.ask('The same once more:')
  if (second !== first) return err('The two are not the same: nothing was changed.')
  const taken = await isTaken(first)
  return taken === null ? ok(await keepPassphrase(first, randomBytes)) : err(`${taken} ${nothingChanged}`)
}

/** Runs with the terminal's keys taken, and gives them back whatever happens. */
export async function withHiddenLines(io: CommandIo, run: (lines: HiddenLines) => Promise<Result<string>>) {
  if (!io.stdin.isTTY || !io.stdout.isTTY)
    return failed('a lock is set up and removed on a terminal, where what is typed is not shown: this is none')
  const lines = openHiddenLines(io)
  try {
    const result = await run(lines)
    if (!result.ok) return failed(result.error)
    await io.print(result.value)
    return done
  } finally {
    lines.close()
  }
}
