import type { Side } from '../../domain/orders/order.ts'

/** A stretch of the ladder, counted in ticks from the touch outward: one level at every multiple of `stepTicks`. */
export type Zone = { stepTicks: number; reachTicks: number }

// Levels stand at absolute prices, so that most of them stay where they are when the touch moves by a tick.
export const allZones: readonly Zone[] = [
  { stepTicks: 1, reachTicks: 12 },
  { stepTicks: 5, reachTicks: 60 },
  { stepTicks: 25, reachTicks: 400 },
  { stepTicks: 100, reachTicks: 2_000 },
]
/** The few levels that a market of the past needs to have traded. */
export const bestZones: readonly Zone[] = [{ stepTicks: 1, reachTicks: 4 }]

/** How far outside its zone a level may drift before it is worth a cancel. */
const slackSteps = 6

/** Ticks from the touch outward; negative when the price is inside the touch. */
export const distanceTicks = (side: Side, ticks: number, touchTicks: number): number =>
  side === 'BUY' ? touchTicks - ticks : ticks - touchTicks

/** One price of a ladder, and the step of the zone it lies in. */
export type GridLevel = { ticks: number; stepTicks: number }

/** The prices of a full ladder on this side, best first; none is below one tick. */
export function gridLevels(side: Side, touchTicks: number, zones: readonly Zone[]): GridLevel[] {
  const levels: GridLevel[] = []
  let from = 0
  for (const { stepTicks, reachTicks } of zones) {
    for (const distance of multiplesBetween(side, touchTicks, from, reachTicks, stepTicks)) {
      const ticks = side === 'BUY' ? touchTicks - distance : touchTicks + distance
      if (ticks >= 1) levels.push({ ticks, stepTicks })
    }
    from = reachTicks + 1
  }
  return levels
}

/** Distances within the bounds whose price is a multiple of the step. */
function* multiplesBetween(side: Side, touch: number, from: number, to: number, step: number): Generator<number> {
  const offset = side === 'BUY' ? touch : -touch
  const first = from + ((((offset - from) % step) + step) % step)
  for (let distance = first; distance <= to; distance += step) yield distance
}

/** True while a level that stands at this price may stay: on the grid, or not far enough off it to matter. */
export function mayStay(side: Side, ticks: number, touchTicks: number, zones: readonly Zone[]): boolean {
  const distance = distanceTicks(side, ticks, touchTicks)
  if (distance < 0) return false
  return zones.some(
    ({ stepTicks, reachTicks }) => ticks % stepTicks === 0 && distance <= reachTicks + slackSteps * stepTicks,
  )
}
