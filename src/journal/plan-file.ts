import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { diskReason } from '../base/error-text.ts'
import { err, ok, type Result } from '../base/result.ts'
import { orderStatuses, sides } from '../domain/orders/order.ts'
import { begunPlan, type Plan, type PlanEvent, planRoles, standings, withPlanEvent } from '../domain/plans/plan.ts'
import { type AppendFile, continueAppendFile } from './append-file.ts'
import { JournalError } from './entry.ts'
import { linesOf, readIfThere, syncFolder } from './files.ts'
import { type Lock, takeLock } from './locks.ts'
import { amount, draft, readLine, recordLine, time } from './record.ts'

/*
 * The record of an account's plans: one file, lines with a checksum each like the journal's, only ever added to. What a
 * plan is about to do is on disk here before the journal has it and before it leaves; what was seen of its orders
 * follows. What became of a write the journal knows, by the client order id that stands here.
 */

const text = z.string()
const count = z.int().nonnegative()
const role = z.enum(planRoles)

const exit = {
  stopPrice: amount,
  stopLimit: amount.nullable(),
  targetPrice: amount,
  nearBy: amount,
  backBy: amount,
}
const common = { symbol: text, side: z.enum(sides), quantity: amount }
/** What a plan is to do, amounts as text. */
export const planTerms = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('oco'), ...common, ...exit }),
  z.object({ kind: z.literal('bracket'), ...common, ...exit, entryPrice: amount.nullable() }),
  z.object({
    kind: z.literal('trailing'),
    ...common,
    trailBy: amount,
    stepBy: amount,
    stopPrice: amount.nullable(),
  }),
  z.object({
    kind: z.literal('scale'),
    ...common,
    slices: z.array(z.object({ price: amount, quantity: amount })),
    postOnly: z.boolean(),
  }),
])

/** What this program writes and reads. */
const planVersion = 1
const about = { planId: text, at: time }
const ofOrder = { ...about, clientOrderId: text }

const line = z.discriminatedUnion('event', [
  z.object({ event: z.literal('file'), at: time, version: z.int().min(1).max(planVersion), exchange: text }),
  /** So many damaged lines were in the file when its plans were held for them. */
  z.object({ event: z.literal('damage'), at: time, count }),
  z.object({ event: z.literal('begun'), ...about, terms: planTerms }),
  z.object({
    event: z.literal('sending'),
    ...ofOrder,
    role,
    slice: count.nullable(),
    draft,
    replaces: text.nullable(),
  }),
  z.object({ event: z.literal('canceling'), ...ofOrder }),
  z.object({ event: z.literal('notCanceled'), ...ofOrder, reason: text }),
  z.object({
    event: z.literal('seen'),
    ...ofOrder,
    orderId: text.nullable(),
    standing: z.enum(standings),
    status: z.enum(orderStatuses).nullable(),
    filled: amount.nullable(),
    quantity: amount.nullable(),
    reason: text.nullable(),
  }),
  z.object({ event: z.literal('swapped'), ...about, tookMs: z.number().nonnegative() }),
  z.object({ event: z.literal('edited'), ...about, terms: planTerms }),
  z.object({ event: z.literal('cancelAsked'), ...about, how: z.enum(['takeBack', 'leave']) }),
  z.object({ event: z.literal('resumed'), ...about }),
  z.object({ event: z.literal('held'), ...about, why: text }),
  z.object({
    event: z.literal('ended'),
    ...about,
    how: z.enum(['done', 'canceled', 'left', 'nothing']),
    why: text,
  }),
])

/** The plans of an account as its file has them, in the order in which they were begun. */
export type KeptPlans = {
  plans: ReadonlyMap<string, Plan>
  /** Lines nobody can read, beside a last one that never got whole; and how many of them were told of before. */
  damagedCount: number
  toldDamagedCount: number
  /** The last line was cut off as it was written. */
  isTorn: boolean
}

/** An account's plans with the right to go on with them, which one process has at a time. */
export type PlanRecord = KeptPlans & {
  /** On disk when it resolves. Rejects with `JournalError`: then what it is about must not be done. */
  append(event: PlanEvent): Promise<void>
  /** Lets what is being written reach the disk and gives the file up. Never rejects. */
  close(): Promise<void>
}

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
  let [damagedCount, toldDamagedCount] = [0, 0]
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
    if (record.event === 'file') continue
    if (record.event === 'damage') {
      toldDamagedCount = record.count
      continue
    }
    const { at: atMs, ...more } = record
    take(plans, { ...more, atMs })
  }
  return ok({ plans, damagedCount, toldDamagedCount, isTorn })
}

/** What has no beginning, because that line was damaged, says nothing that could be acted upon. */
function take(plans: Map<string, Plan>, event: PlanEvent): void {
  const { planId } = event
  const plan = plans.get(planId)
  if (plan !== undefined) plans.set(planId, withPlanEvent(plan, event))
  else if (event.event === 'begun') plans.set(planId, begunPlan(planId, event.terms, event.atMs))
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
export async function openPlanRecord(options: PlanRecordOptions): Promise<Result<PlanRecord | 'busy'>> {
  const { folder, exchange, now } = options
  const path = planPath(folder)
  let lock: Lock | null = null
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
    const file = await continueAppendFile(path)
    if (file.size() === 0) {
      await file.append(recordLine({ at: now(), event: 'file', version: planVersion, exchange }))
      syncFolder(folder)
    }
    const plans = await heldForDamage(read.value, file, now)
    return ok(recordOf({ ...read.value, plans }, file, lock))
  } catch (error) {
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

const lineOf = ({ atMs, ...rest }: PlanEvent): string => recordLine({ at: atMs, ...rest })

function recordOf(kept: KeptPlans, file: AppendFile, lock: Lock): PlanRecord {
  let closing: Promise<void> | null = null
  return {
    ...kept,
    async append(event) {
      try {
        await file.append(lineOf(event))
      } catch (error) {
        throw new JournalError(`the record of plans cannot be written: ${diskReason(error)}`)
      }
    },
    close() {
      // What was asked for has been answered: nothing is lost with a file that does not close.
      closing ??= file
        .close()
        .catch(() => undefined)
        .finally(() => lock.release())
      return closing
    },
  }
}
