import type { Clock } from '../base/clock.ts'
import { createListeners } from '../base/listeners.ts'
import type { CommandArguments, CommandOf, CommandType, CoreEvent, Outcome } from './core/commands.ts'
import type { ExchangeReader } from './core/views.ts'

/** The part of the core that an exchange drives. */
type Core = {
  readonly read: ExchangeReader
  execute<T extends CommandType>(command: CommandOf<T>): Outcome<T>
  /**
   * Null when everything carried out so far is durable; else it resolves when it is. A core without it keeps nothing.
   */
  settled?(): Promise<void> | null
}

/**
 * The exchange as everything around the core sees it: HTTP, admin, the market's own flow. It puts the time on every
 * command, and shows no order as working that ought to have expired.
 */
export type PracticeExchange = {
  /** Milliseconds since 1970 by the exchange's own clock. */
  nowMs(): number
  /** The state as of now. */
  read(): ExchangeReader
  /**
   * Carries out a command of the practice exchange itself, without waiting for the disk. `atMs` may lie in the past.
   */
  execute<T extends CommandType>(type: T, values: CommandArguments[T], atMs?: number): Outcome<T>
  /** Carries out a command for somebody who gets an answer: resolves when the answer may be given. */
  submit<T extends CommandType>(type: T, values: CommandArguments[T]): Promise<Outcome<T>>
  /** Null when all that `read` shows is durable; else it resolves when it is, and rejects when it cannot be. */
  settled(): Promise<void> | null
  /** Hands over every event from now on; the function returned ends that. */
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

/**
 * The one place where a command's name and its arguments become a command; that they belong together is in the types.
 */
function toCommand<T extends CommandType>(type: T, values: CommandArguments[T], atMs: number): CommandOf<T> {
  return { ...values, type, atMs } as CommandOf<T>
}
