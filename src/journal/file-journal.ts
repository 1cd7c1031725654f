import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { diskReason } from '../base/text/error-text.ts'
import { Entries, LateRecords, recordsOf } from './entries.ts'
import {
  type Found,
  isOpen,
  type JournalEntry,
  JournalError,
  type JournalOutcome,
  type OpenWrite,
  type Settlement,
  type WriteIntent,
  type WriteJournal,
  type WriteKey,
} from './entry.ts'
import { removedText } from './files.ts'
import { FolderReader } from './folder-reader.ts'
import { adoptInstances, InstanceReader, listInstances } from './instance.ts'
import { joinInTurn, joiningBy } from './joining.ts'
import { Turns } from './locks.ts'
import { journalComplaint } from './probe.ts'
import { isUnder, type JournalRecord, journalVersion } from './record.ts'
import { RunWriter } from './run-writer.ts'

export type FileJournalOptions = {
  /** The folder of one account; created for the owner alone if missing. */
  folder: string
  /** Identifies the exchange and account; entries of another one in the folder are left to its own desks. */
  exchange: string
  now: () => number
  /** How long the machine has been up, in ms, where that is known: unlike `now`, it is never set. */
  bootedMs?: (() => number) | undefined
  randomBytes: (count: number) => Uint8Array
  /**
   * Folder of files without an account, which may be this one's: while there are any, part of the journal is unknown.
   */
  unknownFolder?: string
  /** A file larger than this is continued in a new one. */
  rotateBytes?: number
  /** The kind of program that joins closed files, which sets how many at once; a command by default. */
  joinedBy?: keyof typeof joiningBy
  /** Called each time the disk takes writes again after it took none; closing waits for it. Must not reject. */
  onBack?: () => Promise<unknown>
}

const defaultRotateBytes = 262_144
const goneWithoutAnswer: JournalOutcome = { kind: 'unknown', reason: 'the desk ended before an answer was on record' }

/**
 * Opens a journal in the account's folder, and takes over the open entries of desks that have ended. When the disk
 * fails, that is reported, the journal accepts only cancels, and each write tries again. Rejects with `JournalError`
 * when a newer program wrote to the folder.
 */
export async function openFileJournal(options: FileJournalOptions): Promise<WriteJournal> {
  const { now, randomBytes } = options
  const time = new Date(now()).toISOString().replaceAll(/[-:.]/g, '')
  const journal = new FileJournal(options, `${time}-${process.pid}-${Buffer.from(randomBytes(6)).toString('hex')}`)
  await journal.start()
  return journal
}

const isCancel = ({ kind }: WriteIntent): boolean => kind === 'cancel' || kind === 'cancelAll'

