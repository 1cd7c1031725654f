import type { BaseAddress } from '../../api/base-address.ts'
import { createTransport } from '../../api/call.ts'
import { ExchangeError, isNotFound } from '../../api/errors.ts'
import { type ExchangeClient, exchangeKeyHeader } from '../../api/exchange-client.ts'
import type { FeedNews } from '../../api/hub-interface.ts'
import { certainSkewMs } from '../../api/skew-estimator.ts'
import type { AnswerReport, Transport, TransportOptions } from '../../api/transport.ts'
import type { Clock } from '../../base/clock.ts'
import type { Secret } from '../../base/secret.ts'
import { isTokenText, signApproval } from '../../base/token-signature.ts'
import type { FeedEvent } from '../../domain/desk/events.ts'
import { nextMode } from '../../domain/desk/mode.ts'
import { type HubPerson, heldAtHub, hubLimitUsd } from '../../domain/hub/person.ts'
import type { PersonLimitName } from '../../domain/hub/person-limits.ts'
import type { WithdrawalLimits } from '../../domain/limits.ts'
import type { Decimal } from '../../domain/money.ts'
import type { Plan } from '../../domain/plans/plan.ts'
import { withLook } from '../../domain/transfers/whitelist.ts'
import type { FirmDrafts } from '../../services/transfers/firm-queue.ts'
import type { WithdrawalTermsSource } from '../../services/transfers/withdrawal-guard.ts'
import type { DeskStore } from '../../store/desk.ts'
import type { DeskOptions } from '../desk-options.ts'
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
  /** Called with the result of each call. */
  emit: (event: FeedEvent) => void
  /** Called once, when the service turns out to be a hub. */
  onHub: () => void
  onNews: (news: FeedNews) => void
  /** Called when data of the hub itself has changed. */
  onHubChange: () => void
}

/** Opens the transport to the exchange, or to the hub in front of it. While the desk is MONITOR only reads are sent. */
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
    // An approver's desk only reads and decides on drafts; the hub knows who may.
    mayDecide: () => true,
    onHub,
    onNews,
    onHubChange,
    onAnswer({ status, isOfHub, roundTripMs, skew }: AnswerReport) {
      // Whoever is on the way knows nothing of the token.
      if (isHubToken(token) && isOfHub) watchToken(status)
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

/** True for a key with the form of a person's token of a hub. */
export const isHubToken = (token: Secret): boolean => isTokenText(token.reveal())

/** A hub and the token for it. */
type AtHub = { client: Pick<ExchangeClient, 'fetchHubPerson'>; token: Secret }

/**
 * Requests a limit of the person at the hub, in USD; null when it sets or reports none, or without a hub. Rejects with
 * `ExchangeError` when the hub does not answer.
 */
export const fetchHubLimitUsd = async (
  name: PersonLimitName,
  hub: AtHub,
  signal: AbortSignal,
): Promise<Decimal | null> => hubLimitUsd(await fetchPerson(hub, signal), name)

/**
 * Asks why the hub would take no new order or withdrawal of the person; null when it would, does not say, or there is
 * none. Rejects with `ExchangeError` when the hub does not answer.
 */
export async function fetchHeldAtHub(hub: AtHub, signal: AbortSignal): Promise<string | null> {
  const person = await fetchPerson(hub, signal)
  return person === null ? null : heldAtHub(person)
}

/** Requests the person; null without a hub, or at an older one. */
async function fetchPerson({ client, token }: AtHub, signal: AbortSignal): Promise<HubPerson | null> {
  if (!isHubToken(token)) return null
  try {
    return await client.fetchHubPerson(signal)
  } catch (error) {
    // An older hub reports no person.
    if (isNotFound(error)) return null
    throw error
  }
}

/** Requests all plans of a hub. Rejects with `ExchangeError` when it does not answer. */
export async function fetchPlansAtHub(
  client: Pick<ExchangeClient, 'fetchHubPlans'>,
  signal: AbortSignal,
): Promise<readonly Plan[]> {
  const { plans } = await client.fetchHubPlans(null, signal)
  return (plans ?? []).map(({ plan }) => plan)
}

/** Pause in ms before asking again a hub that does not say who the desk's user is. */
const askAgainMs = 5_000
/** Pause in ms after an unknown token: each try counts against everyone at this address. */
const refusedAgainMs = 60_000
/** Maximum time in ms until a change of role, limits or halt is noticed. */
const lookAgainMs = 15_000
const tokenGone =
  'The hub no longer accepts your token: it was revoked or replaced. Nothing is sent: SAFE. ' +
  'Put the new token where the old one was, and restart the desk.'

/** The notice of a hub's word on the user that cannot be read, such as of a role that only a newer program knows. */
const personUnread = (reason: string): string =>
  `The hub's word on your role and limits is unreadable: ${reason}. They, and a halt, are not shown here: the hub ` +
  'itself still refuses what they forbid. Look for a newer pitdesk.'

/** Watches the status of each answer of a hub: a desk whose token is refused is not ARMED, whatever was requested. */
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
  /** Resolves when the hub reports a change, or after the time. */
  pause: (maxMs: number) => Promise<unknown>
}

