import type { CommandIo, CommandTools } from '../../base/process/command-io.ts'
import { xdgFolders } from '../../base/process/environment.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { plainText } from '../../base/text/plain-text.ts'
import { type LockMethod, lockRefusal } from '../../domain/desk/lock.ts'
import {
  acceptCode,
  codeAddress,
  inLockTurn,
  keepPassphrase,
  newCodeSecret,
  openDeskLock,
  opensToo,
} from '../../lock/desk-lock.ts'
import {
  approverPath,
  holderOf,
  isSameLock,
  type LockRecord,
  type LockSecret,
  lockPath,
  readLock,
  removeLock,
  writeLock,
} from '../../lock/lock-file.ts'
import { unknownWord } from '../cli/arguments.ts'
import type { Run } from '../cli/command.ts'
import { done, failed, wrongUsage } from '../cli/exit-codes.ts'
import { askLine, type HiddenLines, openHiddenLines } from '../cli/prompt.ts'

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
  return used === null ? err('Wrong code for this secret now: check the clocks. Nothing was changed.') : ok(used)
}

/**
 * `pitdesk lock setup [--code]`: asks for a passphrase, or creates a secret for one-time codes; an existing lock must
 * be opened first.
 */
export const runLockSetup: Run = (given, io, tools) =>
  withHiddenLines(io, async (lines) => {
    const stateFolder = xdgFolders(io.environment).state
    const seen = await readLocks(stateFolder)
    if (!seen.ok) return seen
    const present = await openPresentLock(lines, stateFolder, tools)
    if (!present.ok) return present
    const taken = async (passphrase: string) =>
      (await opensToo(passphrase, seen.value.approver)) ? "That is the approver's passphrase." : null
    const secret = given.has('code') ? await askCode(lines, io, tools) : await askNewPassphrase(lines, tools, taken)
    if (!secret.ok) return secret
    const record = { version: 1, secret: secret.value, wrongTries: 0, lastWrongAtMs: 0 } as const
    const written = await setLock('own', record, { stateFolder, seen: seen.value, tools })
    if (!written.ok) return written
    return ok(
      `The lock is set up in ${lockPath(stateFolder)}: desks started from now on open with ` +
        `${methodName[secret.value.kind]}.`,
    )
  })

/** `pitdesk lock remove`: opens the lock once more and removes it. */
export const runLockRemove: Run = (_given, io, tools) =>
  withHiddenLines(io, async (lines) => {
    const stateFolder = xdgFolders(io.environment).state
    const seen = await readLocks(stateFolder)
    if (!seen.ok) return seen
    const { own, approver } = seen.value
    if (own === null) return ok('No lock is set up.')
    if (approver !== null) return err(`${holderOf(approver)} is the approver: run pitdesk lock approver remove first.`)
    const present = await openPresentLock(lines, stateFolder, tools)
    if (!present.ok) return present
    const removed = await setLock('own', null, { stateFolder, seen: seen.value, tools })
    if (!removed.ok) return removed
    return ok('The lock is removed: desks started from now on open with Enter.')
  })

const passphraseMin = 8
const nothingTyped = 'Nothing was typed: nothing was changed.'
const nothingChanged = 'Nothing was changed.'

const methodName: Readonly<Record<LockMethod, string>> = {
  none: 'nothing',
  passphrase: 'a passphrase',
  code: 'a code of an authenticator app',
}

/** The desk's own lock and that of the approver; null where there is none. */
type Locks = { own: LockRecord | null; approver: LockRecord | null }

async function readLocks(stateFolder: string): Promise<Result<Locks>> {
  const own = await readLock(lockPath(stateFolder))
  const approver = await readLock(approverPath(stateFolder))
  if (!own.ok) return own
  return approver.ok ? ok({ own: own.value, approver: approver.value }) : approver
}

type Setting = { stateFolder: string; seen: Locks; tools: Pick<CommandTools, 'clock'> }

/**
 * Writes one of the locks, or removes it with null, while no try is under way and where both are still those that were
 * `seen` before anything was typed: nobody has opened another one.
 */
async function setLock(
  which: keyof Locks,
  record: LockRecord | null,
  { stateFolder, seen, tools: { clock } }: Setting,
): Promise<Result<null>> {
  const path = which === 'own' ? lockPath(stateFolder) : approverPath(stateFolder)
  const set = await inLockTurn(path, clock, async () => {
    const now = await readLocks(stateFolder)
    if (!now.ok) return now
    if (!isSameLock(now.value.own, seen.own) || !isSameLock(now.value.approver, seen.approver))
      return err(`The lock was changed meanwhile. ${nothingChanged}`)
    if (record !== null) return await writeLock(path, record)
    await removeLock(path)
    return ok(null)
  })
  return set.ok ? set.value : err(`${set.error}. ${nothingChanged}`)
}

