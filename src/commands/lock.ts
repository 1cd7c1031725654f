import { xdgFolders } from '../config/folders.ts'
import type { LockAnswer, LockMethod } from '../domain/lock.ts'
import { err, ok, type Result } from '../domain/result.ts'
import { acceptCode, codeAddress, newCodeSecret } from '../lock/code.ts'
import { openDeskLock } from '../lock/desk-lock.ts'
import { type LockSecret, lockPath, removeLock, writeLock } from '../lock/lock-file.ts'
import { keepPassphrase } from '../lock/passphrase.ts'
import { type CommandTools, done, failed, type Run } from './command.ts'
import { type HiddenLines, openHiddenLines } from './hidden-lines.ts'
import type { CommandIo } from './io.ts'

const passphraseLeast = 8
const nothingTyped = 'Nothing was typed: nothing was changed.'

const methodName: Readonly<Record<LockMethod, string>> = {
  none: 'nothing',
  passphrase: 'a passphrase',
  code: 'a code of an authenticator app',
}

function refusal(answer: Exclude<LockAnswer, { kind: 'opened' }>): string {
  switch (answer.kind) {
    case 'wrong':
      return `That does not open the lock: nothing was changed.${answer.waitMs > 0 ? ` The next try counts in ${Math.ceil(answer.waitMs / 1000)} s.` : ''}`
    case 'early':
      return `Too early after a wrong try: wait ${Math.ceil(answer.waitMs / 1000)} s. Nothing was changed.`
    case 'broken':
      return answer.sentence
  }
}

/** Whoever changes a lock opens it first. */
async function openPresentLock(
  lines: HiddenLines,
  stateFolder: string,
  { clock }: CommandTools,
): Promise<Result<null>> {
  const lock = await openDeskLock(stateFolder, clock)
  if (!lock.ok) return lock
  if (lock.value.method === 'none') return ok(null)
  const typed = await lines.ask(
    `A lock is set up. What opens it now (${methodName[lock.value.method]}; it is not shown):`,
  )
  if (typed === null) return err(nothingTyped)
  const answer = await lock.value.open(typed)
  return answer.kind === 'opened' ? ok(null) : err(refusal(answer))
}

async function askPassphrase(lines: HiddenLines, { randomBytes }: CommandTools): Promise<Result<LockSecret>> {
  const first = await lines.ask(`New passphrase (${passphraseLeast} characters or more; it is not shown):`)
  if (first === null) return err(nothingTyped)
  if ([...first].length < passphraseLeast)
    return err(`A passphrase has ${passphraseLeast} characters or more: nothing was changed.`)
  const second = await lines.ask('The same once more:')
  if (second !== first) return err('The two are not the same: nothing was changed.')
  return ok(await keepPassphrase(first, randomBytes))
}

async function askCode(
  lines: HiddenLines,
  io: CommandIo,
  { clock, randomBytes }: CommandTools,
): Promise<Result<LockSecret>> {
  const secret = newCodeSecret(randomBytes)
  io.print(`Add this to an authenticator app, as a secret or as an address. It is shown this once:
  secret   ${secret.secret}
  address  ${codeAddress(secret)}`)
  const typed = await lines.ask('The six digits the app shows now (they are not shown here):')
  if (typed === null) return err(nothingTyped)
  const used = acceptCode(typed, secret, clock.now())
  return used === null
    ? err('That is not the code of this secret now: check the clocks. Nothing was changed.')
    : ok(used)
}

/** Runs with the terminal's keys taken, and gives them back whatever happens. */
async function withHiddenLines(io: CommandIo, run: (lines: HiddenLines) => Promise<Result<string>>) {
  if (!io.stdin.isTTY || !io.stdout.isTTY)
    return failed('a lock is set up and removed on a terminal, where what is typed is not shown: this is none')
  const lines = openHiddenLines(io)
  try {
    const result = await run(lines)
    if (!result.ok) return failed(result.error)
    io.print(result.value)
    return done
  } finally {
    lines.close()
  }
}

/** `pitdesk lock setup [--code]`: asks for a passphrase, or makes a secret for one-time codes; what was set up before opens first. */
export const runLockSetup: Run = (given, io, tools) =>
  withHiddenLines(io, async (lines) => {
    const stateFolder = xdgFolders(io.environment).state
    const present = await openPresentLock(lines, stateFolder, tools)
    if (!present.ok) return present
    const secret = given.has('code') ? await askCode(lines, io, tools) : await askPassphrase(lines, tools)
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
    const present = await openPresentLock(lines, stateFolder, tools)
    if (!present.ok) return present
    await removeLock(lockPath(stateFolder))
    return ok('The lock is removed: desks started from now on open with Enter.')
  })
