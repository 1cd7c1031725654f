import { appendFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { closedFolder, firstHead, type JournalFile, listFiles, lockName, moveInto, readIfThere } from './files.ts'
import { joinOthers } from './joining.ts'
import { type Lock, takeLock } from './locks.ts'

/**
 * Where an earlier program kept the journal of a profile, of whatever accounts that named: a name that could lead out
 * of the folder, or be no file's name, stands there in hexadecimal.
 */
export function earlierFolder(stateFolder: string, profileName: string): string {
  const isPlain = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/.test(profileName)
  return join(stateFolder, 'journal', isPlain ? profileName : `x${Buffer.from(profileName).toString('hex')}`)
}

/** Files that do not say which account they are of. */
export const unknownFolder = (from: string): string => join(from, 'unknown')

/**
 * The accounts that have taken their files away, a line each: what else bears the profile's name may be theirs as well.
 */
const takenPath = (from: string): string => join(from, 'taken')

export type Earlier = {
  /** Whose files are in the folder, or were. */
  accounts: ReadonlySet<string>
  /** How many files there do not say whose they are. */
  unknownCount: number
  /** A desk of the earlier program still runs on the account: nothing was moved. */
  isLiving: boolean
}

type Owned = { file: JournalFile; account: string | null }

/**
 * Moves the files of one account from the folder of a profile to `to`, the journal of that account; closed ones are
 * joined there. What is another account's stays. Only for one process at a time. Throws what the disk says: what was
 * moved until then stays moved, and the rest follows the next time.
 */
export async function takeEarlier(from: string, to: string, account: string, nowMs: number): Promise<Earlier> {
  const open = listFiles(from).map(owned)
  const closed = listFiles(closedFolder(from)).map(owned)
  const ofAccount = (files: readonly Owned[]) =>
    files.filter((each) => each.account === account).map(({ file }) => file)
  const taken = new Set(
    (readIfThere(takenPath(from))?.toString('utf8') ?? '').split('\n').filter((line) => line !== ''),
  )
  const locks: Lock[] = []
  try {
    for (const run of new Set(ofAccount(open).map(({ instance }) => instance))) {
      const lock = takeLock(join(from, lockName(run)))
      if (!lock.ok) throw new Error(lock.error)
      if (lock.value === null) return { accounts: taken, unknownCount: 0, isLiving: true }
      locks.push(lock.value)
    }
    const isOwnThere = ofAccount([...open, ...closed]).length > 0
    // Before the first file goes, so that a crash in between leaves no doubt.
    if (isOwnThere && !taken.has(account)) appendFileSync(takenPath(from), `${account}\n`, { mode: 0o600 })
    for (const { path } of ofAccount(open)) moveInto(to, path)
    await joinOthers({ folder: to, bytesMost: Number.POSITIVE_INFINITY, nowMs }, ofAccount(closed))
  } finally {
    for (const lock of locks) lock.release()
  }
  for (const { instance } of ofAccount(open)) rmSync(join(from, lockName(instance)), { force: true })
  setUnknownAside(from, [...open, ...closed])
  const accounts = [...open, ...closed].flatMap((each) => (each.account === null ? [] : [each.account]))
  return {
    accounts: new Set([...taken, ...accounts]),
    unknownCount: listFiles(unknownFolder(from)).length,
    isLiving: false,
  }
}

/** The account of a file, by its first line. */
function owned(file: JournalFile): Owned {
  const head = firstHead(readIfThere(file.path) ?? Buffer.alloc(0))
  return { file, account: typeof head === 'string' ? null : head.exchange }
}

function setUnknownAside(from: string, files: readonly Owned[]): void {
  for (const { file, account } of files) {
    if (account !== null || !existsSync(file.path)) continue
    const lock = takeLock(join(from, lockName(file.instance)))
    // A desk that has only just begun says whose it is in a moment.
    if (!lock.ok || lock.value === null) continue
    moveInto(unknownFolder(from), file.path)
    lock.value.release()
    rmSync(join(from, lockName(file.instance)), { force: true })
  }
}
