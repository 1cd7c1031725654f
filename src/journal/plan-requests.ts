import { mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { writeAtomically } from '../base/atomic-write.ts'
import type { Clock } from '../base/clock.ts'
import { diskReason, isMissingFile } from '../base/error-text.ts'
import { namesIn } from '../base/plain-file.ts'
import { err, type Result } from '../base/result.ts'
import type { PlanRequest } from '../domain/plans/plan.ts'
import { isPlanOwned } from './plan-file.ts'
import { planTerms } from './plan-record.ts'
import { readLine, recordLine, time } from './record.ts'

/*
 * What another process asks of the one that runs an account's plans: a small file each in a folder beside the record.
 * A rename takes it up, so that it is carried out once or not at all, and the one who asked can take back, by a rename
 * as well, what nobody has taken up. The answer is a file too. Files and no port: they need no key, work between
 * containers that share the folder, and nobody but the owner of the folder can write them.
 */

/** What came of a request. */
export type PlanAnswer =
  | { kind: 'done'; planId: string }
  /** By whoever runs the plans, in a sentence: nothing was changed. `isForbidden`: to this person of a hub. */
  | { kind: 'refused'; sentence: string; isForbidden?: boolean }
  /** No process runs the plans: nothing was changed. */
  | { kind: 'noOwner' }
  /** It was not taken up in time and has been taken back: nothing was changed. */
  | { kind: 'notTaken' }
  /** It was taken up, and whoever did that has died: the record tells. */
  | { kind: 'unknown' }

const text = z.string()
const request = z.discriminatedUnion('ask', [
  z.object({ ask: z.literal('add'), at: time, terms: planTerms }),
  z.object({ ask: z.literal('cancel'), at: time, planId: text, how: z.enum(['takeBack', 'leave']) }),
  z.object({ ask: z.literal('edit'), at: time, planId: text, terms: planTerms }),
  z.object({ ask: z.literal('resume'), at: time, planId: text }),
])
const answer = z.object({ at: time, planId: text.nullable(), sentence: text.nullable() })

const requestsFolder = (folder: string): string => join(folder, 'plan-requests')

/** How long a request may lie before it is taken up. */
const askMs = 15_000
/** Once taken up it is a matter of a write to the disk. */
const answerMs = 30_000
const askPauseMs = 100
/** How often the one who runs the plans looks for requests. */
const lookMs = 250
/** The clock of the one who asked, in another container, may be ahead by so much. */
const aheadMostMs = 5_000
/** Answers that nobody has fetched are cleared away after this. */
const answerKeptMs = 3_600_000

type AskContext = {
  /** The account's. */
  folder: string
  clock: Clock
  signal: AbortSignal
  /** A name that no other request has: letters and digits. */
  newId: () => string
}

/** Asks whoever runs the plans of the account. Never rejects for what the disk says: that is a refusal, or unknown. */
export async function askPlanOwner(
  asked: PlanRequest,
  { folder, clock, signal, newId }: AskContext,
): Promise<PlanAnswer> {
  const owned = isPlanOwned(folder)
  if (!owned.ok) return { kind: 'refused', sentence: `Whether plans run here cannot be seen: ${owned.error}.` }
  if (!owned.value) return { kind: 'noOwner' }
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
      return { kind: 'notTaken' }
    }
    const isLost = () => isPlanOwned(folder).ok && !isThere(at('taken'))
    return (await answered(at('answer'), clock, answerMs, null, isLost)) ?? { kind: 'unknown' }
  } catch {
    // It lies there, and what became of it cannot be read: whatever the reason, it may have been carried out.
    return { kind: 'unknown' }
  }
}

/** The answer, once it is there; null where it has not come. */
async function answered(
  path: string,
  clock: Clock,
  withinMs: number,
  signal: AbortSignal | null,
  isLost: () => boolean,
): Promise<PlanAnswer | null> {
  const endMs = clock.now() + withinMs
  for (;;) {
    // Looked at before the answer is: one that came in between is seen.
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
  /** Does what is asked. The value is the plan's id, the error a sentence. Resolves once it is on the record. */
  carryOut: (asked: PlanRequest) => Promise<Result<string>>
  /** Told once of what keeps requests from being taken up, as a sentence. */
  onTrouble: (sentence: string) => void
}

/**
 * Takes up requests until the signal; only for the one who has the record of plans open. What one who died had taken up
 * is not done again: who asked is told that nobody knows.
 */
export async function takePlanRequests({ folder, clock, signal, carryOut, onTrouble }: TakeContext): Promise<void> {
  const place = requestsFolder(folder)
  let trouble: string | null = null
  let isFirst = true
  while (!signal.aborted) {
    try {
      mkdirSync(place, { recursive: true, mode: 0o700 })
      if (isFirst) clear(place, clock.wallMs())
      isFirst = false
      for (const name of namesIn(place)) {
        if (signal.aborted) return
        if (name.endsWith('.ask')) await takeUp(join(place, name.slice(0, -'.ask'.length)), clock, carryOut)
      }
      trouble = null
    } catch (error) {
      const sentence = `Requests about plans in ${place} cannot be read: ${diskReason(error)}.`
      if (sentence !== trouble) onTrouble(sentence)
      trouble = sentence
    }
    await clock.sleep(lookMs, signal)
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
  // Whoever asked it waits no more, and may have asked again.
  if (ageMs > askMs + aheadMostMs || ageMs < -aheadMostMs)
    return err('The request is too old: nothing was changed. Ask again.')
  return await carryOut(asked)
}

/** What one who died left half done, and what nobody fetched. */
function clear(place: string, wallMs: number): void {
  for (const name of namesIn(place)) {
    const path = join(place, name)
    const isLeft = name.endsWith('.taken') || name.endsWith('.gone')
    if (isLeft || (name.endsWith('.answer') && wallMs - statSync(path).mtimeMs > answerKeptMs))
      rmSync(path, { force: true })
  }
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

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}

/** What a file says; null where it is not there, `odd` where it cannot be read. */
function readWhole<T>(path: string, schema: z.ZodType<T>): T | 'odd' | null {
  let whole: string
  try {
    whole = readFileSync(path, 'utf8')
  } catch (error) {
    if (isMissingFile(error)) return null
    throw error
  }
  const read = schema.safeParse(readLine(whole.trimEnd()))
  return read.success ? read.data : 'odd'
}
