import { readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { type EndedPlan, sumsOf } from '../domain/plans/plan.ts'
import { type AppendFile, continueAppendFile } from './append-file.ts'
import { linesOf, syncFolder, writeSynced } from './files.ts'
import { fieldOf, readLine, recordLine } from './record.ts'

/*
 * The plan record would grow as long as the account lives, and each start reads all of it. So plans that ended long ago
 * are removed, and one line of each is kept in a second file that starts do not read. At a crash at any moment the
 * record is the old or the new one, complete; a line of the second file may then be there twice.
 */

/** The file with one line for each plan removed from the record. */
export const pastPlansPath = (folder: string): string => join(folder, 'plans-ended.jsonl')

/** The line kept of a removed plan: its orders by the ids used in the journal. */
function pastLine(plan: EndedPlan): string {
  const { planId, terms, orders, ended } = plan
  const { entered, exited } = sumsOf(plan)
  const { atMs: at, how, why } = ended
  const ids = orders.map(({ clientOrderId }) => clientOrderId)
  const begun = new Date(plan.atMs).toISOString()
  return recordLine({ at, event: 'past', planId, begun, terms, how, why, entered, exited, ids })
}

type Shortening = {
  folder: string
  /** Path of the record. */
  path: string
  /** First line of the new record. */
  head: string
  /** Plans to remove. */
  gone: readonly EndedPlan[]
}

/**
 * Rewrites the record without some plans; only for the process that has it open, with no write pending. Drops
 * unreadable lines too, which have been reported. Resolves with the new record, opened before it takes the place of the
 * old one: a disk that fails in between would leave nothing to write on. Throws the disk's error and leaves the record
 * unchanged then.
 */
export async function shortenRecord({ folder, path, head, gone }: Shortening): Promise<AppendFile> {
  const past = await continueAppendFile(pastPlansPath(folder))
  try {
    await past.append(gone.map(pastLine).join(''))
  } finally {
    await past.close()
  }
  const isGone = new Set<unknown>(gone.map(({ planId }) => planId))
  const { whole, rest } = linesOf(readFileSync(path))
  // A last line that lacks only its line end counts when plans are read, so it must stay.
  const kept = [...whole, rest].filter((line) => {
    const planId = fieldOf(readLine(line), 'planId')
    return planId !== undefined && !isGone.has(planId)
  })
  const draft = `${path}.new`
  writeSynced(draft, Buffer.from(head + kept.map((line) => `${line}\n`).join('')))
  const shortened = await continueAppendFile(path, draft)
  try {
    renameSync(draft, path)
  } catch (error) {
    await shortened.close()
    throw error
  }
  try {
    syncFolder(folder)
  } catch {
    // It is in its place. Only a power cut may bring the old one back, without what is written from now on.
  }
  return shortened
}
