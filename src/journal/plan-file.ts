import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { makeFolder } from '../base/files/make-folder.ts'
import { isThere, refuseOtherThanFile } from '../base/files/plain-file.ts'
import { err, ok, type Result } from '../base/result.ts'
import { diskReason } from '../base/text/error-text.ts'
import { plainText } from '../base/text/plain-text.ts'
import { outdated, type Plan, type PlanEvent, planNumber, withPlanEvent } from '../domain/plans/plan.ts'
import { type AppendFile, continueAppendFile } from './append-file.ts'
import { JournalError } from './entry.ts'
import { linesOf, readIfThere, syncFolder } from './files.ts'
import { type Lock, lookAtLock, takeLock } from './locks.ts'
import { count, type PlanRecord, planEventOf, planLineOf, planLines, takePlanEvent } from './plan-record.ts'
import { shortenRecord } from './plan-shortening.ts'
import { readLine, recordLine, time, writeLine } from './record.ts'

/*
 * The record of an account's plans: one file of lines with a checksum each, like the journal's, only appended to until
 * plans that ended long ago are removed (plan-shortening.ts). A plan's next action is on disk here before it is in the
 * journal and before it is sent; reports about its orders follow. The journal has the outcomes of the writes, under the
 * client order ids recorded here.
 */

/** Highest version this program reads; a record has version 2 once plans were removed from it. */
const planVersion = 2

const line = z.discriminatedUnion('event', [
  z.object({
    event: z.literal('file'),
    at: time,
    version: z.int().min(1).max(planVersion),
    exchange: z.string(),
    lastNumber: count.optional(),
  }),
  /** The number of damaged lines when plans were held for them, and the last number, which may stand in one of them. */
  z.object({ event: z.literal('damage'), at: time, count, lastNumber: count.optional() }),
  ...planLines,
])

/** The plans of an account's file, in the order they were started. */
export type KeptPlans = {
  /** Their exchange and account; null when no line names it. */
  exchange: string | null
  plans: ReadonlyMap<string, Plan>
  /** Unreadable lines, not counting an incomplete last one; and how many of them were reported before. */
  damagedCount: number
  toldDamagedCount: number
  /** The last line is incomplete. */
  isTorn: boolean
  /** The highest plan number ever used, such as 12 of `p12`; 0 before the first. */
  lastNumber: number
  /** The number of the last plan that was begun here where the record has no line of it; 0 otherwise. */
  missingNumber: number
  /** Ids of plans that have not ended but whose first line is unreadable, so they cannot continue. */
  lost: readonly string[]
}

/** What is said of a plan whose beginning cannot be read. */
export const lostText = (planId: string): string =>
  `The beginning of plan ${planId} cannot be read: nothing carries it out. Look at its orders at the exchange.`

/** What is said where the record was emptied, removed, or put back older than the last plan begun here. */
export const missingText = (missingNumber: number): string =>
  `The record of plans was emptied or is an older one: it has nothing of plan p${missingNumber}, which was begun here. ` +
  'Nothing carries out what it lacks. Look at your orders at the exchange.'

/** An account's plans in its file, with the right to go on with them. */
export type FilePlanRecord = KeptPlans & PlanRecord

/** Where the record of an account lies. */
export const planPath = (folder: string): string => join(folder, 'plans.jsonl')
/** The number of the last plan begun here, for the day on which the record itself is gone. */
const lastNumberPath = (folder: string): string => join(folder, 'plans-last')
const planLock = (folder: string): string => join(folder, 'plans.lock')

/** Whether a process of this machine runs the plans of an account just now. The error is what the disk says. */
export function isPlanOwned(folder: string): Result<boolean> {
  try {
    if (!isThere(planLock(folder))) return ok(false)
  } catch (error) {
    return err(`${basename(planLock(folder))}: ${diskReason(error)}`)
  }
  const lock = lookAtLock(planLock(folder))
  if (lock.ok) lock.value?.release()
  return lock.ok ? ok(lock.value === null) : lock
}

/** 0 where none is known. */
function keptLastNumber(folder: string): number {
  try {
    const text = readIfThere(lastNumberPath(folder))?.toString('utf8').trim() ?? ''
    return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0
  } catch {
    return 0
  }
}

