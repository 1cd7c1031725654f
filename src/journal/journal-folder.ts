import { join } from 'node:path'

/** Where the journal of a profile lives: a name that could lead out of the folder, or be no file's name, is written in hexadecimal. */
export function journalFolder(stateFolder: string, profileName: string): string {
  const isPlain = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/.test(profileName)
  return join(stateFolder, 'journal', isPlain ? profileName : `x${Buffer.from(profileName).toString('hex')}`)
}
