import type { ExchangeSnapshot } from '../core/snapshot.ts'
import type { Journal } from './journal.ts'
import type { Snapshots, SnapshotWriting } from './snapshots.ts'

/** How far the data folder is: the last command in the journal, and the last one in the newest snapshot. */
export type Position = { sequence: number; snapshotSequence: number }

/** What was carried out on its way to the disk: commands into the journal, now and then a snapshot in their place. */
export class CommandLog {
  private readonly journal: Journal
  private readonly snapshots: Snapshots
  private sequence: number
  private snapshotSequence: number
  /** Carried out, and in no transaction yet. */
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

  /** True when something that was carried out is not on disk. */
  get isWaiting(): boolean {
    return this.commands.length > 0
  }

  /** True when a write would bring something on, be it only the next piece of a snapshot. */
  get hasWork(): boolean {
    return this.isWaiting || this.writing !== null
  }

  /** Commands since the newest snapshot, or since the one that is being written. */
  get sinceSnapshot(): number {
    return this.sequence + this.commands.length - (this.writing?.sequence ?? this.snapshotSequence)
  }

  /**
   * Writes into the transaction under way: the commands, and with them a piece of the snapshot that is being written.
   */
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

  /** Starts to write a snapshot of the state after the last command that was written: no other may be waiting. */
  beginSnapshot(snapshot: ExchangeSnapshot): void {
    this.writing ??= this.snapshots.write({ sequence: this.sequence, snapshot })
  }

  /** Writes a snapshot of the present state in one go, in place of all commands, into the transaction under way. */
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
