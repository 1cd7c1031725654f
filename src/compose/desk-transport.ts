import type { BaseAddress } from '../api/base-address.ts'
import { type AnswerReport, createTransport, type Transport, type TransportOptions } from '../api/call.ts'
import { exchangeKeyHeader } from '../api/exchange-client.ts'
import { certainSkewMs } from '../api/skew-estimator.ts'
import type { Clock } from '../base/clock.ts'
import type { Secret } from '../base/secret.ts'
import type { FeedEvent } from '../domain/desk/events.ts'

type Options = {
  transport?: Pick<TransportOptions, 'caPem' | 'rate'>
  token: Secret
  isMonitor: boolean
  clock: Clock
  random: () => number
}

/** The way to the exchange; how each answer went is told to `emit`. */
export function openDeskTransport(options: Options, base: BaseAddress, emit: (event: FeedEvent) => void): Transport {
  const { clock, random, isMonitor, token } = options
  const transport: Transport = createTransport({
    ...options.transport,
    base,
    key: token,
    keyHeader: exchangeKeyHeader,
    clock,
    random,
    mayWrite: () => !isMonitor,
    onAnswer: ({ roundTripMs, skew }: AnswerReport) =>
      emit({
        type: 'answered',
        roundTripMs,
        skewMs: skew === null ? null : certainSkewMs(skew),
        calls: transport.rate(),
      }),
  })
  return transport
}
