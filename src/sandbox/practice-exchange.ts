import type { Clock } from '../base/clock.ts'
import { createListeners } from '../base/listeners.ts'
import type { CommandArguments, CommandOf, CommandType, CoreEvent, Outcome } from './core/commands.ts'
import type { ExchangeReader } from './core/views.ts'

/** The part of the core that an exchange uses. */
type Core = {
  readonly read: ExchangeReader
  execute<T extends CommandType>(command: CommandOf<T>): Outcome<T>
  /**
   * Null if everything executed so far is durable; otherwise a promise that resolves when it is. Omitted by a core
   * without persistence.
   */
  settled?(): Promise<void> | null
}

/**
 * The exchange as seen by everything around the core: HTTP, admin, the market's own flow. It stamps every command with
 * the time, and never shows an order as working that should have expired.
 */
export type PracticeExchange = {
  /** Milliseconds since 1970 by the exchange's own clock. */
  nowMs(): number
  /** The current state. */
  read(): ExchangeReader
  /** Executes a command of the practice exchange itself, without waiting for the disk. `atMs` may be in the past. */
  execute<T extends CommandType>(type: T, values: CommandArguments[T], atMs?: number): Outcome<T>
  /** Executes a command for a caller who gets an answer: resolves when the answer may be given. */
  submit<T extends CommandType>(type: T, values: CommandArguments[T]): Promise<Outcome<T>>
  /**
   * Null if everything that `read` shows is durable; otherwise a promise that resolves when it is, and rejects if that
   * fails.
   */
  settled(): Promise<void> | null
  /** Passes every event from now on to `listener`; the returned function unsubscribes. */
  subscribe(listener: (event: CoreEvent) => void): () => void
}

/** An exchange on this core, by this clock. */
export function createPracticeExchange(core: Core, clock: Clock): PracticeExchange {
  const listeners = createListeners<[CoreEvent]>()

  const execute = <T extends CommandType>(type: T, values: CommandArguments[T], atMs = clock.now()): Outcome<T> => {
    const outcome = core.execute(toCommand(type, values, atMs))
    for (const event of outcome.events) listeners.tell(event)
    return outcome
  }

  return {
    nowMs: () => clock.now(),
    execute,
    submit: async (type, values) => {
      const outcome = execute(type, values)
      await core.settled?.()
      return outcome
    },
    settled: () => core.settled?.() ?? null,
    read: () => {
      const dueMs = core.read.nextExpiryMs()
      if (dueMs !== undefined && dueMs <= clock.now()) execute('advanceTime', {})
      return core.read
    },
    subscribe: listeners.add,
  }
}

/** The only place where a command's name and its arguments are combined; the types ensure that they match. */
function toCommand<T extends CommandType>(type: T, values: CommandArguments[T], atMs: number): CommandOf<T> {
  return { ...values, type, atMs } as CommandOf<T>
}
