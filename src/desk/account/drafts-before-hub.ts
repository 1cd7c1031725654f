import { join } from 'node:path'
import type { CommandIo, CommandTools } from '../../base/process/command-io.ts'
import { isEnded } from '../../domain/draft.ts'
import { openAccountNote } from '../../state-files/account-note.ts'
import { openDrafts } from './account.ts'
import { type Account, accountFiles, accountFolderNamesIfListed, accountsFolder } from './account-folder.ts'

/**
 * Drafts that this profile left on this machine before it went through a hub, one sentence for each file: they are
 * neither lost nor sent from here. A file that cannot be read is named all the same.
 */
export async function draftsBeforeHub(
  { profileName }: Pick<Account, 'profileName'>,
  io: Pick<CommandIo, 'environment'>,
  tools: Pick<CommandTools, 'clock'>,
): Promise<string[]> {
  const told = await Promise.all(
    accountFolderNamesIfListed(io).map((name) => sentenceOf(join(accountsFolder(io), name), profileName, tools)),
  )
  return told.flatMap((sentence) => sentence ?? [])
}

async function sentenceOf(
  folder: string,
  profileName: string,
  tools: Pick<CommandTools, 'clock'>,
): Promise<string | null> {
  const note = await openAccountNote(folder).read()
  const profiles = note.ok ? (note.value?.profiles ?? []) : []
  if (note.ok && !profiles.some((profile) => profile.name === profileName)) return null
  const name = note.ok ? (note.value?.account ?? '') : ''
  const account: Account = { name, address: null, folder, profileName }
  const drafts = await openDrafts(account, tools).read()
  const path = accountFiles(account).drafts
  if (!drafts.ok) return `${path} cannot be read: drafts from before the hub may be in it.`
  const open = drafts.value.filter((draft) => !isEnded(draft)).length
  if (open === 0) return null
  const which = open === 1 ? '1 draft' : `${open} drafts`
  return `${which} from before the hub: kept in ${path}, not sent through the hub. Make them again here.`
}
