import type { BaseAddress } from '../api/base-address.ts'
import { type AnswerReport, createTransport, type Transport, type TransportOptions } from '../api/call.ts'
import { ExchangeError } from '../api/errors.ts'
import { type ExchangeClient, exchangeKeyHeader } from '../api/exchange-client.ts'
import type { FeedNews } from '../api/hub-interface.ts'
import { certainSkewMs } from '../api/skew-estimator.ts'
import type { Clock } from '../base/clock.ts'
import type { Secret } from '../base/secret.ts'
import type { FeedEvent } from '../domain/desk/events.ts'
import type { DeskStore } from '../store/desk.ts'

type Options = {
  exchangeAlso?: readonly BaseAddress[]
  transport?: Pick<TransportOptions, 'caPem' | 'rate'>
  token: Secret
  isMonitor: boolean
  mayWrite?: () => boolean
  transportOver?: (transport: Transport) => Transport
  clock: Clock
  random: () => number
}

type Parts = {
  store: DeskStore
  /** Told how each answer went. */
  emit: (event: FeedEvent) => void
  /** The service has shown itself to be a hub: told once. */
  onHub: () => void
  onNews: (news: FeedNews) => void
}

/** The way to the exchange, or to the hub in front of it. While the desk is MONITOR nothing but reads leaves. */
export function openDeskTransport(options: Options, base: BaseAddress, parts: Parts): Transport {
  const { clock, random, isMonitor, token, exchangeAlso = [] } = options
  const { mayWrite = () => true, transportOver = (own) => own } = options
  const { store, emit, onHub, onNews } = parts
  const transport: Transport = createTransport({
    ...options.transport,
    base,
    also: exchangeAlso,
    key: token,
    keyHeader: exchangeKeyHeader,
    clock,
    random,
    mayWrite: () => !isMonitor && store.getState().mode.kind !== 'MONITOR' && mayWrite(),
    onHub,
    onNews,
    onAnswer: ({ roundTripMs, skew }: AnswerReport) =>
      emit({
        type: 'answered',
        roundTripMs,
        skewMs: skew === null ? null : certainSkewMs(skew),
        calls: transport.rate(),
      }),
  })
  return transportOver(transport)
}

/** A hub that does not say who the desk is to it is asked again after this long. */
const askAgainMs = 5_000

/** Asks a hub once as whom it knows the desk: who is no trader there has a desk that only reads. */
export async function askHubPerson(
  client: Pick<ExchangeClient, 'fetchHubPerson'>,
  { store, clock, signal }: { store: DeskStore; clock: Clock; signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    try {
      const person = await client.fetchHubPerson(signal)
      return store.dispatch({ type: 'hubKnown', person, atMs: clock.now() })
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error
      // A hub that has no such page has no roles either.
      if (error.kind === 'notFound') return
    }
    await clock.sleep(askAgainMs, signal)
  }
}

type AwaitedNews = {
  /** A hub tells of news. */
  tell(news: FeedNews): void
  /** Whether an event is the answer that it told of: each piece of news once. */
  isNews(event: Pick<FeedEvent, 'type'>): boolean
}

/** Hands news on to `wake`, and knows the answers that come of it. */
export function createAwaitedNews(wake: (news: FeedNews) => void): AwaitedNews {
  const awaited = new Set<string>()
  return {
    tell(news) {
      awaited.add(news.feed)
      wake(news)
    },
    isNews: ({ type }) => awaited.delete(type),
  }
}
