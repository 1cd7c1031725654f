import { existsSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeAtomically } from '../base/atomic-write.ts'
import { diskReason } from '../base/disk-error.ts'
import { err, ok, type Result } from '../base/result.ts'
import { type Earlier, earlierFolder, takeEarlier, unknownFolder } from '../journal/earlier-folder.ts'
import { listFiles } from '../journal/files.ts'
import type { AccountNote } from '../state-files/account-note.ts'
import { alertsPath } from '../state-files/alerts-file.ts'
import { type Account, accountFiles, accountJournalFolder, profileAtExchange } from './account-folder.ts'

/** What was done, in sentences; and the time to be noted, see `AccountNote`. */
export type Adopted = { notices: string[]; earlierMs: number }

/** Files that an earlier program kept for a profile, and where they belong now. */
function earlierFiles(state: string, account: Account): { from: string; to: string }[] {
  const name = `${encodeURIComponent(account.profileName)}.json`
  const { drafts, transfers, whitelist } = accountFiles(account)
  return [
    { from: join(state, 'drafts', name), to: drafts },
    { from: join(state, 'transfers', name), to: transfers },
    { from: join(state, 'whitelist', name), to: whitelist },
  ]
}

/** When something was last closed in an earlier folder, in ms; 0 where there is none. */
const closedMs = (from: string): number => statSync(join(from, 'closed'), { throwIfNoEntry: false })?.mtimeMs ?? 0

/** Whether there may be anything of the account that it was not asked about before. */
export function hasEarlier(state: string, account: Account, { profiles }: AccountNote): boolean {
  const from = earlierFolder(state, account.profileName)
  if (!existsSync(state) || !statSync(state).isDirectory()) return false
  const known = profiles.find(({ name }) => name === account.profileName)
  if (known === undefined) return existsSync(from) || earlierFiles(state, account).some((each) => existsSync(each.from))
  return listFiles(from).length > 0 || closedMs(from) !== known.earlierMs
}

/**
 * Takes over what an earlier program kept under the name of the profile, as far as it is of this account. The journal's
 * files say whose they are; the other files are taken, the first time, where every file of that journal was this
 * account's, and stay where they are otherwise. Only for one process at a time. The error says why nothing may be sent
 * before that is done.
 */
export async function adoptEarlier(
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
      notices.push(
        `${earlier.unknownCount} journal files do not say which account they are of: they are kept in ${unknownFolder(from)}.`,
      )
    return ok({ notices, earlierMs: closedMs(from) })
  } catch (error) {
    return err(`what an earlier pitdesk kept in ${from} cannot be taken over: ${diskReason(error)}`)
  }
}

async function adoptFiles(state: string, account: Account, { accounts, unknownCount }: Earlier): Promise<string[]> {
  const files = earlierFiles(state, account).filter(({ from }) => existsSync(from))
  const isSure = unknownCount === 0 && accounts.size === 1 && accounts.has(account.name)
  const taken = files.filter(({ to }) => isSure && !existsSync(to))
  for (const { from, to } of taken) move(from, to)
  const left = files.filter((each) => !taken.includes(each)).map(({ from }) => from)
  const { whitelist } = accountFiles(account)
  // Whoever was known under that name was perhaps known to another account: here everybody is new.
  if (files.some(({ to }) => to === whitelist) && !existsSync(whitelist))
    await writeAtomically(whitelist, `${JSON.stringify({ version: 1, entries: [] })}\n`)
  adoptAlerts(state, account, accounts)
  const moved = accounts.has(account.name)
    ? [`What profile ${account.profileName} kept is now in ${account.folder}.`]
    : []
  const others = left.length === 0 ? [] : [`Not taken over, perhaps another account's: ${left.join(', ')}.`]
  return [...moved, ...others]
}

/** Alerts are of prices: what counts is that the profile always meant this exchange, under whatever key. */
function adoptAlerts(state: string, account: Account, accounts: ReadonlySet<string>): void {
  const from = join(state, 'alerts', `${encodeURIComponent(account.profileName)}.json`)
  const to = alertsPath(state, profileAtExchange(account))
  const isSame = accounts.size > 0 && [...accounts].every((name) => name.split(' ')[0] === account.name.split(' ')[0])
  if (isSame && from !== to && existsSync(from) && !existsSync(to)) move(from, to)
}

function move(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
  renameSync(from, to)
}
