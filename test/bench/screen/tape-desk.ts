import type { Clock, SleepSignal } from '../../../src/base/clock.ts'
import type { FeedEvent } from '../../../src/domain/desk/events.ts'
import { createCommands } from '../../../src/store/commands.ts'
import { initialState } from '../../../src/store/desk.ts'
import { createDeskStore } from '../../../src/store/store.ts'
import { quietPort } from '../../fakes/quiet-port.ts'
import { type Tape, TapeReader } from './tape.ts'

/** The desk's time while a tape is played: it moves with the tape, and pauses for keys take real time. */
class TapeClock implements Clock {
  nowMs: number
  readonly #sleep: Clock['sleep']

  constructor(startMs: number, sleep: Clock['sleep']) {
    this.nowMs = startMs
    this.#sleep = sleep
  }

  now(): number {
    return this.nowMs
  }

  wallMs(): number {
    return this.nowMs
  }

  sleep(ms: number, signal?: SleepSignal): Promise<void> {
    return this.#sleep(ms, signal)
  }
}

/** A desk whose services are a tape: the store and the commands are the real ones, writes go nowhere. */
export function createTapeDesk(tape: Tape, sleep: Clock['sleep'], exit: () => void) {
  const clock = new TapeClock(tape.startMs, sleep)
  const venue = { profileName: 'practice', kind: 'practice' } as const
  const store = createDeskStore(
    initialState({ nowMs: tape.startMs, venue, mode: { kind: 'ARMED' }, symbol: 'BTC-USD' }),
  )
  const port = { ...quietPort(tape.startMs), now: () => clock.now(), wallMs: () => clock.now() }
  const reader = new TapeReader()
  let played = 0
  let prepared: FeedEvent[] | null = null
  return {
    clock,
    store,
    commands: createCommands({ store, port, exit }),
    /** How many updates were played. */
    played: () => played,
    /**
     * Reads the next update from its text, so that this is not part of what `next` costs: a desk's answers were read
     * before they get here.
     */
    prepare(stepMs = tape.stepMs, lapsAlike = 1): void {
      const { length } = tape.updates
      const line = tape.updates[played % length] ?? '[]'
      prepared ??= reader.read(line, clock.nowMs + stepMs, Math.floor(played / length / lapsAlike))
    },
    /**
     * One update: what the pacer commits at once, with the time. It covers `stepMs` of the market's time. Orders and
     * fills are the same ones for `lapsAlike` rounds of the tape.
     */
    next(stepMs = tape.stepMs, lapsAlike = 1): void {
      this.prepare(stepMs, lapsAlike)
      const events = prepared ?? []
      prepared = null
      clock.nowMs += stepMs
      played += 1
      store.dispatchAll([...events, { type: 'ticked', nowMs: clock.nowMs }])
    },
    /** Time passes and nothing else: every answer said what the one before it had said. */
    nothingNew(stepMs = tape.stepMs): void {
      clock.nowMs += stepMs
      const nowMs = clock.nowMs
      const { books, tickers, orders, fills, balances, instruments } = store.getState()
      const again = [...books].flatMap(([symbol, { value }]) =>
        value === null ? [] : [{ type: 'book', symbol, book: value, atMs: nowMs } as const],
      )
      store.dispatchAll([
        ...again,
        ...(tickers.value === null ? [] : [{ type: 'tickers', tickers: tickers.value, atMs: nowMs } as const]),
        ...(orders.value === null ? [] : [{ type: 'orders', orders: orders.value, atMs: nowMs } as const]),
        ...(fills.value === null ? [] : [{ type: 'fills', fills: [], atMs: nowMs } as const]),
        ...(balances.value === null ? [] : [{ type: 'balances', balances: balances.value, atMs: nowMs } as const]),
        ...(instruments.value === null
          ? []
          : [{ type: 'instruments', instruments: instruments.value, atMs: nowMs } as const]),
        { type: 'ticked', nowMs },
      ])
    },
  }
}

export type TapeDesk = ReturnType<typeof createTapeDesk>
