import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { writeAtomically } from '../base/files/atomic-write.ts'
import { readPlainFile } from '../base/files/plain-file.ts'
import { err, ok, type Result } from '../base/result.ts'
import { diskReason, isMissingFile } from '../base/text/error-text.ts'

/**
 * What opens the lock, as it is kept: a hash that costs memory to try, or the shared secret that codes are made from.
 */
export type LockSecret =
  | { kind: 'passphrase'; salt: string; hash: string; memoryKib: number; passes: number; parallelism: number }
  | { kind: 'code'; secret: string; lastStep: number }

/** The lock with the wrong tries since it was last opened: they count on over restarts. */
export type LockRecord = {
  version: 1
  secret: LockSecret
  wrongTries: number
  lastWrongAtMs: number
  /** Whose secret it is, where it is not the desk's own: the second person's name. */
  holder?: string
}

/** Where the lock is kept, in the state folder. */
export const lockPath = (stateFolder: string): string => join(stateFolder, 'lock.json')

/** Where the passphrase of the person who approves withdrawals is kept: a lock like the desk's own, with a holder. */
export const approverPath = (stateFolder: string): string => join(stateFolder, 'approver.json')

/** Whose secret an approver's lock is. */
export const holderOf = ({ holder = 'the second person' }: LockRecord): string => holder

/** Whether it is the same lock, whatever was tried on it or opened it meanwhile; both may be missing. */
export const isSameLock = (one: LockRecord | null, other: LockRecord | null): boolean =>
  nameOf(one?.secret) === nameOf(other?.secret) && one?.holder === other?.holder

/** A code's last step moves as it opens. */
const nameOf = (secret: LockSecret | undefined): string | undefined =>
  secret?.kind === 'code' ? secret.secret : secret?.hash

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0

type Fields = Readonly<Record<string, unknown>>
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/** What a hash may cost to try: far above what any version asks for, and below what would use up a machine. */
const costMax = { memoryKib: 1024 * 1024, passes: 64, parallelism: 16 }
const saltBytesMin = 8
/** What authenticator apps take: at least 80 bits. */
const base32 = /^[A-Z2-7]{16,128}=*$/

/** False for a hash that cannot be tried, so that the lock is told to be damaged instead of failing as it is opened. */
const canBeTried = ({ salt, memoryKib, passes, parallelism }: Extract<LockSecret, { kind: 'passphrase' }>): boolean =>
  Buffer.from(salt, 'base64').length >= saltBytesMin &&
  [parallelism, passes].every((count) => count >= 1) &&
  parallelism <= costMax.parallelism &&
  passes <= costMax.passes &&
  memoryKib >= 8 * parallelism &&
  memoryKib <= costMax.memoryKib

function readLockSecret(value: unknown): LockSecret | null {
  if (!isFields(value)) return null
  const { kind, salt, hash, memoryKib, passes, parallelism, secret, lastStep } = value
  if (kind === 'code')
    return isText(secret) && base32.test(secret) && isCount(lastStep) ? { kind, secret, lastStep } : null
  if (kind !== 'passphrase' || !isText(salt) || !isText(hash)) return null
  if (!isCount(memoryKib) || !isCount(passes) || !isCount(parallelism)) return null
  const read = { kind, salt, hash, memoryKib, passes, parallelism } as const
  return canBeTried(read) ? read : null
}

/** The lock; `newer`: a later version of this program made it. Null where it is damaged. */
function readRecord(text: string): LockRecord | 'newer' | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  if (!isFields(value)) return null
  if (isCount(value.version) && value.version > 1) return 'newer'
  if (value.version !== 1) return null
  const { wrongTries, lastWrongAtMs, holder } = value
  const secret = readLockSecret(value.secret)
  if (secret === null || !isCount(wrongTries) || !isCount(lastWrongAtMs)) return null
  if (holder !== undefined && !isText(holder)) return null
  return { version: 1, secret, wrongTries, lastWrongAtMs, ...(holder === undefined ? {} : { holder }) }
}

/** A lock is some hundred bytes. */
const lockBytesMax = 64 * 1024

/**
 * The lock that is set up; null when there is none. A file that others can read, or that is not a lock, is an error: it
 * stays shut.
 */
export async function readLock(path: string): Promise<Result<LockRecord | null>> {
  try {
    const { mode } = await stat(path)
    // Windows has no such modes: what the folder allows holds there.
    if (process.platform !== 'win32' && (mode & 0o077) !== 0)
      return err(`Others can read the lock in ${path}: chmod 600 it, or set it up again.`)
    const record = readRecord(readPlainFile(path, lockBytesMax).toString('utf8'))
    // Nobody is told to remove a lock that is whole: it, or its person, would be gone.
    if (record === 'newer') return err(`The lock in ${path} was made by a newer pitdesk: use that one.`)
    return record === null ? err(`The lock in ${path} is damaged: remove the file and set it up again.`) : ok(record)
  } catch (error) {
    return isMissingFile(error) ? ok(null) : err(`The lock in ${path} cannot be read: ${diskReason(error)}.`)
  }
}

/** Writes the lock for the owner alone, whole or not at all, and on disk when it resolves. */
export async function writeLock(path: string, record: LockRecord): Promise<Result<null>> {
  try {
    await writeAtomically(path, JSON.stringify(record))
    return ok(null)
  } catch (error) {
    return err(`The lock in ${path} cannot be written: ${diskReason(error)}.`)
  }
}

/** Removes the lock's file; that there is none is no error. Throws the system's error. */
export async function removeLock(path: string): Promise<void> {
  await rm(path, { force: true })
}
