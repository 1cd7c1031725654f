import type { ExchangeError } from '../../api/errors.ts'
import type { GatewayClient } from '../../api/gateway-client.ts'
import type { Clock } from '../../base/clock.ts'
import { memoizeLast } from '../../base/memoize.ts'
import type { FeedEvent } from '../../domain/desk/events.ts'
import type { Need, Pace } from '../../domain/desk/feeds.ts'
import type { EligibleCurrency, EligiblePaymentMethod, EligibleRegions } from '../../domain/gateway/eligibility.ts'
import type { AskedRegions, EligibilityPart, GatewayServiceEvent } from '../../domain/gateway/service-events.ts'
import { type FailureNotice, failureParts, feedSentence } from '../failure-sentences.ts'
import { createPollInterval } from '../polling/poll-interval.ts'
import { createPoller, leftOutTeller, type Poller, pollOnce } from '../polling/poller.ts'

/**
 * What an account manager changes now and then; on screen soon enough to watch it, less often while nothing changes.
 */
const pace: Pace = { visibleMs: 10_000, idleMaxMs: 60_000, hiddenMs: 300_000 }
const failingMaxMs = 120_000

export type EligibilityContext = {
  clock: Clock
  random: () => number
  signal: AbortSignal
  emit: (event: GatewayServiceEvent | Extract<FeedEvent, { type: 'leftOut' }>) => void
  /** How much the lists are needed now. */
  need: () => Need
  onlyBuyAllowed: () => boolean
}

/** What came, and a sentence for each entry that was left out. */
type Listed = { list: unknown; refused: readonly string[] }

/** Gives the value before when the new one says the same: nothing is drawn anew. The same object needs no look. */
function kept<T>(): (value: T) => T {
  let text = ''
  let before: { value: T; last: T } | null = null
  return (value) => {
    if (before?.last === value) return before.value
    const next = JSON.stringify(value)
    before = { value: before === null || next !== text ? value : before.value, last: value }
    text = next
    return before.value
  }
}

/**
 * Polls what the gateway lets the partner sell, to whom and against what: one loop a list, so that one that fails says
 * nothing about the others.
 */
export function createEligibility(
  client: GatewayClient,
  context: EligibilityContext,
): Readonly<Record<EligibilityPart, Poller>> {
  const { clock, random, signal, emit, need, onlyBuyAllowed } = context
  const tellLeftOut = leftOutTeller(context)
  const currenciesOf = kept<readonly EligibleCurrency[]>()
  const regionsOf = kept<EligibleRegions>()
  const askedOf = memoizeLast(
    ({ countries, usStates }: EligibleRegions, asked: boolean): AskedRegions => ({
      ...{ countries, usStates, onlyBuyAllowed: asked },
    }),
  )
  const methodsOf = kept<readonly EligiblePaymentMethod[]>()
  const poller = (part: EligibilityPart, fetch: () => Promise<Listed>): Poller => {
    const interval = createPollInterval(pace)
    const poll = () =>
      pollOnce(
        signal,
        async () => {
          const { list, refused } = await fetch()
          interval.answered(list)
          tellLeftOut(refused)
        },
        (error) => {
          interval.reset()
          emit({ type: 'eligibilityFailed', part, sentence: gatewaySentence(error), atMs: clock.now() })
        },
      )
    const intervalMs = () => interval.pauseMs(need())
    return createPoller(poll, { intervalMs, intervalMaxMs: failingMaxMs, clock, random, signal })
  }
  return {
    currencies: poller('currencies', async () => {
      const { currencies, refused } = await client.fetchCurrencies(signal)
      const list = currenciesOf(currencies)
      emit({ type: 'eligibleCurrencies', currencies: list, atMs: clock.now() })
      return { list, refused }
    }),
    regions: poller('regions', async () => {
      const asked = onlyBuyAllowed()
      const read = await client.fetchRegions(asked, signal)
      const { refused } = read
      const regions = askedOf(regionsOf(read), asked)
      emit({ type: 'eligibleRegions', regions, atMs: clock.now() })
      return { list: regions, refused }
    }),
    paymentMethods: poller('paymentMethods', async () => {
      const { paymentMethods, refused } = await client.fetchPaymentMethods(signal)
      const list = methodsOf(paymentMethods)
      emit({ type: 'eligiblePaymentMethods', paymentMethods: list, atMs: clock.now() })
      return { list, refused }
    }),
  }
}

const keyRefused = 'the gateway refused the partner key (401)'

/** The table of failures speaks of the exchange, since nearly every call goes there. */
const ofGateway = (sentence: string): string =>
  sentence.replaceAll('the exchange', 'the gateway').replaceAll('The exchange', 'The gateway')

/** A failed read of the gateway as a clause for a pane's title. */
const gatewaySentence = (error: ExchangeError): string =>
  error.kind === 'unauthorized' ? `${keyRefused}: check it` : ofGateway(feedSentence(error))

/** What to do where the advice is another one than at the exchange: it has no ids, and nothing is sent there. */
const adviceOf: Readonly<Record<number, string>> = {
  403: 'Ask the account manager what the partner key may read.',
  404: 'Check gateway_base_url: /partner-gateway/partner-api/v1 is added to it.',
}

/** A failed read of the gateway for a user: what happened, and what to do next. */
export function gatewayParts(error: ExchangeError): FailureNotice {
  if (error.kind === 'unauthorized')
    return { message: `T${keyRefused.slice(1)}.`, todo: 'Check the key and its profile.' }
  const { message, todo } = failureParts(error)
  const advice = error.fault === 'status' ? adviceOf[error.status ?? 0] : undefined
  return { message: ofGateway(message), todo: advice ?? (todo === null ? null : ofGateway(todo)) }
}
