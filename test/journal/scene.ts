import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { WriteIntent, WriteJournal } from '../../src/journal/entry.ts'
import { type FileJournalOptions, openFileJournal } from '../../src/journal/file-journal.ts'
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
