import type { Random } from '../../base/random.ts'
import type { TopOfBook } from '../core/views.ts'
import type { MarketView } from './market-maker.ts'
import { allowedLots, type SymbolProfile } from './symbol-profile.ts'
import type { Trader } from './trader.ts'

/** Sizes follow a power law: most trades are small, and a few are very large. */
const sizeTail = 1.5
const smallestShare = 0.12
/** Takers look first: they rarely take more than a few times the size at the best price. */
const appetite = 2.5

/** One trade against this book. Returns the lots bought, negative if sold, 0 if there was nothing to take. */
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

/** When takers trade, and on which side: in bursts, with long runs of one side. */
type TakerFlow = {
  /** Seconds from now until the next trade. */
  nextWait(): number
  /** True for a buy. To be called once per trade. */
  nextIsBuy(): boolean
}

/** A large order worked in pieces: the reason why the signs of real trades have a long memory. */
type Parent = { isBuy: boolean; piecesLeft: number }

const parentCount = 4
// Lengths with this tail give signs whose autocorrelation decays slowly, as a power of the lag.
const parentTail = 1.2
const parentPiecesMax = 400
/** Share of trades without a parent. */
const strayShare = 0.15
/**
 * Average number of trades that one trade directly causes: the strength of bursts; it must be below 1, or they never
 * end.
 */
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

  /** Thinning: candidate waits are drawn at the highest possible rate, and kept with the true rate's probability. */
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
