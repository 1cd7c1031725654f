import type { Random } from '../../base/random.ts'
import type { TopOfBook } from '../core/views.ts'
import type { MarketView } from './market-maker.ts'
import { allowedLots, type SymbolProfile } from './symbol-profile.ts'
import type { Trader } from './trader.ts'

/** Sizes fall off as a power: most trades are small, and a few are very large. */
const sizeTail = 1.5
const smallestShare = 0.12
/** Takers look before they take: hardly ever more than a few times what stands at the best price. */
const appetite = 2.5

/** One trade against this book. Returns the lots bought, negative when sold, 0 when there was nothing to take. */
export function take(
  book: TopOfBook,
  traders: { trader: Trader; flow: TakerFlow; profile: SymbolProfile; random: Random },
  { atMs, heft }: Pick<MarketView, 'atMs' | 'heft'>,
): number {
  const { trader, flow, profile, random } = traders
  const isBuy = flow.nextIsBuy()
  const standing = isBuy ? book.askLots : book.bidLots
  if (standing === 0) return 0
  const wanted = profile.typicalLots * smallestShare * heft * random.pareto(sizeTail)
  const lots = allowedLots(Math.min(wanted, standing * appetite * random.uniform()), profile)
  const report = trader.place({ side: isBuy ? 'BUY' : 'SELL', lots, timeInForce: 'IOC' }, atMs)
  const filled = report?.cumLots ?? 0
  return isBuy ? filled : -filled
}

/** When takers trade, and on which side: bursts, and long runs of one side. */
type TakerFlow = {
  /** Seconds from now until the next trade. */
  nextWait(): number
  /** True for a buy. Called once for each trade. */
  nextIsBuy(): boolean
}

/** A large order that is worked in pieces: why the signs of real trades remember so long. */
type Parent = { isBuy: boolean; piecesLeft: number }

const parentCount = 4
// Lengths with this tail give signs whose autocorrelation falls off slowly, as a power of the lag.
const parentTail = 1.2
const parentPiecesMax = 400
/** Share of trades that belong to no parent. */
const strayShare = 0.15
/** Trades that one trade sets off on average, directly: the strength of the bursts; below 1, or they never end. */
const excitation = 0.55
const excitationSeconds = 4

function newParent(random: Random): Parent {
  return { isBuy: random.chance(0.5), piecesLeft: Math.min(parentPiecesMax, Math.floor(random.pareto(parentTail))) }
}

/** A self-exciting flow of `tradesPerSecond` on average. */
export function createTakerFlow(tradesPerSecond: number, random: Random): TakerFlow {
  const parents = Array.from({ length: parentCount }, () => newParent(random))
  const baseRate = tradesPerSecond * (1 - excitation)
  const jump = excitation / excitationSeconds
  let excited = 0

  /** Thinning: candidate waits are drawn at the highest rate possible, and kept with the odds of the true one. */
  const nextWait = () => {
    let wait = 0
    for (;;) {
      const ceiling = baseRate + excited
      const step = random.exponential(1 / ceiling)
      wait += step
      excited *= Math.exp(-step / excitationSeconds)
      if (random.chance((baseRate + excited) / ceiling)) {
        excited += jump
        return wait
      }
    }
  }

  const nextIsBuy = () => {
    if (random.chance(strayShare)) return random.chance(0.5)
    const index = random.integer(0, parentCount - 1)
    let parent = parents[index]
    if (parent === undefined || parent.piecesLeft <= 0) {
      parent = newParent(random)
      parents[index] = parent
    }
    parent.piecesLeft -= 1
    return parent.isBuy
  }

  return { nextWait, nextIsBuy }
}
