import { checkConservation } from './conservation.ts'
import { invalid } from './done.ts'
import { type Handlers, handlers } from './handlers.ts'
import type { History } from './history.ts'
import { MemoryHistory } from './memory-history.ts'
import { expireDue } from './order-end.ts'
import type { ExchangeReader } from './reader.ts'
import { restoreState } from './restore.ts'
import { type ExchangeSnapshot, takeSnapshot } from './snapshot.ts'
import { ExchangeState } from './state.ts'
import { StateReader } from './state-reader.ts'
import type { CommandOf, CommandType, Outcome } from './types.ts'

/**
 * The practice exchange's heart: commands in, events out. Pure and synchronous: no clock, no randomness, no I/O; the
 * same commands always give the same state.
 */
export class Exchange {
  readonly read: ExchangeReader
  private readonly state: ExchangeState

  /** Empty: no currency, no symbol, no account. Ended orders and fills go to `history`. */
  constructor(history: History = new MemoryHistory(), state = new ExchangeState(history)) {
    this.state = state
    this.read = new StateReader(state)
  }

  /**
   * Carries out one command and everything that follows from it: first what its time brings (orders that expire), then
   * itself. Throws only on a broken invariant; the exchange is then not to be used any more.
   */
  execute<T extends CommandType>(command: CommandOf<T>): Outcome<T> {
    const { state } = this
    if (!Number.isSafeInteger(command.atMs) || command.atMs < 0)
      return { ...invalid('atMs', 'atMs must be milliseconds since 1970'), events: [] }
    const previousMs = state.nowMs
    state.nowMs = Math.max(previousMs, command.atMs)
    state.events = []
    expireDue(state)
    const handler: Handlers[T] = handlers[command.type]
    const result = handler(state, command)
    const { events } = state
    if (result.ok) return { ok: true, value: result.value, events }
    // A refused command leaves no trace, not even its time, or else a replay without it would differ.
    if (events.length === 0) state.nowMs = previousMs
    return { ok: false, refusal: result.refusal, events }
  }

  /** A JSON value from which `restore` makes the same exchange again. The history is not in it. */
  snapshot(): ExchangeSnapshot {
    return takeSnapshot(this.state)
  }

  /** The exchange a snapshot was taken of, with the history that belongs to it. */
  static restore(snapshot: ExchangeSnapshot, history: History = new MemoryHistory()): Exchange {
    return new Exchange(history, restoreState(snapshot, history))
  }

  /** Throws when money was made or lost, or when what is held is not what working orders and withdrawals need. */
  checkConservation(): void {
    checkConservation(this.state)
  }
}
