import { utcText } from '../../src/base/text/time-text.ts'
import type { DutyRole } from '../../src/domain/desk/duties.ts'
import { type Decimal, zero } from '../../src/domain/money.ts'
import { isWorking, type Order } from '../../src/domain/orders/order.ts'
import { bareToldMs, isBare } from '../../src/domain/plans/news.ts'
import { isLive, type Plan, type PlanRole } from '../../src/domain/plans/plan.ts'
import { readPlans } from '../../src/journal/plan-file.ts'

/** What a desk says in a line: an alert that it gave, where the duties are by its sight, or that it was killed. */
export type Said = { atMs: number; role: DutyRole; duties?: string; told?: string; ready?: true }

/** A time in which a plan was bare, as its record had it, seen from outside. */
export type Stretch = { planId: string; fromMs: number; toMs: number; sinceTexts: Set<string> }

/** Watches the record from outside, for what was bare and for how long; keeps plans that the record has let go. */
export class Watcher {
  readonly stretches: Stretch[] = []
  readonly #open = new Map<string, Stretch>()
  readonly #plans = new Map<string, Plan>()

  /** Every plan there ever was, as it was last seen. */
  get plans(): readonly Plan[] {
    return [...this.#plans.values()]
  }

  look(folder: string): void {
    const read = readPlans(folder)
    if (!read.ok) return
    const nowMs = Date.now()
    for (const plan of read.value.plans.values()) {
      const { planId, bareSinceMs } = plan
      this.#plans.set(planId, plan)
      const before = this.#open.get(planId)
      if (!isBare(plan)) this.#open.delete(planId)
      else {
        const stretch = before ?? { planId, fromMs: nowMs, toMs: nowMs, sinceTexts: new Set() }
        stretch.toMs = nowMs
        if (bareSinceMs !== null) stretch.sinceTexts.add(utcText(bareSinceMs))
        if (before === undefined) {
          this.#open.set(planId, stretch)
          this.stretches.push(stretch)
        }
      }
    }
  }
}

/**
 * Parts of a stretch in which one process had the duties, that were too long without the alert of just that plan: one
 * that says that it is not protected, and since when, given in this stretch and in time.
 */
export function untold(
  stretches: readonly Stretch[],
  { owners, tellings }: { owners: readonly Said[]; tellings: readonly Said[] },
): string[] {
  const complaints: string[] = []
  const changes = owners.filter(({ duties }) => duties === 'here' || duties === 'killed').map(({ atMs }) => atMs)
  for (const { planId, fromMs, toMs, sinceTexts } of stretches) {
    const told = tellings.filter(({ told: text = '', atMs }) => {
      const isOfPlan = text.startsWith(`Plan ${planId}: `) && text.includes('rotected since ')
      // It is written down, and seen from outside, up to a look after it was told.
      return isOfPlan && atMs >= fromMs - 500 && [...sinceTexts].some((since) => text.includes(since))
    })
    const cuts = [fromMs, ...changes.filter((atMs) => atMs > fromMs && atMs < toMs), toMs]
    for (const [at, from] of cuts.entries()) {
      const to = cuts[at + 1]
      if (to === undefined || to - from <= bareToldMs) continue
      if (!told.some(({ atMs }) => atMs <= from + bareToldMs))
        complaints.push(`${planId} was bare for ${to - from} ms and nobody was told within ${bareToldMs} ms`)
    }
  }
  return complaints
}

const filledOf = (orders: readonly Order[]): Decimal =>
  orders.reduce((sum, { cumQuantity }) => sum.plus(cumQuantity ?? zero), zero)

/** Holds the record against the exchange. */
export function judge(
  plans: readonly Plan[],
  orders: readonly Order[],
): Record<'doubled' | 'overfilled' | 'forgotten', string[]> {
  const found = { doubled: [] as string[], overfilled: [] as string[], forgotten: [] as string[] }
  const placed = orders.filter(({ status }) => status !== 'REJECTED')
  const byId = Map.groupBy(placed, ({ clientOrderId }) => clientOrderId)
  const planned = new Set(plans.flatMap((plan) => plan.orders.map(({ clientOrderId }) => clientOrderId)))
  for (const [id, those] of byId) if (those.length > 1) found.doubled.push(`order ${id} is there ${those.length} times`)
  for (const order of placed)
    if (!planned.has(order.clientOrderId)) found.forgotten.push(`order ${order.clientOrderId} is in no plan's record`)
  for (const plan of plans) {
    const ofRole = (isOf: (role: string) => boolean) =>
      plan.orders.filter(({ role }) => isOf(role)).flatMap(({ clientOrderId }) => byId.get(clientOrderId) ?? [])
    const exits = filledOf(ofRole((role) => role === 'stop' || role === 'target'))
    const entries = filledOf(ofRole((role) => role === 'entry' || role === 'slice'))
    const { kind, quantity } = plan.terms
    const had = kind === 'bracket' ? entries : quantity
    if (exits.gt(had)) found.overfilled.push(`${plan.planId} sold ${exits.toFixed()} of ${had.toFixed()}`)
    if (entries.gt(quantity))
      found.overfilled.push(`${plan.planId} entered ${entries.toFixed()} of ${quantity.toFixed()}`)
    if (plan.ended === null) found.forgotten.push(`${plan.planId} has not ended though it was canceled`)
    for (const each of plan.orders) {
      const isThere = (byId.get(each.clientOrderId) ?? []).some(isWorking)
      if (isThere && (plan.ended !== null || !isLive(each)))
        found.forgotten.push(`order ${each.clientOrderId} of ${plan.planId} still works`)
    }
  }
  return found
}

/** How often each kind of event came about in these plans: one that never did was not drilled. */
export function eventCounts(plans: readonly Plan[]) {
  const counts = {
    ...{ swapsToTarget: 0, swapsBack: 0, trailMoves: 0, stopsFilled: 0, targetsFilled: 0, entriesFilled: 0 },
    ...{ slicesPlaced: 0, fillsInPart: 0, cancelsRepeated: 0, endedByMarket: 0 },
  }
  for (const { orders, ended, terms } of plans) {
    if (ended?.how === 'done') counts.endedByMarket += 1
    let leg: PlanRole | null = null
    for (const { role, standing, status, filled, draft, cancelTries } of orders) {
      if (cancelTries > 1) counts.cancelsRepeated += 1
      if (standing === 'notPlaced' || standing === 'sent') continue
      if (filled?.gt(0) === true && filled.lt(draft.orderQuantity)) counts.fillsInPart += 1
      if (role === 'entry' && status === 'FILLED') counts.entriesFilled += 1
      if (role === 'slice') counts.slicesPlaced += 1
      if (role !== 'stop' && role !== 'target') continue
      if (status === 'FILLED') counts[role === 'stop' ? 'stopsFilled' : 'targetsFilled'] += 1
      if (leg === 'stop' && role === 'target') counts.swapsToTarget += 1
      if (leg === 'target' && role === 'stop') counts.swapsBack += 1
      if (leg === 'stop' && role === 'stop' && terms.kind === 'trailing') counts.trailMoves += 1
      leg = role
    }
  }
  return counts
}

/** Lengths in ms, in few figures. */
export function lengthFigures(
  lengths: readonly number[],
): Record<'count' | 'medianMs' | 'p99Ms' | 'longestMs', number> {
  const sorted = lengths.toSorted((left, right) => left - right)
  const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0)
  return { count: sorted.length, medianMs: at(0.5), p99Ms: at(0.99), longestMs: at(1) }
}
