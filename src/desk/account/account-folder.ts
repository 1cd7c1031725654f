import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { namesIn } from '../../base/files/plain-file.ts'
import { serviceAddress } from '../../base/net/service-address.ts'
import type { CommandIo } from '../../base/process/command-io.ts'
import { xdgFolders } from '../../base/process/environment.ts'
import type { Secret } from '../../base/secret.ts'
import type { Settings } from '../../config/settings.ts'

/**
 * One account of one exchange, to which everything saved about money belongs. With another key or address under the
 * same profile it would not be found, and open writes would look as if they were never sent.
 */
export type Account = {
  /** The address and the key's fingerprint, or `practice`; recorded in every file of the journal. */
  name: string
  /** The exchange's address; null for the desk's own practice exchange. */
  address: string | null
  /** Its folder in the state folder. */
  folder: string
  /** The profile that uses it now. */
  profileName: string
  /**
   * Writes the note of the profile if that failed before. Entries of the journal do not name the profile, so without
   * the note it would not find them.
   */
  noteLater?: () => Promise<unknown>
}

type Place = Pick<CommandIo, 'environment'>

/** One exchange has one journal, however its address is spelled. */
const addressOfExchange = (exchange: Settings['exchange']): string | null =>
  exchange.kind === 'own' ? null : serviceAddress(exchange.baseUrl)

/** Distinguishes keys without revealing anything of them: 48 bits of a hash. */
const fingerprint = (token: Secret): string =>
  createHash('sha256').update('pitdesk journal\u0000').update(token.reveal()).digest('hex').slice(0, 12)

export const accountsFolder = ({ environment }: Place): string => join(xdgFolders(environment).state, 'accounts')

/** The names of the accounts' folders. Throws file errors. */
export const accountFolderNames = (io: Place): string[] =>
  namesIn(accountsFolder(io)).filter((name) => !name.endsWith('.lock'))

/**
 * The names of the accounts' folders; none when they cannot be listed, which is reported by whoever reads or writes
 * there.
 */
export function accountFolderNamesIfListed(io: Place): string[] {
  try {
    return accountFolderNames(io)
  } catch {
    return []
  }
}

/** The account of these settings and this key. */
export function accountOf(
  { profileName, exchange }: Pick<Settings, 'profileName' | 'exchange'>,
  token: Secret,
  io: Place,
): Account {
  const address = addressOfExchange(exchange)
  const name = address === null ? 'practice' : `${address} ${fingerprint(token)}`
  return { name, address, folder: join(accountsFolder(io), folderName(name)), profileName }
}

/** Length of the hash at the end of a folder's name, which distinguishes accounts of one host. */
export const hashLength = 12

/** The host, for the user, and a hash that distinguishes any two accounts. */
function folderName(name: string): string {
  const host = URL.parse(name.split(' ')[0] ?? '')?.host
  if (host === undefined) return name
  const hash = createHash('sha256').update(name).digest('hex').slice(0, hashLength)
  return `${host.replace(/[^A-Za-z0-9.-]/g, '_').slice(0, 60)}-${hash}`
}

/**
 * The name for things of a profile at one exchange, such as price alerts: the profile may name another exchange
 * tomorrow. For the desk's own practice exchange, the profile alone.
 */
export const profileAtExchange = ({ profileName, address }: Pick<Account, 'profileName' | 'address'>): string =>
  address === null ? profileName : `${profileName} at ${address}`

/** `profileAtExchange` from settings, before there is a key. */
export const profileAtExchangeOf = ({ profileName, exchange }: Pick<Settings, 'profileName' | 'exchange'>): string =>
  profileAtExchange({ profileName, address: addressOfExchange(exchange) })

export const accountJournalFolder = ({ folder }: Pick<Account, 'folder'>): string => join(folder, 'journal')

/** The files of an account beside its journal. */
export const accountFiles = ({ folder }: Pick<Account, 'folder'>) => ({
  drafts: join(folder, 'drafts.json'),
  orderDrafts: join(folder, 'order-drafts.json'),
  transfers: join(folder, 'transfers.json'),
  whitelist: join(folder, 'whitelist.json'),
  costs: join(folder, 'costs.json'),
  messages: join(folder, 'messages.json'),
})
