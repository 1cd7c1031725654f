import { join } from 'node:path'
import type { CommandIo, CommandTools } from '../base/command-io.ts'
import { xdgFolders } from '../base/environment.ts'
import { plainText } from '../base/plain-text.ts'
import { err, ok, type Result } from '../base/result.ts'
import { Secret } from '../base/secret.ts'
import type { InboxSettings } from '../config/inbox-settings.ts'
import type { EventStore } from '../inbox/store/event-store.ts'
import { openStore } from '../inbox/store/open-store.ts'
import { keyFrom } from './profile.ts'

export type StoreTools = { io: CommandIo; tools: CommandTools }

const otherWays =
  'everyone on this machine can read argument lists: name the store by PITDESK_INBOX_STORE, by store_file or ' +
  'store_command in [inbox] of config.toml, or leave the password to PGPASSWORD or a passfile of PostgreSQL'

/** The address of a store, as the user writes it. `typed`: it stood on the command line, where no password may be. */
function readStoreAddress(text: string, isTyped: boolean): Result<Secret> {
  const url = URL.parse(text)
  const scheme = url?.protocol ?? ''
  if (url === null || !['sqlite:', 'postgres:', 'postgresql:'].includes(scheme))
    return err('must be sqlite:///path or postgres://host/database')
  if (scheme === 'sqlite:') {
    if (url.host !== '' || !/^\/./.test(url.pathname)) return err('must have the full path: sqlite:///path')
    if (url.search !== '' || url.hash !== '') return err('must end with its path')
  } else if (isTyped && (url.password !== '' || [...url.searchParams.keys()].some((name) => /pass/i.test(name)))) {
    return err(`has a password in it, and ${otherWays}`)
  }
  return ok(new Secret(text))
}

/** Why a store has no address that can be used; `usage`: what was typed is wrong. */
type StoreFault = { kind: 'usage' | 'failed'; sentence: string }

/**
 * The address of the store: as typed, by variable, file or default. The error says what is wrong, without the address.
 */
export async function storeAddress(
  typed: string | undefined,
  { store }: Pick<InboxSettings, 'store'>,
  context: StoreTools,
): Promise<Result<Secret, StoreFault>> {
  const fault = (kind: StoreFault['kind'], sentence: string) => err({ kind, sentence })
  if (typed !== undefined) {
    const read = readStoreAddress(typed, true)
    return read.ok ? read : fault('usage', `--store ${read.error}`)
  }
  if (store === null) {
    const path = join(xdgFolders(context.io.environment).data, 'inbox.sqlite')
    return ok(new Secret(new URL(`sqlite://${encodeURI(path).replace(/[?#]/g, encodeURIComponent)}`).href))
  }
  const fetched = await keyFrom(store, context)
  if (!fetched.ok) return fault('failed', fetched.error)
  const read = readStoreAddress(fetched.value.reveal(), false)
  return read.ok ? read : fault('failed', `${store.name} ${read.error}`)
}

/**
 * Opens the store at this address; `isApart` for those who take in events (see `openStore`). The error never repeats
 * the address.
 */
export async function openInboxStore(
  address: Secret,
  { tools }: StoreTools,
  { isApart }: { isApart: boolean },
): Promise<Result<EventStore>> {
  const opened = await openStore(address.reveal(), { clock: tools.clock, isApart })
  return opened.ok ? opened : err(plainText(address.redact(opened.error)))
}
