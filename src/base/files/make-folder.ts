import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { err, ok, type Result } from '../result.ts'
import { diskReason } from '../text/error-text.ts'

const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory()

/**
 * Makes a folder and those above it that are missing, for the owner alone. Throws the system's error. By hand: Node's
 * own `recursive` says of a read-only disk that the folder is missing, and never returns where the system lets nobody
 * make anything and says the same, as in /proc.
 */
export function makeFolder(folder: string): void {
  if (isFolder(folder)) return
  const above = dirname(folder)
  if (above !== folder && !existsSync(above)) makeFolder(above)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isFolder(folder)) throw error
  }
}

/** `makeFolder` with its failure as a sentence without its period. */
export function madeFolder(folder: string): Result<null> {
  try {
    makeFolder(folder)
    return ok(null)
  } catch (error) {
    return err(`${folder} cannot be made: ${diskReason(error)}`)
  }
}
