import { queryText, type ReadPriority, type Transport, type TransportRequest } from '../../api/call.ts'
import { ExchangeError } from '../../api/errors.ts'
import type { Clock } from '../../base/clock.ts'
import { createTokenBucket, type TokenBucket } from '../../base/token-bucket.ts'
import { createPlaces } from '../people/places.ts'
import { readRowOf } from './targets.ts'

/** An answer of the exchange to a read, as it came. */
export type Reading = {
  /** JSON text. */
  readonly body: string
  /** When the call was begun, and when its answer was there, by the clock's desk time. */
  readonly askedAtMs: number
  readonly receivedAtMs: number
}

type ReadWish = {
  /** True: the call has to begin after this request came. What was asked for before a write proves nothing of it. */
  isFresh?: boolean
  /** An answer that is kept may be this old, in ms; as old as is usual for what is asked unless given. */
  ageMostMs?: number
  priority?: ReadPriority
  /**
   * The persons who ask; none where the hub itself does. A new call takes a place of one of them, and goes before polls
   * only as often as one person's calls may.
   */
  by?: readonly string[]
}

export type SharedReads = {
  /**
   * The answer to what is asked for, path and query as they come: one that is kept and fresh enough, that of a call
   * under way, or that of a new call. Rejects with `ExchangeError`, also where all who ask have as many calls under way
   * as one person may; a failure is not kept.
   */
  read(target: string, wish?: ReadWish): Promise<Reading>
  /** A write was sent or answered: what was asked about the account until now is no longer given. */
  forgetAccount(): void
  /** How many reads were asked for, and how many calls that made. */
  counts(): { readonly reads: number; readonly calls: number }
}

/** `writes` is how many writes there had been when it was begun: times may be equal. */
type Call = { readonly writes: number; readonly answer: Promise<Reading> }

/** What is kept at the most: the desks of a firm look at some dozens of things. */
const keptMost = 500
const keptCharactersMost = 64 * 1024 * 1024

/** Calls of one person under way at once: more than a desk makes as it starts. */
export const readsMostEach = 16
/** Reads of one person that go before polls: so many at once after a rest, and a second over time. */
const promptBurst = 10
const promptPerSecond = 3

/**
 * The turns of persons at the exchange. Without them whoever may only look could keep the hub from its own picture of
 * the account, and so everybody from trading.
 */
function createTurns(clock: Pick<Clock, 'now'>) {
  const places = createPlaces(readsMostEach)
  const prompt = new Map<string, TokenBucket>()
  const promptOf = (person: string): TokenBucket => {
    const bucket = prompt.get(person) ?? createTokenBucket(promptPerSecond, promptBurst)
    prompt.set(person, bucket)
    return bucket
  }
  return {
    /** A place of the first who has one; `who` is that one. */
    take(persons: readonly string[]): { who: string; leave: () => void } | null {
      for (const who of persons) {
        const leave = places.take(who)
        if (leave !== null) return { who, leave }
      }
      return null
    },
    isPrompt: (person: string): boolean => promptOf(person).take(clock.now()),
  }
}

const tooMany = (path: string): ExchangeError =>
  new ExchangeError({
    ...{ method: 'GET', path, kind: 'rateLimited', fault: 'paused', retryAfterMs: 1_000, outcome: null },
    reason: `${readsMostEach} reads of yours are under way at this hub, as many as one person may have: ask again`,
  })

/**
 * One call to the exchange for all who ask the same at about the same time. Nobody is given an answer that was asked
 * for before the last write of the account, whoever that was from.
 */
export function createSharedReads(transport: Pick<Transport, 'send'>, clock: Pick<Clock, 'now'>): SharedReads {
  const kept = new Map<string, Reading>()
  const underWay = new Map<string, Call>()
  const counts = { reads: 0, calls: 0 }
  const turns = createTurns(clock)
  let keptCharacters = 0
  let writeCount = 0

  const forget = (target: string) => {
    keptCharacters -= kept.get(target)?.body.length ?? 0
    kept.delete(target)
  }
  const keep = (target: string, reading: Reading) => {
    forget(target)
    kept.set(target, reading)
    keptCharacters += reading.body.length
    for (const [oldest] of kept) {
      if (kept.size <= keptMost && keptCharacters <= keptCharactersMost) break
      forget(oldest)
    }
  }
  const call = (target: string, isOfAccount: boolean, priority: ReadPriority): Promise<Reading> => {
    counts.calls += 1
    const askedAtMs = clock.now()
    const writes = writeCount
    const answer = transport.send({ method: 'GET', path: target, priority }).then((body) => {
      const reading = { body, askedAtMs, receivedAtMs: clock.now() }
      if (!isOfAccount || writes === writeCount) keep(target, reading)
      return reading
    })
    const begun = { writes, answer }
    underWay.set(target, begun)
    const end = () => {
      if (underWay.get(target) === begun) underWay.delete(target)
    }
    answer.then(end, end)
    return answer
  }
  const ask = (target: string, isOfAccount: boolean, { priority = 'poll', by }: ReadWish): Promise<Reading> => {
    if (by === undefined) return call(target, isOfAccount, priority)
    const turn = turns.take(by)
    if (turn === null) return Promise.reject(tooMany(target))
    const now = priority === 'person' && !turns.isPrompt(turn.who) ? 'poll' : priority
    const answer = call(target, isOfAccount, now)
    answer.then(turn.leave, turn.leave)
    return answer
  }

  return {
    read(target, wish = {}) {
      counts.reads += 1
      const { isFresh = false, ageMostMs } = wish
      const row = readRowOf(target)
      const isOfAccount = row?.isOfAccount ?? true
      if (isFresh) return ask(target, isOfAccount, wish)
      const last = kept.get(target)
      if (last !== undefined && clock.now() - last.receivedAtMs < (ageMostMs ?? row?.freshMs ?? 0))
        return Promise.resolve(last)
      const begun = underWay.get(target)
      const isCurrent = begun !== undefined && (!isOfAccount || begun.writes === writeCount)
      return isCurrent ? begun.answer : ask(target, isOfAccount, wish)
    },
    forgetAccount() {
      writeCount += 1
      for (const target of [...kept.keys()]) if (readRowOf(target)?.isOfAccount !== false) forget(target)
    },
    counts: () => ({ ...counts }),
  }
}

/**
 * The way to the exchange for a desk inside the hub: its reads are shared with everybody else's, and after each write
 * nobody is given what was asked before, whoever sent it: a person, or the hub for a plan. `written` is told then.
 */
export const sharedTransport = (reads: SharedReads, transport: Transport, written: () => void): Transport => ({
  rate: () => transport.rate(),
  isShared: () => true,
  close: () => transport.close(),
  async send(request: TransportRequest) {
    if (request.method !== 'GET') {
      try {
        return await transport.send(request)
      } finally {
        reads.forgetAccount()
        written()
      }
    }
    const { priority = 'poll', isFresh = priority === 'person' } = request
    const target = request.path + queryText(request.query ?? {})
    // A person, or whoever looks for what became of a write, is told how it is now.
    const { body, receivedAtMs } = await reads.read(target, { isFresh, priority })
    request.onSeen?.(receivedAtMs)
    return body
  },
})
