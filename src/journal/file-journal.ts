import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type AppendFile, createAppendFile } from './append-file.ts'
import { Entries, recordsOf } from './entries.ts'
import {
  type Found,
  isOpen,
  type JournalEntry,
  JournalError,
  type JournalOutcome,
  keysOf,
  type OpenWrite,
  type Settlement,
  type WriteIntent,
  type WriteJournal,
  type WriteKey,
} from './entry.ts'
import { adoptInstances, InstanceReader, listInstances, putAway } from './instance.ts'
import { type Lock, takeLock } from './instance-lock.ts'
import { fileName, type JournalFile, lockName, readFolder } from './read-files.ts'
import { type JournalRecord, recordLine } from './record.ts'
import { Turns } from './turns.ts'

export type FileJournalOptions = {
  /** Of one account: the state folder's `journal/<profile>`. Made, for the owner alone, when it is not there. */
  folder: string
  /** Names the exchange and account; entries of another one in the same folder are left for its own desks. */
  exchange: string
  now: () => number
  randomBytes: (count: number) => Uint8Array
  /** A file larger than this is continued in another. */
  rotateBytes?: number
}

const defaultRotateBytes = 1_048_576
const goneWithoutAnswer: JournalOutcome = { kind: 'unknown', reason: 'the desk ended before an answer was on record' }

/**
 * Opens a journal of one's own in the folder of the account, and takes over the open entries of desks that are gone. Rejects with
 * `JournalError` when that is not possible.
 */
