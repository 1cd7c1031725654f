import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { diskReason } from '../base/error-text.ts'
import { plainText } from '../base/plain-text.ts'
import { err, ok, type Result } from '../base/result.ts'
import { outdated, type Plan, type PlanEvent, withPlanEvent } from '../domain/plans/plan.ts'
import { type AppendFile, continueAppendFile } from './append-file.ts'
import { JournalError } from './entry.ts'
import { linesOf, readIfThere, syncFolder } from './files.ts'
import { type Lock, takeLock } from './locks.ts'
import { count, type PlanRecord, planEventOf, planLineOf, planLines, planNumber, takePlanEvent } from './plan-record.ts'
import { shortenRecord } from './plan-shortening.ts'
import { readLine, recordLine, time, writeLine } from './record.ts'

/*
 * The record of an account's plans: one file, lines with a checksum each like the journal's, only ever added to until
 * plans that ended long ago leave it (plan-shortening.ts). What a plan is about to do is on disk here before the
 * journal has it and before it leaves; what was seen of its orders follows. What became of a write the journal knows,
 * by the client order id that stands here.
 */

/** What this program reads; a record is of the second once plans have left it. */
const planVersion = 2

const line = z.discriminatedUnion('event', [
  z.object({
    event: z.literal('file'),
    at: time,
    version: z.int().min(1).max(planVersion),
    exchange: z.string(),
    lastNumber: count.optional(),
  }),
  /** Damaged lines in the file when its plans were held for them. */
  z.object({ event: z.literal('damage'), at: time, count }),
  ...planLines,
])

/** The plans of an account as its file has them, in the order in which they were begun. */
export type KeptPlans = {
  /** The exchange and account that they are of; null where no line says so. */
  exchange: string | null
  plans: ReadonlyMap<string, Plan>
  /** Lines nobody can read, beside a last one that never got whole; and how many of them were told of before. */
  damagedCount: number
  toldDamagedCount: number
  /** The last line was cut off as it was written. */
  isTorn: boolean
  /** The number of the newest plan that there ever was, as of `p12`; 0 before the first. None is used twice. */
  lastNumber: number
  /** Plans that had not ended and whose beginning cannot be read: nobody can go on with them. */
  lost: readonly string[]
}

/** What is said of a plan whose beginning cannot be read. */
export const lostText = (planId: string): string =>
  `The beginning of plan ${planId} cannot be read: nothing carries it out. Look at its orders at the exchange.`

/** An account's plans in its file, with the right to go on with them. */
export type FilePlanRecord = KeptPlans & PlanRecord

/** Where the record of an account lies. */
export const planPath = (folder: string): string => join(folder, 'plans.jsonl')
const planLock = (folder: string): string => join(folder, 'plans.lock')

/** Whether a process of this machine runs the plans of an account just now. The error is what the disk says. */
export function isPlanOwned(folder: string): Result<boolean> {
  if (!existsSync(planLock(folder))) return ok(false)
  const lock = takeLock(planLock(folder))
  if (lock.ok) lock.value?.release()
  return lock.ok ? ok(lock.value === null) : lock
}

/**
 * Reads the plans that are kept in an account's folder, without the right to go on with them. The error is a sentence;
 * what a newer program wrote is one.
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
  // A last line that lacks nothing but its end is whole; one that is cut off was never answered for.
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
    if (record.event === 'file') {
      lastNumber = Math.max(lastNumber, record.lastNumber ?? 0)
      exchange ??= record.exchange
      continue
    }
    if (record.event === 'damage') {
      toldDamagedCount = record.count
      continue
    }
    const event = planEventOf(record)
    takePlanEvent(plans, event)
    lastNumber = Math.max(lastNumber, planNumber(event.planId))
    if (!plans.has(event.planId) && event.event !== 'ended') lost.add(event.planId)
    else lost.delete(event.planId)
  }
  return ok({ exchange, plans, damagedCount, toldDamagedCount, isTorn, lastNumber, lost: [...lost] })
}

type PlanRecordOptions = {
  /** The account's. */
  folder: string
  exchange: string
  /** By the wall clock. */
  now: () => number
}

/**
 * Opens an account's plans to go on with them. `busy`: another process of this machine does. The error is a sentence.
 * Plans that may miss a line that was damaged are held, so that a person looks before they go on.
 */
export async function openPlanRecord(options: PlanRecordOptions): Promise<Result<FilePlanRecord | 'busy'>> {
  const { folder, exchange, now } = options
  const path = planPath(folder)
  let lock: Lock | null = null
  let file: AppendFile | null = null
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
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
    if (file.size() === 0) {
      await file.append(recordLine({ at: now(), event: 'file', version: 1, exchange }))
      syncFolder(folder)
    }
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
  { plans, damagedCount, toldDamagedCount, isTorn }: KeptPlans,
  file: AppendFile,
  now: () => number,
): Promise<ReadonlyMap<string, Plan>> {
  // A line that was cut off looks damaged once another follows: nothing was done upon it, and nobody need look.
  const count = damagedCount + (isTorn ? 1 : 0)
  if (count <= toldDamagedCount) return plans
  const damage = recordLine({ at: now(), event: 'damage', count })
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
  readonly lost: readonly string[]
  readonly #options: PlanRecordOptions
  readonly #lock: Lock
  /** As the lines make them: what leaves the record leaves these as well. */
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
    // One after the other: plans that end at the same moment must not shorten it twice at once.
    if (event.event === 'ended') this.#shortening = this.#shortening.then(() => this.shorten())
  }

  /** Lets plans that ended long ago leave, where there are many. Never rejects: a record that is too long is whole. */
  async shorten(): Promise<void> {
    const gone = outdated(this.#plans.values())
    if (gone.length === 0) return
    const { folder, exchange, now } = this.#options
    const path = planPath(folder)
    const [version, lastNumber] = [planVersion, this.#lastNumber]
    const head = recordLine({ at: now(), event: 'file', version, exchange, lastNumber })
    try {
      await this.#file.idle()
      await shortenRecord({ folder, path, head, gone })
      const before = this.#file
      this.#file = await continueAppendFile(path)
      await before.close()
      for (const { planId } of gone) this.#plans.delete(planId)
    } catch {
      // The next plan that ends tries it again; should the file be lost to it, the next line is refused, and told of.
    }
  }

  close(): Promise<void> {
    // What was asked for has been answered: nothing is lost with a file that does not close.
    this.#closing ??= this.#shortening
      .then(() => this.#file.close())
      .catch(() => undefined)
      .finally(() => this.#lock.release())
    return this.#closing
  }
}
