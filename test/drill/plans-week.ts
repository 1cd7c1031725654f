import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nextTurn } from '../../src/base/clock.ts'
import { createRandom, type Random } from '../../src/base/random.ts'
import { hourMs } from '../../src/base/text/time-text.ts'
import { Decimal, zero } from '../../src/domain/money.ts'
import { isWorking, type Order } from '../../src/domain/orders/order.ts'
import { isLive, type Plan } from '../../src/domain/plans/plan.ts'
import { exitTerms, type PlanTerms, slicesOf, trailTerms } from '../../src/domain/plans/terms.ts'
import { type FilePlanRecord, openPlanRecord, planPath } from '../../src/journal/plan-file.ts'
import { pastPlansPath } from '../../src/journal/plan-shortening.ts'
import { alice, bob, carol } from '../sandbox/core/floor.ts'
import { Kept, type Life, openPlanDesk, type PlanDesk, World } from '../services/plans/scene.ts'
import { memory } from './endurance/gauges.ts'
import { eventCounts } from './plans-verdict.ts'

/** How far a beat of the week goes: the price is fresh for two of them. */
const beatMs = 5_000
/** What is bare in truth, while all is up and the same desk lives, must be known to be so within this. */
const bareKnownMs = 30_000

const must = <T>(result: { ok: true; value: T } | { ok: false; error: string }): T => {
  if (!result.ok) throw new Error(result.error)
  return result.value
}

/** The record of plans on a real disk, for desks that die between any two of its lines. */
class OnDisk extends Kept {
  readonly folder: string
  /** Every order that was written down, by its client order id. */
  readonly written = new Set<string>()
  readonly #now: () => number
  #record: FilePlanRecord | null = null
  #underWay = 0

  constructor(folder: string, now: () => number) {
    super()
    this.folder = folder
    this.#now = now
  }

