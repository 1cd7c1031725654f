import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder for an exchange's data, and what to do with it in the end. */
export type DataFolder = { path: string; leave(): void }

/** The folder that was asked for, which stays; or a temporary one, which goes. */
export function openDataFolder(path: string | undefined): DataFolder {
  if (path !== undefined) return { path, leave: () => {} }
  const temporary = mkdtempSync(join(tmpdir(), 'pitdesk-sandbox-'))
  return { path: temporary, leave: () => rmSync(temporary, { recursive: true, force: true }) }
}