/** Best effort: the plan itself is on its record. */
function keepLastNumber(folder: string, number: number): void {
  try {
    // Writing to a pipe that nobody reads would never end.
    refuseOtherThanFile(lastNumberPath(folder))
    writeFileSync(lastNumberPath(folder), `${number}\n`, { mode: 0o600 })
  } catch {
    // The next plan that begins tries again.
  }
}

/**
 * Reads the plans of an account's folder without opening them for writing. The error is a sentence, also for a record
 * of a newer program.
 */
export function readPlans(folder: string): Result<KeptPlans> {
  const path = planPath(folder)
  let bytes: Buffer | null
  try {
    bytes = readIfThere(path)
  } catch (error) {
    return err(`The plans in ${path} cannot be read: ${diskReason(error)}. No plan runs here.`)
  }
  const plans = new Map<string, Plan>()
  const lost = new Set<string>()
  let [damagedCount, toldDamagedCount, lastNumber] = [0, 0, 0]
  let exchange: string | null = null
  const { whole, rest } = linesOf(bytes ?? Buffer.alloc(0))
  // A last line that lacks only its line end is complete; an incomplete one was never acknowledged.
  const isTorn = rest !== '' && readLine(rest) === undefined
  for (const each of rest === '' || isTorn ? whole : [...whole, rest]) {
    const value = readLine(each)
    if (value === undefined) {
      damagedCount += 1
      continue
    }
    const read = line.safeParse(value)
    if (!read.success)
      return err(`The plans in ${path} were written by a newer pitdesk: use that one. No plan runs here.`)
    const record = read.data
    if (record.event === 'file' || record.event === 'damage') {
      lastNumber = Math.max(lastNumber, record.lastNumber ?? 0)
      if (record.event === 'file') exchange ??= record.exchange
      else toldDamagedCount = record.count
      continue
    }
    const event = planEventOf(record)
    takePlanEvent(plans, event)
    lastNumber = Math.max(lastNumber, planNumber(event.planId))
    if (!plans.has(event.planId) && event.event !== 'ended') lost.add(event.planId)
    else lost.delete(event.planId)
  }
  const lastBegun = keptLastNumber(folder)
  // Damaged lines, of which the last plan may be one, are told of by themselves, once.
  const missingNumber = lastBegun > lastNumber && damagedCount <= toldDamagedCount ? lastBegun : 0
  lastNumber = Math.max(lastNumber, lastBegun)
  const damage = { damagedCount, toldDamagedCount, isTorn, missingNumber, lost: [...lost] }
  return ok({ exchange, plans, lastNumber, ...damage })
}

type PlanRecordOptions = {
  /** The account's folder. */
  folder: string
  exchange: string
  /** Wall clock time in ms. */
  now: () => number
}

/**
 * Opens an account's plans for writing. `busy` when another process of this machine has them open. The error is a
 * sentence. Plans that may lack a damaged line are held until the user checks them.
 */
export async function openPlanRecord(options: PlanRecordOptions): Promise<Result<FilePlanRecord | 'busy'>> {
  const { folder, exchange, now } = options
  const path = planPath(folder)
  let lock: Lock | null = null
  let file: AppendFile | null = null
  try {
    makeFolder(folder)
    const taken = takeLock(planLock(folder))
    if (!taken.ok) return err(`The plans in ${path} cannot be opened: ${taken.error}. No plan runs here.`)
    if (taken.value === null) return ok('busy')
    lock = taken.value
    const read = readPlans(folder)
    if (!read.ok) {
      lock.release()
      return read
    }
    const { exchange: kept } = read.value
    if (kept !== null && kept !== exchange) {
      lock.release()
      return err(
        `The plans in ${path} are of another account (${plainText(kept)}): none of them runs here. ` +
          'Move the file away, and look at the orders of both accounts.',
      )
    }
    file = await continueAppendFile(path)
    const { missingNumber, lastNumber } = read.value
    if (file.size() === 0 || missingNumber > 0) {
      // With the number the record is whole again: what it lacks is told once.
      const known = lastNumber === 0 ? {} : { lastNumber }
      await file.append(recordLine({ at: now(), event: 'file', version: 1, exchange, ...known }))
      syncFolder(folder)
    }
    if (lastNumber > 0) keepLastNumber(folder, lastNumber)
    const plans = await heldForDamage(read.value, file, now)
    const record = new OpenRecord(options, { ...read.value, plans }, file, lock)
    await record.shorten()
    return ok(record)
  } catch (error) {
    await file?.close().catch(() => undefined)
    lock?.release()
    return err(`The plans in ${path} cannot be opened: ${diskReason(error)}. No plan runs here.`)
  }
}