/** Opens an existing lock before it is changed. Returns its method. */
async function openPresentLock(
  lines: HiddenLines,
  stateFolder: string,
  { clock }: CommandTools,
): Promise<Result<LockMethod>> {
  const lock = await openDeskLock(stateFolder, clock)
  if (!lock.ok) return lock
  const { method } = lock.value
  if (method === 'none') return ok(method)
  const typed = await lines.ask(`A lock is set up. Unlock it (${methodName[method]}; it is not shown):`)
  if (typed === null) return err(nothingTyped)
  const answer = await lock.value.open(typed)
  return answer.kind === 'opened' ? ok(method) : err(`${lockRefusal(answer)} ${nothingChanged}`)
}

/** A new passphrase, typed twice. `isTaken` says why it cannot be this one; null when it can. */
async function askNewPassphrase(
  lines: HiddenLines,
  { randomBytes }: CommandTools,
  isTaken: (passphrase: string) => Promise<string | null>,
): Promise<Result<LockSecret>> {
  const first = await lines.ask(`New passphrase (${passphraseMin} characters or more; it is not shown):`)
  if (first === null) return err(nothingTyped)
  if ([...first].length < passphraseMin)
    return err(`A passphrase has ${passphraseMin} characters or more: nothing was changed.`)
  const second = await lines.ask('The same once more:')
  if (second !== first) return err('The two are not the same: nothing was changed.')
  const taken = await isTaken(first)
  return taken === null ? ok(await keepPassphrase(first, randomBytes)) : err(`${taken} ${nothingChanged}`)
}

/** Runs with the terminal's keys taken, and restores them in any case. */
async function withHiddenLines(io: CommandIo, run: (lines: HiddenLines) => Promise<Result<string>>) {
  if (!io.stdin.isTTY || !io.stdout.isTTY)
    return failed('setting up or removing a lock needs a terminal, where typing is not shown: this is not one')
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

const nameMax = 40

/** `pitdesk lock approver setup [NAME]` and `pitdesk lock approver remove`. */
export const runLockApprover: Run = (given, io, tools) => {
  const [verb, name] = given.words
  if (verb === 'setup') return runSetup(name, io, tools)
  if (verb !== 'remove') return Promise.resolve(wrongUsage(unknownWord('verb', verb ?? '', ['setup', 'remove'])))
  if (name !== undefined) return Promise.resolve(wrongUsage('remove takes no name: there is one approver'))
  return runRemove(given, io, tools)
}

/** A displayable name, or null. */
function readName(typed: string | null): string | null {
  const name = plainText(typed ?? '').trim()
  return name === '' || [...name].length > nameMax ? null : name
}

/** The present approver types their passphrase before any change, so that no one else can replace them. */
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
 * The desk's user opens the lock and makes room; then the approver types a name and a passphrase of their own, which
 * must not open the desk's lock.
 */
const runSetup = async (word: string | undefined, io: Parameters<Run>[1], tools: CommandTools): ReturnType<Run> => {
  if (!io.stdin.isTTY || !io.stdout.isTTY) return withHiddenLines(io, () => Promise.resolve(ok('')))
  const typedName = word ?? (await askLine(io, 'Name of the approver of withdrawals:'))
  const name = readName(typedName)
  if (name === null) return failed(`a name has 1 to ${nameMax} characters: nothing was changed.`)
  return withHiddenLines(io, async (lines) => {
    const stateFolder = xdgFolders(io.environment).state
    const seen = await readLocks(stateFolder)
    if (!seen.ok) return seen
    const opened = await openPresentLock(lines, stateFolder, tools)
    if (!opened.ok) return opened
    if (opened.value === 'none')
      return err(
        "Set up the desk's own lock first (pitdesk lock setup): without it nothing tells the user from the approver.",
      )
    const present = await openPresentApprover(lines, stateFolder, tools)
    if (!present.ok) return present
    io.printError(`Now ${name}:`)
    const taken = async (passphrase: string) =>
      (await opensToo(passphrase, seen.value.own)) ? "That passphrase opens the desk's lock: choose another." : null
    const secret = await askNewPassphrase(lines, tools, taken)
    if (!secret.ok) return secret
    const record = { version: 1, secret: secret.value, wrongTries: 0, lastWrongAtMs: 0, holder: name } as const
    const written = await setLock('approver', record, { stateFolder, seen: seen.value, tools })
    if (!written.ok) return written
    return ok(
      `${name} approves withdrawals from now on, where the settings or a draft ask for it; desks that are open ` +
        'know it after a restart.',
    )
  })
}

const runRemove: Run = (_given, io, tools) =>
  withHiddenLines(io, async (lines) => {
    const stateFolder = xdgFolders(io.environment).state
    const seen = await readLocks(stateFolder)
    if (!seen.ok) return seen
    const { approver } = seen.value
    if (approver === null) return ok('No approver is set up.')
    const present = await openPresentApprover(lines, stateFolder, tools)
    if (!present.ok) return present
    const removed = await setLock('approver', null, { stateFolder, seen: seen.value, tools })
    if (!removed.ok) return removed
    const holder = holderOf(approver)
    return ok(
      `${holder} is no longer the approver. Where the settings ask for an approval, nothing is sent until one is ` +
        `set up, but drafts that ${holder} approved may still go: see pitdesk withdrawals --drafts.`,
    )
  })
