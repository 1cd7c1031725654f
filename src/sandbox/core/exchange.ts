import type { ExchangeReader } from './reader.ts'
import type { CommandOf, CommandType, Outcome } from './types.ts'

/**
 * The practice exchange's heart: commands in, events out. Pure and synchronous: no clock, no randomness, no I/O; the
 * same commands always give the same state.
 */
export class Exchange {
  get read(): ExchangeReader {
    throw new Error('unreachable')
  }

  /** Carries out one command and everything that follows from it. Throws only on a broken invariant. */
  execute<T extends CommandType>(_command: CommandOf<T>): Outcome<T> {
    throw new Error('unreachable')
  }

  /** A JSON value from which `Exchange.restore` makes the same exchange again (the history is kept apart). */
  snapshot(): unknown {
    throw new Error('unreachable')
  }

  /** Throws when money was made or lost, or an account's balance is below what is held. */
  checkConservation(): void {
    throw new Error('unreachable')
  }
}
