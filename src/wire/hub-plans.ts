import { z } from 'zod'
import { err, ok, type Result } from '../base/result.ts'
import { type OrderDraft, orderStatuses, orderTypes, timesInForce } from '../domain/orders/order.ts'
import { isBare, type PlanNow } from '../domain/plans/news.ts'
import { type Plan, type PlanOrder, planEndKinds, planRoles, standings } from '../domain/plans/plan.ts'
import { planStates } from '../domain/plans/plan-table.ts'
import { type PlanTerms, planKinds } from '../domain/plans/terms.ts'
import { sides } from '../domain/side.ts'
import { type JsonBounds, writeJson } from './exact-json.ts'
import {
  amount,
  boolean,
  mapResult,
  message,
  ofAsked,
  optionalAmount,
  optionalBoolean,
  optionalStrictName,
  optionalText,
  optionalTimestamp,
  optionalWord,
  readMessage,
  readOwnId,
  required,
  strictName,
  text,
  thenRead,
  timestamp,
  word,
} from './message.ts'

/** Maximum orders of a scale plan that are read, more than any plan has. */
const slicesMax = 200

const termsMessage = message({
  kind: word(planKinds),
  symbol: strictName,
  side: word(sides),
  quantity: amount,
  stopPrice: optionalAmount,
  stopLimit: optionalAmount,
  targetPrice: optionalAmount,
  nearBy: optionalAmount,
  backBy: optionalAmount,
  entryPrice: optionalAmount,
  trailBy: optionalAmount,
  stepBy: optionalAmount,
  slices: z.optional(z.nullable(z.array(message({ price: amount, quantity: amount })))),
  postOnly: optionalBoolean,
})
type TermsMessage = z.output<typeof termsMessage>

const missing = (name: keyof TermsMessage): Result<never> => err(`field "${name}" is missing`)

/** The terms of a plan. The symbol's rules decide whether they are valid. */
function toTerms(read: TermsMessage): Result<PlanTerms> {
  const { kind, symbol, side, quantity, stopLimit, entryPrice, stopPrice, targetPrice, nearBy, backBy } = read
  const common = { symbol, side, quantity }
  if (kind === 'oco' || kind === 'bracket') {
    if (stopPrice === null) return missing('stopPrice')
    if (targetPrice === null) return missing('targetPrice')
    if (nearBy === null) return missing('nearBy')
    if (backBy === null) return missing('backBy')
    const legs = { ...common, stopPrice, stopLimit, targetPrice, nearBy, backBy }
    return ok(kind === 'oco' ? { kind, ...legs } : { kind, ...legs, entryPrice })
  }
  const { trailBy, stepBy, slices, postOnly } = read
  if (kind === 'trailing') {
    if (trailBy === null) return missing('trailBy')
    if (stepBy === null) return missing('stepBy')
    return ok({ kind, ...common, trailBy, stepBy, stopPrice })
  }
  if (slices === null || slices === undefined || slices.length === 0) return missing('slices')
  if (slices.length > slicesMax) return err(`field "slices" must have at most ${slicesMax} entries`)
  return ok({ kind, ...common, slices, postOnly: postOnly === true })
}

/** A plan to start. `askedAs` is the caller's own id for it: repeated requests with it start one plan. */
export type NewPlan = {
  askedAs: string
  terms: PlanTerms
  /** The newest plan that the check for duplicates saw; of older desks it is not known. */
  after?: number | undefined
}
const newPlanMessage = message({ askedAs: required(readOwnId), terms: termsMessage, after: optionalTimestamp })

/** POST /hub/plans */
export const readNewPlan = (json: string, bounds?: JsonBounds): Result<NewPlan> =>
  thenRead(readMessage(newPlanMessage, json, bounds), ({ askedAs, terms, after }) =>
    mapResult(toTerms(terms), (value) => ({ askedAs, terms: value, ...(after === null ? {} : { after }) })),
  )

/** The terms of a plan as whoever asks was shown them; of older desks they are not known. */
type Seen = { seen?: PlanTerms }
const optionalTerms = z.optional(z.nullable(termsMessage))
const toSeen = (seen: TermsMessage | null | undefined): Result<Seen> =>
  seen === null || seen === undefined ? ok({}) : mapResult(toTerms(seen), (value) => ({ seen: value }))

const editMessage = message({ terms: termsMessage, seen: optionalTerms })
/** POST /hub/plans/{planId}/edit: the new terms. */
export const readPlanEdit = (json: string, bounds?: JsonBounds): Result<{ terms: PlanTerms } & Seen> =>
  thenRead(readMessage(editMessage, json, bounds), ({ terms, seen }) =>
    thenRead(toTerms(terms), (value) => mapResult(toSeen(seen), (shown) => ({ terms: value, ...shown }))),
  )

const resumeMessage = message({ seen: optionalTerms })
/** POST /hub/plans/{planId}/resume; without a body from older desks. */
export const readPlanResume = (json: string, bounds?: JsonBounds): Result<Seen> =>
  json === '' ? ok({}) : thenRead(readMessage(resumeMessage, json, bounds), ({ seen }) => toSeen(seen))

const cancelHows = ['takeBack', 'leave'] as const
const cancelMessage = message({ how: word(cancelHows) })
/** POST /hub/plans/{planId}/cancel: whether its orders are canceled or left. */
export const readPlanCancel = (json: string, bounds?: JsonBounds): Result<'takeBack' | 'leave'> =>
  mapResult(readMessage(cancelMessage, json, bounds), ({ how }) => how)

