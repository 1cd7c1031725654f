import { request } from 'undici'
import { exchangeKeyHeader } from '../../src/api/exchange-client.ts'
import { Decimal } from '../../src/domain/money.ts'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { accountClients, tokenOf } from '../fakes/account-clients.ts'
import { FakeClock } from '../fakes/fake-clock.ts'
import { aDraft } from '../fakes/orders.ts'
import { seeded } from './book-workload.ts'

/** Bodies of answers as the practice exchange writes them. */
export type RecordedBodies = Record<'book' | 'queue' | 'tickers' | 'orders' | 'fills', string>

const seed = 20_261_120
/** Long enough for books to have depth. */
const warmUpMs = 120_000

/** What the practice exchange answers a desk with twenty orders that has traded a hundred times. */
export async function recordBodies(): Promise<RecordedBodies> {
  const clock = new FakeClock(Date.UTC(2026, 10, 20, 14, 0, 0))
  const random = seeded(seed)
  const randomBytes = (count: number) => Uint8Array.from({ length: count }, () => random(256))
  const options = { port: 0, gatewayPort: 0, adminPort: 0, market: 'on', seed } as const
  const sandbox = await startSandbox(options, { clock, randomBytes, log: () => undefined })
  const { trader, close } = accountClients(sandbox, clock)
  const bodyOf = async (path: string): Promise<string> => {
    const headers = { [exchangeKeyHeader]: tokenOf(sandbox, 'trader').reveal() }
    return await (await request(sandbox.exchangeUrl + path, { headers })).body.text()
  }
  try {
    await clock.advance(warmUpMs)
    const { bids } = await trader.fetchBook('BTC-USD')
    const worst = bids.at(-1)?.price
    if (worst === undefined) throw new Error('the book is empty')
    for (let number = 0; number < 20; number += 1) {
      const draft = aDraft({ orderQuantity: new Decimal('0.01'), limitPrice: worst.minus(number) })
      await trader.placeOrder({ ...draft, clientOrderId: `rest${number}` })
    }
    for (let number = 0; number < 100; number += 1) {
      const side = number % 2 === 0 ? 'BUY' : 'SELL'
      const draft = aDraft({
        side,
        type: 'MARKET',
        timeInForce: 'IOC',
        orderQuantity: new Decimal('0.001'),
        limitPrice: null,
      })
      await trader.placeOrder({ ...draft, clientOrderId: `take${number}` })
    }
    return {
      book: await bodyOf('/l2/BTC-USD'),
      queue: await bodyOf('/l3/BTC-USD'),
      tickers: await bodyOf('/tickers'),
      orders: await bodyOf('/orders'),
      fills: await bodyOf('/fills?limit=100'),
    }
  } finally {
    await close()
    await sandbox.stop()
  }
}
