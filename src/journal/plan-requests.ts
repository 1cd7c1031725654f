import { renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { type Clock, sleepToBeat } from '../base/clock.ts'
import { writeAtomically } from '../base/files/atomic-write.ts'
import { makeFolder } from '../base/files/make-folder.ts'
import { isThere, namesIn, readPlainFile } from '../base/files/plain-file.ts'
import { err, type Result } from '../base/result.ts'
import { diskReason, isMissingFile } from '../base/text/error-text.ts'
import type { Beat } from '../domain/desk/duties.ts'
import type { PlanRequest } from '../domain/plans/plan.ts'
import { beatNote, readNote, removeNote, seenNote } from './pid-note.ts'
import { isPlanOwned } from './plan-file.ts'
import { count, planTerms } from './plan-record.ts'
import { readLine, recordLine, time } from './record.ts'

/*
 * Requests of other processes to the one that runs an account's plans: a small file each, in a folder next to the
 * record. The runner takes a request by renaming it, so that it is carried out at most once, and the sender withdraws
 * an untaken one by renaming it too. The answer is also a file. Files instead of a port: they need no key, work between
 * containers that share the folder, and only the folder's owner can write them.
 */

/** The result of a request. */
export type PlanAnswer =
  | { kind: 'done'; planId: string }
  /**
   * Refused by the process that runs the plans, with a sentence; nothing was changed. `isForbidden`: this person of a
   * hub may not do it.
   */
  | { kind: 'refused'; sentence: string; isForbidden?: boolean }
  /** No process runs the plans; nothing was changed. */
  | { kind: 'noOwner' }
  /** Not taken in time, and withdrawn; nothing was changed. `stopped`: who should have, and stands still. */
  | { kind: 'notTaken'; stopped: Beat | null }
  /** Taken by a process that has ended since; see the record. */
  | { kind: 'unknown' }

const text = z.string()
const request = z.discriminatedUnion('ask', [
  z.object({ ask: z.literal('add'), at: time, terms: planTerms, after: count.optional() }),
  z.object({ ask: z.literal('cancel'), at: time, planId: text, how: z.enum(['takeBack', 'leave']) }),
  z.object({ ask: z.literal('edit'), at: time, planId: text, terms: planTerms, seen: planTerms.optional() }),
  z.object({ ask: z.literal('resume'), at: time, planId: text, seen: planTerms.optional() }),
])
const answer = z.object({ at: time, planId: text.nullable(), sentence: text.nullable() })

const requestsFolder = (folder: string): string => join(folder, 'plan-requests')
/** The note of the process that takes requests. */
const ownerNote = (folder: string): string => join(folder, 'plans-owner')

/**
 * The process that runs an account's plans, and when it last looked for requests; null when it is not known. Only to be
 * believed while plans are owned.
 */
export const planOwner = (folder: string): Beat | null => seenNote(ownerNote(folder))

/** The note of that process while it is HALTED: its plans may only cancel, whoever asks. */
const haltedNote = (folder: string): string => join(folder, 'plans-halted')

/** Whether the process that runs an account's plans is HALTED. Only to be believed while plans are owned. */
export function isOwnerHalted(folder: string): boolean {
  const halted = readNote(haltedNote(folder))
  return halted !== null && halted.pid === readNote(ownerNote(folder))?.pid
}

/** Time for a request to be taken. */
const askMs = 15_000
/** Time for the answer once taken, which needs only a write to disk. */
const answerMs = 30_000
const askPauseMs = 100
/** Interval at which the runner looks for requests. */
const lookMs = 250
/**
 * The date of a folder may be as coarse as that, or come so late from another machine: the names are read for so long
 * after it changed, and at least once in that time anyway.
 */
const dateCoarseMs = 3_000
/** Interval at which the runner says that it moves. */
const beatMs = 2_000
/** Maximum lead of the sender's clock, which may be in another container. */
const aheadMaxMs = 5_000
/** Unread answers are deleted after this time. */
const answerKeptMs = 3_600_000

type AskContext = {
  /** The account's folder. */
  folder: string
  clock: Clock
  signal: AbortSignal
  /** Creates a unique request name of letters and digits. */
  newId: () => string
}

/**
 * Sends a request to the process that runs the account's plans. Never rejects on disk errors: they make it refused or
 * unknown.
 */
export async function askPlanOwner(
  asked: PlanRequest,
  { folder, clock, signal, newId }: AskContext,
): Promise<PlanAnswer> {
  const owned = isPlanOwned(folder)
  if (!owned.ok) return { kind: 'refused', sentence: `Whether plans run here cannot be seen: ${owned.error}.` }
  if (!owned.value) return { kind: 'noOwner' }
  const ownerBefore = planOwner(folder)
  const id = newId()
  const at = (ending: string) => join(requestsFolder(folder), `${id}.${ending}`)
  try {
    await writeAtomically(at('ask'), recordLine({ at: clock.wallMs(), ...asked }))
  } catch (error) {
    return { kind: 'refused', sentence: `The request cannot be written: ${diskReason(error)}. Nothing was changed.` }
  }
  try {
    const early = await answered(at('answer'), clock, askMs, signal, () => false)
    if (early !== null) return early
    if (renamed(at('ask'), at('gone'))) {
      rmSync(at('gone'), { force: true })
      return { kind: 'notTaken', stopped: signal.aborted ? null : sameBeat(ownerBefore, planOwner(folder)) }
    }
    const isLost = () => !isThere(at('taken'))
    return (await answered(at('answer'), clock, answerMs, null, isLost)) ?? { kind: 'unknown' }
  } catch {
    // The request exists but its state is unreadable, so it may have been carried out.
    return { kind: 'unknown' }
  }
}

/** The process, when it has not moved in between; null otherwise. */
const sameBeat = (before: Beat | null, now: Beat | null): Beat | null =>
  before?.pid === now?.pid && before?.beatMs === now?.beatMs ? now : null

/** Waits for the answer; null when none came. */
async function answered(
  path: string,
  clock: Clock,
  withinMs: number,
  signal: AbortSignal | null,
  isLost: () => boolean,
): Promise<PlanAnswer | null> {
  const endMs = clock.now() + withinMs
  for (;;) {
    // Checked before reading, so that an answer that arrives in between is seen.
    const isOver = clock.now() >= endMs || signal?.aborted === true || isLost()
    const read = readWhole(path, answer)
    if (read !== null) {
      rmSync(path, { force: true })
      if (read === 'odd') return { kind: 'unknown' }
      return read.planId === null
        ? { kind: 'refused', sentence: read.sentence ?? 'It was refused.' }
        : { kind: 'done', planId: read.planId }
    }
    if (isOver) return null
    await clock.sleep(askPauseMs, signal ?? undefined)
  }
}

type TakeContext = {
  folder: string
  clock: Clock
  signal: AbortSignal
  /** Carries out a request and resolves once it is on record. The value is the plan's id, the error a sentence. */
  carryOut: (asked: PlanRequest) => Promise<Result<string>>
  isHalted: () => boolean
  /** Receives one sentence per problem that prevents taking requests, and null once none does. */
  onTrouble: (sentence: string | null) => void
}

/**
 * Takes requests until `signal`; only for the process that has the plan record open. Requests taken by a process that
 * ended are not carried out again; their senders get `unknown`.
 */
export async function takePlanRequests(context: TakeContext): Promise<void> {
  const { folder, clock, signal, carryOut, isHalted, onTrouble } = context
  const place = requestsFolder(folder)
  let trouble: string | null = null
  let isFirst = true
  let beatAtMs = Number.NEGATIVE_INFINITY
  const mayHaveNews = watchNames(place, clock)
  // That of a killed process would be taken for this one's.
  removeNote(ownerNote(folder))
  removeNote(haltedNote(folder))
  let wasHalted = false
  while (!signal.aborted) {
    if (clock.now() - beatAtMs >= beatMs) {
      beatAtMs = clock.now()
      beatNote(ownerNote(folder), clock.wallMs())
    }
    if (isHalted() !== wasHalted) {
      wasHalted = !wasHalted
      if (wasHalted) beatNote(haltedNote(folder), clock.wallMs())
      else removeNote(haltedNote(folder))
    }
    try {
      if (mayHaveNews()) {
        makeFolder(place)
        const failures: unknown[] = []
        const wasFirst = isFirst
        isFirst = false
        if (wasFirst) await each(namesIn(place), failures, (name) => clear(join(place, name), clock.wallMs()))
        await each(namesIn(place), failures, async (name) => {
          if (signal.aborted) return
          if (name.endsWith('.ask')) await takeUp(join(place, name.slice(0, -'.ask'.length)), clock, carryOut)
        })
        if (failures.length > 0) throw failures[0]
        if (trouble !== null) onTrouble(null)
        trouble = null
      }
    } catch (error) {
      const sentence = `Requests about plans in ${place} cannot be read: ${diskReason(error)}.`
      if (sentence !== trouble) onTrouble(sentence)
      trouble = sentence
    }
    await sleepToBeat(clock, lookMs, signal)
  }
  removeNote(ownerNote(folder))
  removeNote(haltedNote(folder))
}

/**
 * Tells whether names may have changed in a folder since they were last read. Its date costs a quarter of reading it,
 * and an idle desk looks four times a second.
 */
function watchNames(folder: string, clock: Pick<Clock, 'now'>): () => boolean {
  let changed = { dateMs: Number.NaN, seenAtMs: 0 }
  let readAtMs = Number.NEGATIVE_INFINITY
  return () => {
    const nowMs = clock.now()
    const dateMs = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Number.NaN
    if (dateMs !== changed.dateMs) changed = { dateMs, seenAtMs: nowMs }
    const mayHaveNews = nowMs - changed.seenAtMs < dateCoarseMs || nowMs - readAtMs >= dateCoarseMs
    if (mayHaveNews) readAtMs = nowMs
    return mayHaveNews
  }
}

async function takeUp(path: string, clock: Clock, carryOut: TakeContext['carryOut']): Promise<void> {
  if (!renamed(`${path}.ask`, `${path}.taken`)) return
  const asked = readWhole(`${path}.taken`, request)
  const done = await carriedOut(asked, clock.wallMs(), carryOut)
  const [planId, sentence] = done.ok ? [done.value, null] : [null, done.error]
  await writeAtomically(`${path}.answer`, recordLine({ at: clock.wallMs(), planId, sentence }))
  rmSync(`${path}.taken`, { force: true })
}

async function carriedOut(
  asked: z.infer<typeof request> | 'odd' | null,
  wallMs: number,
  carryOut: TakeContext['carryOut'],
): Promise<Result<string>> {
  if (asked === null || asked === 'odd')
    return err('The request cannot be read, or a newer pitdesk wrote it: nothing was changed.')
  const ageMs = wallMs - asked.at
  // Its sender no longer waits, and may have sent another.
  if (ageMs > askMs + aheadMaxMs || ageMs < -aheadMaxMs)
    return err('The request is too old: nothing was changed. Ask again.')
  return await carryOut(asked)
}

/** Runs for every name: one that fails, which goes to `failures`, holds up no other. */
async function each(
  names: readonly string[],
  failures: unknown[],
  run: (name: string) => Promise<void> | void,
): Promise<void> {
  for (const name of names)
    try {
      await run(name)
    } catch (error) {
      failures.push(error)
    }
}

/** Deletes a leftover of an ended process, or an unread answer. */
function clear(path: string, wallMs: number): void {
  const isLeft = path.endsWith('.taken') || path.endsWith('.gone')
  if (isLeft || (path.endsWith('.answer') && wallMs - statSync(path).mtimeMs > answerKeptMs))
    rmSync(path, { force: true })
}

function renamed(from: string, to: string): boolean {
  try {
    renameSync(from, to)
    return true
  } catch (error) {
    if (isMissingFile(error)) return false
    throw error
  }
}

/** Far more than the terms of any plan take. */
const bytesMax = 64 * 1_024

/**
 * Reads a file; null when it does not exist, `odd` when it is unreadable. Throws the system's errors, as for a pipe,
 * which whoever runs the plans would wait for without an end.
 */
function readWhole<T>(path: string, schema: z.ZodType<T>): T | 'odd' | null {
  let whole: string
  try {
    whole = readPlainFile(path, bytesMax).toString('utf8')
  } catch (error) {
    if (isMissingFile(error)) return null
    throw error
  }
  const read = schema.safeParse(readLine(whole.trimEnd()))
  return read.success ? read.data : 'odd'
}
