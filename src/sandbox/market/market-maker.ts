import type { Random } from '../../base/random.ts'
import type { Side } from '../../domain/side.ts'
import { allowedLots, type SymbolProfile } from './symbol-profile.ts'
import type { Trader } from './trader.ts'

/** A market maker: quotes a ladder on both sides of its fair price, skewed against its position. */
export type Maker = {
  /**
   * Cancels quotes that the price has made wrong. Every maker does so before any places new ones, or they would trade
   * with each other.
   */
  withdraw(view: MarketView): void
  /** Fills the gaps of the ladder. */
  quote(view: MarketView, zones: readonly Zone[]): void
  /** Cancels everything. */
  leave(atMs: number): void
}

/** What a participant sees when it acts. `fairTicks` is the latent price; `heft` multiplies order sizes. */
export type MarketView = { fairTicks: number; agitation: number; atMs: number; heft: number }

const halfSpreadTicks = 0.55
const spreadPerAgitation = 0.35
/** The maximum skew of the quotes by a position, and the position, in ordinary orders, that nearly reaches it. */
const skewMaxTicks = 2.5
const skewFullOrders = 60
/** A position's weight decays with this time constant, as if hedged elsewhere. */
const hedgeSeconds = 420
const opinionTicks = 0.4
const opinionSeconds = 20
/** Levels this far out are large, so that a side never runs empty. */
const deepTicks = 400
const deepFactor = 40

/** Of the grid's levels, this maker keeps the touch and those of its parity, so that two makers share a ladder. */
export function createMaker(trader: Trader, profile: SymbolProfile, parity: 0 | 1, random: Random): Maker {
  let opinion = 0
  let hedgedLots = 0
  let seenAtMs: number | undefined

  /** The best prices it wants to quote, from its own opinion of the fair price and its position. */
  const touches = ({ fairTicks, agitation, atMs }: MarketView): Record<Side, number> => {
    const seconds = seenAtMs === undefined ? 0 : Math.max(0, atMs - seenAtMs) / 1_000
    seenAtMs = atMs
    const kept = Math.exp(-seconds / opinionSeconds)
    opinion = opinion * kept + opinionTicks * Math.sqrt(1 - kept * kept) * random.normal()
    hedgedLots += (trader.positionLots() - hedgedLots) * (1 - Math.exp(-seconds / hedgeSeconds))
    const lean = (trader.positionLots() - hedgedLots) / (profile.typicalLots * skewFullOrders)
    const center = Math.max(1.5, fairTicks + opinion - skewMaxTicks * Math.tanh(lean))
    const half = halfSpreadTicks + spreadPerAgitation * agitation
    return { BUY: Math.max(1, Math.floor(center - half)), SELL: Math.max(2, Math.ceil(center + half)) }
  }
  let touch: Record<Side, number> = { BUY: 0, SELL: 0 }
  let isMoved = true
  /** The order count when the ladder was last complete: it still is while count and touch are unchanged. */
  let complete: { count: number; zones: readonly Zone[] } | undefined

  const isMine = (side: Side, { ticks, stepTicks }: GridLevel) =>
    ticks === touch[side] || (ticks / stepTicks) % 2 === parity

  const sizeAt = (distance: number, heft: number) => {
    const depth = distance >= deepTicks ? deepFactor : 1 + distance / 12
    return allowedLots(profile.typicalLots * depth * heft * Math.exp(0.6 * random.normal()), profile)
  }

  return {
    withdraw: (view) => {
      const before = touch
      touch = touches(view)
      isMoved = touch.BUY !== before.BUY || touch.SELL !== before.SELL
      if (!isMoved) return
      trader.cancelWhere(({ side, ticks }) => !mayStay(side, ticks, touch[side], allZones), view.atMs)
    },
    quote: ({ atMs, heft }, zones) => {
      if (!isMoved && complete?.zones === zones && complete.count === trader.resting.size) return
      const standing = new Set([...trader.resting.values()].map(({ side, ticks }) => levelKey(side, ticks)))
      for (const side of ['BUY', 'SELL'] as const) {
        for (const level of gridLevels(side, touch[side], zones)) {
          const { ticks } = level
          if (standing.has(levelKey(side, ticks)) || !isMine(side, level)) continue
          const lots = sizeAt(distanceTicks(side, ticks, touch[side]), heft)
          trader.place({ side, ticks, lots, timeInForce: 'GTC' }, atMs)
        }
      }
      complete = { count: trader.resting.size, zones }
    },
    leave: (atMs) => trader.cancelWhere(() => true, atMs),
  }
}

const levelKey = (side: Side, ticks: number): number => (side === 'BUY' ? ticks : -ticks)

/** A range of the ladder, in ticks from the touch outward: one level at every multiple of `stepTicks`. */
export type Zone = { stepTicks: number; reachTicks: number }

// Levels are at absolute prices, so that most of them stay when the touch moves by a tick.
export const allZones: readonly Zone[] = [
  { stepTicks: 1, reachTicks: 12 },
  { stepTicks: 5, reachTicks: 60 },
  { stepTicks: 25, reachTicks: 400 },
  { stepTicks: 100, reachTicks: 2_000 },
]
/** The few levels that a simulated past needs to have traded. */
export const bestZones: readonly Zone[] = [{ stepTicks: 1, reachTicks: 4 }]

/** How far outside its zone a level may drift before it is canceled. */
const slackSteps = 6

/** Ticks from the touch outward; negative if the price is inside the touch. */
const distanceTicks = (side: Side, ticks: number, touchTicks: number): number =>
  side === 'BUY' ? touchTicks - ticks : ticks - touchTicks

/** One price of a ladder, and the step of its zone. */
type GridLevel = { ticks: number; stepTicks: number }

/** The prices of a full ladder on this side, best first; none is below one tick. */
export function gridLevels(side: Side, touchTicks: number, zones: readonly Zone[]): GridLevel[] {
  const levels: GridLevel[] = []
  let from = 0
  for (const { stepTicks, reachTicks } of zones) {
    for (let distance = firstOnStep(side, touchTicks, from, stepTicks); distance <= reachTicks; distance += stepTicks) {
      const ticks = side === 'BUY' ? touchTicks - distance : touchTicks + distance
      if (ticks >= 1) levels.push({ ticks, stepTicks })
    }
    from = reachTicks + 1
  }
  return levels
}

/** The smallest distance, from `from` on, whose price is a multiple of the step. */
function firstOnStep(side: Side, touch: number, from: number, step: number): number {
  const offset = side === 'BUY' ? touch : -touch
  return from + ((((offset - from) % step) + step) % step)
}

/** Whether a level at this price may stay: it is on the grid, and not too far outside its zone. */
export function mayStay(side: Side, ticks: number, touchTicks: number, zones: readonly Zone[]): boolean {
  const distance = distanceTicks(side, ticks, touchTicks)
  if (distance < 0) return false
  return zones.some(
    ({ stepTicks, reachTicks }) => ticks % stepTicks === 0 && distance <= reachTicks + slackSteps * stepTicks,
  )
}
