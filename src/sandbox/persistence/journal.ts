import type { StatementSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import type { Command } from '../core/commands.ts'
import { type Row, text, whole } from './columns.ts'
import type { DataFile } from './data-file.ts'
import { damaged } from './unusable-data.ts'

/** Commands that were made durable together, and how many events they had. */
export type JournalEntry<C> = { lastSequence: number; commands: readonly C[]; eventCount: number }

/** The commands since the snapshot, in the order in which they were carried out. */
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

  /** Adds to the transaction under way. */
  append({ lastSequence, commands, eventCount }: JournalEntry<object>): void {
    const content = JSON.stringify(commands)
    this.file.attempt(() => this.insertion.run(lastSequence, commands.length, eventCount, crc32(content), content))
  }

  /**
   * What follows this command, in order. Throws `UnusableData` when something is missing or is not as it was written.
   */
  *entriesAfter(sequence: number): Generator<JournalEntry<Command>> {
    let expected = sequence
    for (const row of this.file.attempt(() => this.reading.iterate(sequence))) {
      const entry = this.read(row)
      expected += entry.commands.length
      if (entry.lastSequence !== expected) throw damaged(this.file.folder, `the journal lacks command ${expected}`)
      yield entry
    }
  }

  /** Removes everything up to this command, in the transaction under way. */
  prune(sequence: number): void {
    this.file.attempt(() => this.removal.run(sequence))
  }

  private read(row: Row): JournalEntry<Command> {
    const content = text(row, 'commands')
    const lastSequence = whole(row, 'last_sequence')
    if (crc32(content) !== whole(row, 'checksum'))
      throw damaged(this.file.folder, `the journal is not as it was written at command ${lastSequence}`)
    // The checksum tells that this is, to the letter, what `append` wrote.
    const commands: readonly Command[] = JSON.parse(content)
    return { lastSequence, commands, eventCount: whole(row, 'event_count') }
  }
}
