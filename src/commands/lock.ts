import { err, ok, type Result } from '../base/result.ts'
import { xdgFolders } from '../config/folders.ts'
import { acceptCode, codeAddress, newCodeSecret } from '../lock/code.ts'
import { openDeskLock, opensToo } from '../lock/desk-lock.ts'
import { approverPath, type LockSecret, lockPath, readLock, removeLock, writeLock } from '../lock/lock-file.ts'
import type { CommandTools, Run } from './command.ts'
import type { HiddenLines } from './hidden-lines.ts'
import type { CommandIo } from './io.ts'
import { askNewPassphrase, methodName, nothingTyped, openPresentLock, withHiddenLines } from './lock-steps.ts'

async function askCode(
  lines: HiddenLines,
  io: CommandIo,
  { clock, randomBytes }: CommandTools,
): Promise<Result<LockSecret>> {
  const secret = newCodeSecret(randomBytes)
  await io.print(`Add this to an authenticator app, as a secret or as an address. It is shown this once:
  secret   ${secret.secret}
  address  ${codeAddress(secret)}`)
  const typed = await lines.ask('The six digits the app shows now (they are not shown here):')
  if (typed === null) return err(nothingTyped)
  const used = acceptCode(typed, secret, clock.wallMs())
  return used === null
    ? err('That is not the code of this secret now: check the clocks. Nothing was changed.')
    : ok(used)
}

/**
 * `pitdesk lock setup [--code]`: asks for a passphrase, or makes a secret for one-time codes; what was set up before
 * opens first.
 */
export const runLockSetup: Run = (given, io, tools) =>
  withHiddenLines(io, async (lines) => {
    const stateFolder = xdgFolders(io.environment).state
    const present = await openPresentLock(lines, stateFolder, tools)
    if (!present.ok) return present
    const approver = await readLock(approverPath(stateFolder))
    if (!approver.ok) return approver
    const taken = async (passphrase: string) =>
      (await opensToo(passphrase, approver.value)) ? 'That is the passphrase of the person who approves.' : null
    const secret = given.has('code') ? await askCode(lines, io, tools) : await askNewPassphrase(lines, tools, taken)
    if (!secret.ok) return secret
    const path = lockPath(stateFolder)
    const written = await writeLock(path, { version: 1, secret: secret.value, wrongTries: 0, lastWrongAtMs: 0 })
    if (!written.ok) return written
    return ok(`The lock is set up in ${path}: desks started from now on open with ${methodName[secret.value.kind]}.`)
  })

/** `pitdesk lock remove`: opens the lock once more and takes it away. */
export const runLockRemove: Run = (_given, io, tools) =>
  withHiddenLines(io, async (lines) => {
    const stateFolder = xdgFolders(io.environment).state
    const lock = await openDeskLock(stateFolder, tools.clock)
    if (lock.ok && lock.value.method === 'none') return ok('No lock is set up.')
    if (lock.ok && lock.value.approver !== null)
      return err(`${lock.value.approver} approves withdrawals beside it: pitdesk lock approver remove comes first.`)
    const present = await openPresentLock(lines, stateFolder, tools)
    if (!present.ok) return present
    await removeLock(lockPath(stateFolder))
    return ok('The lock is removed: desks started from now on open with Enter.')
  })
