import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { diskReason } from '../base/error-text.ts'
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
  readIfThere,
} from './files.ts'
import { takeLock } from './locks.ts'

/** The files of one desk's run, in order. */
export type Instance = { name: string; files: readonly JournalFile[] }

export function listInstances(folder: string): Instance[] {
  const byName = new Map<string, JournalFile[]>()
  for (const file of listFiles(folder)) byName.set(file.instance, [...(byName.get(file.instance) ?? []), file])
  return [...byName].map(([name, files]) => ({ name, files: files.sort((left, right) => left.number - right.number) }))
}

type Contents = ReadonlyMap<JournalFile, FileContent>
type InstanceContent = { exchange: string | null; open: JournalEntry[]; isNewer: boolean; contents: Contents }

/** What the files of an instance come to: the exchange it worked with, and its open entries. */
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

/** One that is moved away meanwhile was closed, or its open entries have been taken over. */
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
  const bytes = readIfThere(path)
  return bytes === null ? null : readContent(bytes)
}

/** Reads the entries of instances again and again; a file that has not grown is not read a second time. */
export class InstanceReader {
  readonly #known = new Map<string, { size: number; content: FileContent }>()

  /** What the instances hold now. What is known of files that are not among theirs is forgotten. */
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

/**
 * Moves files that nobody writes to any more to where they are kept: those of which something cannot be read apart from
 * the others.
 */
export function putAway(folder: string, contents: ReadonlyMap<JournalFile, FileContent | null>): void {
  for (const [{ path }, content] of contents) {
    moveInto(content === null || gapIn(path, content) === null ? closedFolder(folder) : damagedFolder(folder), path)
  }
}

export type Adoption = {
  folder: string
  /** Own instance, which is left alone. */
  own: string
  exchange: string
  /** Keeps these entries as one's own; they are on disk when it resolves. Rejects when they are not. */
  keep: (entries: readonly JournalEntry[]) => Promise<void>
  /** Told what could not be read or done, and of what is left alone, in sentences; the same again every time. */
  onTrouble: (sentence: string) => void
}

/**
 * Takes over the open entries of every instance whose process is gone, and puts its files away. A process that dies
 * half-way leaves entries in two places, which count as one by their id. While another desk is at it, nothing is done
 * here; what the disk refuses is reported, stays where it is, and is tried again another time. Never rejects.
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
 * Another account's entries cannot be looked up here, and what a newer program wrote cannot be understood: they wait
 * for their own desk.
 */
function whyNotOwn({ exchange, open, isNewer }: InstanceContent, own: string): string | null {
  if (isNewer) return 'it was written by a newer pitdesk'
  if (exchange === null || exchange === own) return null
  return `its ${open.length} writes without a known outcome are of another exchange or key, and are not looked up here`
}
