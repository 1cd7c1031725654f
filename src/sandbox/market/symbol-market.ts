import { createRandom } from '../../base/random.ts'
import type { CoreEvent } from '../core/types.ts'
import type { Venue } from '../venue.ts'
import { allZones, type Zone } from './grid.ts'
import { createLatentPrice, type LatentPrice } from './latent-price.ts'
import type { MarketView } from './maker.ts'
import { createParticipants, type MarketAccounts } from './participants.ts'
import type { SymbolProfile } from './profile.ts'

/** How far apart events are, how large, and how much of the ladder is kept: full pace, or a sketch of hours past. */
export type Pace = { stretch: number; heft: number; zones: readonly Zone[] }
export const fullPace: Pace = { stretch: 1, heft: 1, zones: allZones }

/** The life of one symbol. */
export type SymbolMarket = {
  /** When something happens next. */
  nextMs(): number
  /** Lets it happen. */
  step(pace: Pace): void
  /** Goes on from this time; nothing happened since the last step, save that the fair price moved. */
  skipTo(atMs: number): void
  /** Clears the ladders, to be built anew. */
  clear(atMs: number): void
  onEvent(event: CoreEvent): void
}

type Activity = 'quote' | 'crowd' | 'take'

const quoteSeconds = { least: 0.3, spread: 0.4 }
const crowdSeconds = 1.4
const reversionSeconds = 86_400
/**
 * How far an ordinary order moves the fair price for good, as a share of what a second moves it anyway: little when it
 * is one of the market's own, whose coming is part of the price, and much when it is somebody's from outside.
 */
const impactShare = { own: 0.03, outside: 0.2 }
const impactMax = 20

export function createSymbolMarket(
  venue: Venue,
  accounts: MarketAccounts,
  profile: SymbolProfile,
  { seed, startMs }: { seed: number; startMs: number },
): SymbolMarket {
  const random = createRandom(seed, profile.symbol)
  const latent = createLatentPrice({ ...profile, reversionSeconds }, random)
  const participants = createParticipants(venue, accounts, profile, random)
  const dueMs = new Map<Activity, number>([
    ['quote', startMs],
    ['crowd', startMs],
    ['take', startMs],
  ])
  const waits: Record<Activity, () => number> = {
    quote: () => quoteSeconds.least + random.exponential(quoteSeconds.spread),
    crowd: () => random.exponential(crowdSeconds),
    take: participants.takerWait,
  }
  const look = watch(latent, startMs)
  let isActing = false

  /** Trading moves the fair price for good, by the square root of its size, as it does in real markets. */
  const pushBy = (lots: number, share: number) => {
    const size = Math.min(impactMax, Math.sqrt(Math.abs(lots) / profile.typicalLots))
    latent.push(Math.sign(lots) * share * profile.volatilityTicks * size)
  }

  const act = (activity: Activity, view: MarketView, { zones }: Pace) => {
    const status = venue.read().symbol(profile.symbol)?.status
    if (status === 'halt' && activity === 'crowd') participants.gather(view)
    if (status !== 'open') return
    if (activity === 'quote') participants.quote(view, zones)
    if (activity === 'crowd') participants.stir(view)
    if (activity === 'take') pushBy(participants.take(view), impactShare.own)
  }

  return {
    nextMs: () => earliest(dueMs)[1],
    step: (pace) => {
      const [activity, atMs] = earliest(dueMs)
      dueMs.set(activity, atMs + Math.max(1, Math.round(waits[activity]() * 1_000 * pace.stretch)))
      isActing = true
      act(activity, { ...look(atMs), heft: pace.heft }, pace)
      isActing = false
    },
    skipTo: (atMs) => {
      for (const activity of dueMs.keys()) dueMs.set(activity, atMs)
    },
    clear: participants.leave,
    onEvent: (event) => {
      participants.onEvent(event)
      // Somebody from outside took: the market learns from it as from anybody's trade.
      if (event.type === 'trade' && !isActing && event.takerSide !== null) {
        pushBy(event.takerSide === 'BUY' ? event.lots : -event.lots, impactShare.outside)
      }
    },
  }
}

/** Lets the fair price move on to the time of each look. */
function watch(latent: LatentPrice, startMs: number): (atMs: number) => Omit<MarketView, 'heft'> {
  let seenAtMs = startMs
  return (atMs) => {
    latent.advance(Math.max(0, atMs - seenAtMs) / 1_000)
    seenAtMs = atMs
    return { fairTicks: latent.ticks(), agitation: latent.agitation(), atMs }
  }
}

function earliest(dueMs: ReadonlyMap<Activity, number>): [Activity, number] {
  let first: [Activity, number] = ['quote', Number.POSITIVE_INFINITY]
  for (const entry of dueMs) if (entry[1] < first[1]) first = entry
  return first
}
