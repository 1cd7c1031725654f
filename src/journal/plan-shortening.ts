import { readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { type EndedPlan, sumsOf } from '../domain/plans/plan.ts'
import { continueAppendFile } from './append-file.ts'
import { linesOf, syncFolder, writeSynced } from './files.ts'
import { fieldOf, readLine, recordLine } from './record.ts'

/*
 * The record of plans would grow for as long as the account lives, and each start reads all of it. So plans that ended
 * long ago leave it: a line of each stays in a file beside it that nothing reads at a start. Whatever moment the
 * program dies at, the record is the old one or the new one, whole; a line beside it may then stand there twice.
 */

/** Where a line of each plan that left the record lies. */
export const pastPlansPath = (folder: string): string => join(folder, 'plans-ended.jsonl')

/** What of a plan is kept when it leaves the record: its orders by the ids that the journal knows them by. */
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
  /** Of the record. */
  path: string
  /** The first line of the new record. */
  head: string
  /** Those that leave it. */
  gone: readonly EndedPlan[]
}

/**
 * Writes the record anew without some plans; only for the one who has it open, while nothing is written to it. Lines
 * that nobody can read leave it too: they have been reported. Throws what the disk says: then the record is as it was.
 */
export async function shortenRecord({ folder, path, head, gone }: Shortening): Promise<void> {
  const past = await continueAppendFile(pastPlansPath(folder))
  try {
    await past.append(gone.map(pastLine).join(''))
  } finally {
    await past.close()
  }
  const isGone = new Set<unknown>(gone.map(({ planId }) => planId))
  const kept = linesOf(readFileSync(path)).whole.filter((line) => {
    const planId = fieldOf(readLine(line), 'planId')
    return planId !== undefined && !isGone.has(planId)
  })
  const draft = `${path}.new`
  writeSynced(draft, Buffer.from(head + kept.map((line) => `${line}\n`).join('')))
  renameSync(draft, path)
  syncFolder(folder)
}
