import { Exchange } from '../core/exchange.ts'
import type { Position } from './command-log.ts'
import type { DataFile } from './data-file.ts'
import type { DurableHistory } from './durable-history.ts'
import type { Journal } from './journal.ts'
import type { Snapshots } from './snapshots.ts'
import { damaged, UnusableData } from './unusable-data.ts'

type Sources = { history: DurableHistory; journal: Journal; snapshots: Snapshots }

/**
 * The exchange as it was after the last command in the file: the newest snapshot, and the journal since carried out
 * again. Null in a file where none was established. Throws `UnusableData` when the file does not hold together, or when
 * money was made or lost.
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
    throw damaged(file.folder, error instanceof Error ? error.message : String(error), error)
  }
}
