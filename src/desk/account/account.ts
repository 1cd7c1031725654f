import { existsSync, renameSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { writeAtomically } from '../../base/files/atomic-write.ts'
import { makeFolder } from '../../base/files/make-folder.ts'
import { ownFolderComplaint } from '../../base/files/own-file.ts'
import type { CommandIo, CommandTools } from '../../base/process/command-io.ts'
import { xdgFolders } from '../../base/process/environment.ts'
import { err, ok, type Result } from '../../base/result.ts'
import type { Secret } from '../../base/secret.ts'
import { diskReason } from '../../base/text/error-text.ts'
import type { Settings } from '../../config/settings.ts'
import type { DraftedOrder } from '../../domain/orders/drafted-order.ts'
import type { WithdrawalDraft } from '../../domain/transfers/draft.ts'
import { type Earlier, earlierFolder, takeEarlier, unknownFolder } from '../../journal/earlier-folder.ts'
import { JournalError, type WriteJournal } from '../../journal/entry.ts'
import { openFileJournal } from '../../journal/file-journal.ts'
import { listFiles } from '../../journal/files.ts'
import { FolderReader } from '../../journal/folder-reader.ts'
import { listInstances, readInstance } from '../../journal/instance.ts'
import { Turns, takeLock } from '../../journal/locks.ts'
import { isUnder } from '../../journal/record.ts'
import { type DeskLock, openDeskLock } from '../../lock/desk-lock.ts'
import type { WithdrawalTermsSource } from '../../services/transfers/withdrawal-guard.ts'
import { type AccountNote, openAccountNote } from '../../state-files/account-note.ts'
import { alertsPath } from '../../state-files/alerts-file.ts'
import { type CostsFile, createCostsFile } from '../../state-files/costs-file.ts'
import { createDraftsFile, createOrderDraftsFile, type DraftsFile } from '../../state-files/drafts-file.ts'
import { createWhitelistMemory } from '../../state-files/whitelist-file.ts'
import {
  type Account,
  accountFiles,
  accountFolderNamesIfListed,
  accountJournalFolder,
  accountOf,
  accountsFolder,
  hashLength,
  profileAtExchange,
} from './account-folder.ts'

type Place = Pick<CommandIo, 'environment'>

/** An account, with notices about its files for the user. */
type OpenedAccount = { account: Account; notices: readonly string[] }

/**
 * Opens the account of these settings and this key, and takes over files of an earlier program that are its own. The
 * error says why nothing may be sent.
 */
export async function openAccount(
  settings: Pick<Settings, 'profileName' | 'exchange'>,
  token: Secret,
  io: Place,
  { clock }: Pick<CommandTools, 'clock'>,
): Promise<Result<OpenedAccount, Unopened>> {
  const account = accountOf(settings, token, io)
  const { state } = xdgFolders(io.environment)
  // Anyone who can write there could add a draft of theirs, or remove an entry.
  const open = ownFolderComplaint(state)
  if (open !== null) return refused(`the data folder ${state} ${open}`)
  const inTheWay = fileInTheWay(account.folder)
  if (inTheWay !== null) return ok({ account, notices: [blockedSentence(inTheWay)] })
  const file = openAccountNote(account.folder)
  const read = await file.read()
  if (file.isNewer()) return refused(`${account.folder} was made by a newer pitdesk: use that one`)
  const before: AccountNote = (read.ok ? read.value : null) ?? { version: 1, account: account.name, profiles: [] }
  const isNoted = before.profiles.some(({ name }) => name === account.profileName)
  const notices = [...(read.ok ? [] : [read.error]), ...(await otherKeys(account, io, !isNoted))]
  let earlierMs = 0
  if (hasEarlier(state, account, before)) {
    const adopted = await inTurn(io, () => adoptEarlier(state, account, before, clock.wallMs()))
    if (!adopted.ok) return refused(adopted.error)
    notices.push(...adopted.value.notices)
    earlierMs = adopted.value.earlierMs
  } else if (isNoted) return ok({ account, notices })
  // An unreadable file is not overwritten, and was reported.
  if (!read.ok && !(await file.read()).ok) return ok({ account, notices })
  const own = { name: account.profileName, earlierMs }
  const written = await file.write(withProfile(before, own))
  if (written.ok) return ok({ account, notices })
  notices.push(written.error)
  return ok({ account: { ...account, noteLater: () => noteProfile(file, before, own) }, notices })
}

type NotedProfile = AccountNote['profiles'][number]

const withProfile = ({ profiles, ...note }: AccountNote, own: NotedProfile): AccountNote => ({
  ...note,
  profiles: [...profiles.filter(({ name }) => name !== own.name), own],
})

/** Records the profile, unless another process has done so meanwhile. */
async function noteProfile(
  file: ReturnType<typeof openAccountNote>,
  before: AccountNote,
  own: NotedProfile,
): Promise<void> {
  const read = await file.read()
  const note = read.ok ? (read.value ?? before) : null
  if (note === null || note.profiles.some((each) => each.name === own.name && each.earlierMs === own.earlierMs)) return
  await file.write(withProfile(note, own))
}

/** A file in the place of the folder or one above it; null when the folder exists or can be created. */
function fileInTheWay(folder: string): string | null {
  try {
    if (statSync(folder).isDirectory()) return null
    return folder
  } catch {
    const above = dirname(folder)
    return above === folder ? null : fileInTheWay(above)
  }
}

/** The sentence for a desk, which opens all the same so that orders can be canceled. */
const blockedSentence = (path: string): string =>
  `${path} is a file in the place of a folder: no order or withdrawal is sent, and cancels are not on record. ` +
  'Nothing was sent. Move that file away: no restart is needed.'

/** Why an account or its journal cannot be opened: the bare reason, and the sentence for a sender. */
type Unopened = { reason: string; sentence: string }

const refused = (reason: string) => err<Unopened>({ reason, sentence: `${reason}. Nothing was sent.` })

/** Runs while no other process takes over files of an earlier program. */
async function inTurn<T>(io: Place, run: () => Promise<Result<T>>): Promise<Result<T>> {
  const folder = accountsFolder(io)
  try {
    makeFolder(folder)
    return await new Turns(join(folder, 'adopt.lock'), 'takes over the files of an earlier pitdesk').alone(run)
  } catch (error) {
    if (error instanceof JournalError) return err(error.message)
    return err(`${folder} cannot be made: ${diskReason(error)}`)
  }
}

/**
 * Reports accounts of the same exchange under other keys: once, where their files are, because a replaced key is
 * another account to this program; and every time, their writes of unknown outcome, which no desk checks.
 */
async function otherKeys(account: Account, io: Place, isFirst: boolean): Promise<string[]> {
  if (account.address === null) return []
  const notices: string[] = []
  // Folder names begin with the host and end with a hash: those of other hosts are not read.
  const host = basename(account.folder).slice(0, -hashLength)
  for (const name of accountFolderNamesIfListed(io).filter((each) => each.startsWith(host))) {
    const folder = join(accountsFolder(io), name)
    if (folder === account.folder) continue
    const note = await openAccountNote(folder).read()
    const other = note.ok ? note.value : null
    const isSame = other?.account.startsWith(`${account.address} `) === true
    if (!isSame || !other.profiles.some((each) => each.name === account.profileName)) continue
    const open = listInstances(accountJournalFolder({ folder })).flatMap((instance) => readInstance(instance).open)
    const count = open.length === 1 ? '1 write' : `${open.length} writes`
    if (open.length > 0) notices.push(`Another key left ${count} with an unknown outcome, not checked here: ${folder}.`)
    else if (isFirst)
      notices.push(`New key for profile ${account.profileName}: journal and drafts of the other key are in ${folder}.`)
  }
  return notices
}

/** Opens a journal of the account. A desk joins closed files in the background; a command only if that is quick. */
export async function openAccountJournal(
  account: Account,
  { environment }: Place,
  { clock, randomBytes }: Pick<CommandTools, 'clock' | 'randomBytes'>,
  joinedBy: 'command' | 'desk' = 'command',
): Promise<Result<WriteJournal, Unopened>> {
  const earlier = earlierFolder(xdgFolders(environment).state, account.profileName)
  try {
    return ok(
      await openFileJournal({
        folder: accountJournalFolder(account),
        exchange: account.name,
        now: () => clock.wallMs(),
        bootedMs: clock.bootedMs?.bind(clock),
        randomBytes,
        unknownFolder: unknownFolder(earlier),
        joinedBy,
        ...(account.noteLater === undefined ? {} : { onBack: account.noteLater }),
      }),
    )
  } catch (error) {
    if (error instanceof JournalError) return refused(error.message)
    throw error
  }
}

/** A journal that records nothing, for a cancel that must go without one; `reason`: why it could not be opened. */
export function noJournal(reason: string): WriteJournal {
  const refuse = () => Promise.reject(new JournalError(reason))
  const none = () => Promise.resolve([])
  return {
    begin: refuse,
    find: refuse,
    findAll: refuse,
    alone: refuse,
    settle: () => Promise.resolve(),
    open: () => [],
    adopt: none,
    retry: () => Promise.resolve(false),
    openElsewhere: none,
    history: none,
    listen: () => undefined,
    close: () => Promise.resolve(),
  }
}

/** The journal of an account for reading only: no run of its own begins, and a write that is begun is refused. */
export function readJournal(account: Account, { environment }: Place): WriteJournal {
  const earlier = earlierFolder(xdgFolders(environment).state, account.profileName)
  const folder = accountJournalFolder(account)
  const reader = new FolderReader(folder, unknownFolder(earlier))
  const reading = async <T>(read: () => Promise<T>): Promise<T> => {
    try {
      return await read()
    } catch (error) {
      if (error instanceof JournalError) throw error
      throw new JournalError(`the journal in ${folder} cannot be read: ${diskReason(error)}`)
    }
  }
  const findAll: WriteJournal['findAll'] = (keys) =>
    reading(async () => {
      const { entries, gaps } = await reader.find(keys)
      return { entries: entries.all().filter(isUnder(keys)), gap: gaps[0] ?? null }
    })
  return {
    ...noJournal('this program only looks'),
    history: (sinceMs) =>
      reading(async () => {
        const { entries } = await reader.since(sinceMs)
        const since = entries.all().filter(({ atMs }) => atMs >= sinceMs)
        return since.sort((left, right) => left.atMs - right.atMs)
      }),
    find: (key) => findAll([key]),
    findAll,
  }
}

/** Opens the account's drafts of withdrawals, shared by desk and commands. */
export const openDrafts = (account: Account, { clock }: Pick<CommandTools, 'clock'>): DraftsFile<WithdrawalDraft> =>
  createDraftsFile({ path: accountFiles(account).drafts, account: account.name, takeLock, clock })

/** Opens the account's drafts of orders, shared by desk and commands. */
export const openOrderDrafts = (account: Account, { clock }: Pick<CommandTools, 'clock'>): DraftsFile<DraftedOrder> =>
  createOrderDraftsFile({ path: accountFiles(account).orderDrafts, account: account.name, takeLock, clock })

/** Opens the account's stated costs, for desk and commands. */
export const openCosts = (account: Account, { clock }: Pick<CommandTools, 'clock'>): CostsFile =>
  createCostsFile({ path: accountFiles(account).costs, takeLock, clock })

/** The terms of an account's withdrawals, besides the exchange's data. */
export type AccountTerms = {
  withdrawalTerms: WithdrawalTermsSource
  /** Call when money was sent to this whitelist entry: from now on it is known under its present name. */
  onWithdrawn: (whitelistId: string) => Promise<unknown>
}

/**
 * Opens the limits of the settings, this machine's memory of the whitelist, and the approver; for desk and commands.
 */
export function openWithdrawalTerms(
  { limits }: Pick<Settings, 'limits'>,
  account: Account,
  { approver }: Pick<DeskLock, 'approver'>,
  { clock }: Pick<CommandTools, 'clock'>,
): AccountTerms {
  const remembered = createWhitelistMemory(accountFiles(account).whitelist)
  const own = { limits: limits.withdrawals, approver }
  return {
    async withdrawalTerms(whitelist) {
      if (whitelist === null) return { ...own, memory: await remembered.read() }
      return { ...own, ...(await remembered.look(whitelist, clock.wallMs())) }
    },
    onWithdrawn: (whitelistId) => remembered.trust(whitelistId),
  }
}

/**
 * The limits, whitelist and approver for a command. An unreadable lock names no approver, which stops what needs one,
 * but no order.
 */
export async function openOwnTerms(
  settings: Pick<Settings, 'limits'>,
  account: Account,
  io: Pick<CommandIo, 'environment'>,
  tools: Pick<CommandTools, 'clock'>,
): Promise<AccountTerms> {
  const lock = await openDeskLock(xdgFolders(io.environment).state, tools.clock)
  return openWithdrawalTerms(settings, account, { approver: lock.ok ? lock.value.approver : null }, tools)
}

/** What was done, in sentences; and the time to record, see `AccountNote`. */
type Adopted = { notices: string[]; earlierMs: number }

/** Files of an earlier program for a profile, and their new places. */
function earlierFiles(state: string, account: Account): { from: string; to: string }[] {
  const name = `${encodeURIComponent(account.profileName)}.json`
  const { drafts, transfers, whitelist } = accountFiles(account)
  return [
    { from: join(state, 'drafts', name), to: drafts },
    { from: join(state, 'transfers', name), to: transfers },
    { from: join(state, 'whitelist', name), to: whitelist },
  ]
}

/** When a file was last closed in an earlier folder, in ms; 0 for none. */
const closedMs = (from: string): number => statSync(join(from, 'closed'), { throwIfNoEntry: false })?.mtimeMs ?? 0

/** True when there may be files that were not checked for this account before. */
function hasEarlier(state: string, account: Account, { profiles }: AccountNote): boolean {
  const from = earlierFolder(state, account.profileName)
  if (!existsSync(state) || !statSync(state).isDirectory()) return false
  const known = profiles.find(({ name }) => name === account.profileName)
  if (known === undefined) return existsSync(from) || earlierFiles(state, account).some((each) => existsSync(each.from))
  return listFiles(from).length > 0 || closedMs(from) !== known.earlierMs
}

/**
 * Takes over files that an earlier program saved under the profile's name, if they are of this account. Files of the
 * journal name their account; the others are taken the first time if all of that journal were this account's, and
 * otherwise stay. For one process at a time. The error says why nothing may be sent before that.
 */
async function adoptEarlier(
  state: string,
  account: Account,
  note: AccountNote,
  nowMs: number,
): Promise<Result<Adopted>> {
  const { name, profileName } = account
  const from = earlierFolder(state, profileName)
  try {
    const earlier = await takeEarlier(from, accountJournalFolder(account), name, nowMs)
    if (earlier.isLiving) return err(`a desk of an earlier pitdesk still runs on this account: end it first`)
    const isFirst = !note.profiles.some((each) => each.name === profileName)
    const notices = isFirst ? await adoptFiles(state, account, earlier) : []
    if (earlier.unknownCount > 0)
      notices.push(`${earlier.unknownCount} journal files name no account: kept in ${unknownFolder(from)}.`)
    return ok({ notices, earlierMs: closedMs(from) })
  } catch (error) {
    return err(`files of an earlier pitdesk in ${from} cannot be taken over: ${diskReason(error)}`)
  }
}

async function adoptFiles(state: string, account: Account, { accounts, unknownCount }: Earlier): Promise<string[]> {
  const files = earlierFiles(state, account).filter(({ from }) => existsSync(from))
  const isSure = unknownCount === 0 && accounts.size === 1 && accounts.has(account.name)
  const taken = files.filter(({ to }) => isSure && !existsSync(to))
  for (const { from, to } of taken) move(from, to)
  const left = files.filter((each) => !taken.includes(each)).map(({ from }) => from)
  const { whitelist } = accountFiles(account)
  // A beneficiary known there may have been known to another account: here all are new.
  if (files.some(({ to }) => to === whitelist) && !existsSync(whitelist))
    await writeAtomically(whitelist, `${JSON.stringify({ version: 1, entries: [] })}\n`)
  adoptAlerts(state, account, accounts)
  const moved = accounts.has(account.name)
    ? [`The files of profile ${account.profileName} are now in ${account.folder}.`]
    : []
  const others = left.length === 0 ? [] : [`Not taken over, perhaps another account's: ${left.join(', ')}.`]
  return [...moved, ...others]
}

/**
 * Takes over alerts, which are about prices: it is enough that the profile always meant this exchange, under any key.
 */
function adoptAlerts(state: string, account: Account, accounts: ReadonlySet<string>): void {
  const from = join(state, 'alerts', `${encodeURIComponent(account.profileName)}.json`)
  const to = alertsPath(state, profileAtExchange(account))
  const isSame = accounts.size > 0 && [...accounts].every((name) => name.split(' ')[0] === account.name.split(' ')[0])
  if (isSame && from !== to && existsSync(from) && !existsSync(to)) move(from, to)
}

function move(from: string, to: string): void {
  makeFolder(dirname(to))
  renameSync(from, to)
}
