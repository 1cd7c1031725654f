import { ExchangeError } from '../../api/errors.ts'
import { queryText } from '../../api/request.ts'
import type { ReadPriority, Transport, TransportRequest } from '../../api/transport.ts'
import type { Clock } from '../../base/clock.ts'
import { secondMs } from '../../base/text/time-text.ts'
import { createTokenBucket, type TokenBucket } from '../../base/token-bucket.ts'
import { createPersonLines, type LineLimits } from '../people/person-lines.ts'
import { createPlaces } from '../people/places.ts'
import { readRowOf } from './targets.ts'

/** The exchange's answer to a read, as received. */
export type Reading = {
  /** JSON text. */
  readonly body: string
  /** When the call began and when its answer arrived, in desk time. */
  readonly askedAtMs: number
  readonly receivedAtMs: number
}

type ReadWish = {
  /** True: the call must begin after this request, because an answer from before a write proves nothing about it. */
  isFresh?: boolean
  /** Maximum age of a cached answer in ms; the default depends on the target. */
  ageMaxMs?: number
  priority?: ReadPriority
  /**
   * The persons who ask; left out for the hub itself. A new call takes a place of one of them, waits for its turn among
   * theirs, and precedes polls only at a limited rate per person.
   */
  by?: readonly string[]
}

export type SharedReads = {
  /**
   * The answer to a target (path and query): a cached one that is fresh enough, that of a call in flight, or that of a
   * new call. Rejects with `ExchangeError`, also when all who ask have their maximum of calls in flight; failures are
   * not cached.
   */
  read(target: string, wish?: ReadWish): Promise<Reading>
  /** Call when a write was sent or answered: drops cached answers about the account. */
  forgetAccount(): void
  /** Number of reads requested, and of calls made for them. */
  counts(): { readonly reads: number; readonly calls: number }
}

/** `writes` is the number of writes before it began; times can be equal. */
type Call = { readonly writes: number; readonly answer: Promise<Reading>; join(by: ReadWish['by']): void }

/** Maximum cached answers; a firm's desks read a few dozen targets. */
const keptMax = 500
const keptCharactersMax = 64 * 1024 * 1024

/** Maximum calls in flight per person, more than a desk makes at its start. */
export const readsMaxEach = 16
/**
 * Reads of persons that the exchange works on at once: of the eight calls that it works on for a hub some are left to
 * the hub's own, however slowly it answers what persons ask.
 */
export const readLine: LineLimits = { each: 2, all: 4, keptForFirst: 0, patienceMs: 5 * secondMs }

/** Burst of a person's reads that precede polls, and their rate per second. */
const promptBurst = 10
const promptPerSecond = 3

/**
 * Limits persons' calls to the exchange. Otherwise a person who may only read could keep the hub from reading the
 * account, and so everyone from trading.
 */
