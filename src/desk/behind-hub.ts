import type { BaseAddress } from '../api/base-address.ts'
import { createTransport } from '../api/call.ts'
import { ExchangeError, isNotFound } from '../api/errors.ts'
import { type ExchangeClient, exchangeKeyHeader } from '../api/exchange-client.ts'
import type { FeedNews } from '../api/hub-interface.ts'
import { certainSkewMs } from '../api/skew-estimator.ts'
import type { AnswerReport, Transport, TransportOptions } from '../api/transport.ts'
import type { Clock } from '../base/clock.ts'
import type { Secret } from '../base/secret.ts'
import { isTokenText, signApproval } from '../base/token-signature.ts'
import type { FeedEvent } from '../domain/desk/events.ts'
import { nextMode } from '../domain/desk/mode.ts'
import { hubLimitUsd } from '../domain/hub/person.ts'
import type { PersonLimitName } from '../domain/hub/person-limits.ts'
import type { WithdrawalLimits } from '../domain/limits.ts'
import type { Decimal } from '../domain/money.ts'
import type { Plan } from '../domain/plans/plan.ts'
import { withLook } from '../domain/transfers/whitelist.ts'
import type { FirmDrafts } from '../services/transfers/firm-queue.ts'
import type { WithdrawalTermsSource } from '../services/transfers/withdrawal-guard.ts'
import type { DeskStore } from '../store/desk.ts'
import type { DeskOptions } from './desk-options.ts'
import type { followTerms } from './money-port.ts'

type Options = {
  exchangeAlso?: readonly BaseAddress[]
  transport?: Pick<TransportOptions, 'caPem' | 'rate'>
  token: Secret
  isMonitor: boolean
  isLeading?: () => boolean
  isHalted?: () => boolean
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
  /** Something of the hub's own has changed. */
  onHubChange: () => void
}

/** The way to the exchange, or to the hub in front of it. While the desk is MONITOR nothing but reads leaves. */
export function openDeskTransport(options: Options, base: BaseAddress, parts: Parts): Transport {
  const { clock, random, isMonitor, token, exchangeAlso = [] } = options
  const { isLeading = () => true, isHalted = () => false, transportOver = (own) => own } = options
  const { store, emit, onHub, onNews, onHubChange } = parts
  const watchToken = createTokenWatch(store, clock)
  const transport: Transport = createTransport({
    ...options.transport,
    base,
    also: exchangeAlso,
    key: token,
    keyHeader: exchangeKeyHeader,
    clock,
    random,
    mayWrite: () => !isMonitor && store.getState().mode.kind !== 'MONITOR',
    isLeading,
    isHalted: () => store.getState().mode.kind === 'HALTED' || isHalted(),
    // An approver's desk only reads, and says yes or no to drafts; the hub knows who may.
    mayDecide: () => true,
    onHub,
    onNews,
    onHubChange,
    onAnswer({ status, roundTripMs, skew }: AnswerReport) {
      if (isHubToken(token)) watchToken(status)
      emit({
        type: 'answered',
        roundTripMs,
        skewMs: skew === null ? null : certainSkewMs(skew),
        calls: transport.rate(),
      })
    },
  })
  return transportOver(transport)
}

/** True for a key that is a person's token of a hub: their form is its own. */
export const isHubToken = (token: Secret): boolean => isTokenText(token.reveal())

/**
 * A limit of the person's at the hub in USD, asked for now; null where it sets none, tells none, or there is no hub.
 * Rejects with `ExchangeError` where the hub does not answer.
 */
export async function fetchHubLimitUsd(
  name: PersonLimitName,
  { client, token }: { client: Pick<ExchangeClient, 'fetchHubPerson'>; token: Secret },
  signal: AbortSignal,
): Promise<Decimal | null> {
  if (!isHubToken(token)) return null
  try {
    return hubLimitUsd(await client.fetchHubPerson(signal), name)
  } catch (error) {
    // A hub of before it told limits.
    if (isNotFound(error)) return null
    throw error
  }
}

/** The plans of a hub, whoever began them. Rejects with `ExchangeError` where it does not answer. */
export async function fetchPlansAtHub(
  client: Pick<ExchangeClient, 'fetchHubPlans'>,
  signal: AbortSignal,
): Promise<readonly Plan[]> {
  const { plans } = await client.fetchHubPlans(null, signal)
  return (plans ?? []).map(({ plan }) => plan)
}

/** A hub that does not say who the desk is to it is asked again after this long. */
const askAgainMs = 5_000
/** One that does not know the token: each try counts against everybody at this address. */
const refusedAgainMs = 60_000
/** What changes there for the person is known after this long at most. */
const lookAgainMs = 15_000
const tokenGone =
  'The hub no longer accepts your token: it was revoked or replaced. Nothing is sent: SAFE. ' +
  'Put the new token where the old one was, and restart the desk.'

