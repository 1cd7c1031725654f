import type { CommandTools } from '../../base/command-io.ts'
import { xdgFolders } from '../../base/environment.ts'
import { plainText } from '../../base/plain-text.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { lockRefusal } from '../../domain/desk/lock.ts'
import { openDeskLock, opensToo } from '../../lock/desk-lock.ts'
import { approverPath, lockPath, readLock, removeLock, writeLock } from '../../lock/lock-file.ts'
import type { Run } from '../cli/command.ts'
import { failed, wrongUsage } from '../cli/exit-codes.ts'
import { askLine, type HiddenLines } from '../cli/prompt.ts'
import { askNewPassphrase, nothingChanged, nothingTyped, openPresentLock, withHiddenLines } from './lock.ts'

const nameMost = 40

/** `pitdesk lock approver setup [NAME]` and `pitdesk lock approver remove`. */
export const runLockApprover: Run = (given, io, tools) => {
  const [verb, name] = given.words
  if (verb === 'setup') return runSetup(name, io, tools)
  if (verb !== 'remove') return Promise.resolve(wrongUsage('say setup or remove after it'))
  if (name !== undefined) return Promise.resolve(wrongUsage('remove takes no name: there is one such person'))
  return runRemove(given, io, tools)
}

/** A name fit to be shown, or null. */
function readName(typed: string | null): string | null {
  const name = plainText(typed ?? '').trim()
  return name === '' || [...name].length > nameMost ? null : name
}

/**
 * The person who is set up types their passphrase before anything about them changes: nobody else can put another in
 * their place.
 */
async function openPresentApprover(
  lines: HiddenLines,
  stateFolder: string,
  { clock }: CommandTools,
): Promise<Result<null>> {
  const lock = await openDeskLock(stateFolder, clock)
  if (!lock.ok) return lock
  const { approver } = lock.value
  if (approver === null) return ok(null)
  const typed = await lines.ask(`${approver} approves withdrawals now. Their passphrase (it is not shown):`)
  if (typed === null) return err(nothingTyped)
  const answer = await lock.value.approve(typed)
  return answer.kind === 'approved' || answer.kind === 'same'
    ? ok(null)
    : err(`${lockRefusal(answer)} ${nothingChanged}`)
}

/**
 * Whoever holds the desk's lock opens it and makes room; the other person types a name and a passphrase of their own,
 * which the desk's lock must not open to.
 */
const runSetup = async (word: string | undefined, io: Parameters<Run>[1], tools: CommandTools): ReturnType<Run> => {
  if (!io.stdin.isTTY || !io.stdout.isTTY) return withHiddenLines(io, () => Promise.resolve(ok('')))
  const typedName = word ?? (await askLine(io, 'The name of the person who is to approve withdrawals:'))
  const name = readName(typedName)
  if (name === null) return failed(`a name has 1 to ${nameMost} characters: nothing was changed.`)
  return withHiddenLines(io, async (lines) => {
    const stateFolder = xdgFolders(io.environment).state
    const opened = await openPresentLock(lines, stateFolder, tools)
    if (!opened.ok) return opened
    if (opened.value === 'none')
      return err("Set up the desk's own lock first (pitdesk lock setup): without it nothing tells two persons apart.")
    const present = await openPresentApprover(lines, stateFolder, tools)
    if (!present.ok) return present
    io.printError(`Now ${name}:`)
    const own = await readLock(lockPath(stateFolder))
    if (!own.ok) return own
    const taken = async (passphrase: string) =>
      (await opensToo(passphrase, own.value)) ? "That opens the desk's own lock: it has to be another." : null
    const secret = await askNewPassphrase(lines, tools, taken)
    if (!secret.ok) return secret
    const path = approverPath(stateFolder)
    const record = { version: 1, secret: secret.value, wrongTries: 0, lastWrongAtMs: 0, holder: name } as const
    const written = await writeLock(path, record)
    if (!written.ok) return written
    return ok(
      `${name} approves withdrawals from now on, where the settings or a draft ask for it; desks that are open know it when they start anew.`,
    )
  })
}

const runRemove: Run = (_given, io, tools) =>
  withHiddenLines(io, async (lines) => {
    const stateFolder = xdgFolders(io.environment).state
    const lock = await openDeskLock(stateFolder, tools.clock)
    if (!lock.ok) return lock
    const { approver } = lock.value
    if (approver === null) return ok('Nobody is set up who approves withdrawals.')
    const present = await openPresentApprover(lines, stateFolder, tools)
    if (!present.ok) return present
    await removeLock(approverPath(stateFolder))
    return ok(
      `${approver} approves nothing any more. Where the settings ask for an approval, nothing is sent until somebody is set up.`,
    )
  })
