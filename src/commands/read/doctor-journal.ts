import type { CommandIo } from '../../base/process/command-io.ts'
import type { Secret } from '../../base/secret.ts'
import { diskReason } from '../../base/text/error-text.ts'
import type { Settings } from '../../config/settings.ts'
import { accountJournalFolder, accountOf, accountsFolder } from '../../desk/account/account-folder.ts'
import { FolderReader } from '../../journal/folder-reader.ts'
import { journalComplaint } from '../../journal/probe.ts'
import { type Finding, fail, ok, warn } from './doctor-finding.ts'

/**
 * Checks that writes can be journaled before sending, and that those of before can be read; without a key only the
 * former, in the folder of all accounts.
 */
export async function journalFinding(settings: Settings, token: Secret | null, io: CommandIo): Promise<Finding> {
  const folder = token === null ? accountsFolder(io) : accountJournalFolder(accountOf(settings, token, io))
  const wrong = await journalComplaint(folder)
  if (wrong === null) return token === null ? ok('journal', writable(folder)) : await readFinding(folder, settings)
  return unusable(`the journal in ${folder} cannot be written: ${wrong}`, settings)
}

const writable = (folder: string): string => `${folder} can be written to`

/** A read-only profile sends nothing. */
const unusable = (text: string, { isMonitor }: Settings): Finding =>
  isMonitor ? warn('journal', text) : fail('journal', `${text}. Orders and withdrawals are not sent`)

/** Without what was sent before, limits and duplicates cannot be checked. */
async function readFinding(folder: string, settings: Settings): Promise<Finding> {
  try {
    const { gaps } = await new FolderReader(folder).open()
    const [first] = gaps
    if (first === undefined) return ok('journal', writable(folder))
    const more = gaps.length === 1 ? '' : `, and ${gaps.length - 1} more`
    return warn('journal', `${writable(folder)}, and lacks something: ${first}${more}`)
  } catch (error) {
    return unusable(`the journal in ${folder} cannot be read: ${diskReason(error)}`, settings)
  }
}
