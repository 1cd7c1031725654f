import type { MatchingBook } from './matching-book.ts'
import type { BookOrder, PriceLevel } from './price-levels.ts'

/**
 * The result of an uncrossing: `lots` trade at `ticks`. `imbalanceLots` above 0: that many lots to buy are left over.
 */
export type Auction = { ticks: number; lots: number; imbalanceLots: number }

type Step = { ticks: number; bidLots: number; askLots: number }

/**
 * The price at which a crossed book trades the most lots; on a tie the smallest imbalance; then the price nearest
 * `referenceTicks` (the last trade; if null, halfway between the best prices); then the lower one. Null if the book
 * does not cross. Prices between two levels count too: a gap may leave a smaller imbalance than its ends.
 */
export function indicativeAuction<O extends BookOrder<O>>(
  book: MatchingBook<O>,
  referenceTicks: number | null,
): Auction | null {
  const highest = book.bids.best?.ticks ?? 0
  const lowest = book.asks.best?.ticks ?? Number.MAX_SAFE_INTEGER
  if (highest < lowest) return null
  const nearTicks = referenceTicks ?? lowest + Math.floor((highest - lowest) / 2)
  const steps = crossingSteps(book, lowest, highest)
  let bidLots = steps.reduce((sum, step) => sum + step.bidLots, 0)
  let askLots = 0
  let bestFound: Auction | null = null
  for (const [index, step] of steps.entries()) {
    askLots += step.askLots
    bestFound = better(bestFound, auctionAt(step.ticks, bidLots, askLots), nearTicks)
    bidLots -= step.bidLots
    const gapFrom = step.ticks + 1
    const gapTo = (steps[index + 1]?.ticks ?? step.ticks) - 1
    if (gapFrom <= gapTo) {
      const ticks = Math.min(Math.max(nearTicks, gapFrom), gapTo)
      bestFound = better(bestFound, auctionAt(ticks, bidLots, askLots), nearTicks)
    }
  }
  return bestFound
}

/**
 * The orders that would match an order of the same owner in an uncrossing at `ticks`: the newer one of each such pair.
 * Removing them can change the best price, so look again afterwards.
 */
export function selfMatchesAt<O extends BookOrder<O>>(book: MatchingBook<O>, ticks: number): O[] {
  const found: O[] = []
  const bids = waiting(book.bids.best, (levelTicks) => levelTicks >= ticks)
  const asks = waiting(book.asks.best, (levelTicks) => levelTicks <= ticks)
  let bid = bids.next().value
  let ask = asks.next().value
  let bidLots = bid?.openLots ?? 0
  let askLots = ask?.openLots ?? 0
  while (bid !== undefined && ask !== undefined) {
    const isOwn = bid.owner === ask.owner
    const lots = Math.min(bidLots, askLots)
    if (isOwn) found.push(bid.id > ask.id ? bid : ask)
    const isBidDone = isOwn ? bid.id > ask.id : bidLots === lots
    const isAskDone = isOwn ? ask.id > bid.id : askLots === lots
    if (!isOwn) {
      bidLots -= lots
      askLots -= lots
    }
    if (isBidDone) {
      bid = bids.next().value
      bidLots = bid?.openLots ?? 0
    }
    if (isAskDone) {
      ask = asks.next().value
      askLots = ask?.openLots ?? 0
    }
  }
  return found
}

/** The levels within the crossing range, both sides merged, ascending. */
function crossingSteps<O extends BookOrder<O>>(book: MatchingBook<O>, lowest: number, highest: number): Step[] {
  const byTicks = new Map<number, Step>()
  for (let level = book.bids.best; level !== null && level.ticks >= lowest; level = level.worse)
    byTicks.set(level.ticks, { ticks: level.ticks, bidLots: level.lots, askLots: 0 })
  for (let level = book.asks.best; level !== null && level.ticks <= highest; level = level.worse) {
    const step = byTicks.get(level.ticks)
    if (step === undefined) byTicks.set(level.ticks, { ticks: level.ticks, bidLots: 0, askLots: level.lots })
    else step.askLots = level.lots
  }
  return [...byTicks.values()].sort((left, right) => left.ticks - right.ticks)
}

const auctionAt = (ticks: number, bidLots: number, askLots: number): Auction => ({
  ticks,
  lots: Math.min(bidLots, askLots),
  imbalanceLots: bidLots - askLots,
})

function better(held: Auction | null, offered: Auction, nearTicks: number): Auction {
  if (held === null || offered.lots !== held.lots) return held === null || offered.lots > held.lots ? offered : held
  const gain = Math.abs(held.imbalanceLots) - Math.abs(offered.imbalanceLots)
  if (gain !== 0) return gain > 0 ? offered : held
  // Candidates ascend, so on a tie the lower price is kept.
  return Math.abs(offered.ticks - nearTicks) < Math.abs(held.ticks - nearTicks) ? offered : held
}

function* waiting<O extends BookOrder<O>>(
  best: PriceLevel<O> | null,
  isIn: (ticks: number) => boolean,
): Generator<O, undefined> {
  for (let level = best; level !== null && isIn(level.ticks); level = level.worse)
    for (let order = level.first; order !== null; order = order.next) yield order
}
