import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCode } from './error-text.ts'

/**
 * Puts `text` at `path` whole or not at all, for its owner alone (0600; folders it has to make are 0700), and on the
 * disk when it resolves. What was there before is replaced. Throws what the disk says; the draft is gone then too. Not
 * for two writers of one path at once: `createJsonFile` queues its own.
 */
export async function writeAtomically(path: string, text: string): Promise<void> {
  // The draft lies in the same folder: a rename is atomic only inside one file system.
  const draft = `${path}.${process.pid}.new`
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await rm(draft, { force: true })
  try {
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
    await syncFolder(dirname(path))
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** Whether a folder cannot be synced here, as on Windows: such a file system keeps names by itself. */
export const isUnsyncable = (error: unknown): boolean => ['EISDIR', 'EPERM', 'EINVAL'].includes(errorCode(error))

/** The new name is on the disk only when its folder is: without that a power cut may bring back what was replaced. */
async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(path, 'r')
    try {
      await folder.sync()
    } finally {
      await folder.close()
    }
  } catch (error) {
    if (!isUnsyncable(error)) throw error
  }
}
