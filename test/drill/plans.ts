// `npm run drill -- plans [--plans N] [--seconds N] [--seed N]`: plans on a living market that gaps, at an exchange
// that loses answers and is killed and started again, carried out by a watch and a console that are killed in turns.
// In the end the record, and what the exchange has, must agree; and nothing was bare for long without having been told.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { systemClock } from '../../src/base/clock.ts'
import { createRandom, type Random } from '../../src/base/random.ts'
import type { DutyRole } from '../../src/domain/desk/duties.ts'
import { midPrice } from '../../src/domain/market/book.ts'
import type { Instrument } from '../../src/domain/market/instrument.ts'
import { Decimal, zero } from '../../src/domain/money.ts'
import { isWorking, type Order } from '../../src/domain/orders/order.ts'
import { isBare, swapLengths } from '../../src/domain/plans/news.ts'
import { isLive, type Plan } from '../../src/domain/plans/plan.ts'
import { exitTerms, type PlanTerms, slicesOf, trailTerms } from '../../src/domain/plans/terms.ts'
import { readPlans } from '../../src/journal/plan-file.ts'
import { askPlanOwner, type PlanAnswer, type PlanRequest } from '../../src/journal/plan-requests.ts'
import { createClientOrderIds } from '../../src/services/trading.ts'
import { ended, isGone } from '../fakes/child-program.ts'
import { administer } from './administer.ts'
import { connect } from './connect.ts'
import { type DeskSetting, runPlanDesk, runVenue, type VenueSetting } from './plans-child.ts'
import { allOrders } from './verdict.ts'

const self = fileURLToPath(import.meta.url)
const symbols = ['BTC-USD', 'ETH-USD'] as const
/** So many are open at once. */
const openMost = 90
/** What is bare for longer, while the same process has the duties, must have been told of by then. */
const toldWithinMs = 5_000

type Options = { plans: number; seconds: number; seed: number }
type Place = {
  exchangeUrl: string
  gatewayUrl: string
  adminUrl: string
  adminToken: string
  token: string
  otherToken: string
}
type Said = { atMs: number; role: DutyRole; duties?: string; told?: string; ready?: true }
type Child = { child: ChildProcess; said: Said[]; first: Promise<string> }

