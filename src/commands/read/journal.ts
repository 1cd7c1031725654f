import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { namesIn } from '../../base/files/plain-file.ts'
import type { CommandIo } from '../../base/process/command-io.ts'
import { xdgFolders } from '../../base/process/environment.ts'
import { diskReason } from '../../base/text/error-text.ts'
import { readSettings } from '../../config/settings.ts'
import { accountFolderNames, accountJournalFolder, accountsFolder } from '../../desk/account/account-folder.ts'
import { formatFixed } from '../../domain/money.ts'
import { entriesInOrder } from '../../journal/entries.ts'
import { describeIntent, isOpen, type JournalEntry, JournalError } from '../../journal/entry.ts'
import { isOfDisk } from '../../journal/files.ts'
import { FolderReader } from '../../journal/folder-reader.ts'
import { keepUnjoined } from '../../journal/joining.ts'
import { openAccountNote } from '../../state-files/account-note.ts'
import { type Arguments, readTime } from '../cli/arguments.ts'
import type { Run } from '../cli/command.ts'
import { CutShort, type Fields, failed, settingsFailure, wrongUsage } from '../cli/exit-codes.ts'
import { type Column, formOf, leftOutTo, pagedList, printReading, text, time } from '../cli/output.ts'
import { tellTimes } from './read-command.ts'

const columns: readonly Column[] = [
  time('time', 'TIME (UTC)'),
  text('profile', 'PROFILE', 3),
  text('kind', 'KIND', 4),
  text('what', 'WHAT'),
  text('result', 'RESULT'),
  text('exchangeId', 'EXCHANGE ID', 1),
  text('evidence', 'REASON OR EVIDENCE', 2),
  text('id', 'ENTRY', 5),
]

/** The outcome of an entry, in a word or two. */
function resultOf({ outcome, settlement }: JournalEntry): string {
  if (settlement !== null) return `settled by ${settlement.by}: ${settlement.how}`
  if (outcome === null) return 'UNKNOWN: no answer on record'
  return outcome.kind === 'unknown' ? 'UNKNOWN: unresolved' : outcome.kind
}

function evidenceOf({ outcome, settlement }: JournalEntry): string | null {
  if (settlement !== null) return settlement.evidence
  return outcome !== null && 'reason' in outcome ? outcome.reason : null
}

/** An entry as a row; amounts are part of `what`, exact and without commas. */
function toFields(profile: string, entry: JournalEntry): Fields {
  const { id, atMs, intent, outcome, settlement } = entry
  return {
    time: atMs,
    profile,
    kind: intent.kind,
    what: describeIntent(intent, formatFixed),
    result: resultOf(entry),
    exchangeId: settlement?.id ?? (outcome?.kind === 'accepted' ? outcome.id : null),
    evidence: evidenceOf(entry),
    id,
  }
}

/** `isNamed` is false when its profiles are not on record. */
type Folder = { folder: string; profiles: readonly string[]; isNamed: boolean }

/**
 * The journal of every account, with its profiles; and the remaining journals of an earlier program, which had one per
 * profile.
 */
async function foldersOf(io: Pick<CommandIo, 'environment'>): Promise<Folder[]> {
  const accounts: Folder[] = []
  for (const name of accountFolderNames(io)) {
    const folder = join(accountsFolder(io), name)
    const note = await openAccountNote(folder).read()
    const noted = note.ok ? note.value?.profiles : undefined
    const profiles = (noted ?? [{ name }]).map((profile) => profile.name)
    accounts.push({ folder: accountJournalFolder({ folder }), profiles, isNamed: noted !== undefined })
  }
  const earlier = join(xdgFolders(io.environment).state, 'journal')
  return [
    ...accounts,
    ...namesIn(earlier).map((name) => ({ folder: join(earlier, name), profiles: [name], isNamed: true })),
  ]
}

type Row = { atMs: number; isUnknown: boolean; fields: Fields }

/**
 * The entries of one account's journal, oldest first, as the command prints them; `onGap` receives sentences about
 * unreadable parts. Throws `JournalError`.
 */
export async function* accountEntries(
  folder: string,
  profile: string,
  wanted: Wanted,
  onGap: (sentence: string) => void,
): AsyncGenerator<Fields[]> {
  for await (const { fields } of rowsOf({ folder, profiles: [profile], isNamed: true }, wanted, onGap)) yield [fields]
}

