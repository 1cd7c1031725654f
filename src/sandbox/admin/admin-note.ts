import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../../base/files/make-folder.ts'
import { namesIn, readPlainFile } from '../../base/files/plain-file.ts'
import { type Environment, xdgFolders } from '../../base/process/environment.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { diskReason } from '../../base/text/error-text.ts'
import { int64, message, readMessage, strictText } from '../../wire/message.ts'

/** The admin address and token of one of this user's exchanges, as it recorded them at its start. */
export type AdminNote = {
  path: string
  text: string
  adminUrl: string
  adminToken: string
  adminPort: number
  pid: number
}

/** What an exchange publishes about its administration. */
type Administered = { adminUrl: string; adminToken: string }

const noteFields = message({ admin: strictText, adminToken: strictText, pid: int64 })
/** More than any note needs. */
const bytesMax = 64 * 1_024
const noteName = /^admin-(\d{1,5})\.json$/

const folderOf = (environment: Environment): string => join(xdgFolders(environment).state, 'sandbox')

/**
 * Records the admin address of this process's exchange in a file that only this user can read, so that `pitdesk sandbox
 * admin` finds it without a token among its arguments. The returned function removes the record.
 */
export function announceAdmin(
  environment: Environment,
  { adminUrl, adminToken }: Administered,
  pid: number,
): Result<() => void> {
  const folder = folderOf(environment)
  const path = join(folder, `admin-${new URL(adminUrl).port}.json`)
  const draft = `${path}.${pid}`
  const text = `${JSON.stringify({ admin: adminUrl, adminToken, pid })}\n`
  try {
    makeFolder(folder)
    rmSync(draft, { force: true })
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx' })
    renameSync(draft, path)
  } catch (error) {
    return err(
      `${path} could not be written: ${diskReason(error)}, so "pitdesk sandbox admin" will not find this exchange`,
    )
  }
  return ok(() => removeNote({ path, text }))
}

/** The records of this user's exchanges, including those that ended without a chance to remove theirs. */
export function readAdminNotes(environment: Environment): AdminNote[] {
  const folder = folderOf(environment)
  return namesIfListed(folder).flatMap((name) => {
    const [, port] = noteName.exec(name) ?? []
    if (port === undefined) return []
    const path = join(folder, name)
    const text = textOf(path)
    const read = readMessage(noteFields, text)
    if (!read.ok) return []
    const { admin, adminToken, pid } = read.value
    return [{ path, text, adminUrl: admin, adminToken, adminPort: Number(port), pid: Number(pid) }]
  })
}

/** Removes a note, unless another exchange has replaced it since. */
export function removeNote({ path, text }: Pick<AdminNote, 'path' | 'text'>): void {
  if (textOf(path) !== text) return
  try {
    rmSync(path, { force: true })
  } catch {
    // It stays, and is ignored because no one listens at its address.
  }
}

function namesIfListed(folder: string): string[] {
  try {
    return namesIn(folder)
  } catch {
    // An unreadable folder lists no exchange.
    return []
  }
}

function textOf(path: string): string {
  try {
    return readPlainFile(path, bytesMax).toString('utf8')
  } catch {
    // Removed in the meantime, or not readable by this user: treated as empty.
    return ''
  }
}
