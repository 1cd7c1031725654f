import { createHash } from 'node:crypto'
import { xdgFolders } from '../config/folders.ts'
import type { Settings } from '../config/settings.ts'
import { err, ok, type Result } from '../domain/result.ts'
import type { Secret } from '../domain/secret.ts'
import { JournalError, type WriteJournal } from '../journal/entry.ts'
import { openFileJournal } from '../journal/file-journal.ts'
import { journalFolder } from '../journal/journal-folder.ts'
import type { CommandTools } from './command.ts'
import type { CommandIo } from './io.ts'

/**
 * Opens a journal in the folder of the profile. Its entries belong to one account of one exchange: with another key or another
 * address under the same name, nothing would be found, and what is open would look as if it had never been placed.
 */
export async function openAccountJournal(
  { profileName, exchange }: Settings,
  token: Secret,
  { environment }: Pick<CommandIo, 'environment'>,
  { clock, randomBytes }: Pick<CommandTools, 'clock' | 'randomBytes'>,
): Promise<Result<WriteJournal>> {
  const name = exchange.kind === 'own' ? 'practice' : `${addressOf(exchange.baseUrl)} ${fingerprint(token)}`
  const folder = journalFolder(xdgFolders(environment).state, profileName)
  try {
    return ok(await openFileJournal({ folder, exchange: name, now: () => clock.now(), randomBytes }))
  } catch (error) {
    if (error instanceof JournalError) return err(`${error.message}. Nothing was sent.`)
    throw error
  }
}

/** Without a user name or password that an address should not have, and without slashes at its end. */
function addressOf(baseUrl: string): string {
  const url = URL.parse(baseUrl)
  return url === null ? '' : `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

/** Tells keys apart without telling anything of them: 48 bits of a hash. */
const fingerprint = (token: Secret): string =>
  createHash('sha256').update('pitdesk journal\u0000').update(token.reveal()).digest('hex').slice(0, 12)