async function heldForDamage(
  { plans, damagedCount, toldDamagedCount, isTorn, lastNumber }: KeptPlans,
  file: AppendFile,
  now: () => number,
): Promise<ReadonlyMap<string, Plan>> {
  // An incomplete line counts as damaged once another follows. Nothing was done based on it, so no one needs to check
  // it.
  const count = damagedCount + (isTorn ? 1 : 0)
  if (count <= toldDamagedCount) return plans
  const damage = recordLine({ at: now(), event: 'damage', count, lastNumber })
  if (damagedCount <= toldDamagedCount) {
    await file.append(damage)
    return plans
  }
  const why = 'its record has a line that cannot be read: look at its orders at the exchange'
  const held = new Map(plans)
  const lines = [damage]
  for (const [planId, plan] of plans) {
    if (plan.ended !== null) continue
    const event = { event: 'held', planId, atMs: now(), why } as const
    held.set(planId, withPlanEvent(plan, event))
    lines.push(lineOf(event))
  }
  await file.append(lines.join(''))
  return held
}

const lineOf = (event: PlanEvent): string => writeLine(planLineOf(event))

class OpenRecord implements FilePlanRecord {
  readonly exchange: string
  readonly damagedCount: number
  readonly toldDamagedCount: number
  readonly isTorn: boolean
  readonly missingNumber: number
  readonly lost: readonly string[]
  readonly #options: PlanRecordOptions
  readonly #lock: Lock
  /** The plans as built from the lines; plans removed from the record are removed here too. */
  readonly #plans: Map<string, Plan>
  #lastNumber: number
  #file: AppendFile
  #shortening: Promise<void> = Promise.resolve()
  #closing: Promise<void> | null = null

  constructor(options: PlanRecordOptions, kept: KeptPlans, file: AppendFile, lock: Lock) {
    this.#options = options
    this.#plans = new Map(kept.plans)
    this.#lastNumber = kept.lastNumber
    this.#file = file
    this.#lock = lock
    this.exchange = options.exchange
    this.damagedCount = kept.damagedCount
    this.toldDamagedCount = kept.toldDamagedCount
    this.isTorn = kept.isTorn
    this.missingNumber = kept.missingNumber
    this.lost = kept.lost
  }

  get plans(): ReadonlyMap<string, Plan> {
    return this.#plans
  }

  get lastNumber(): number {
    return this.#lastNumber
  }

  async append(event: PlanEvent): Promise<void> {
    for (let last: Promise<void> | null = null; last !== this.#shortening; ) {
      last = this.#shortening
      await last
    }
    try {
      await this.#file.append(lineOf(event))
    } catch (error) {
      throw new JournalError(`the record of plans cannot be written: ${diskReason(error)}`)
    }
    takePlanEvent(this.#plans, event)
    this.#lastNumber = Math.max(this.#lastNumber, planNumber(event.planId))
    if (event.event === 'begun') keepLastNumber(this.#options.folder, this.#lastNumber)
    // Serialized: plans that end at the same moment must not rewrite the file concurrently.
    if (event.event === 'ended') this.#shortening = this.#shortening.then(() => this.shorten())
  }

  /**
   * Removes plans that ended long ago, once there are many. Never rejects, because a record that stays too long is
   * still correct.
   */
  async shorten(): Promise<void> {
    const gone = outdated(this.#plans.values())
    if (gone.length === 0) return
    const { folder, exchange, now } = this.#options
    const path = planPath(folder)
    const [version, lastNumber] = [planVersion, this.#lastNumber]
    const head = recordLine({ at: now(), event: 'file', version, exchange, lastNumber })
    try {
      await this.#file.idle()
      const shortened = await shortenRecord({ folder, path, head, gone })
      const before = this.#file
      this.#file = shortened
      await before.close()
      for (const { planId } of gone) this.#plans.delete(planId)
    } catch {
      // The next plan that ends tries again.
    }
  }

  close(): Promise<void> {
    // All writes have been acknowledged, so nothing is lost when closing fails.
    this.#closing ??= this.#shortening
      .then(() => this.#file.close())
      .catch(() => undefined)
      .finally(() => this.#lock.release())
    return this.#closing
  }
}