  override async of(life: Life) {
    // The system frees the lock of a process that died; here it is let go.
    await this.#record?.close()
    const opened = must(await openPlanRecord({ folder: this.folder, exchange: 'practice', now: this.#now }))
    if (opened === 'busy') throw new Error('the record was not let go')
    this.#record = opened
    const record: FilePlanRecord = {
      ...{
        exchange: opened.exchange,
        plans: opened.plans,
        damagedCount: 0,
        missingNumber: 0,
        toldDamagedCount: 0,
        isTorn: false,
        lost: [],
        lastNumber: opened.lastNumber,
      },
      append: async (event) => {
        await life.gate()
        this.#underWay += 1
        await opened.append(event).finally(() => {
          this.#underWay -= 1
        })
        if (event.event === 'sending') this.written.add(event.clientOrderId)
        await life.gate()
      },
      close: () => opened.close(),
    }
    return { journal: this.journalOf(life), record }
  }

  /** Resolves once the disk has taken what was given to it. */
  override async settled(): Promise<void> {
    do await nextTurn()
    while (this.#underWay > 0)
  }
}

/** A plan around the price as it is, whose legs are an hour or so away. */
function termsAt(world: World, random: Random): PlanTerms {
  const at = world.price.toNearest('0.5')
  const instrument = world.instrument()
  const common = { symbol: 'BTC-USD', quantity: new Decimal('0.02') }
  const away = random.integer(100, 500)
  const legs = () => must(exitTerms({ stopPrice: at.minus(away), targetPrice: at.plus(away) }, 'SELL', instrument))
  const chance = random.uniform()
  if (chance < 0.35) return { ...common, kind: 'oco', side: 'SELL', ...legs() }
  if (chance < 0.7) {
    const entryPrice = random.chance(0.3) ? null : at.minus(Math.floor(away / 4))
    return { ...common, kind: 'bracket', side: 'BUY', entryPrice, ...legs() }
  }
  if (chance < 0.9)
    return {
      ...{ ...common, kind: 'trailing', side: 'SELL', stopPrice: null },
      ...must(trailTerms(new Decimal(away), null, instrument)),
    }
  const asked = { side: 'BUY', quantity: common.quantity, fromPrice: at.minus(20), toPrice: at.minus(away), count: 5 }
  return {
    ...common,
    kind: 'scale',
    side: 'BUY',
    slices: must(slicesOf({ ...asked, side: 'BUY' }, instrument)),
    postOnly: false,
  }
}

const filledOf = (orders: readonly Order[]): Decimal =>
  orders.reduce((sum, { cumQuantity }) => sum.plus(cumQuantity ?? zero), zero)

/** A week of plans: what happens in it, and what must be true at each of its beats. */
class Week {
  readonly complaints: string[] = []
  readonly counts = { beats: 0, plans: 0, kills: 0, outages: 0, lostAnswers: 0, gaps: 0, halts: 0, resumed: 0 }
  readonly plans = new Map<string, Plan>()
  readonly #world = new World('40')
  readonly #random: Random
  readonly #kept: OnDisk
  readonly #bareMs = new Map<string, number>()
  #desk: PlanDesk | null = null
  #upAtMs = 0

  constructor(folder: string, seed: number) {
    this.#random = createRandom(seed, 'plans week')
    this.#kept = new OnDisk(folder, () => this.#world.clock.wallMs())
    // Whoever moves the price trades at every beat of it, and must not run out of money on the second day.
    for (const account of [alice, bob, carol]) {
      this.#world.floor.fund(account, 'USD', '1000000000')
      this.#world.floor.fund(account, 'BTC', account === alice ? '10' : '10000')
    }
  }

  get desk(): PlanDesk {
    if (this.#desk === null) throw new Error('no desk is open')
    return this.#desk
  }

  async begin(): Promise<void> {
    this.#desk = await openPlanDesk(this.#kept, this.#world)
  }

  async hour(): Promise<void> {
    const endMs = this.#world.clock.now() + hourMs
    for (let count = this.#random.integer(1, 3); count > 0; count -= 1) {
      await this.#beats(this.#random.integer(10, 200))
      if (this.#world.isDown) continue
      const added = await this.#whole(this.desk.runner.add(termsAt(this.#world, this.#random)))
      if (added !== 'died' && !added.ok) throw new Error(added.error)
      this.counts.plans += 1
    }
    await this.#beats(Math.max(0, Math.round((endMs - this.#world.clock.now()) / beatMs)))
    // Whoever looks once an hour lets what is held go on, and ends what is older than three.
    for (const { plan, state } of this.desk.runner.plans()) {
      const isOld = this.#world.clock.wallMs() - plan.atMs > 3 * hourMs
      if (plan.ended !== null || plan.cancel !== null) continue
      if (isOld) await this.#whole(this.desk.runner.cancel(plan.planId, 'takeBack'))
      else if (state === 'held') {
        this.counts.resumed += 1
        await this.#whole(this.desk.runner.resume(plan.planId))
      }
    }
    this.#checkAll()
  }

  /** All is well again, for a while; then nothing may be left that is not certain. */
  async end(): Promise<void> {
    this.#world.isDown = false
    this.#world.life.dieIn = null
    if (this.#world.status() !== 'open') this.#world.setStatus('open')
    this.#world.moveTo(this.#world.price, '2')
    // One that has just died hears of nothing: the next one is there first.
    await this.#beat()
    for (const { plan } of this.desk.runner.plans())
      if (plan.ended === null) await this.#whole(this.desk.runner.cancel(plan.planId, 'takeBack'))
    for (let beat = 0; beat < 200; beat += 1) await this.#beat()
    for (const { plan, why } of this.desk.runner.plans())
      if (plan.ended === null) this.complaints.push(`${plan.planId} has not ended: ${why}`)
    this.#checkAll()
    const left = this.#world.orders().filter(isWorking)
    if (left.length > 0) this.complaints.push(`${left.length} orders still work`)
    await this.desk.stop()
  }

  /** Resolves with what came of it, or once the desk has died over it. */
  async #whole<T>(work: Promise<T>): Promise<T | 'died'> {
    let done: { value: T } | null = null
    work.then(
      (value) => {
        done = { value }
      },
      (error: unknown) => this.complaints.push(String(error)),
    )
    for (let turns = 0; done === null && !this.#world.isDead && turns < 1_000; turns += 1) await this.#kept.settled()
    const end = done as { value: T } | null
    return end === null ? 'died' : end.value
  }

  async #beats(count: number): Promise<void> {
    for (let beat = 0; beat < count; beat += 1) {
      this.#happens()
      await this.#beat()
    }
  }

  async #beat(): Promise<void> {
    const { clock } = this.#world
    this.counts.beats += 1
    this.desk.poll()
    // A step or two of each plan, with next to no time between them, then the rest of the beat.
    for (let turn = 0; turn < 3; turn += 1) {
      await this.#kept.settled()
      await clock.advance(20)
    }
    await this.#kept.settled()
    await clock.advance(beatMs - 60)
    await this.#kept.settled()
    for (const { plan } of this.desk.runner.plans()) this.plans.set(plan.planId, plan)
    this.complaints.push(...this.desk.bugs.splice(0).map(String))
    if (this.#world.isDead) {
      this.counts.kills += 1
      await this.desk.kill()
      await this.begin()
      this.#upAtMs = clock.now()
    }
    this.#check()
  }

  #happens(): void {
    const [world, random] = [this.#world, this.#random]
    const chance = random.uniform()
    if (chance < 0.002) world.life.dieIn = random.integer(0, 12)
    else if (chance < 0.004 && !world.isDown) {
      world.isDown = true
      this.counts.outages += 1
    } else if (chance < 0.008) {
      const isHeard = random.chance(0.2)
      world.way = isHeard
        ? { takesEffect: false, hears: 'notSent' }
        : { takesEffect: random.chance(0.5), hears: 'unknown' }
      this.counts.lostAnswers += 1
    } else if (chance < 0.009 && world.status() === 'open') {
      world.setStatus(random.chance(0.5) ? 'halt' : 'halt-freeze')
      this.counts.halts += 1
    }
    if (world.isDown && random.chance(0.08)) {
      world.isDown = false
      this.#upAtMs = world.clock.now()
    }
    if (world.status() !== 'open') {
      if (random.chance(0.1)) world.setStatus('open')
      return
    }
    const isGap = random.chance(0.001)
    if (isGap) this.counts.gaps += 1
    const most = isGap ? 800 : 25
    const drift = new Decimal(64_000).minus(world.price).div(2_000).toNearest('0.5')
    world.moveTo(
      world.price.plus(random.integer(-most, most)).plus(drift).toNearest('0.5'),
      random.chance(0.05) ? '0.012' : '2',
    )
  }

  /** Of each open plan, by what the exchange has of its orders. */
  #check(): void {
    const nowMs = this.#world.clock.now()
    for (const { plan, why } of this.desk.runner.plans()) {
      if (plan.ended !== null) {
        this.#bareMs.delete(plan.planId)
        continue
      }
      const { exits, left } = this.#truth(plan)
      const isBare = plan.terms.kind !== 'scale' && left.gte('0.0005') && !exits.some(isWorking)
      const isFair = !this.#world.isDown && nowMs - this.#upAtMs > bareKnownMs
      const bareMs = isBare && isFair ? (this.#bareMs.get(plan.planId) ?? 0) + beatMs : 0
      this.#bareMs.set(plan.planId, bareMs)
      if (bareMs <= bareKnownMs) continue
      if (plan.bareSinceMs === null) this.complaints.push(`${plan.planId} is bare and does not know it: ${why}`)
      const isTold = this.desk.news.some(
        ({ planId, text }) => planId === plan.planId && text.includes('rotected since'),
      )
      if (!isTold) this.complaints.push(`${plan.planId} is bare for ${bareMs} ms, and nobody was told: ${why}`)
    }
  }

  /** What the exchange has of a plan's orders; complains of more than the plan may have there. */
  #truth({ planId, terms, orders }: Plan): { exits: Order[]; left: Decimal } {
    const found = this.#ordersOf(orders)
    const of = (...roles: string[]) =>
      orders.flatMap(({ role, clientOrderId }) => (roles.includes(role) ? (found.get(clientOrderId) ?? []) : []))
    const [exits, entries] = [of('stop', 'target'), of('entry', 'slice')]
    const openIn = (list: readonly Order[]) =>
      list.reduce((sum, each) => sum.plus(isWorking(each) ? (each.leavesQuantity ?? zero) : zero), zero)
    const had = terms.kind === 'bracket' ? filledOf(entries) : terms.quantity
    const atMost = filledOf(exits).plus(openIn(exits))
    if (terms.kind !== 'scale' && atMost.gt(had))
      this.complaints.push(`${planId} has ${atMost.toFixed()} at the exchange of ${had.toFixed()}`)
    if (filledOf(entries).plus(openIn(entries)).gt(terms.quantity)) this.complaints.push(`${planId} entered too much`)
    return { exits, left: had.minus(filledOf(exits)) }
  }

  /** Orders of a plan as the exchange has them now. */
  #ordersOf(orders: Plan['orders']): ReadonlyMap<string, Order> {
    // One whose id nobody here knows yet is among all there are.
    const isUnknown = orders.some(({ orderId, standing }) => orderId === null && standing === 'sent')
    const all = isUnknown ? this.#world.orders() : []
    const known = orders.flatMap(({ orderId }) => (orderId === null ? [] : (this.#world.order(orderId) ?? [])))
    const ids = new Set(orders.map(({ clientOrderId }) => clientOrderId))
    return new Map(
      [...all, ...known].flatMap((each) => (ids.has(each.clientOrderId) ? [[each.clientOrderId, each]] : [])),
    )
  }

  /** All there is at the exchange, against all that was written down: nothing doubled, nothing forgotten. */
  #checkAll(): void {
    const orders = this.#world.orders()
    const ids = new Set(orders.map(({ clientOrderId }) => clientOrderId))
    if (ids.size !== orders.length) this.complaints.push('an order is there twice')
    for (const id of ids) if (!this.#kept.written.has(id)) this.complaints.push(`order ${id} was never written down`)
    const live = new Set(
      [...this.plans.values()].flatMap(({ orders: all }) => all.filter(isLive)).map((each) => each.clientOrderId),
    )
    for (const { clientOrderId } of orders.filter(isWorking))
      if (!live.has(clientOrderId)) this.complaints.push(`order ${clientOrderId} works and no plan knows`)
  }
}

/** A week of dozens of plans a day on a clock of its own, with outages, and desks that die at any line. */
export async function runPlanWeek({ hours, seed }: { hours: number; seed: number }): Promise<number> {
  const beganMs = performance.now()
  const folder = mkdtempSync(join(tmpdir(), 'pitdesk-plans-week-'))
  const week = new Week(folder, seed)
  await week.begin()
  const sizes: number[] = []
  const heaps: number[] = []
  for (let hour = 1; hour <= hours && week.complaints.length === 0; hour += 1) {
    await week.hour()
    if (hour % 24 !== 0 && hour !== hours) continue
    sizes.push(statSync(planPath(folder)).size)
    heaps.push((await memory()).heapMb)
    process.stderr.write(
      `hour ${hour}: ${JSON.stringify({ ...week.counts, bytes: sizes.at(-1), heapMb: heaps.at(-1) })}\n`,
    )
  }
  if (week.complaints.length === 0) await week.end()
  const openedMs = performance.now()
  const opened = must(await openPlanRecord({ folder, exchange: 'practice', now: () => 0 }))
  const openMs = Math.round(performance.now() - openedMs)
  if (opened !== 'busy') await opened.close()
  const events = eventCounts([...week.plans.values()])
  const missing = hours < 24 ? [] : Object.entries(events).flatMap(([name, count]) => (count === 0 ? [name] : []))
  for (const name of missing) week.complaints.push(`nothing of the kind came about: ${name}`)
  for (const complaint of week.complaints.slice(0, 20)) process.stderr.write(`${complaint}\n`)
  const figures = {
    ...{ hours, ...week.counts, ...events },
    ...{ recordBytes: sizes, endedBytes: sizeOf(pastPlansPath(folder)), openMs, heapMb: heaps },
    ...{ complaints: week.complaints.length, seconds: Math.round((performance.now() - beganMs) / 1_000) },
  }
  process.stdout.write(`${JSON.stringify(figures)}\n`)
  if (week.complaints.length === 0) rmSync(folder, { recursive: true, force: true })
  return week.complaints.length === 0 ? 0 : 1
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0