/** This program again in another role; what it needs goes in by stdin. */
function start(role: string, values: object, onSaid: (line: Said) => void = () => {}): Child {
  const child = spawn(process.execPath, [self, role], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.write(`${JSON.stringify(values)}\n`)
  child.stdin.on('error', () => undefined)
  const said: Said[] = []
  const lines = createInterface({ input: child.stdout })
  const first = new Promise<string>((resolve, reject) => {
    lines.once('line', resolve)
    child.once('exit', (code) => reject(new Error(`${role} ended with ${code} before it said a word`)))
  })
  first.catch(() => undefined)
  lines.on('line', (line) => {
    const each: Said = JSON.parse(line)
    said.push(each)
    onSaid(each)
  })
  return { child, said, first }
}

const must = <T>(result: { ok: true; value: T } | { ok: false; error: string }): T => {
  if (!result.ok) throw new Error(result.error)
  return result.value
}

/** A plan around the price as it is, close enough that it comes to its end. */
function termsAt(instrument: Instrument, at: Decimal, random: Random): PlanTerms {
  const { symbol, tickSize, minQuantity, lotSize } = instrument
  const onTick = (price: Decimal) => price.toNearest(tickSize)
  const near = (share: number) => onTick(at.times(1 + share))
  const quantity = Decimal.max(minQuantity.times(6), lotSize)
  const common = { symbol, quantity }
  const [width, chance] = [0.0002 + random.uniform() * 0.001, random.uniform()]
  const exits = { stopPrice: near(-width), targetPrice: near(width) }
  if (chance < 0.35) return { ...common, kind: 'oco', side: 'SELL', ...must(exitTerms(exits, 'SELL', instrument)) }
  if (chance < 0.7) {
    const entryPrice = random.chance(0.5) ? null : near(-width / 8)
    return { ...common, kind: 'bracket', side: 'BUY', entryPrice, ...must(exitTerms(exits, 'SELL', instrument)) }
  }
  if (chance < 0.9) {
    const trail = must(trailTerms(onTick(at.times(width)), null, instrument))
    return { ...common, kind: 'trailing', side: 'SELL', stopPrice: null, ...trail }
  }
  const asked = { side: 'BUY', quantity, fromPrice: near(-0.0001), toPrice: near(-0.001), count: 4 } as const
  return { ...common, kind: 'scale', side: 'BUY', slices: must(slicesOf(asked, instrument)), postOnly: false }
}

const faults: ReadonlyArray<readonly [verb: string, values: object]> = ['POST /orders', 'DELETE /orders*'].flatMap(
  (path) => [
    ['drop', { path, when: 'after', rate: '0.02' }] as const,
    ['drop', { path, when: 'before', rate: '0.01' }] as const,
    ['status', { path, status: 500, when: 'after', rate: '0.01' }] as const,
    ['latency', { path, ms: 300, rate: '0.05' }] as const,
  ],
)

/** Who is awake, and who is killed next. */
class Fire {
  venueKills = 0
  deskKills = 0
  readonly tellings: Said[] = []
  readonly owners: Said[] = []
  readonly #venue: VenueSetting
  readonly #random: Random
  #exchange: Child
  #desks = new Map<DutyRole, Child>()
  place: Place
  readonly folder: string

  private constructor(venue: VenueSetting, folder: string, exchange: Child, place: Place, random: Random) {
    this.#venue = venue
    this.#exchange = exchange
    this.#random = random
    this.place = place
    this.folder = folder
  }

  static async begin(seed: number, folder: string): Promise<Fire> {
    const venue = { seed, data: join(folder, 'venue'), ports: [0, 0, 0] } as const
    const exchange = start('venue', venue)
    const place: Place = JSON.parse(await exchange.first)
    const portOf = (url: string) => Number(new URL(url).port)
    const ports = [portOf(place.exchangeUrl), portOf(place.gatewayUrl), portOf(place.adminUrl)] as const
    const fire = new Fire({ ...venue, ports }, folder, exchange, place, createRandom(seed, 'fire'))
    await fire.trouble()
    for (const role of ['watch', 'console'] as const) await fire.wake(role)
    return fire
  }

  async trouble(): Promise<void> {
    for (const [verb, values] of faults) await administer(this.place, `/fault/${verb}`, values)
  }

  async wake(role: DutyRole): Promise<void> {
    const { exchangeUrl, token } = this.place
    const setting: DeskSetting = { exchangeUrl, token, folder: this.folder, role }
    const desk = start('desk', setting, (line) => {
      if (line.told !== undefined) this.tellings.push(line)
      if (line.duties !== undefined) this.owners.push(line)
    })
    this.#desks.set(role, desk)
    await desk.first
  }

  /** One of the two is killed, the other one has its duties by then or soon. */
  async killDesk(): Promise<void> {
    const role = this.#random.chance(0.5) ? 'watch' : 'console'
    const desk = this.#desks.get(role)
    desk?.child.kill('SIGKILL')
    if (desk !== undefined) await ended(desk.child)
    this.deskKills += 1
    this.owners.push({ atMs: Date.now(), role, duties: 'killed' })
    await systemClock.sleep(this.#random.uniform() * 3_000)
    await this.wake(role)
  }

  async killVenue(isTroubled: boolean): Promise<void> {
    this.#exchange.child.kill('SIGKILL')
    await ended(this.#exchange.child)
    this.venueKills += 1
    await systemClock.sleep(500)
    this.#exchange = start('venue', this.#venue)
    this.place = JSON.parse(await this.#exchange.first)
    if (isTroubled) await this.trouble()
  }

  assertAlive(): void {
    for (const [role, { child }] of this.#desks)
      if (isGone(child) && child.signalCode === null) throw new Error(`the ${role} ended by itself`)
  }

  async end(): Promise<void> {
    for (const { child } of [...this.#desks.values(), this.#exchange]) {
      child.stdin?.end()
      await Promise.race([ended(child), systemClock.sleep(20_000)])
      if (!isGone(child)) child.kill('SIGKILL')
    }
  }
}

type Stretch = { planId: string; fromMs: number; toMs: number }

/** Watches the record from outside, for what was bare and for how long. */
class Watcher {
  readonly stretches: Stretch[] = []
  readonly #open = new Map<string, Stretch>()
  plans: readonly Plan[] = []

  look(folder: string): void {
    const read = readPlans(folder)
    if (!read.ok) return
    this.plans = [...read.value.plans.values()]
    const nowMs = Date.now()
    for (const plan of this.plans) {
      const before = this.#open.get(plan.planId)
      if (!isBare(plan)) this.#open.delete(plan.planId)
      else if (before !== undefined) before.toMs = nowMs
      else {
        const stretch = { planId: plan.planId, fromMs: nowMs, toMs: nowMs }
        this.#open.set(plan.planId, stretch)
        this.stretches.push(stretch)
      }
    }
  }
}

/** Parts of a stretch in which one process had the duties, that were too long without a word of the plan. */
function untold(watcher: Watcher, { owners, tellings }: Fire): string[] {
  const complaints: string[] = []
  const changes = owners.filter(({ duties }) => duties === 'here' || duties === 'killed').map(({ atMs }) => atMs)
  for (const { planId, fromMs, toMs } of watcher.stretches) {
    const cuts = [fromMs, ...changes.filter((atMs) => atMs > fromMs && atMs < toMs), toMs]
    for (const [at, from] of cuts.entries()) {
      const to = cuts[at + 1]
      if (to === undefined || to - from <= toldWithinMs) continue
      const word = new RegExp(`\\b${planId}\\b`)
      // Told before, of this same stretch and by a process that lives on, counts as well.
      const isTold = tellings.some(
        ({ told, atMs }) => word.test(told ?? '') && atMs >= fromMs - 2_000 && atMs <= from + toldWithinMs,
      )
      if (!isTold)
        complaints.push(`${planId} was bare for ${to - from} ms and nobody was told within ${toldWithinMs} ms`)
    }
  }
  return complaints
}

const filledOf = (orders: readonly Order[]): Decimal =>
  orders.reduce((sum, { cumQuantity }) => sum.plus(cumQuantity ?? zero), zero)

/** Holds the record against the exchange. */
function judge(
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

async function drill({ plans: count, seconds, seed }: Options): Promise<number> {
  const startedMs = systemClock.now()
  const folder = mkdtempSync(join(tmpdir(), 'pitdesk-plans-'))
  const fire = await Fire.begin(seed, folder)
  const watcher = new Watcher()
  const random = createRandom(seed, 'plans')
  const trader = connect(fire.place.exchangeUrl, fire.place.token)
  const other = connect(fire.place.exchangeUrl, fire.place.otherToken)
  const answers: Record<PlanAnswer['kind'], number> = { done: 0, refused: 0, noOwner: 0, notTaken: 0, unknown: 0 }
  const never = new AbortController()
  const ask = async (request: PlanRequest) => {
    const newId = createClientOrderIds(randomBytes)
    const answer = await askPlanOwner(request, { folder, clock: systemClock, signal: never.signal, newId })
    answers[answer.kind] += 1
    return answer
  }
  let isOver = false
  let gapTrouble = 'none'
  const open = () => watcher.plans.filter(({ ended: end }) => end === null)
  const looking = (async () => {
    while (!isOver) {
      watcher.look(folder)
      fire.assertAlive()
      await systemClock.sleep(100)
    }
  })()
  const killing = (async () => {
    for (let turn = 1; !isOver; turn += 1) {
      await systemClock.sleep(3_000 + random.uniform() * 3_000)
      if (isOver) return
      if (turn % 4 === 0) await fire.killVenue(true)
      else await fire.killDesk()
    }
  })()
  const gapping = (async () => {
    while (!isOver) {
      await systemClock.sleep(2_000)
      const [symbol = 'BTC-USD', side] = [symbols[random.integer(0, 1)], random.chance(0.5) ? 'BUY' : 'SELL'] as const
      const quantity = new Decimal(symbol === 'BTC-USD' ? '3' : '40')
      const gap = { symbol, side, type: 'MARKET', orderQuantity: quantity, limitPrice: null, stopPrice: null } as const
      await other.client
        .placeOrder({
          ...gap,
          clientOrderId: createClientOrderIds(randomBytes)(),
          timeInForce: 'IOC',
          expireDate: null,
          minQuantity: null,
          postOnly: false,
        })
        .catch((error: unknown) => {
          gapTrouble = String(error)
        })
    }
  })()
  const endMs = systemClock.now() + seconds * 1_000
  let begun = 0
  while (begun < count && systemClock.now() < endMs) {
    try {
      if (open().length < openMost) {
        const symbol = symbols[random.integer(0, 1)] ?? 'BTC-USD'
        const [instrument, book] = [
          await trader.client.fetchSymbol(symbol, never.signal),
          await trader.client.fetchBook(symbol, never.signal),
        ]
        const at = midPrice(book)
        if (at !== null && (await ask({ ask: 'add', terms: termsAt(instrument, at, random) })).kind === 'done')
          begun += 1
      }
      // A person ends the oldest, to make room.
      const [oldest] = open().filter(({ cancel }) => cancel === null)
      if (open().length >= openMost && oldest !== undefined)
        await ask({ ask: 'cancel', planId: oldest.planId, how: 'takeBack' })
    } catch {
      // The exchange is down, or failing: that is what it is here for.
    }
    await systemClock.sleep(50)
  }
  while (systemClock.now() < endMs) await systemClock.sleep(200)
  isOver = true
  await Promise.all([looking, killing, gapping])
  await administer(fire.place, '/fault/off', {})
  // A person ends what is open, also what was held for one.
  const lastMs = systemClock.now() + 150_000
  do {
    watcher.look(folder)
    for (const { planId, cancel } of open()) if (cancel === null) await ask({ ask: 'cancel', planId, how: 'takeBack' })
    await systemClock.sleep(1_000)
    watcher.look(folder)
  } while (open().length > 0 && systemClock.now() < lastMs)
  const found = judge(watcher.plans, await allOrders(trader.client))
  const bare = untold(watcher, fire)
  await Promise.all([trader.close(), other.close()])
  await fire.end()
  const complaints = [...found.doubled, ...found.overfilled, ...found.forgotten, ...bare]
  for (const complaint of complaints) process.stderr.write(`${complaint}\n`)
  const swaps = swapLengths(watcher.plans)
  const ended1 = watcher.plans.filter(({ ended: end }) => end?.how === 'done').length
  const longestBareMs = Math.max(0, ...watcher.stretches.map(({ fromMs, toMs }) => toMs - fromMs))
  const figures = {
    ...{
      plans: watcher.plans.length,
      cameToTheirEnd: ended1,
      held: watcher.plans.filter(({ hold }) => hold !== null).length,
    },
    ...{ orders: watcher.plans.reduce((sum, { orders }) => sum + orders.length, 0), swaps: swaps?.count ?? 0 },
    ...{ swapMedianMs: Math.round(swaps?.medianMs ?? 0), swapLongestMs: Math.round(swaps?.longestMs ?? 0) },
    ...{ answers, deskKills: fire.deskKills, exchangeKills: fire.venueKills, tellings: fire.tellings.length },
    ...{ bareStretches: watcher.stretches.length, longestBareMs, toldWithinMs, untold: bare.length },
    ...{ doubled: found.doubled.length, overfilled: found.overfilled.length, forgotten: found.forgotten.length },
    gapTrouble,
    seconds: Math.round((systemClock.now() - startedMs) / 1_000),
  }
  process.stdout.write(`${JSON.stringify(figures)}\n`)
  if (complaints.length === 0) rmSync(folder, { recursive: true, force: true })
  else process.stderr.write(`everything is kept in ${folder}\n`)
  return complaints.length === 0 ? 0 : 1
}

function readOptions(argv: readonly string[]): Options {
  const option = (name: string, fallback: number) => [name, { type: 'string', default: String(fallback) }] as const
  const flags = [option('plans', 300), option('seconds', 300), option('seed', 1)]
  const { values } = parseArgs({ args: [...argv], options: Object.fromEntries(flags) })
  const read = (name: string) => {
    const count = Number(values[name])
    if (!Number.isInteger(count) || count < 0) throw new Error(`--${name} must be a whole number`)
    return count
  }
  return { plans: read('plans'), seconds: read('seconds'), seed: read('seed') }
}

/** What the parent says on the first line of stdin. */
async function given<T>(): Promise<T> {
  for await (const line of createInterface({ input: process.stdin })) return JSON.parse(line)
  throw new Error('nothing was said on stdin')
}

const [, , role = ''] = process.argv
if (role === 'venue') await runVenue(await given<VenueSetting>())
else if (role === 'desk') {
  await runPlanDesk(await given<DeskSetting>())
  process.exit(0)
} else process.exitCode = await drill(readOptions(process.argv.slice(2)))
