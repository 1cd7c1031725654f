import type { DeskState } from '../../../src/store/desk.ts'
import { arrivedFeeds } from './feeds.ts'
import type { WeekExchange } from './week-exchange.ts'

/** What goes wrong for a part of an hour: how it is brought about and mended, and whether the desk tells of it. */
export type WeekFault = {
  name: string
  begin(place: FaultPlace): Promise<void>
  end(place: FaultPlace): Promise<void>
  isTold(state: DeskState): boolean
}

export type FaultPlace = {
  exchange: WeekExchange
  /** The desk's own clock is off by so much from now on; the rest of the world goes on. */
  setDeskClock(offsetMs: number): void
  /** The machine sleeps: time leaps for everyone. */
  sleep(ms: number): Promise<void>
}

const hasFailed = (state: DeskState): boolean => arrivedFeeds(state).some(({ isFailing }) => isFailing)

/** A fault that the practice exchange's administration knows. */
const atTheVenue = (name: string, verb: string, values: object, isTold = hasFailed): WeekFault => ({
  name,
  begin: ({ exchange }) => exchange.admin(`/fault/${verb}`, values),
  end: ({ exchange }) => exchange.admin('/fault/off', {}),
  isTold,
})

const skewedMs = 30_000

const setClock = (name: string, offsetMs: number): WeekFault => ({
  name,
  async begin({ setDeskClock }) {
    setDeskClock(offsetMs)
  },
  async end({ setDeskClock }) {
    setDeskClock(0)
  },
  isTold: ({ connection }) => Math.abs(connection.skewMs ?? 0) > skewedMs,
})

const setStatus =
  (status: 'halt' | 'open') =>
  ({ exchange }: FaultPlace) =>
    exchange.admin('/symbol/status', { symbol: 'BTC-USD', status })

/** Every way in which things go wrong; hour after hour each has its turn. */
export const weekFaults: readonly WeekFault[] = [
  atTheVenue(
    'answers late',
    'latency',
    { path: '*', ms: 2_500, rate: '0.5' },
    ({ connection }) => (connection.roundTripMs ?? 0) >= 2_000,
  ),
  atTheVenue('calls lost', 'drop', { path: '*', when: 'before', rate: '0.7' }),
  {
    name: 'exchange restarts',
    begin: ({ exchange }) => exchange.down(),
    end: ({ exchange }) => exchange.up(),
    isTold: hasFailed,
  },
  atTheVenue('garbled answers', 'malformed', { path: '*', form: 'garbled', rate: '0.7' }),
  atTheVenue('too many calls', 'status', { path: '*', status: 429, rate: '0.5' }),
  setClock('clock set forward', 7_200_000),
  atTheVenue('no answers', 'stall', { path: '*', rate: '0.7' }),
  {
    name: 'machine sleeps',
    begin: ({ sleep }) => sleep(1_200_000),
    end: () => Promise.resolve(),
    // Nothing of it is left by the time it could be looked at.
    isTold: () => true,
  },
  atTheVenue('answers lost', 'drop', { path: '*', when: 'after', rate: '0.7' }),
  atTheVenue('halves of answers', 'malformed', { path: '*', form: 'truncated', rate: '0.7' }),
  atTheVenue('out of service', 'status', { path: '*', status: 503, rate: '1' }),
  setClock('clock set back', -90_000),
  {
    name: 'market halts',
    begin: setStatus('halt'),
    end: setStatus('open'),
    isTold: ({ instruments }) => instruments.value?.get('BTC-USD')?.status === 'halt',
  },
]