const doneMessage = message({ planId: strictName, askedAs: optionalStrictName })
/**
 * The answer to a request that starts or changes a plan; refuses one about another plan than `planId`, or to the
 * request for a new one under another id than `askedAs`, which older hubs do not tell.
 */
export const readPlanDone = (json: string, asked: { planId?: string; askedAs?: string }): Result<string> =>
  thenRead(readMessage(doneMessage, json), ({ planId, askedAs }) =>
    thenRead(ofAsked('plan', asked.planId ?? planId, planId, planId), () =>
      ofAsked('a plan', asked.askedAs ?? askedAs ?? '', askedAs, planId),
    ),
  )

/** The bodies of a desk's requests, and the hub's answer. */
export const writeNewPlan = ({ askedAs, terms, after }: NewPlan): string =>
  writeJson({ askedAs, terms, ...(after === undefined ? {} : { after }) }, 'strings')
export const writePlanEdit = (terms: PlanTerms, seen?: PlanTerms): string =>
  writeJson({ terms, ...(seen === undefined ? {} : { seen }) }, 'strings')
export const writePlanResume = (seen?: PlanTerms): string | null =>
  seen === undefined ? null : writeJson({ seen }, 'strings')
export const writePlanCancel = (how: 'takeBack' | 'leave'): string => writeJson({ how }, 'strings')
export const writePlanDone = (planId: string, askedAs?: string): string =>
  writeJson({ planId, ...(askedAs === undefined ? {} : { askedAs }) }, 'strings')

const draftMessage = message({
  symbol: strictName,
  side: word(sides),
  type: word(orderTypes),
  orderQuantity: amount,
  limitPrice: optionalAmount,
  stopPrice: optionalAmount,
  timeInForce: optionalWord(timesInForce),
  expireDate: optionalText,
  minQuantity: optionalAmount,
  postOnly: boolean,
})

const orderMessage = message({
  clientOrderId: strictName,
  orderId: optionalText,
  role: word(planRoles),
  slice: optionalTimestamp,
  draft: draftMessage,
  isQuantityKnown: optionalBoolean,
  standing: word(standings),
  status: optionalWord(orderStatuses),
  filled: optionalAmount,
  cancelingSinceMs: optionalTimestamp,
  cancelTries: timestamp,
  isOwnEnd: boolean,
  reason: optionalText,
  isAcknowledged: boolean,
  atMs: timestamp,
})

const planMessage = message({
  planId: strictName,
  person: optionalText,
  terms: termsMessage,
  atMs: timestamp,
  orders: z.array(orderMessage),
  cancel: optionalWord(cancelHows),
  hold: optionalText,
  endedAs: optionalWord(planEndKinds),
  endedAtMs: optionalTimestamp,
  uncoveredSinceMs: optionalTimestamp,
  bareSinceMs: optionalTimestamp,
  swaps: z.array(timestamp),
  state: word(planStates),
  why: text,
  refused: optionalText,
})

const listMessage = message({ version: strictName, plans: z.optional(z.nullable(z.array(planMessage))) })

/** The plans of a firm on its hub; null when unchanged since the requested version. */
export type HubPlans = { version: string; plans: readonly PlanNow[] | null }

const planFields = ({ plan, state, why, refused }: PlanNow) => {
  const { planId, person, terms, atMs, orders, cancel, hold, ended, uncoveredSinceMs, bareSinceMs, swaps } = plan
  return {
    ...{ planId, person, terms, atMs, orders, cancel, hold, uncoveredSinceMs, bareSinceMs, state, why, refused },
    ...{ endedAs: ended?.how ?? null, endedAtMs: ended?.atMs ?? null, swaps: swaps.map(Math.round) },
  }
}

/** The answer to GET /hub/plans. */
export const writeHubPlans = ({ version, plans }: HubPlans): string =>
  writeJson({ version, plans: plans?.map(planFields) ?? null }, 'strings')

function toPlanNow(read: z.output<typeof planMessage>): Result<PlanNow> {
  const { terms: asked, endedAs, endedAtMs, swaps, state, why, refused, orders, ...rest } = read
  const terms = toTerms(asked)
  if (!terms.ok) return terms
  const ended = endedAs === null ? null : { how: endedAs, why, atMs: endedAtMs ?? 0 }
  const plan: Plan = {
    ...rest,
    terms: terms.value,
    orders: orders.map(({ isQuantityKnown, ...order }): PlanOrder => {
      // An older hub does not tell.
      return { ...order, isQuantityKnown: isQuantityKnown ?? true, draft: order.draft satisfies OrderDraft }
    }),
    troubles: {},
    // Only the hub makes ids.
    seed: null,
    ended,
    said: null,
    // Only whoever runs the plan asks for it.
    dueSinceMs: rest.atMs,
    swaps,
  }
  // An older hub does not tell since when it is bare: at most for as long as it has had no stop.
  const bareSinceMs = plan.bareSinceMs ?? (isBare(plan) ? plan.uncoveredSinceMs : null)
  return ok({ plan: { ...plan, bareSinceMs }, state, why, refused })
}

/** GET /hub/plans */
export function readHubPlans(json: string): Result<HubPlans> {
  const read = readMessage(listMessage, json)
  if (!read.ok) return read
  const { version, plans } = read.value
  if (plans === null || plans === undefined) return ok({ version, plans: null })
  const all = plans.map(toPlanNow)
  const wrong = all.find((each) => !each.ok)
  if (wrong !== undefined && !wrong.ok) return wrong
  return ok({ version, plans: all.flatMap((each) => (each.ok ? [each.value] : [])) })
}
