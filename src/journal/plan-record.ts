import { z } from 'zod'
import { orderStatuses } from '../domain/orders/order.ts'
import { withContradiction } from '../domain/plans/order-report.ts'
import { begunPlan, type Plan, type PlanEvent, planRoles, standings, withPlanEvent } from '../domain/plans/plan.ts'
import { sides } from '../domain/side.ts'
import { amount, draft, time } from './record.ts'

/*
 * The contents of a plan record, wherever it is stored: in a file of the account (plan-file.ts) or in a hub's database.
 */

const text = z.string()
/** A whole number, 0 or more. */
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
/** The terms of a plan, amounts as text. */
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

/** At a hub: the person who asked for it, their own id for it, and the amount it uses of their daily limit. */
const by = z.object({ person: text, askedAs: text.optional(), countedUsd: amount.optional() }).optional()

/** Lines about plans, the same in every store of a record. */
export const planLines = [
  z.object({ event: z.literal('begun'), ...about, terms: planTerms, by, seed: text.optional() }),
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
    // Missing in lines of older versions too: see `withContradiction`.
    isContradicted: z.literal(true).optional(),
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

/** An event as it is written in JSON: amounts as plain digits, the time as text. */
export const planLineOf = ({ atMs, ...rest }: PlanEvent): Record<string, unknown> => ({
  at: new Date(atMs).toISOString(),
  ...rest,
})

/** The event of a parsed JSON line; undefined when this program does not know such lines. */
export function readPlanLine(value: unknown): PlanEvent | undefined {
  const read = planLine.safeParse(value)
  return read.success ? planEventOf(read.data) : undefined
}

/** The event of a line parsed by `planLines`. */
export function planEventOf({ at: atMs, ...rest }: z.infer<typeof planLine>): PlanEvent {
  const event: PlanEvent = { ...rest, atMs }
  return event.event === 'seen' ? withContradiction(event) : event
}

/** Events of a plan whose first line was damaged are ignored, because nothing could be done with them. */
export function takePlanEvent(plans: Map<string, Plan>, event: PlanEvent): void {
  const { planId } = event
  const plan = plans.get(planId)
  if (plan !== undefined) plans.set(planId, withPlanEvent(plan, event))
  else if (event.event === 'begun')
    plans.set(planId, begunPlan(planId, event.terms, event.atMs, { person: event.by?.person, seed: event.seed }))
}

/** An account's plans, open for writing; only one process at a time has them open. */
export type PlanRecord = {
  /** In the order they were started. */
  readonly plans: ReadonlyMap<string, Plan>
  /** The highest plan number ever used, such as 12 of `p12`; 0 before the first. */
  readonly lastNumber: number
  /** Resolves when the event is on disk. Rejects with `JournalError`; then its action must not be done. */
  append(event: PlanEvent): Promise<void>
  /** Waits for pending writes and closes the record. Never rejects. */
  close(): Promise<void>
}