class FileJournal implements WriteJournal {
  readonly #run: string
  readonly #options: FileJournalOptions
  readonly #turns: Turns
  readonly #reader: FolderReader
  readonly #writer: RunWriter
  readonly #others = new InstanceReader()
  /** Writes in flight or with an unknown outcome. */
  readonly #entries = new Entries()
  readonly #late = new LateRecords((sentence) => this.#onTrouble(sentence))
  /** Entries taken over; each only once, even when its old file cannot be moved away. */
  readonly #adopted = new Set<string>()
  #adopting: Promise<readonly JournalEntry[]> | null = null
  #joining: Promise<void> | null = null
  #back: Promise<unknown> | null = null
  #closing: Promise<void> | null = null
  /** Lasting troubles, which are not reported again. */
  #lasting: ReadonlySet<string> = new Set()
  #untold: string[] = []
  readonly #failing = new Set<'read' | 'write'>()
  #onKept: (isKept: boolean) => void = () => {}
  #onTrouble = (sentence: string): void => {
    this.#untold.push(sentence)
  }

  constructor(options: FileJournalOptions, run: string) {
    const { folder, exchange, now, rotateBytes = defaultRotateBytes } = options
    this.#run = run
    this.#options = options
    this.#turns = new Turns(join(folder, 'begin.lock'), 'of this account is sending')
    this.#reader = new FolderReader(folder, options.unknownFolder)
    this.#writer = new RunWriter({
      ...{ folder, exchange, run, now, rotateBytes },
      before: () => this.#reader.refuseNewer(),
      carry: () => [...this.#entries.all(), ...this.#late.all].flatMap(recordsOf),
      onTrouble: (sentence) => this.#onTrouble(sentence),
      onRotated: () => {
        this.#joining = this.#join()
      },
    })
  }

  async start(): Promise<void> {
    try {
      await this.#writer.open()
    } catch (error) {
      if (!(error instanceof JournalError) || error.isFinal) throw error
      this.#note('write', false)
      this.#onTrouble(`Only cancels are sent, and are not on record: ${error.message}`)
      return
    }
    await this.adopt()
    await this.#join()
  }

  async begin(intent: WriteIntent, atMs: number): Promise<OpenWrite> {
    const id = Buffer.from(this.#options.randomBytes(12)).toString('hex')
    const upMs = this.#options.bootedMs?.()
    const up = upMs === undefined ? {} : { up: Math.max(0, Math.round(upMs)) }
    const record: JournalRecord = { record: 'begin', at: atMs, ...up, id, intent }
    this.#entries.add(record)
    try {
      await this.#append([record])
    } catch (error) {
      if (!isCancel(intent) || this.#closing !== null) {
        this.#entries.forget(id)
        throw error
      }
      // The missing record is reported together with the outcome.
      this.#late.keep(this.#entries.get(id))
    }
    return {
      id,
      step: (step, stepAtMs) => this.#step({ record: 'step', at: stepAtMs, id, step }),
      end: (outcome, endAtMs) => this.#end({ record: 'outcome', at: endAtMs, id, outcome }),
    }
  }

  async settle(id: string, settlement: Settlement, atMs: number, refused?: JournalEntry): Promise<void> {
    const record = { record: 'settled', at: atMs, id, settlement } as const
    if (this.#entries.get(id) !== undefined) await this.#end(record)
    else if (refused !== undefined) await this.#correct(refused, record)
  }

  /** Carries a closed entry over to this desk's file with its new end, which alone would say nothing. */
  async #correct(refused: JournalEntry, record: Extract<JournalRecord, { record: 'settled' }>): Promise<void> {
    try {
      await this.#append([...recordsOf(refused), record])
    } catch (error) {
      this.#late.keep({ ...refused, settlement: record.settlement }, error)
    }
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

  async retry(): Promise<boolean> {
    const { folder, exchange, now } = this.#options
    if (!this.#failing.has('write') || this.#closing !== null) return false
    // The rest of a block may hold a line where the disk is full: the next write would fail again.
    if ((await journalComplaint(folder)) !== null) return false
    try {
      await this.#append([{ record: 'desk', at: now(), version: journalVersion, exchange }])
      return true
    } catch (error) {
      if (error instanceof JournalError) return false
      throw error
    }
  }

  async openElsewhere(): Promise<readonly JournalEntry[]> {
    const { folder, exchange } = this.#options
    return await this.#reading(() => {
      const instances = listInstances(folder)
      this.#expectOwn({ runs: new Set(instances.map(({ name }) => name)) })
      const others = this.#others.read(instances.filter(({ name }) => name !== this.#run))
      if (others.some(({ isNewer }) => isNewer)) throw new Error('a newer pitdesk writes to it: use that one')
      const open = others.filter((each) => each.exchange === exchange).flatMap((each) => each.open)
      return Promise.resolve(open.filter(({ id }) => !this.#adopted.has(id)))
    })
  }

  async history(sinceMs: number): Promise<readonly JournalEntry[]> {
    const { entries } = await this.#reading(async () => {
      const reading = await this.#reader.since(sinceMs)
      this.#expectOwn(reading)
      return reading
    })
    const since = this.#withOwn(entries).filter(({ atMs }) => atMs >= sinceMs)
    return since.sort((left, right) => left.atMs - right.atMs)
  }

  find(key: WriteKey): Promise<Found> {
    return this.findAll([key])
  }

  async findAll(keys: readonly WriteKey[]): Promise<Found> {
    return await this.#reading(async () => {
      const reading = await this.#reader.find(keys)
      this.#expectOwn(reading)
      const { entries, gaps } = reading
      return { entries: this.#withOwn(entries).filter(isUnder(keys)), gap: gaps[0] ?? null }
    })
  }

  async alone<T>(run: () => Promise<T>): Promise<T> {
    try {
      // Where the disk took nothing at the start there is no folder yet, and a lock in it would only say that.
      await this.#writer.open()
      return await this.#turns.alone(run)
    } catch (error) {
      // Of the lock: what is written meanwhile notes its own failures.
      if (!(error instanceof JournalError) || !error.isOfDisk) throw error
      if (this.#closing === null) this.#note('write', false)
      const { folder } = this.#options
      throw existsSync(folder) ? error : new JournalError(removedText(folder))
    }
  }

  listen(onTrouble: (sentence: string) => void, onKept: (isKept: boolean) => void = () => {}): void {
    const before = this.#untold.splice(0)
    this.#onTrouble = onTrouble
    this.#onKept = onKept
    for (const sentence of before) onTrouble(sentence)
    if (this.#failing.size > 0) onKept(false)
  }

  /**
   * Tracks which operations the disk currently fails; reports when the first starts to fail and when the last recovers.
   */
  #note(what: 'read' | 'write', isDone: boolean): void {
    const before = this.#failing.size
    if (isDone) this.#failing.delete(what)
    else this.#failing.add(what)
    if ((before === 0) === (this.#failing.size === 0)) return
    this.#onKept(before > 0)
    if (before > 0) this.#back = this.#options.onBack?.() ?? null
  }

  close(): Promise<void> {
    this.#closing ??= this.#closeNow()
    return this.#closing
  }

  /** A folder without this run's file is another one: the folder was removed, or its disk was. */
  #expectOwn({ runs }: { runs: ReadonlySet<string> }): void {
    if (this.#writer.isOpen && !runs.has(this.#run)) throw new JournalError(removedText(this.#options.folder))
  }

  /** The entries on disk, plus what only this desk knows. */
  #withOwn(entries: Entries): JournalEntry[] {
    for (const entry of [...this.#entries.all(), ...this.#late.all])
      for (const record of recordsOf(entry)) entries.add(record)
    return entries.all()
  }

  /** Reads, and turns disk errors and files of a newer program into `JournalError`. */
  async #reading<T>(read: () => Promise<T>): Promise<T> {
    try {
      const found = await read()
      this.#note('read', true)
      return found
    } catch (error) {
      this.#note('read', false)
      if (error instanceof JournalError) throw error
      throw new JournalError(`the journal in ${this.#options.folder} cannot be read: ${diskReason(error)}`)
    }
  }

  async #adoptNow(): Promise<readonly JournalEntry[]> {
    const { folder, exchange } = this.#options
    const troubles = new Set<string>()
    const taken: string[] = []
    const keep = async (entries: readonly JournalEntry[]) => {
      const others = entries.filter(({ id }) => !this.#adopted.has(id))
      const records = others.flatMap((entry) => recordsOf({ ...entry, outcome: entry.outcome ?? goneWithoutAnswer }))
      if (records.length > 0) await this.#append(records)
      for (const record of records) this.#entries.add(record)
      for (const { id } of others) this.#adopted.add(id)
      taken.push(...others.map(({ id }) => id))
    }
    if (this.#late.all.length > 0) await this.#append([]).catch(() => undefined)
    if (this.#writer.isOpen && !existsSync(folder)) troubles.add(`Only cancels are sent: ${removedText(folder)}`)
    else if (this.#writer.isOpen)
      await adoptInstances({ folder, own: this.#run, exchange, keep, onTrouble: (sentence) => troubles.add(sentence) })
    for (const sentence of troubles) if (!this.#lasting.has(sentence)) this.#onTrouble(sentence)
    this.#lasting = troubles
    return taken.flatMap((id) => this.#entries.get(id) ?? [])
  }

  async #join(): Promise<void> {
    const { folder, now, joinedBy = 'command' } = this.#options
    const joined = await joinInTurn({ folder, nowMs: now(), ...joiningBy[joinedBy] })
    if (!joined.ok) this.#onTrouble(joined.error)
  }

  /** Writes to disk first, then to memory. */
  async #step(record: Extract<JournalRecord, { record: 'step' }>): Promise<void> {
    await this.#append([record])
    this.#entries.add(record)
  }

  /** Records an end, which counts even if the disk fails to store it. */
  async #end(record: Extract<JournalRecord, { record: 'outcome' | 'settled' }>): Promise<void> {
    let refusal: unknown = null
    try {
      await this.#append([record])
    } catch (error) {
      refusal = error
    }
    this.#entries.add(record)
    if (refusal !== null) this.#late.keep(this.#entries.get(record.id), refusal)
    const entry = this.#entries.get(record.id)
    if (entry !== undefined && !isOpen(entry)) this.#entries.forget(record.id)
  }

  /** Appends records, preceded by those the disk failed to store earlier. */
  async #append(records: readonly JournalRecord[]): Promise<void> {
    const late = this.#late.all
    const all = [...late.flatMap(recordsOf), ...records]
    try {
      await this.#writer.append(all)
    } catch (error) {
      if (this.#closing === null) this.#note('write', false)
      throw error
    }
    // Only a stored record shows that a full disk accepts writes again.
    if (all.length > 0) this.#note('write', true)
    this.#late.taken(late)
  }

  async #closeNow(): Promise<void> {
    await this.#adopting
    if (this.#late.all.length > 0) await this.#append([]).catch(() => undefined)
    // Without open entries there is nothing to take over, so the file moves to the closed ones.
    await this.#joining
    await this.#back
    await this.#writer.close(() => this.#entries.all().length === 0 && this.#late.all.length === 0)
  }
}
