import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { diskReason } from '../base/text/error-text.ts'
import { Entries } from './entries.ts'
import { isOpen, type JournalEntry } from './entry.ts'
import {
  closedFolder,
  damagedFolder,
  type FileContent,
  gapIn,
  type JournalFile,
  listFiles,
  lockName,
  moveInto,
  readContent,
  readOfMany,
} from './files.ts'
import { takeLock } from './locks.ts'

/** The files of one desk's run, in order. */
export type Instance = { name: string; files: readonly JournalFile[] }

/** The runs with files in a folder, oldest file first. */
export function listInstances(folder: string): Instance[] {
  const byName = new Map<string, JournalFile[]>()
  for (const file of listFiles(folder)) byName.set(file.instance, [...(byName.get(file.instance) ?? []), file])
  return [...byName].map(([name, files]) => ({ name, files: files.sort((left, right) => left.number - right.number) }))
}

type Contents = ReadonlyMap<JournalFile, FileContent>
type InstanceContent = { exchange: string | null; open: JournalEntry[]; isNewer: boolean; contents: Contents }

/** The contents of an instance's files: its exchange and its open entries. */
function contentOf(contents: Contents): InstanceContent {
  const entries = new Entries()
  let exchange: string | null = null
  for (const { records } of contents.values()) {
    for (const record of records) {
      if (record.record === 'desk') exchange = record.exchange
      entries.add(record)
    }
  }
  const isNewer = [...contents.values()].some(({ newerCount }) => newerCount > 0)
  return { exchange, open: entries.all().filter(isOpen), isNewer, contents }
}

/** A file that moves away during reading was closed, or its open entries were taken over. */
export function readInstance({ files }: Instance, read = (path: string) => contentAt(path)): InstanceContent {
  return contentOf(
    new Map(
      files.flatMap((file) => {
        const content = read(file.path)
        return content === null ? [] : [[file, content] as const]
      }),
    ),
  )
}

function contentAt(path: string): FileContent | null {
  const bytes = readOfMany(path)
  return bytes === null ? null : readContent(bytes)
}

/** Reads the entries of instances repeatedly; a file that has not grown is not read again. */
export class InstanceReader {
  readonly #known = new Map<string, { size: number; content: FileContent }>()

  /** The current contents of the instances. Drops the cache of other files. */
  read(instances: readonly Instance[]): InstanceContent[] {
    const paths = new Set(instances.flatMap(({ files }) => files.map(({ path }) => path)))
    for (const path of this.#known.keys()) if (!paths.has(path)) this.#known.delete(path)
    return instances.map((instance) => readInstance(instance, (path) => this.#read(path)))
  }

  #read(path: string): FileContent | null {
    const size = statSync(path, { throwIfNoEntry: false })?.size
    const known = this.#known.get(path)
    if (size !== undefined && known?.size === size) return known.content
    const content = contentAt(path)
    if (size !== undefined && content !== null) this.#known.set(path, { size, content })
    return content
  }
}

/** Moves finished files to the closed ones, or to the damaged ones when they have unreadable parts. */
export function putAway(folder: string, contents: ReadonlyMap<JournalFile, FileContent | null>): void {
  for (const [{ path }, content] of contents) {
    moveInto(content === null || gapIn(path, content) === null ? closedFolder(folder) : damagedFolder(folder), path)
  }
}

export type Adoption = {
  folder: string
  /** The own instance, which is skipped. */
  own: string
  exchange: string
  /** Stores these entries as own ones; resolves when they are on disk and rejects when they are not. */
  keep: (entries: readonly JournalEntry[]) => Promise<void>
  /** Receives sentences about failures and skipped instances, repeated on every call. */
  onTrouble: (sentence: string) => void
}

/**
 * Takes over the open entries of every instance whose process has ended, and moves its files away. A crash half-way
 * leaves entries in two places, which count as one by their id. Does nothing while another desk is doing it; disk
 * errors are reported and retried later. Never rejects.
 */
export async function adoptInstances(adoption: Adoption): Promise<void> {
  const { folder, own, onTrouble } = adoption
  const turn = takeLock(join(folder, 'adopt.lock'))
  if (!turn.ok) onTrouble(`Journals of ended desks cannot be taken over: ${turn.error}`)
  if (!turn.ok || turn.value === null) return
  try {
    for (const instance of listInstances(folder)) {
      if (instance.name !== own) await adoptOne(instance, adoption)
    }
  } catch (error) {
    onTrouble(`Journals of ended desks cannot be taken over: ${diskReason(error)}`)
  } finally {
    turn.value.release()
  }
}

async function adoptOne(instance: Instance, { folder, exchange, keep, onTrouble }: Adoption): Promise<void> {
  const { name } = instance
  const lockPath = join(folder, lockName(name))
  const lock = takeLock(lockPath)
  if (!lock.ok) onTrouble(`Journal ${name} cannot be taken over: ${lock.error}`)
  if (!lock.ok || lock.value === null) return
  try {
    const content = readInstance(instance)
    const reason = whyNotOwn(content, exchange)
    if (reason !== null) {
      if (content.open.length > 0 || content.isNewer) onTrouble(`Journal ${name} is left alone: ${reason}`)
      return
    }
    await keep(content.open)
    putAway(folder, content.contents)
    for (const [{ path }, each] of content.contents) {
      const gap = gapIn(path, each)
      if (gap !== null)
        onTrouble(`Part of an earlier journal cannot be read, ${gap}: it is kept in ${damagedFolder(folder)}`)
    }
    rmSync(lockPath, { force: true })
  } catch (error) {
    onTrouble(`Journal ${name} cannot be taken over: ${diskReason(error)}`)
  } finally {
    lock.value.release()
  }
}

/**
 * Another account's entries cannot be looked up here, and a newer program's cannot be understood: they wait for their
 * own desk.
 */
function whyNotOwn({ exchange, open, isNewer }: InstanceContent, own: string): string | null {
  if (isNewer) return 'it was written by a newer pitdesk'
  if (exchange === null || exchange === own) return null
  return `its ${open.length} writes without a known outcome are of another exchange or key, and are not looked up here`
}
