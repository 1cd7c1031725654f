import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Entries } from './entries.ts'
import { isOpen, type JournalEntry } from './entry.ts'
import { takeLock } from './instance-lock.ts'
import { closedFolder, type FileContent, type JournalFile, listFiles, lockName, readContent } from './read-files.ts'

/** The files of one desk's run, in order. */
export type Instance = { name: string; files: readonly JournalFile[] }

export async function listInstances(folder: string): Promise<Instance[]> {
  const byName = new Map<string, JournalFile[]>()
  for (const file of await listFiles(folder)) byName.set(file.instance, [...(byName.get(file.instance) ?? []), file])
  return [...byName].map(([name, files]) => ({ name, files: files.sort((left, right) => left.number - right.number) }))
}

type InstanceContent = { exchange: string | null; open: JournalEntry[]; contents: Map<JournalFile, FileContent> }

/** What the files of an instance come to: the exchange it worked with, and its open entries. */
function contentOf(contents: Map<JournalFile, FileContent>): InstanceContent {
  const entries = new Entries()
  let exchange: string | null = null
  for (const { records } of contents.values()) {
    for (const record of records) {
      if (record.record === 'desk') exchange = record.exchange
      entries.add(record)
    }
  }
  return { exchange, open: entries.all().filter(isOpen), contents }
}

export const readInstance = ({ files }: Instance): InstanceContent =>
  contentOf(new Map(files.map((file) => [file, readContent(readFileSync(file.path))])))

/** Reads the open entries of instances again and again; a file that has not grown is not read a second time. */
export class InstanceReader {
  readonly #known = new Map<string, { size: number; content: FileContent }>()

  async open({ files }: Instance, exchange: string): Promise<readonly JournalEntry[]> {
    const contents = new Map<JournalFile, FileContent>()
    for (const file of files) {
      // One that is moved away meanwhile was closed, or its open entries have been taken over.
      if (existsSync(file.path)) contents.set(file, await this.#read(file.path))
    }
    const content = contentOf(contents)
    return content.exchange === exchange ? content.open : []
  }

  async #read(path: string): Promise<FileContent> {
    const { size } = await stat(path)
    const known = this.#known.get(path)
    if (known?.size === size) return known.content
    const content = readContent(readFileSync(path))
    this.#known.set(path, { size, content })
    return content
  }
}

/** Moves files that nobody writes to any more to where they are kept. What was torn off is kept beside them. */
export async function putAway(folder: string, contents: ReadonlyMap<JournalFile, FileContent | null>): Promise<void> {
  const closed = closedFolder(folder)
  await mkdir(closed, { recursive: true, mode: 0o700 })
  for (const [{ path }, content] of contents) {
    const kept = join(closed, basename(path))
    if (content !== null && content.torn !== null) await writeFile(`${kept}.torn`, content.torn, { mode: 0o600 })
    await rename(path, kept)
  }
}

export type Adoption = {
  folder: string
  /** Own instance, which is left alone. */
  own: string
  exchange: string
  /** Keeps these entries as one's own; they are on disk when it resolves. */
  keep: (entries: readonly JournalEntry[]) => Promise<void>
  onTrouble: (sentence: string) => void
  /** Instances of other accounts that have been told of. */
  strangers: Set<string>
}

const strangerSentence = ({ name }: Instance, { open }: InstanceContent): string =>
  `Journal ${name} holds ${open.length} writes without a known outcome, of another exchange or key: they are not looked up here`

/**
 * Takes over the open entries of every instance whose process is gone, and puts its files away. A process that dies half-way
 * leaves entries in two places, which count as one by their id. While another desk is at it, nothing is done here.
 */
export async function adoptInstances({
  folder,
  own,
  exchange,
  keep,
  onTrouble,
  strangers,
}: Adoption): Promise<JournalEntry[]> {
  const turn = takeLock(join(folder, 'adopt.lock'))
  if (turn === null) return []
  const adopted: JournalEntry[] = []
  try {
    for (const instance of await listInstances(folder)) {
      if (instance.name === own) continue
      const lockPath = join(folder, lockName(instance.name))
      const lock = takeLock(lockPath)
      if (lock === null) continue
      try {
        const content = readInstance(instance)
        // Another account's entries cannot be looked up here: they wait for their own desk.
        if (content.exchange !== null && content.exchange !== exchange) {
          if (content.open.length > 0 && !strangers.has(instance.name)) onTrouble(strangerSentence(instance, content))
          strangers.add(instance.name)
          continue
        }
        await keep(content.open)
        adopted.push(...content.open)
        tellOfDamage(content, onTrouble)
        await putAway(folder, content.contents)
      } finally {
        lock.release()
      }
      await rm(lockPath, { force: true })
    }
  } finally {
    turn.release()
  }
  return adopted
}

function tellOfDamage({ contents }: InstanceContent, onTrouble: (sentence: string) => void): void {
  for (const [{ path }, { torn, damagedCount }] of contents) {
    const name = basename(path)
    if (torn !== null) onTrouble(`The last line of journal ${name} was cut off; it is kept in closed/${name}.torn`)
    if (damagedCount > 0) onTrouble(`${damagedCount} lines of journal ${name} are damaged and left out`)
  }
}
