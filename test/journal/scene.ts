import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { WriteIntent, WriteJournal } from '../../src/journal/entry.ts'
import { type FileJournalOptions, openFileJournal } from '../../src/journal/file-journal.ts'
import { takeLock } from '../../src/journal/locks.ts'
import { aDraft } from '../fakes/orders.ts'
import { temporaryFolder } from '../fakes/temporary-folder.ts'

export const atMs = Date.UTC(2026, 0, 5, 14, 0, 0)

/** A folder of its own, gone after the test. */
export function aFolder(): string {
  const root = temporaryFolder('journal')
  return join(root, 'journal', 'practice')
}

/** A journal in the folder, closed after the test. */
export async function aJournal(folder: string, options: Partial<FileJournalOptions> = {}): Promise<WriteJournal> {
  const journal = await openFileJournal({ folder, exchange: 'practice', now: () => atMs, randomBytes, ...options })
  onTestFinished(() => journal.close())
  return journal
}

export const anIntent = (clientOrderId: string): WriteIntent => ({ kind: 'order', clientOrderId, draft: aDraft() })

/** Files of the journal that lie in a folder itself. */
export const filesIn = (folder: string) =>
  existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.jsonl')) : []
export const onlyFile = (folder: string) => join(folder, filesIn(folder)[0] ?? '')
/** Client order ids of the orders that are open. */
export const openIds = (journal: WriteJournal) =>
  journal.open().flatMap(({ intent }) => (intent.kind === 'order' ? [intent.clientOrderId] : []))

/** Makes the file look as a killed process leaves it: under a name that nobody has a lock on. */
export function leaveBehind(folder: string, bytes: Uint8Array | string, name = 'gone'): string {
  const path = join(folder, `${name}.0001.jsonl`)
  writeFileSync(path, bytes)
  return path
}

/** The lines of a journal's own file, without their checksums. */
export const linesOf = (folder: string) =>
  readFileSync(onlyFile(folder), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

/** Whether a lock is nobody's. */
export function isFree(path: string): boolean {
  const lock = takeLock(path)
  if (!lock.ok || lock.value === null) return false
  lock.value.release()
  return true
}