export async function openFileJournal(options: FileJournalOptions): Promise<WriteJournal> {
  const { folder, now, randomBytes } = options
  const time = new Date(now()).toISOString().replaceAll(/[-:.]/g, '')
  const instance = `${time}-${process.pid}-${Buffer.from(randomBytes(6)).toString('hex')}`
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const lock = takeLock(join(folder, lockName(instance)))
    if (lock === null) throw new Error('its lock is taken')
    const journal = new FileJournal(options, instance, lock)
    await journal.start()
    return journal
  } catch (error) {
    throw new JournalError(`the journal in ${folder} cannot be opened: ${reasonOf(error)}`)
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

class FileJournal implements WriteJournal {
  readonly #options: FileJournalOptions
  readonly #instance: string
  readonly #lock: Lock
  readonly #entries = new Entries()
  readonly #others = new InstanceReader()
  readonly #files: JournalFile[] = []
  #file: AppendFile | null = null
  #rotating: Promise<void> | null = null
  #adopting: Promise<readonly JournalEntry[]> | null = null
  #closing: Promise<void> | null = null
  #rotateBytes: number
  #nextNumber = 1
  readonly #strangers = new Set<string>()
  readonly #turns: Turns
  #troubles: string[] = []
  #onTrouble = (sentence: string): void => {
    this.#troubles.push(sentence)
  }

  constructor(options: FileJournalOptions, instance: string, lock: Lock) {
    this.#options = options
    this.#instance = instance
    this.#lock = lock
    this.#turns = new Turns(join(options.folder, 'begin.lock'))
    this.#rotateBytes = options.rotateBytes ?? defaultRotateBytes
  }

  get run(): string {
    return this.#instance
  }

  async start(): Promise<void> {
    this.#file = await this.#nextFile()
    await this.adopt()
  }

  async begin(intent: WriteIntent, atMs: number): Promise<OpenWrite> {
    const id = Buffer.from(this.#options.randomBytes(12)).toString('hex')
    const record: JournalRecord = { record: 'begin', at: atMs, id, intent }
    this.#entries.add(record)
    try {
      await this.#append([record])
    } catch (error) {
      this.#entries.forget(id)
      throw error
    }
    return {
      id,
      step: (step, stepAtMs) => this.#keep({ record: 'step', at: stepAtMs, id, step }),
      end: (outcome, endAtMs) => this.#close({ record: 'outcome', at: endAtMs, id, outcome }),
    }
  }

  async settle(id: string, settlement: Settlement, atMs: number): Promise<void> {
    if (this.#entries.get(id) !== undefined) await this.#close({ record: 'settled', at: atMs, id, settlement })
  }

  open(): readonly JournalEntry[] {
    return this.#entries.all()
  }

  adopt(): Promise<readonly JournalEntry[]> {
    this.#adopting ??= this.#adoptNow().finally(() => {
      this.#adopting = null
    })
    return this.#adopting
  }

  async openElsewhere(): Promise<readonly JournalEntry[]> {
    const instances = (await listInstances(this.#options.folder)).filter(({ name }) => name !== this.#instance)
    const open = await Promise.all(instances.map((each) => this.#others.open(each, this.#options.exchange)))
    return open.flat().filter(({ id }) => this.#entries.get(id) === undefined)
  }

  async history(sinceMs: number): Promise<readonly JournalEntry[]> {
    const entries = new Entries()
    for (const record of (await readFolder(this.#options.folder, sinceMs)).records) entries.add(record)
    const since = entries.all().filter(({ atMs }) => atMs >= sinceMs)
    return since.sort((left, right) => left.atMs - right.atMs)
  }

  async find(key: WriteKey, run?: string): Promise<Found> {
    const { folder } = this.#options
    const entries = new Entries()
    try {
      const { records, troubles, runs } = await readFolder(folder, 0)
      for (const record of records) entries.add(record)
      const isGone = run !== undefined && !runs.has(run)
      const gap = troubles[0] ?? (isGone ? `the journal of run ${run} is gone from ${folder}` : null)
      const isSame = (each: WriteKey) => each.kind === key.kind && each.id === key.id
      return { entries: entries.all().filter(({ intent }) => keysOf(intent).some(isSame)), gap }
    } catch (error) {
      throw new JournalError(`the journal in ${folder} cannot be read: ${reasonOf(error)}`)
    }
  }

  alone<T>(run: () => Promise<T>): Promise<T> {
    return this.#turns.alone(run)
  }

  listen(onTrouble: (sentence: string) => void): void {
    const before = this.#troubles.splice(0)
    this.#onTrouble = onTrouble
    for (const sentence of before) onTrouble(sentence)
  }

  close(): Promise<void> {
    this.#closing ??= this.#closeNow()
    return this.#closing
  }

  async #closeNow(): Promise<void> {
    const { folder } = this.#options
    await this.#adopting
    await this.#rotating
    const file = this.#file
    this.#file = null
    await file?.close()
    // With nothing open there is nothing to take over: the files go where old ones are kept.
    const isSettled = this.#entries.all().length === 0
    if (isSettled) await putAway(folder, new Map(this.#files.map((each) => [each, null])))
    this.#lock.release()
    if (isSettled) await rm(join(folder, lockName(this.#instance)), { force: true })
  }

  async #adoptNow(): Promise<readonly JournalEntry[]> {
    const { folder, exchange, now } = this.#options
    const kept: string[] = []
    await adoptInstances({
      folder,
      own: this.#instance,
      exchange,
      onTrouble: (sentence) => this.#onTrouble(sentence),
      strangers: this.#strangers,
      keep: async (entries) => {
        const records = entries.flatMap((entry): JournalRecord[] => [
          ...recordsOf(entry),
          ...(entry.outcome === null
            ? [{ record: 'outcome' as const, at: now(), id: entry.id, outcome: goneWithoutAnswer }]
            : []),
        ])
        if (records.length > 0) await this.#append(records)
        for (const record of records) this.#entries.add(record)
        kept.push(...entries.map(({ id }) => id))
      },
    })
    return kept.flatMap((id) => this.#entries.get(id) ?? [])
  }

  /** On disk first, then in memory. */
  async #keep(record: JournalRecord): Promise<void> {
    await this.#append([record])
    this.#entries.add(record)
  }

  /** Records an end: it counts also when the disk does not take it. */
  async #close(record: Extract<JournalRecord, { record: 'outcome' | 'settled' }>): Promise<void> {
    try {
      await this.#append([record])
    } catch (error) {
      this.#onTrouble(`An outcome could not be recorded: ${reasonOf(error)}`)
    }
    this.#entries.add(record)
    const entry = this.#entries.get(record.id)
    if (entry !== undefined && !isOpen(entry)) this.#entries.forget(record.id)
  }

  async #append(records: readonly JournalRecord[]): Promise<void> {
    while (this.#rotating !== null) await this.#rotating
    if (this.#file === null) throw new JournalError('the journal is closed')
    const file = this.#file
    try {
      await file.append(records.map(recordLine).join(''))
    } catch (error) {
      throw new JournalError(`the journal cannot be written: ${reasonOf(error)}`)
    }
    if (file === this.#file && file.size() >= this.#rotateBytes) this.#rotating ??= this.#rotate(file)
  }

  /** Goes on in a new file. Until it stands, what comes waits; should it fail, the old one is used on. */
  async #rotate(old: AppendFile): Promise<void> {
    try {
      const file = await this.#nextFile()
      await old.idle()
      const carried = this.#entries.all().flatMap(recordsOf)
      if (carried.length > 0) await file.append(carried.map(recordLine).join(''))
      this.#file = file
      // Where what is open fills a file by itself, the next one has room for as much again.
      this.#rotateBytes = Math.max(this.#options.rotateBytes ?? defaultRotateBytes, 2 * file.size())
      await old.close()
    } catch (error) {
      this.#onTrouble(`The journal could not be continued in a new file: ${reasonOf(error)}`)
    } finally {
      this.#rotating = null
    }
  }

  async #nextFile(): Promise<AppendFile> {
    const { folder, exchange, now } = this.#options
    const number = this.#nextNumber
    this.#nextNumber += 1
    const path = join(folder, fileName(this.#instance, number))
    const file = await createAppendFile(path)
    this.#files.push({ instance: this.#instance, number, path })
    await file.append(recordLine({ record: 'desk', at: now(), version: 1, exchange }))
    await syncFolder(folder)
    return file
  }
}

/** A new file's name is on disk only when its folder is. Not every system can do that, and those that cannot need it not. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && ['EISDIR', 'EPERM', 'EINVAL'].includes(String(error.code)))) {
      throw error
    }
  } finally {
    await handle.close()
  }
}
