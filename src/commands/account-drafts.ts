import { xdgFolders } from '../config/folders.ts'
import type { Settings } from '../config/settings.ts'
import { takeLock } from '../journal/instance-lock.ts'
import { createDraftsFile, type DraftsFile, draftsPath } from '../state-files/drafts-file.ts'
import type { CommandTools } from './command.ts'
import type { CommandIo } from './io.ts'

/** The drafts of withdrawals of the profile, which the console and the commands share. */
export const openDrafts = (
  { profileName }: Pick<Settings, 'profileName'>,
  { environment }: Pick<CommandIo, 'environment'>,
  { clock }: Pick<CommandTools, 'clock'>,
): DraftsFile => createDraftsFile({ path: draftsPath(xdgFolders(environment).state, profileName), takeLock, clock })
