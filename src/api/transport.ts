import { openDispatcher } from './dispatcher.ts'
import { Sender } from './sender.ts'
import { defaultLimits, type Transport, type TransportOptions } from './transport-options.ts'

export type { RateLimits } from './call-budget.ts'
export type { RateReading } from './call-gate.ts'
export type {
  AnswerReport,
  CallReading,
  ReadPriority,
  Transport,
  TransportLimits,
  TransportOptions,
  TransportRequest,
} from './transport-options.ts'

/**
 * Opens connections as calls need them and keeps them alive between calls. With a certificate file or a proxy that is
 * not usable, every call fails with the sentence that says so, and nothing is sent.
 */
export function createTransport(options: TransportOptions): Transport {
  const limits = { ...defaultLimits, ...options.limits }
  const sender = new Sender(options, limits, openDispatcher(options, limits.connectMs))
  return {
    send: (request) => sender.send(request),
    rate: () => sender.rate(),
    close: () => sender.close(),
  }
}
