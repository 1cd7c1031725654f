import { takingTurns } from '../../base/serial.ts'
import { plainText, withoutStop } from '../../base/text/plain-text.ts'
import { isWorking, type OrderStatus, orderName } from '../../domain/orders/order.ts'
import { orderMismatches } from '../../domain/orders/order-outcome.ts'
import type { PlanNow } from '../../domain/plans/news.ts'
import { isLive, type Plan, type PlanOrder } from '../../domain/plans/plan.ts'
import { jsonLine } from '../../wire/json-pieces.ts'
import { type Ending, type FailureKind, type Fields, failure } from '../cli/exit-codes.ts'
import { formOf } from '../cli/output.ts'
import { callsMax, gravestOf, lookUp } from './order-cancel.ts'
import type { PlanKeeper } from './plan-keeper.ts'
import type { WriteScene } from './with-writing.ts'
import { ownPatienceMs } from './writing.ts'

type Asked = { before: Plan; how: 'takeBack' | 'leave'; keeper: PlanKeeper }

/** Pause in ms between two looks at the record; a hub is asked over the network. */
const lookPauseMs = { here: 200, atHub: 1_000 } as const

/** The result for one order of a plan: `kind` is null when none of it works, as requested. */
type Seen = { kind: FailureKind | null; line: string; rows: Fields[] }

/**
 * Waits until a plan has ended on request, for as long as a cancel, and reports what was seen of its orders: a promise
 * to cancel them says nothing about the money.
 */
export async function tellPlanEnd({ before, how, keeper }: Asked, scene: WriteScene): Promise<Ending> {
  const { planId } = before
  const { given, io, writing } = scene
  let now: PlanNow | null = null
  await writing.until(
    async () => {
      now = (await keeper.look(planId)) ?? now
      return now !== null && now.plan.ended !== null
    },
    ownPatienceMs,
    lookPauseMs[keeper.isAtHub ? 'atHub' : 'here'],
  )
  const { plan, why, refused } = now ?? { plan: before, why: null, refused: null }
  const seen = how === 'leave' ? [] : await lookAtOrders(before, plan, scene)
  const wrong = seen.filter(({ kind }) => kind !== null)
  const kind = gravestOf(wrong)
  const todo = `Look at pitdesk plan show ${planId} and pitdesk orders: canceling again does no harm.`
  const beside = { orders: seen.flatMap(({ rows }) => rows) }
  const lines = wrong.map(({ line }) => line).join(', ')
  if (plan.ended === null) {
    const reason = refused ?? plan.troubles.cancel?.reason ?? why
    const because = reason === null ? '' : ` (${withoutStop(reason)})`
    const left = lines === '' ? '' : `: ${lines}`
    // Orders known to have ended say nothing about what a running plan may do.
    const worst = kind === undefined || kind === 'rejected' ? 'unknown' : kind
    const sentence = `plan ${planId} has not ended yet${because}${left}.`
    return failure(worst, plainText(sentence), { todo, beside })
  }
  const did = `Plan ${planId} has ended: ${plan.ended.why}.`
  if (kind !== undefined)
    return failure(kind, plainText(`plan ${planId} has ended, but not all of it was canceled: ${lines}.`), {
      ...(kind === 'rejected' ? {} : { todo }),
      beside,
    })
  const fields = { plan: planId, outcome: 'ended', why: plainText(plan.ended.why) }
  await io.print(formOf(given, io.stdout) === 'table' ? plainText(did) : jsonLine(fields))
  return { code: 0, did }
}

/** The orders that could still trade at the request, or were sent since, as seen now. */
async function lookAtOrders(before: Plan, { orders, ended }: Plan, scene: WriteScene): Promise<Seen[]> {
  const idle = new Set(before.orders.filter((order) => !isLive(order)).map(({ clientOrderId }) => clientOrderId))
  const concerned = orders.filter(({ clientOrderId }) => !idle.has(clientOrderId))
  const inTurn = takingTurns(callsMax)
  return await Promise.all(
    concerned.map((order) =>
      isLive(order) && ended === null ? inTurn(() => lookAt(order, scene)) : Promise.resolve(recorded(order)),
    ),
  )
}

function told(
  order: PlanOrder,
  kind: FailureKind | null,
  [outcome, line]: [outcome: string, line: string],
  ordStatus?: OrderStatus,
): Seen {
  const { role, orderId } = order
  // Rows have the exchange's id, like those of cancels.
  const rows = orderId === null ? [] : [{ exOrdId: BigInt(orderId), outcome, ordStatus }]
  return { kind, line: `its ${role} ${orderName(order)} ${line}`, rows }
}

/** The record of an order that has ended. */
function recorded(order: PlanOrder): Seen {
  if (order.standing === 'notPlaced') return told(order, null, ['canceled', 'was not placed'])
  return ofStatus(order, order.status)
}

function ofStatus(order: PlanOrder, status: OrderStatus | null): Seen {
  if (status === null) return told(order, 'unknown', ['unknown', 'has ended, final state unknown'])
  if (status === 'CANCELED') return told(order, null, ['canceled', 'is CANCELED'], status)
  const isStill = isWorking({ status })
  return isStill
    ? told(order, 'failed', ['working', `is still ${status}`], status)
    : told(order, 'rejected', ['ended', `is ${status}`], status)
}

/** The exchange's report on an order whose end is not on record. */
async function lookAt(order: PlanOrder, scene: WriteScene): Promise<Seen> {
  const { orderId, clientOrderId, draft, isQuantityKnown } = order
  const report = orderId === null ? null : await lookUp(orderId, scene, 1)
  const known = { ...draft, clientOrderId, orderQuantity: isQuantityKnown ? draft.orderQuantity : null }
  // A report about another order says nothing about this one.
  if (report === null || orderMismatches(known, report).length > 0)
    return told(order, 'unknown', ['unknown', 'may still be working'])
  return ofStatus(order, report.status)
}