/** Told the status of each answer of a hub: a desk whose token it refuses is not ARMED, whatever was asked for. */
function createTokenWatch(store: DeskStore, clock: Pick<Clock, 'now'>): (status: number) => void {
  let isGone = false
  return (status) => {
    if (status === 401) {
      const { mode } = store.getState()
      const next = nextMode(mode, 'makeSafe')
      if (next !== mode) store.dispatch({ type: 'modeChanged', mode: next, atMs: clock.now() })
      if (!isGone) store.dispatch({ type: 'noted', level: 'bad', text: tokenGone, atMs: clock.now() })
    }
    isGone = status === 401 || (isGone && status >= 300)
  }
}

type FollowParts = {
  store: DeskStore
  clock: Clock
  signal: AbortSignal
  /** Reads the firm's drafts, which others change. */
  look: () => Promise<unknown>
  /** Resolves when the hub tells of a change, or the time is over. */
  pause: (maxMs: number) => Promise<unknown>
}

const burstMs = 50

/** A pause that news ends: news that came since the last one ends the next at once. */
function createWakeable(clock: Clock, signal: AbortSignal) {
  let isDue = false
  let wake = new AbortController()
  return {
    wake() {
      isDue = true
      wake.abort()
    },
    async pause(maxMs: number) {
      if (!isDue) await clock.sleep(maxMs, AbortSignal.any([wake.signal, signal]))
      // However fast changes come, they are asked for at this pace.
      if (isDue) await clock.sleep(burstMs, signal)
      isDue = false
      wake = new AbortController()
    },
  }
}

/**
 * Asks a hub again and again as whom it knows the desk, and what holds for that one: role, limits, a halt. Who is not a
 * trader there has a desk that only reads.
 */
async function followHub(
  client: Pick<ExchangeClient, 'fetchHubPerson'>,
  { store, clock, signal, look, pause }: FollowParts,
): Promise<void> {
  while (!signal.aborted) {
    let pauseMs = lookAgainMs
    try {
      const person = await client.fetchHubPerson(signal)
      if (JSON.stringify(person) !== JSON.stringify(store.getState().hub))
        store.dispatch({ type: 'hubKnown', person, atMs: clock.now() })
      await look()
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error
      // A hub that has no such page has no roles either.
      if (error.kind === 'notFound') return
      pauseMs = error.kind === 'unauthorized' ? refusedAgainMs : askAgainMs
    }
    await pause(pauseMs)
  }
}

type WatchParts = Omit<FollowParts, 'pause'> & {
  /** There by the time a hub answers. */
  client: () => Pick<ExchangeClient, 'fetchHubPerson'>
  track: (work: Promise<unknown>) => void
}

/** Follows a hub from its first answer on, and at once when it tells of a change. */
export function watchHub({ client, track, ...parts }: WatchParts): Pick<Parts, 'onHub' | 'onHubChange'> {
  const { pause, wake } = createWakeable(parts.clock, parts.signal)
  return { onHub: () => track(followHub(client(), { ...parts, pause })), onHubChange: wake }
}

type TermsParts = { limits: WithdrawalLimits; clock: Clock }

/** What the review calls whoever agrees at a hub, before it is known who. */
const anApprover = 'an approver'

/**
 * What withdrawals through a hub are held against before they go: this profile's limits, and the whitelist as the whole
 * firm knows it. The hub judges once more by its own. Rejects with `ExchangeError` where the hub does not answer.
 */
export const hubTerms =
  (client: Pick<ExchangeClient, 'fetchHubWhitelist'>, { limits, clock }: TermsParts): WithdrawalTermsSource =>
  async (whitelist) => {
    const memory = await client.fetchHubWhitelist()
    // What the hub has not seen yet is new.
    const looked = memory === null || whitelist === null ? memory : withLook(memory, whitelist, clock.wallMs())
    return { limits, memory: looked, approver: anApprover }
  }

/** What withdrawals are held against: behind a hub its memory, and nothing of this machine's. */
export function deskTerms(
  options: Pick<DeskOptions, 'token' | 'limits' | 'clock' | 'withdrawalTerms' | 'onWithdrawn'>,
  client: ExchangeClient,
  store: DeskStore,
): Parameters<typeof followTerms>[1] & { isBehindHub?: boolean } {
  if (!isHubToken(options.token)) return options
  const { withdrawals: limits } = options.limits ?? store.getState().limits
  const withdrawalTerms = hubTerms(client, { limits, clock: options.clock })
  return { clock: options.clock, withdrawalTerms, isBehindHub: true }
}

/** The firm's drafts for a desk or command of the person with this token; null where the token is none of a hub. */
export const firmDrafts = (token: Secret, client: ExchangeClient, note: FirmDrafts['note']): FirmDrafts | null =>
  isHubToken(token) ? { client, sign: (text) => signApproval(token, text), note } : null

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

/** The firm's drafts for a desk, which notes what of them cannot be read. */
export const deskDrafts = (
  { token, clock }: Pick<DeskOptions, 'token' | 'clock'>,
  client: ExchangeClient,
  store: DeskStore,
): FirmDrafts | undefined =>
  firmDrafts(token, client, (text) => store.dispatch({ type: 'noted', level: 'warn', text, atMs: clock.now() })) ??
  undefined