/** The entries of one folder as rows, in order of time. Throws `JournalError`. */
async function* rowsOf(
  { folder, profiles }: Folder,
  wanted: Wanted,
  onGap: (sentence: string) => void,
): AsyncGenerator<Row> {
  const lock = keepUnjoined(folder)
  try {
    const reader = new FolderReader(folder)
    const { entries, gaps } = await (wanted.isOpenOnly ? reader.open() : reader.loose())
    for (const gap of gaps) onGap(`${gap} (in ${folder})`)
    const pages = wanted.isOpenOnly
      ? [byTime(entries.all().filter(isOpen))]
      : entriesInOrder(folder, entries.all(), wanted.sinceMs)
    for (const page of pages) {
      for (const entry of page)
        if (entry.atMs >= wanted.sinceMs)
          yield { atMs: entry.atMs, isUnknown: isOpen(entry), fields: toFields(profiles.join(' '), entry) }
    }
  } catch (error) {
    if (isOfDisk(error)) throw new JournalError(`the journal in ${folder} cannot be read: ${diskReason(error)}`)
    throw error
  } finally {
    lock?.release()
  }
}

const byTime = (entries: readonly JournalEntry[]): JournalEntry[] =>
  entries.toSorted((left, right) => left.atMs - right.atMs)

type Wanted = { sinceMs: number; isOpenOnly: boolean }

/** Rows of several journals as one list, in order of time. */
async function* inOrder(lists: readonly AsyncGenerator<Row>[]): AsyncGenerator<Row> {
  try {
    const heads = await Promise.all(lists.map(async (each) => ({ list: each, next: await each.next() })))
    for (;;) {
      const first = heads.reduce<(typeof heads)[number] | null>((earliest, head) => {
        if (head.next.done === true) return earliest
        return earliest === null || earliest.next.done === true || head.next.value.atMs < earliest.next.value.atMs
          ? head
          : earliest
      }, null)
      if (first === null || first.next.done === true) return
      yield first.next.value
      first.next = await first.list.next()
    }
  } finally {
    for (const each of lists) await each.return(undefined)
  }
}

/** Rows printed together. */
const pageRows = 200

async function* pagesOf(rows: AsyncGenerator<Row>, onRow: (row: Row) => void): AsyncGenerator<readonly Fields[]> {
  let page: Fields[] = []
  for await (const row of rows) {
    onRow(row)
    page.push(row.fields)
    if (page.length < pageRows) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}

/** Names of runs without a profile. */
const ownNames = ['practice', 'environment']
/** Perhaps no process that would check them is running. */
const unknownNote = 'UNKNOWN: the next desk or command checks it; or resolve it in the desk with u.'

/** Lists writes and their outcomes from the journal alone, without a call to the exchange. */
export const runJournal: Run = async (given: Arguments, io, { clock }) => {
  const since = readTime(given, 'since', clock.wallMs())
  if (!since.ok) return wrongUsage(since.error)
  const profile = given.value('profile')
  const wanted = { sinceMs: since.value ?? 0, isOpenOnly: given.has('open') }
  try {
    const all = await foldersOf(io)
    const folders = all.filter(({ profiles }) => profile === undefined || profiles.includes(profile))
    // A full disk leaves it like this until the next desk or command.
    for (const { folder, isNamed } of all.filter((each) => !folders.includes(each) && existsSync(each.folder)))
      if (!isNamed) io.printError(`Left out, its profile is not on record: ${folder}. Listed without --profile.`)
    if (profile !== undefined && folders.length === 0 && !ownNames.includes(profile)) {
      // The profile may be configured without having sent anything yet.
      const settings = readSettings(io.environment, { profile })
      if (!settings.ok) return settingsFailure(settings.error)
    }
    let unknownCount = 0
    const { leftOut, ending } = leftOutTo(io)
    const rows = inOrder(folders.map((folder) => rowsOf(folder, wanted, leftOut)))
    const counted = pagesOf(rows, ({ isUnknown }) => {
      if (isUnknown) unknownCount += 1
    })
    const form = formOf(given, io.stdout)
    await tellTimes(given, since.value === undefined ? {} : { fromMs: since.value }, form, io)
    await printReading(pagedList(counted, 'No writes.'), columns, form, io)
    if (form === 'table' && unknownCount > 0) io.printError(unknownNote)
    return ending()
  } catch (error) {
    if (error instanceof CutShort) throw error
    return failed(error instanceof JournalError ? error.message : `the journal cannot be read: ${diskReason(error)}`)
  }
}
