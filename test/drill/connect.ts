import { randomBytes } from 'node:crypto'
import { readBaseAddress } from '../../src/api/base-address.ts'
import { createTransport } from '../../src/api/call.ts'
import { createExchangeClient, type ExchangeClient, exchangeKeyHeader } from '../../src/api/exchange-client.ts'
import { systemClock } from '../../src/base/clock.ts'
import { Secret } from '../../src/base/secret.ts'
import { hurriedLimits, hurriedRate } from './setting.ts'

/** The exchange's interface from outside, with the short times of the drill. */
export function connect(exchangeUrl: string, token: string): { client: ExchangeClient; close: () => Promise<void> } {
  const base = readBaseAddress(exchangeUrl)
  if (!base.ok) throw new Error(base.error)
  const transport = createTransport({
    base: base.value,
    key: new Secret(token),
    keyHeader: exchangeKeyHeader,
    clock: systemClock,
    random: () => randomBytes(4).readUInt32BE() / 2 ** 32,
    mayWrite: () => true,
    limits: hurriedLimits,
    rate: hurriedRate,
  })
  return { client: createExchangeClient(transport), close: () => transport.close() }
}
