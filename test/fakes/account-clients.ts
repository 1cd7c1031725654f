import { readBaseAddress } from '../../src/api/base-address.ts'
import { createTransport } from '../../src/api/call.ts'
import { createExchangeClient, type ExchangeClient, exchangeKeyHeader } from '../../src/api/exchange-client.ts'
import type { Clock } from '../../src/base/clock.ts'
import { Secret } from '../../src/base/secret.ts'
import type { Sandbox } from '../../src/sandbox/start-sandbox.ts'

/** The token of an account of a practice exchange, by the account's name. */
export const tokenOf = ({ accounts }: Sandbox, name: string): Secret =>
  new Secret(accounts.find((account) => account.name === name)?.token ?? '')

type Clients = { trader: ExchangeClient; counterparty: ExchangeClient; close(): Promise<void> }

/** The account that a desk has on a practice exchange, and the other side of its market, for calls beside the desk. */
export function accountClients(sandbox: Sandbox, clock: Clock): Clients {
  const base = readBaseAddress(sandbox.exchangeUrl)
  if (!base.ok) throw new Error(base.error)
  const transportOf = (name: string) =>
    createTransport({
      base: base.value,
      key: tokenOf(sandbox, name),
      keyHeader: exchangeKeyHeader,
      // What a test does at once must not wait for its turn.
      rate: { perSecond: 1_000, burst: 1_000 },
      clock,
      random: () => 0.5,
      mayWrite: () => true,
    })
  const [trader, counterparty] = [transportOf('trader'), transportOf('counterparty')]
  return {
    trader: createExchangeClient(trader),
    counterparty: createExchangeClient(counterparty),
    close: () => Promise.all([trader.close(), counterparty.close()]).then(() => undefined),
  }
}
