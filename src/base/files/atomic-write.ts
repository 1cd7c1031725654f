import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCode } from '../text/error-text.ts'
import { makeFolder } from './make-folder.ts'

/**
 * Replaces the file at `path` with `text`, completely or not at all. The file is readable by its owner alone (0600; new
 * folders 0700) and on disk when the promise resolves. Throws the system's error and removes the temporary file. Not
 * for two concurrent writers of one path: `createJsonFile` queues its own writes.
 */
export async function writeAtomically(path: string, text: string): Promise<void> {
  // In the same folder, because a rename is atomic only within one file system.
  const draft = `${path}.${process.pid}.new`
  makeFolder(dirname(path))
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

/**
 * True for the errors of a system that cannot sync folders, such as Windows, where the file system keeps names by
 * itself.
 */
export const isUnsyncable = (error: unknown): boolean => ['EISDIR', 'EPERM', 'EINVAL'].includes(errorCode(error))

/** Syncs the folder, because until then a power cut can bring back the file that was replaced. */
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
