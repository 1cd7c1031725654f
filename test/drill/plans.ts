// `npm run drill -- plans [--plans N] [--seconds N] [--seed N]`: plans on a living market, and on one that walks to
// near their targets and back and gaps, at an exchange that loses answers and is killed and started again, carried out
// by a watch and a console that are killed in turns. In the end the record, and what the exchange has, must agree;
// nothing was bare for long without having been told; and everything that is to be drilled came about. `--calm`:
// nothing fails and nobody is killed, to measure how long a swap takes. `--keep`: leaves its files. `--week [--hours
// N]`: instead a week of plans on a clock of its own, on a practice exchange in this process, the record on a disk.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ExchangeError } from '../../src/api/errors.ts'
import type { ExchangeClient } from '../../src/api/exchange-client.ts'
import { systemClock } from '../../src/base/clock.ts'
import { createRandom, type Random } from '../../src/base/random.ts'
import type { DutyRole } from '../../src/domain/desk/duties.ts'
import { midPrice } from '../../src/domain/market/book.ts'
import type { Instrument } from '../../src/domain/market/instrument.ts'
import { Decimal } from '../../src/domain/money.ts'
import { bareToldMs } from '../../src/domain/plans/news.ts'
import type { PlanRequest } from '../../src/domain/plans/plan.ts'
import { exitTerms, type PlanTerms, slicesOf, trailTerms } from '../../src/domain/plans/terms.ts'
import { askPlanOwner, type PlanAnswer } from '../../src/journal/plan-requests.ts'
import { createClientOrderIds } from '../../src/services/trading.ts'
import { ended, isGone } from '../fakes/child-program.ts'
import { administer } from './administer.ts'
import { connect } from './connect.ts'
import { type DeskSetting, runPlanDesk, runVenue, type VenueSetting } from './plans-child.ts'
import { legsAway, listWalked, Walk, walkedSymbol } from './plans-market.ts'
import { eventCounts, judge, lengthFigures, type Said, untold, Watcher } from './plans-verdict.ts'
import { runPlanWeek } from './plans-week.ts'
import { allOrders } from './verdict.ts'

const self = fileURLToPath(import.meta.url)
/** The walked one as often as the two together whose market lives. */
const symbols = ['BTC-USD', 'ETH-USD', walkedSymbol, walkedSymbol] as const
/** So many are open at once. */
const openMax = 90
/** A run that is shorter shows less than everything: nothing is demanded of it there. */
const wholeRun = { plans: 100, seconds: 120 }
/** Pauses between two steps of the walk, and between two gaps of the living markets. */
const [walkMs, gapMs] = [300, 2_000]

type Options = {
  plans: number
  seconds: number
  seed: number
  isCalm: boolean
  isKept: boolean
  weekHours: number | null
}
type Place = {
  exchangeUrl: string
  gatewayUrl: string
  adminUrl: string
  adminToken: string
  token: string
  otherToken: string
  makerToken: string
}
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
  // On the walk the legs are as far away as it goes; on a living market as far as that comes within minutes.
  const reach = symbol === walkedSymbol ? legsAway.div(at).toNumber() * 0.5 : 0.0002
  const [width, chance] = [reach + random.uniform() * Math.max(reach, 0.001), random.uniform()]
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

type FireParts = { folder: string; exchange: Child; place: Place; random: Random; isCalm: boolean }

/** Who is awake, and who is killed next. */
class Fire {
  venueKills = 0
  deskKills = 0
  readonly tellings: Said[] = []
  readonly owners: Said[] = []
  readonly #venue: VenueSetting
  readonly #random: Random
  readonly #isCalm: boolean
  #exchange: Child
  #desks = new Map<DutyRole, Child>()
  place: Place
  readonly folder: string

  private constructor(venue: VenueSetting, { folder, exchange, place, random, isCalm }: FireParts) {
    this.#venue = venue
    this.#isCalm = isCalm
    this.#exchange = exchange
    this.#random = random
    this.place = place
    this.folder = folder
  }

