import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { CommandIo } from '../base/command-io.ts'
import { xdgFolders } from '../base/environment.ts'
import { namesIn } from '../base/plain-file.ts'
import type { Secret } from '../base/secret.ts'
import type { Settings } from '../config/settings.ts'

/**
 * One account of one exchange, which everything that is kept of money belongs to: with another key or another address
 * under the same profile nothing of it would be found, and what is open would look as if it had never been sent.
 */
export type Account = {
  /** The address and the key's fingerprint, or `practice`: it stands in every file of the journal. */
  name: string
  /** The exchange without the key: null for a practice exchange of the desk's own. */
  address: string | null
  /** Where it is kept, in the state folder. */
  folder: string
  /** The profile that it is used with now. */
  profileName: string
  /**
   * Where the disk did not take the note of the profile: writes it. Entries of the journal name no profile, so that
   * without the note nobody finds them by it.
   */
  noteLater?: () => Promise<unknown>
}

type Place = Pick<CommandIo, 'environment'>

/**
 * Without a user name or password that an address should not have, and without slashes at its end, or a dot at the end
 * of the host, which names the same one: its orders and limits are those of one journal.
 */
function addressOf(baseUrl: string): string {
  const url = URL.parse(baseUrl)
  if (url === null) return ''
  url.hostname = url.hostname.replace(/\.$/, '')
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

const addressOfExchange = (exchange: Settings['exchange']): string | null =>
  exchange.kind === 'own' ? null : addressOf(exchange.baseUrl)

/** Tells keys apart without telling anything of them: 48 bits of a hash. */
const fingerprint = (token: Secret): string =>
  createHash('sha256').update('pitdesk journal\u0000').update(token.reveal()).digest('hex').slice(0, 12)

export const accountsFolder = ({ environment }: Place): string => join(xdgFolders(environment).state, 'accounts')

/** The names of the accounts' folders. Throws what the disk says. */
export const accountFolderNames = (io: Place): string[] =>
  namesIn(accountsFolder(io)).filter((name) => !name.endsWith('.lock'))

/**
 * The names of the accounts' folders; none where they cannot be listed: whatever reads or writes there reports the
 * failure.
 */
export function accountFolderNamesIfListed(io: Place): string[] {
  try {
    return accountFolderNames(io)
  } catch {
    return []
  }
}

/** The account that the settings and the key are for. */
export function accountOf(
  { profileName, exchange }: Pick<Settings, 'profileName' | 'exchange'>,
  token: Secret,
  io: Place,
): Account {
  const address = addressOfExchange(exchange)
  const name = address === null ? 'practice' : `${address} ${fingerprint(token)}`
  return { name, address, folder: join(accountsFolder(io), folderName(name)), profileName }
}

/** Characters at the end of a folder's name that keep accounts of one host apart. */
export const hashLength = 12

/** The host, so that the user finds it, and what keeps any two accounts apart. */
function folderName(name: string): string {
  const host = URL.parse(name.split(' ')[0] ?? '')?.host
  if (host === undefined) return name
  const hash = createHash('sha256').update(name).digest('hex').slice(0, hashLength)
  return `${host.replace(/[^A-Za-z0-9.-]/g, '_').slice(0, 60)}-${hash}`
}

/**
 * Names what belongs to a profile at one exchange, such as price alerts: the same profile may name another exchange
 * tomorrow. A practice exchange of the desk's own goes by the profile alone.
 */
export const profileAtExchange = ({ profileName, address }: Pick<Account, 'profileName' | 'address'>): string =>
  address === null ? profileName : `${profileName} at ${address}`

/** `profileAtExchange` from settings, before there is a key. */
export const profileAtExchangeOf = ({ profileName, exchange }: Pick<Settings, 'profileName' | 'exchange'>): string =>
  profileAtExchange({ profileName, address: addressOfExchange(exchange) })

export const accountJournalFolder = ({ folder }: Pick<Account, 'folder'>): string => join(folder, 'journal')

/** What is kept of an account beside its journal. */
export const accountFiles = ({ folder }: Pick<Account, 'folder'>) => ({
  drafts: join(folder, 'drafts.json'),
  orderDrafts: join(folder, 'order-drafts.json'),
  transfers: join(folder, 'transfers.json'),
  whitelist: join(folder, 'whitelist.json'),
  costs: join(folder, 'costs.json'),
  messages: join(folder, 'messages.json'),
})
