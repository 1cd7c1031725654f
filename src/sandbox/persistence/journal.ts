import type { StatementSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import type { Row } from '../../base/files/sqlite-rows.ts'
import { errorText } from '../../base/text/error-text.ts'
import type { Command } from '../core/commands.ts'
import { Exchange } from '../core/exchange.ts'
import type { ExchangeSnapshot } from '../core/snapshot.ts'
import { type DataFile, text, whole } from './data-file.ts'
import type { DurableHistory } from './durable-history.ts'
import type { Snapshots, SnapshotWriting } from './snapshots.ts'
import { damaged, UnusableData } from './unusable-data.ts'

/** Commands made durable together, and their number of events. */
export type JournalEntry<C> = { lastSequence: number; commands: readonly C[]; eventCount: number }

/** The commands since the snapshot, in order of execution. */
export class Journal {
  private readonly file: DataFile
  private readonly insertion: StatementSync
  private readonly reading: StatementSync
  private readonly removal: StatementSync

  constructor(file: DataFile) {
    this.file = file
    this.insertion = file.prepare(
      'INSERT INTO journal (last_sequence, command_count, event_count, checksum, commands) VALUES (?, ?, ?, ?, ?)',
    )
    this.reading = file.prepare('SELECT * FROM journal WHERE last_sequence > ? ORDER BY last_sequence')
    this.removal = file.prepare('DELETE FROM journal WHERE last_sequence <= ?')
  }

  /** Appends to the open transaction. */
  append({ lastSequence, commands, eventCount }: JournalEntry<object>): void {
    const content = JSON.stringify(commands)
    this.file.attempt(() => this.insertion.run(lastSequence, commands.length, eventCount, crc32(content), content))
  }

  /** The entries after this command, in order. Throws `UnusableData` if one is missing or not as written. */
  *entriesAfter(sequence: number): Generator<JournalEntry<Command>> {
    let expected = sequence
    for (const row of this.file.attempt(() => this.reading.iterate(sequence))) {
      const entry = this.read(row)
      expected += entry.commands.length
      if (entry.lastSequence !== expected) throw damaged(this.file.folder, `the journal lacks command ${expected}`)
      yield entry
    }
  }

  /** Removes everything up to this command, in the open transaction. */
  prune(sequence: number): void {
    this.file.attempt(() => this.removal.run(sequence))
  }

  private read(row: Row): JournalEntry<Command> {
    const content = text(row, 'commands')
    const lastSequence = whole(row, 'last_sequence')
    if (crc32(content) !== whole(row, 'checksum'))
      throw damaged(this.file.folder, `the journal is not as it was written at command ${lastSequence}`)
    // The checksum proves that this is exactly what `append` wrote.
    const commands: readonly Command[] = JSON.parse(content)
    return { lastSequence, commands, eventCount: whole(row, 'event_count') }
  }
}

/** The data folder's position: the last command in the journal, and the last one in the newest snapshot. */
type Position = { sequence: number; snapshotSequence: number }

/** Writes executed commands to the journal, and from time to time a snapshot in their place. */
export class CommandLog {
  private readonly journal: Journal
  private readonly snapshots: Snapshots
  private sequence: number
  private snapshotSequence: number
  /** Executed, and not in a transaction yet. */
  private commands: object[] = []
  private eventCount = 0
  private writing: SnapshotWriting | null = null

  constructor(journal: Journal, snapshots: Snapshots, { sequence, snapshotSequence }: Position) {
    this.journal = journal
    this.snapshots = snapshots
    this.sequence = sequence
    this.snapshotSequence = snapshotSequence
  }

  add(command: object, eventCount: number): void {
    this.commands.push(command)
    this.eventCount += eventCount
  }

  /** True if an executed command is not on disk. */
  get isWaiting(): boolean {
    return this.commands.length > 0
  }

  /** True if a write would make progress, be it only the next piece of a snapshot. */
  get hasWork(): boolean {
    return this.isWaiting || this.writing !== null
  }

  /** Commands since the newest snapshot, or since the one being written. */
  get sinceSnapshot(): number {
    return this.sequence + this.commands.length - (this.writing?.sequence ?? this.snapshotSequence)
  }

  /** Writes the commands into the open transaction, with a piece of the snapshot being written. */
  write(): void {
    const { commands, eventCount } = this
    if (commands.length > 0) {
      this.commands = []
      this.eventCount = 0
      this.sequence += commands.length
      this.journal.append({ lastSequence: this.sequence, commands, eventCount })
    }
    if (this.writing?.step() === true) this.finish(this.writing)
  }

  /** Starts a snapshot of the state after the last written command: no later one may be pending. */
  beginSnapshot(snapshot: ExchangeSnapshot): void {
    this.writing ??= this.snapshots.write({ sequence: this.sequence, snapshot })
  }

  /** Writes a snapshot of the current state at once, in place of all commands, into the open transaction. */
  snapshotNow(snapshot: ExchangeSnapshot): void {
    this.sequence += this.commands.length
    this.forget()
    const writing = this.snapshots.write({ sequence: this.sequence, snapshot })
    while (!writing.step());
    this.finish(writing)
  }

  /** Drops what is not in the file yet. */
  forget(): void {
    this.commands = []
    this.eventCount = 0
    this.writing = null
  }

  private finish({ sequence }: SnapshotWriting): void {
    this.journal.prune(sequence)
    this.snapshotSequence = sequence
    this.writing = null
  }
}

type Sources = { history: DurableHistory; journal: Journal; snapshots: Snapshots }

/**
 * The exchange as of the last command in the file: the newest snapshot, with the journal since replayed. Null if none
 * was established in this file. Throws `UnusableData` if the file is inconsistent, or if money was created or lost.
 */
export function recover(file: DataFile, sources: Sources): (Position & { exchange: Exchange }) | null {
  try {
    const kept = sources.snapshots.load()
    if (kept === null) return null
    const exchange = Exchange.restore(kept.snapshot, sources.history)
    let { sequence } = kept
    for (const { commands, eventCount, lastSequence } of sources.journal.entriesAfter(sequence)) {
      let events = 0
      for (const command of commands) events += exchange.execute(command).events.length
      if (events !== eventCount) throw damaged(file.folder, `commands up to ${lastSequence} do not replay`)
      sequence = lastSequence
      if (sources.history.waiting === 'much') sources.history.write()
    }
    sources.history.write()
    file.commit()
    exchange.checkConservation()
    return { exchange, sequence, snapshotSequence: kept.sequence }
  } catch (error) {
    if (error instanceof UnusableData) throw error
    throw damaged(file.folder, errorText(error), error)
  }
}
