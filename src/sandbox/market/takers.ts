import type { Random } from '../../base/random.ts'
import type { TopOfBook } from '../core/types.ts'
import type { MarketView } from './maker.ts'
import { allowedLots, type SymbolProfile } from './profile.ts'
import type { TakerFlow } from './taker-flow.ts'
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