function createTurns(clock: Pick<Clock, 'now'>) {
  const places = createPlaces(readsMaxEach)
  const prompt = new Map<string, TokenBucket>()
  const promptOf = (person: string): TokenBucket => {
    const bucket = prompt.get(person) ?? createTokenBucket(promptPerSecond, promptBurst)
    prompt.set(person, bucket)
    return bucket
  }
  return {
    /** Takes a place of the first person with a free one, returned as `who`. */
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

const askAgain = (path: string, reason: string): ExchangeError =>
  new ExchangeError({
    ...{ method: 'GET', path, kind: 'rateLimited', fault: 'paused', retryAfterMs: 1_000, outcome: null },
    reason: `${reason}: ask again`,
  })
const tooMany = `${readsMaxEach} reads of yours are under way at this hub, as many as one person may have`
const tooSlow = 'the exchange is slow, and reads of other persons and yours wait for each other'

/**
 * Creates reads that make one call to the exchange for all simultaneous requests of the same target. No one gets an
 * answer requested before the account's last write, whoever sent it.
 */
export function createSharedReads(
  transport: Pick<Transport, 'send'>,
  clock: Pick<Clock, 'now' | 'sleep'>,
): SharedReads {
  const kept = new Map<string, Reading>()
  const underWay = new Map<string, Call>()
  const counts = { reads: 0, calls: 0 }
  const turns = createTurns(clock)
  const lines = createPersonLines(clock, readLine)
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
      if (kept.size <= keptMax && keptCharacters <= keptCharactersMax) break
      forget(oldest)
    }
  }
  const call = (target: string, isOfAccount: boolean, wish: ReadWish, who: string | null): Promise<Reading> => {
    counts.calls += 1
    const askedAtMs = clock.now()
    const writes = writeCount
    const { isFresh = false, priority = 'poll' } = wish
    // A cache between this hub and the exchange may have had it for longer.
    let seenAtMs = Number.POSITIVE_INFINITY
    const onSeen = (atMs: number) => {
      seenAtMs = atMs
    }
    const send = () => transport.send({ method: 'GET', path: target, priority, isFresh, onSeen })
    const sent = lines.run(who, send, () => Promise.reject(askAgain(target, tooSlow)))
    const answer = sent.answer.then((body) => {
      const reading = { body, askedAtMs, receivedAtMs: Math.min(seenAtMs, clock.now()) }
      // One that was asked for earlier and comes later may say what was before.
      const isNewest = askedAtMs >= (kept.get(target)?.askedAtMs ?? askedAtMs)
      if (isNewest && (!isOfAccount || writes === writeCount)) keep(target, reading)
      return reading
    })
    const begun = { writes, answer, join: sent.join }
    underWay.set(target, begun)
    const end = () => {
      if (underWay.get(target) === begun) underWay.delete(target)
    }
    answer.then(end, end)
    return answer
  }
  const ask = (target: string, isOfAccount: boolean, wish: ReadWish): Promise<Reading> => {
    const { priority, by } = wish
    if (by === undefined) return call(target, isOfAccount, wish, null)
    const turn = turns.take(by)
    if (turn === null) return Promise.reject(askAgain(target, tooMany))
    const isLate = priority === 'person' && !turns.isPrompt(turn.who)
    const answer = call(target, isOfAccount, isLate ? { ...wish, priority: 'poll' } : wish, turn.who)
    answer.then(turn.leave, turn.leave)
    return answer
  }

  return {
    read(target, wish = {}) {
      counts.reads += 1
      const { isFresh = false, ageMaxMs } = wish
      const row = readRowOf(target)
      const isOfAccount = row?.isOfAccount ?? true
      if (isFresh) return ask(target, isOfAccount, wish)
      const last = kept.get(target)
      if (last !== undefined && clock.now() - last.receivedAtMs < (ageMaxMs ?? row?.freshMs ?? 0))
        return Promise.resolve(last)
      const begun = underWay.get(target)
      const isCurrent = begun !== undefined && (!isOfAccount || begun.writes === writeCount)
      if (!isCurrent) return ask(target, isOfAccount, wish)
      begun.join(wish.by)
      return begun.answer
    },
    forgetAccount() {
      writeCount += 1
      for (const target of [...kept.keys()]) if (readRowOf(target)?.isOfAccount !== false) forget(target)
    },
    counts: () => ({ ...counts }),
  }
}

/**
 * Creates the transport of a desk inside the hub: its reads are shared with everyone's, and after each of its writes no
 * one gets an earlier answer. Calls `written` after writes.
 */
export const sharedTransport = (reads: SharedReads, transport: Transport, written: () => void): Transport => ({
  rate: () => transport.rate(),
  dateMaxMs: () => transport.dateMaxMs(),
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
    // A person, or the resolution of a write, needs the current state.
    const { body, receivedAtMs } = await reads.read(target, { isFresh, priority })
    request.onSeen?.(receivedAtMs)
    return body
  },
})
