import { ExchangeError } from '../../api/errors.ts'
import type { ExchangeClient } from '../../api/exchange-client.ts'
import type { Clock } from '../../base/clock.ts'
import { createSerial } from '../../base/serial.ts'
import type { Pace } from './pace.ts'

/** The sources of an answer to an agent: when the oldest part was read from the exchange, in desk time. */
export type Watch = { oldestMs: number | null; signal: AbortSignal }

/** A call not allowed to agents: the transport below refuses it as well. */
export class NotForAgents extends Error {
  override readonly name = 'NotForAgents'
  constructor(name: string) {
    super(`${name} is not a read: an agent sends nothing`)
  }
}

/** Names of reads; any new call with another name is refused until it is listed. */
const isRead = (name: string): boolean => name.startsWith('fetch')
/** Members that make no call. */
const asksNobody: readonly string[] = ['seenAtMs', 'isShared']

/**
 * The client for an agent: one read after the other, each waits for the agent's turn and notes the age of its answer.
 * Everything else is refused before a call. `watch` is that of the current question.
 */
export function readingClient(
  client: ExchangeClient,
  { pace, clock, watch }: { pace: Pace; clock: Pick<Clock, 'now'>; watch: () => Watch },
): ExchangeClient {
  const oneByOne = createSerial()
  const read =
    (call: (...given: unknown[]) => unknown) =>
    (...given: unknown[]): Promise<unknown> =>
      oneByOne(() => ask(call, given))
  const ask = async (call: (...given: unknown[]) => unknown, given: readonly unknown[]): Promise<unknown> => {
    const { signal } = watch()
    if (!(await pace.turn(signal))) throw new Interrupted()
    const beganMs = clock.now()
    try {
      const answer = await call(...given)
      note(watch(), client.seenAtMs(answer) ?? beganMs)
      return answer
    } catch (error) {
      if (error instanceof ExchangeError && error.kind === 'rateLimited') pace.refused(error)
      throw error
    }
  }
  return new Proxy(client, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver)
      if (typeof value !== 'function' || typeof name !== 'string' || asksNobody.includes(name)) return value
      if (isRead(name)) return read((...given) => Reflect.apply(value, target, given))
      return () => Promise.reject(new NotForAgents(name))
    },
  })
}

function note(watch: Watch, seenMs: number): void {
  watch.oldestMs = Math.min(watch.oldestMs ?? seenMs, seenMs)
}

/** The question was canceled, or took too long, before its call had its turn. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  constructor() {
    super('ended before the answer came')
  }
}
