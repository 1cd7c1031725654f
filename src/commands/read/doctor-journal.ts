import type { CommandIo } from '../../base/command-io.ts'
import type { Secret } from '../../base/secret.ts'
import type { Settings } from '../../config/settings.ts'
import { accountJournalFolder, accountOf, accountsFolder } from '../../desk/account-folder.ts'
import { journalComplaint } from '../../journal/probe.ts'
import { type Finding, fail, ok, warn } from './doctor-finding.ts'

/** Checks that writes can be journaled before sending; without a key, in the folder of all accounts. */
export async function journalFinding(settings: Settings, token: Secret | null, io: CommandIo): Promise<Finding> {
  const folder = token === null ? accountsFolder(io) : accountJournalFolder(accountOf(settings, token, io))
  const wrong = await journalComplaint(folder)
  if (wrong === null) return ok('journal', `${folder} can be written to`)
  const text = `the journal in ${folder} cannot be written: ${wrong}`
  // A read-only profile sends nothing.
  return settings.isMonitor ? warn('journal', text) : fail('journal', `${text}. Orders and withdrawals are not sent`)
}
