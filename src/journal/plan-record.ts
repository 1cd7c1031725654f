import { z } from 'zod'
import { orderStatuses, sides } from '../domain/orders/order.ts'
import { begunPlan, type Plan, type PlanEvent, planRoles, standings, withPlanEvent } from '../domain/plans/plan.ts'
import { amount, draft, time } from './record.ts'

/*
 * What a record of plans holds, wherever it is kept: in a file of the account (plan-file.ts), or in a hub's database.
 */

const text = z.string()
/** A whole number from 0 on. */
export const count = z.int().nonnegative()
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

const about = { planId: text, at: time }
const ofOrder = { ...about, clientOrderId: text }

/** Who asked for it at a hub, under which id of their own, and what it counts of their day. */
const by = z.object({ person: text, askedAs: text.optional(), countedUsd: amount.optional() }).optional()

/** The lines about plans, which every home of a record has alike. */
export const planLines = [
  z.object({ event: z.literal('begun'), ...about, terms: planTerms, by }),
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
  z.object({ event: z.literal('edited'), ...about, terms: planTerms, by }),
  z.object({ event: z.literal('cancelAsked'), ...about, how: z.enum(['takeBack', 'leave']), by }),
  z.object({ event: z.literal('resumed'), ...about, by }),
  z.object({ event: z.literal('held'), ...about, why: text }),
  z.object({ event: z.literal('said'), ...about, why: text, refused: text.nullable() }),
  z.object({
    event: z.literal('ended'),
    ...about,
    how: z.enum(['done', 'canceled', 'left', 'nothing']),
    why: text,
  }),
] as const

const planLine = z.discriminatedUnion('event', planLines)

/** An event as it is written as JSON: amounts as plain text, the time in words. */
export const planLineOf = ({ atMs, ...rest }: PlanEvent): Record<string, unknown> => ({
  at: new Date(atMs).toISOString(),
  ...rest,
})

/** The event of a line that was read as JSON; undefined where this program knows no such line. */
export function readPlanLine(value: unknown): PlanEvent | undefined {
  const read = planLine.safeParse(value)
  return read.success ? planEventOf(read.data) : undefined
}

/** The event of a line that was read through `planLines`. */
export const planEventOf = ({ at: atMs, ...rest }: z.infer<typeof planLine>): PlanEvent => ({ ...rest, atMs })

/** The number of a plan as of `p12`: they only ever grow, and none is used twice. */
export const planNumber = (planId: string): number => Number(planId.slice(1))

/** What has no beginning, because that line was damaged, says nothing that could be acted upon. */
export function takePlanEvent(plans: Map<string, Plan>, event: PlanEvent): void {
  const { planId } = event
  const plan = plans.get(planId)
  if (plan !== undefined) plans.set(planId, withPlanEvent(plan, event))
  else if (event.event === 'begun')
    plans.set(planId, begunPlan(planId, event.terms, event.atMs, event.by?.person ?? null))
}

/** An account's plans with the right to go on with them, which one process has at a time. */
export type PlanRecord = {
  /** In the order in which they were begun. */
  readonly plans: ReadonlyMap<string, Plan>
  /** The number of the newest plan that there ever was, as of `p12`; 0 before the first. None is used twice. */
  readonly lastNumber: number
  /** On record when it resolves. Rejects with `JournalError`: then what it is about must not be done. */
  append(event: PlanEvent): Promise<void>
  /** Lets what is being written reach the disk and gives the record up. Never rejects. */
  close(): Promise<void>
}