const burstMs = 50

/** A pause ended by news; news since the last one ends the next at once. */
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
      // Changes are requested at this pace, however fast they come.
      if (isDue) await clock.sleep(burstMs, signal)
      isDue = false
      wake = new AbortController()
    },
  }
}

/**
 * Asks a hub regularly who the desk's user is to it: role, limits, a halt. The desk of a user who is not a trader only
 * reads.
 */
async function followHub(
  client: Pick<ExchangeClient, 'fetchHubPerson'>,
  { store, clock, signal, look, pause }: FollowParts,
): Promise<void> {
  let unread: string | null = null
  while (!signal.aborted) {
    let pauseMs = lookAgainMs
    try {
      const person = await client.fetchHubPerson(signal)
      unread = null
      if (JSON.stringify(person) !== JSON.stringify(store.getState().hub))
        store.dispatch({ type: 'hubKnown', person, atMs: clock.now() })
      await look()
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error
      // A hub without this page has no roles either.
      if (error.kind === 'notFound') return
      if (error.fault === 'unreadableAnswer' && error.reason !== unread) {
        unread = error.reason
        store.dispatch({ type: 'noted', level: 'bad', text: personUnread(unread), atMs: clock.now() })
      }
      pauseMs = error.kind === 'unauthorized' ? refusedAgainMs : askAgainMs
    }
    await pause(pauseMs)
  }
}

type WatchParts = Omit<FollowParts, 'pause'> & {
  /** Set by the time a hub answers. */
  client: () => Pick<ExchangeClient, 'fetchHubPerson'>
  /** Told of an error that ends it. It is no work that ends: a hang-up would wait for it. */
  onBug: (error: unknown) => void
}

/** Follows a hub from its first answer, and at once when it reports a change. */
export function watchHub({ client, onBug, ...parts }: WatchParts): Pick<Parts, 'onHub' | 'onHubChange'> {
  const { pause, wake } = createWakeable(parts.clock, parts.signal)
  return { onHub: () => void followHub(client(), { ...parts, pause }).catch(onBug), onHubChange: wake }
}

type TermsParts = { limits: WithdrawalLimits; clock: Clock }

/** The review's name for the approver at a hub, before one is known. */
const anApprover = 'an approver'

/**
 * The terms for withdrawals through a hub: this profile's limits, and the firm's memory of the whitelist. The hub
 * checks again by its own. Rejects with `ExchangeError` when the hub does not answer.
 */
export const hubTerms =
  (client: Pick<ExchangeClient, 'fetchHubWhitelist'>, { limits, clock }: TermsParts): WithdrawalTermsSource =>
  async (whitelist) => {
    const memory = await client.fetchHubWhitelist()
    // An entry that the hub has not seen yet is new.
    const looked = memory === null || whitelist === null ? memory : withLook(memory, whitelist, clock.wallMs())
    return { limits, memory: looked, approver: anApprover }
  }

/** The terms for withdrawals: behind a hub by its memory, and not by this machine's. */
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

/** The firm's drafts for the person with this token; null when the token is not a hub's. */
export const firmDrafts = (token: Secret, client: ExchangeClient, note: FirmDrafts['note']): FirmDrafts | null =>
  isHubToken(token) ? { client, sign: (text) => signApproval(token, text), note } : null

type AwaitedNews = {
  /** Call when a hub reports news. */
  tell(news: FeedNews): void
  /** True when an event is the answer to reported news; once for each. */
  isNews(event: Pick<FeedEvent, 'type'>): boolean
}

/** Passes news on to `wake`, and recognizes the answers to it. */
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

/** The firm's drafts for a desk, which reports unreadable ones. */
export const deskDrafts = (
  { token, clock }: Pick<DeskOptions, 'token' | 'clock'>,
  client: ExchangeClient,
  store: DeskStore,
): FirmDrafts | undefined =>
  firmDrafts(token, client, (text) => store.dispatch({ type: 'noted', level: 'warn', text, atMs: clock.now() })) ??
  undefined
