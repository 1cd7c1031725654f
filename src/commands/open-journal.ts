import { randomBytes } from 'node:crypto'
import { systemClock } from '../clock.ts'
import { err, ok, type Result } from '../domain/result.ts'
import { JournalError, type WriteJournal } from '../journal/entry.ts'
import { openFileJournal } from '../journal/file-journal.ts'
import { journalFolder } from '../journal/journal-folder.ts'

/** Whose writes are recorded. */
export type JournalAccount = {
  /** The XDG state folder of the program. */
  stateFolder: string
  profileName: string
  /** The exchange's base address; for the desk's own practice exchange, whose address changes, the word `practice`. */
  exchange: string
}

/** Opens a journal for this process, on the machine's own time. The error says what to do; nothing has been started. */
export async function openJournal({
  stateFolder,
  profileName,
  exchange,
}: JournalAccount): Promise<Result<WriteJournal>> {
  try {
    const folder = journalFolder(stateFolder, profileName)
    return ok(await openFileJournal({ folder, exchange, now: systemClock.now, randomBytes }))
  } catch (error) {
    if (!(error instanceof JournalError)) throw error
    return err(`${error.message}. Without a journal no order is safe, so nothing was started: see to that folder.`)
  }
}
