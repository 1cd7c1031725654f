import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { recordsOf } from '../../src/journal/entries.ts'
import type { JournalEntry } from '../../src/journal/entry.ts'
import { FolderReader } from '../../src/journal/folder-reader.ts'
import { type JournalRecord, recordLine } from '../../src/journal/record.ts'
import { anIntent, atMs } from './scene.ts'

const idOf = (number: number) => `c${number}`

/** An entry a minute after the one before, ended unless it is every seventh. */
export const anEntry = (number: number): JournalEntry => ({
  id: `entry${number}`,
  atMs: atMs + number * 60_000,
  intent: anIntent(idOf(number)),
  steps: [],
  outcome: number % 7 === 0 ? null : { kind: 'accepted', id: `${number}`, status: 'OPEN' },
  settlement: null,
})

/**
 * Closed files as so many commands leave them, each with one entry; the newest first, as a clock that goes back makes
 * them.
 */
export function closeFiles(folder: string, from: number, to: number, entryOf = anEntry): void {
  mkdirSync(join(folder, 'closed'), { recursive: true })
  for (let number = from; number < to; number += 1) {
    const entry = entryOf(number)
    const desk: JournalRecord = {
      record: 'desk',
      at: entry.atMs,
      version: 2,
      exchange: 'practice',
      run: `run${number}`,
    }
    const text = [desk, ...recordsOf(entry)].map(recordLine).join('')
    const name = `run${String(99_999 - number).padStart(6, '0')}.0001.jsonl`
    writeFileSync(join(folder, 'closed', name), text)
  }
}

export const namesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder).sort() : [])
export const filesIn = (folder: string, ending: string) => namesIn(folder).filter((name) => name.endsWith(ending))

/** What a reader makes of the folder: all entries, one found by its key, and what is wrong. */
export async function reading(folder: string) {
  const reader = new FolderReader(folder)
  const { entries, gaps } = await reader.since(0)
  const ids = entries.all().map(({ id }) => id)
  const isThere = async (number: number) => {
    const found = await reader.find([{ kind: 'order', id: idOf(number) }])
    return found.entries.get(`entry${number}`)
  }
  return { ids, gaps, isThere }
}
