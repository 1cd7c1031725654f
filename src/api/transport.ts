import { Pool } from 'undici'
import { Sender } from './sender.ts'
import { defaultLimits, type Transport, type TransportOptions } from './transport-options.ts'

export type {
  AnswerReport,
  Transport,
  TransportLimits,
  TransportOptions,
  TransportRequest,
} from './transport-options.ts'

/** Opens connections as calls need them and keeps them alive between calls. */
export function createTransport(options: TransportOptions): Transport {
  const limits = { ...defaultLimits, ...options.limits }
  const pool = new Pool(options.base.origin, {
    // More than there are feeds, so that a stalled read never holds up a cancel.
    connections: 32,
    // One request at a time on a connection, and no HTTP/2: either could send a request again that was under way.
    pipelining: 1,
    allowH2: false,
    connectTimeout: limits.connectMs,
    connect: { rejectUnauthorized: true },
  })
  const sender = new Sender(options, limits, pool)
  return {
    send: (request) => sender.send(request),
    close: () => sender.close(),
  }
}