  static async begin(seed: number, folder: string, isCalm: boolean): Promise<Fire> {
    const venue = { seed, data: join(folder, 'venue'), ports: [0, 0, 0] } as const
    const exchange = start('venue', venue)
    const place: Place = JSON.parse(await exchange.first)
    const portOf = (url: string) => Number(new URL(url).port)
    const ports = [portOf(place.exchangeUrl), portOf(place.gatewayUrl), portOf(place.adminUrl)] as const
    const random = createRandom(seed, 'fire')
    const fire = new Fire({ ...venue, ports }, { folder, exchange, place, random, isCalm })
    await listWalked(place)
    await fire.trouble()
    for (const role of ['watch', 'console'] as const) await fire.wake(role)
    return fire
  }

  async trouble(): Promise<void> {
    if (this.#isCalm) return
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

async function drill(options: Options): Promise<number> {
  const { plans: count, seconds, seed, isCalm, isKept } = options
  const startedMs = systemClock.now()
  const folder = mkdtempSync(join(tmpdir(), 'pitdesk-plans-'))
  const fire = await Fire.begin(seed, folder, isCalm)
  const watcher = new Watcher()
  const random = createRandom(seed, 'plans')
  const { exchangeUrl, token, otherToken, makerToken } = fire.place
  const [trader, other, maker] = [token, otherToken, makerToken].map((each) => connect(exchangeUrl, each))
  if (trader === undefined || other === undefined || maker === undefined) throw new Error('three are connected')
  const answers: Record<PlanAnswer['kind'], number> = { done: 0, refused: 0, noOwner: 0, notTaken: 0, unknown: 0 }
  const never = new AbortController()
  const ask = async (request: PlanRequest) => {
    const newId = createClientOrderIds(randomBytes)
    const answer = await askPlanOwner(request, { folder, clock: systemClock, signal: never.signal, newId })
    answers[answer.kind] += 1
    return answer
  }
  let isOver = false
  const open = () => watcher.plans.filter(({ ended: end }) => end === null)
  const looking = (async () => {
    while (!isOver) {
      watcher.look(folder)
      fire.assertAlive()
      await systemClock.sleep(100)
    }
  })()
  const killing = (async () => {
    for (let turn = 1; !isOver && !isCalm; turn += 1) {
      await systemClock.sleep(3_000 + random.uniform() * 3_000)
      if (isOver) return
      if (turn % 4 === 0) await fire.killVenue(true)
      else await fire.killDesk()
    }
  })()
  const walk = new Walk(createRandom(seed, 'walk'))
  let marketGaps = 0
  const walking = (async () => {
    for (let gapAtMs = 0; !isOver; await systemClock.sleep(walkMs)) {
      await walk.step({ maker: maker.client, taker: other.client })
      if (systemClock.now() < gapAtMs) continue
      gapAtMs = systemClock.now() + gapMs
      if (await gap(other.client, random)) marketGaps += 1
    }
  })()
  const endMs = systemClock.now() + seconds * 1_000
  let begun = 0
  const isDue = () => begun < count * (1 - (endMs - systemClock.now()) / (seconds * 1_000)) + 10
  while (systemClock.now() < endMs) {
    try {
      if (begun < count && isDue() && open().length < openMax) {
        const symbol = symbols[random.integer(0, symbols.length - 1)] ?? 'BTC-USD'
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
      if (open().length >= openMax && oldest !== undefined)
        await ask({ ask: 'cancel', planId: oldest.planId, how: 'takeBack' })
    } catch (error) {
      // The exchange is down, or failing: that is what it is here for.
      if (!(error instanceof ExchangeError)) throw error
    }
    await systemClock.sleep(50)
  }
  isOver = true
  await Promise.all([looking, killing, walking])
  await administer(fire.place, '/fault/off', {})
  // A person ends what is open, also what was held for one.
  const lastMs = systemClock.now() + 150_000
  do {
    watcher.look(folder)
    for (const { planId, cancel } of open()) if (cancel === null) await ask({ ask: 'cancel', planId, how: 'takeBack' })
    await systemClock.sleep(500)
    watcher.look(folder)
  } while (open().length > 0 && systemClock.now() < lastMs)
  const { plans, stretches } = watcher
  const found = judge(plans, await allOrders(trader.client))
  const bare = untold(stretches, fire)
  await Promise.all([trader.close(), other.close(), maker.close()])
  await fire.end()
  const events = {
    ...eventCounts(plans),
    ...{ gaps: walk.gaps, marketGaps, deskKills: fire.deskKills, exchangeKills: fire.venueKills },
    heldTold: fire.tellings.filter(({ told = '' }) => told.includes('Held: ')).length,
    bareTold: fire.tellings.filter(({ told = '' }) => told.includes('rotected since ')).length,
  }
  const isWhole = count >= wholeRun.plans && seconds >= wholeRun.seconds && !isCalm
  const missing = isWhole ? essential.filter((name) => events[name] === 0) : []
  const complaints = [
    ...[...found.doubled, ...found.overfilled, ...found.forgotten, ...bare],
    ...missing.map((name) => `nothing of the kind came about: ${name}`),
  ]
  for (const complaint of complaints) process.stderr.write(`${complaint}\n`)
  const figures = {
    ...{ plans: plans.length, orders: plans.reduce((sum, { orders }) => sum + orders.length, 0), ...events, answers },
    swapMs: lengthFigures(plans.flatMap(({ swaps }) => swaps)),
    bareMs: lengthFigures(stretches.map(({ fromMs, toMs }) => toMs - fromMs)),
    ...{ toldWithinMs: bareToldMs, untold: bare.length, doubled: found.doubled.length },
    ...{ overfilled: found.overfilled.length, forgotten: found.forgotten.length, missing: missing.length },
    ...{ walkTrouble: walk.trouble, processors: availableParallelism() },
    seconds: Math.round((systemClock.now() - startedMs) / 1_000),
  }
  process.stdout.write(`${JSON.stringify(figures)}\n`)
  if (complaints.length === 0 && !isKept) rmSync(folder, { recursive: true, force: true })
  else process.stderr.write(`everything is kept in ${folder}\n`)
  return complaints.length === 0 ? 0 : 1
}

/** What a run is for: each of these must have come about. */
const essential = [
  ...['swapsToTarget', 'swapsBack', 'trailMoves', 'stopsFilled', 'targetsFilled', 'entriesFilled', 'slicesPlaced'],
  ...['endedByMarket', 'cancelsRepeated', 'gaps', 'deskKills', 'exchangeKills', 'bareTold'],
] as const

/** Somebody takes more of a living market than its best prices have; false where that did not arrive. */
async function gap(client: ExchangeClient, random: Random): Promise<boolean> {
  const [symbol, quantity] = random.chance(0.5) ? (['BTC-USD', '3'] as const) : (['ETH-USD', '40'] as const)
  try {
    await client.placeOrder({
      ...{ symbol, side: random.chance(0.5) ? 'BUY' : 'SELL', type: 'MARKET', orderQuantity: new Decimal(quantity) },
      ...{ limitPrice: null, stopPrice: null, clientOrderId: createClientOrderIds(randomBytes)() },
      ...{ timeInForce: 'IOC', expireDate: null, minQuantity: null, postOnly: false },
    })
    return true
  } catch (error) {
    if (error instanceof ExchangeError) return false
    throw error
  }
}

function readOptions(argv: readonly string[]): Options {
  const number = (fallback: number) => ({ type: 'string', default: String(fallback) }) as const
  const flag = { type: 'boolean', default: false } as const
  const options = {
    ...{ plans: number(300), seconds: number(300), seed: number(1), hours: number(168) },
    ...{ calm: flag, keep: flag, week: flag },
  }
  const { values } = parseArgs({ args: [...argv], options })
  const read = (name: 'plans' | 'seconds' | 'seed' | 'hours') => {
    const count = Number(values[name])
    if (!Number.isInteger(count) || count < 0) throw new Error(`--${name} must be a whole number`)
    return count
  }
  const { calm: isCalm, keep: isKept } = values
  const weekHours = values.week ? read('hours') : null
  return { plans: read('plans'), seconds: read('seconds'), seed: read('seed'), isCalm, isKept, weekHours }
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
} else {
  const options = readOptions(process.argv.slice(2))
  const { weekHours, seed } = options
  process.exitCode = weekHours === null ? await drill(options) : await runPlanWeek({ hours: weekHours, seed })
}
