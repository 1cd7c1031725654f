import { appendFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { closedFolder, firstHead, type JournalFile, listFiles, lockName, moveInto, readIfThere } from './files.ts'
import { joinOthers } from './joining.ts'
import { type Lock, takeLock } from './locks.ts'

/**
 * The folder where earlier versions kept the journal of a profile, for all its accounts. A profile name that is not a
 * safe file name is written in hexadecimal.
 */
export function earlierFolder(stateFolder: string, profileName: string): string {
  const isPlain = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/.test(profileName)
  return join(stateFolder, 'journal', isPlain ? profileName : `x${Buffer.from(profileName).toString('hex')}`)
}

/** Folder of files without an account. */
export const unknownFolder = (from: string): string => join(from, 'unknown')

/** The accounts whose files were moved out, one per line: more files under the profile's name may be theirs. */
const takenPath = (from: string): string => join(from, 'taken')

export type Earlier = {
  /** Accounts with files in the folder now or before. */
  accounts: ReadonlySet<string>
  /** Number of files without an account. */
  unknownCount: number
  /** True when a desk of the earlier version still runs on the account; nothing was moved then. */
  isLiving: boolean
}

type Owned = { file: JournalFile; account: string | null }

/**
 * Moves an account's files from a profile's folder to `to`, the journal of that account, where closed ones are joined.
 * Other accounts' files stay. Only for one process at a time. Throws the disk's error; files moved until then stay
 * moved, and the rest follows on the next call.
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
    // Written before the first file moves, so that a crash in between leaves no doubt.
    if (isOwnThere && !taken.has(account)) appendFileSync(takenPath(from), `${account}\n`, { mode: 0o600 })
    for (const { path } of ofAccount(open)) moveInto(to, path)
    await joinOthers({ folder: to, bytesMax: Number.POSITIVE_INFINITY, nowMs }, ofAccount(closed))
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

/** The account of a file, from its first line. */
function owned(file: JournalFile): Owned {
  const head = firstHead(readIfThere(file.path) ?? Buffer.alloc(0))
  return { file, account: typeof head === 'string' ? null : head.exchange }
}

function setUnknownAside(from: string, files: readonly Owned[]): void {
  for (const { file, account } of files) {
    if (account !== null || !existsSync(file.path)) continue
    const lock = takeLock(join(from, lockName(file.instance)))
    // A desk that just started names its account in a moment.
    if (!lock.ok || lock.value === null) continue
    moveInto(unknownFolder(from), file.path)
    lock.value.release()
    rmSync(join(from, lockName(file.instance)), { force: true })
  }
}
