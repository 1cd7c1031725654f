import { randomBytes } from 'node:crypto'
import { existsSync, rmSync, statSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { diskReason } from '../base/text/error-text.ts'
import { takeLock } from './locks.ts'

/** Enough for the start of a file and the writes of a day. */
const probeBytes = 65_536

/**
 * Tests what the journal in `folder` needs of its disk: creating, writing, syncing, locking and removing a file. Leaves
 * nothing behind and creates no folder; a missing folder is tested at its nearest existing parent. Null when all works,
 * or the disk's error as a clause.
 */
export async function journalComplaint(folder: string): Promise<string | null> {
  const name = `pitdesk-doctor-${process.pid}-${randomBytes(6).toString('hex')}.tmp`
  try {
    const path = join(nearestFolder(folder), name)
    const file = await open(path, 'ax', 0o600)
    try {
      await tried(file)
      const lock = join(folder, 'begin.lock')
      // Whoever holds it can lock.
      const taken = takeLock(existsSync(lock) ? lock : path)
      if (taken.ok) taken.value?.release()
      return taken.ok ? null : `it cannot be locked: ${taken.error}`
    } finally {
      rmSync(path, { force: true })
    }
  } catch (error) {
    return diskReason(error)
  }
}

async function tried(file: FileHandle): Promise<void> {
  try {
    await file.writeFile(Buffer.alloc(probeBytes))
    await file.sync()
    // What is locked has no content.
    await file.truncate()
  } finally {
    await file.close()
  }
}

/** What there is on the way to the folder: itself, or what it would be made in. */
function nearestFolder(folder: string): string {
  const above = dirname(folder)
  return above === folder || statSync(folder, { throwIfNoEntry: false }) !== undefined ? folder : nearestFolder(above)
}
