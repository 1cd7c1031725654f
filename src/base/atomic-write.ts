import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

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
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
