import { createRandom } from '../base/random.ts'
import { createGatewayLife, type GatewayLife, runGatewayLife } from './gateway/world/gateway-life.ts'
import type { PracticeGateway } from './gateway/world/gateway-world.ts'
import { type RandomBytes, secretText } from './http/token.ts'
import { type Market, runMarket } from './market/market.ts'
import type { DurableExchange } from './persistence/durable-exchange.ts'
import { UnusableData } from './persistence/unusable-data.ts'
import { type HouseKeys, readWorldNote, writeWorldNote } from './persistence/world-note.ts'
import { populate } from './populate.ts'
import { reopen } from './reopen.ts'
import type { SandboxClock } from './sandbox-clock.ts'
import { runExpiry, runSettlement } from './timekeeper.ts'
import type { Venue } from './venue.ts'
import type { World, WorldAccount } from './world.ts'

export type LifeOptions = {
  durable: DurableExchange
  /** The data folder, for what is said of it. */
  folder: string
  venue: Venue
  gateway: PracticeGateway
  clock: SandboxClock
  randomBytes: RandomBytes
  seed: number
  /** Off: nothing trades, confirms or completes by itself. */
  market: 'on' | 'off'
}

/** The practice world and everything in it that moves by itself. */
export type Life = {
  /** The same for as long as the data folder lives, whatever is reset. */
  keys: HouseKeys
  accounts: readonly WorldAccount[]
  /** Lets everything happen that is due by now. */
  advance(): void
  /** Forgets everything and makes the world anew; accounts and keys stay. */
  reset(): Promise<void>
  /** Ends every loop. */
  end(): Promise<void>
}

/** Who the gateway's first key belongs to. */
const firstPartner = 'practice'

type Episode = { market: Market | undefined; gatewayLife: GatewayLife | undefined; end(): Promise<void> }

/** Makes the world, or wakes the one that the data folder holds, and lets it live. */
export function startLife(options: LifeOptions): Life {
  const { durable, venue, gateway, clock, randomBytes, seed } = options
  const found = durable.note === null ? undefined : readWorldNote(durable.note, options.folder)
  const keys = found ?? { adminToken: secretText(randomBytes), partnerKey: secretText(randomBytes) }

  let worldCount = 0
  const beginGateway = () => {
    worldCount += 1
    const worldId = `${seed}/${clock.now()}/${worldCount}`
    gateway.begin({ worldId, seed }, { name: firstPartner, key: keys.partnerKey })
  }

  /** A new world, durable as soon as it is whole. */
  const make = (scope: Scope, accounts: readonly WorldAccount[]): { world: World; market: Market | undefined } => {
    const tokens = new Map(accounts.map(({ name, token }) => [name, token]))
    const forget = (ids: readonly number[]) => durable.forget(ids)
    const made = populate({ venue: scope.venue, forget, randomBytes, tokens, marketSeed: marketSeed(options) })
    beginGateway()
    durable.establish(writeWorldNote({ adminToken: keys.adminToken, partnerKey: keys.partnerKey, world: made.world }))
    return made
  }

  const woken = found === undefined ? null : gateway.wake()
  // Time goes on from where the gateway was, should the clock have been put forward in its last life.
  if (woken !== null) clock.putForward(Math.max(0, woken.sinceMs - clock.now()))
  // A data folder of an earlier version knows of no gateway.
  else if (found !== undefined) beginGateway()

  const first = scopeOf(venue)
  const begun =
    found === undefined
      ? make(first, [])
      : { ...found, market: reopen({ venue: first.venue, clock, world: found.world, marketSeed: marketSeed(options) }) }
  const { accounts } = begun.world
  let episode = run(options, first, begun.market)

  const reset = async () => {
    await episode.end()
    durable.startOver()
    const scope = scopeOf(venue)
    episode = run(options, scope, make(scope, accounts).market)
  }
  let resets = Promise.resolve()
  return {
    keys,
    accounts,
    advance: () => {
      venue.read()
      episode.market?.advance(clock.now())
      episode.gatewayLife?.step()
    },
    // One after the other, however many ask.
    reset: () => {
      resets = resets.then(reset)
      return resets
    },
    end: () => episode.end(),
  }
}

const marketSeed = ({ market, seed }: LifeOptions): number | undefined => (market === 'on' ? seed : undefined)

/** Starts the loops of a world. */
function run({ gateway, clock, seed }: LifeOptions, scope: Scope, market: Market | undefined): Episode {
  const stopping = new AbortController()
  const loops = [runExpiry(scope.venue, clock, stopping.signal)]
  const gatewayLife = market === undefined ? undefined : createGatewayLife(gateway, clock)
  if (gatewayLife !== undefined) loops.push(runGatewayLife(gatewayLife, clock, stopping.signal))
  if (market !== undefined) {
    loops.push(runMarket(market, clock, stopping.signal))
    loops.push(runSettlement(scope.venue, clock, createRandom(seed, 'settlement'), stopping.signal))
  }
  const ended = Promise.all(loops.map(untilDiskFails))
  return {
    market,
    gatewayLife,
    end: async () => {
      stopping.abort()
      scope.close()
      await ended
    },
  }
}

/** A disk that fails ends what moves by itself: it has been told of once, by `onFailure`, and is no fault of a loop. */
async function untilDiskFails(loop: Promise<void>): Promise<void> {
  try {
    await loop
  } catch (error) {
    if (!(error instanceof UnusableData)) throw error
  }
}

/** The venue for one world's time: what subscribed to it hears nothing any more once it is closed. */
type Scope = { venue: Venue; close(): void }

function scopeOf(venue: Venue): Scope {
  const endings: Array<() => void> = []
  const subscribe: Venue['subscribe'] = (listener) => {
    const end = venue.subscribe(listener)
    endings.push(end)
    return end
  }
  return {
    venue: { ...venue, subscribe },
    close: () => {
      for (const end of endings.splice(0)) end()
    },
  }
}
