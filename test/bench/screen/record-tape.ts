import { readBaseAddress } from '../../../src/api/base-address.ts'
import { createTransport } from '../../../src/api/call.ts'
import { createExchangeClient, type ExchangeClient, exchangeKeyHeader } from '../../../src/api/exchange-client.ts'
import { Secret } from '../../../src/base/secret.ts'
import { primaryAccount } from '../../../src/domain/balance.ts'
import type { FeedEvent } from '../../../src/domain/desk/events.ts'
import { Decimal } from '../../../src/domain/money.ts'
import type { OrderDraft } from '../../../src/domain/orders/order.ts'
import { startSandbox } from '../../../src/sandbox/start-sandbox.ts'
import { createNewFills } from '../../../src/services/polling/account.ts'
import { createWorkingOrders } from '../../../src/services/polling/working-orders.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { seeded } from '../book-workload.ts'
import { type Tape, writeUpdate } from './tape.ts'

export const tapeStartMs = Date.UTC(2026, 10, 20, 14, 0, 0)
const stepMs = 500
const symbol = 'BTC-USD'
/** A large screen has a second ladder. */
const secondSymbol = 'ETH-USD'
/** Long enough for books to have depth and for charts to have a past. */
const warmUpMs = 60_000

/** After how many updates each feed is asked again: the usual pauses of a desk, half a second to the update. */
const everySteps = { tickers: 4, orders: 2, fills: 3, balances: 4, instruments: 10, transfers: 4, fees: 120 }

/** Records a desk's view of the living practice market. The same seed gives the same tape, to the byte. */
export async function recordTape(updateCount: number, seed = 20_261_120): Promise<Tape> {
  const clock = new FakeClock(tapeStartMs - warmUpMs)
  const random = seeded(seed)
  const randomBytes = (count: number) => Uint8Array.from({ length: count }, () => random(256))
  const options = { port: 0, gatewayPort: 0, adminPort: 0, market: 'on', seed } as const
  const sandbox = await startSandbox(options, { clock, randomBytes, log: () => undefined })
  const base = readBaseAddress(sandbox.exchangeUrl)
  if (!base.ok) throw new Error(base.error)
  const token = sandbox.accounts.find(({ name }) => name === 'trader')?.token ?? ''
  const key = { key: new Secret(token), keyHeader: exchangeKeyHeader }
  const rate = { perSecond: 1_000, burst: 1_000 }
  const transport = createTransport({ base: base.value, ...key, rate, clock, random: () => 0.5, mayWrite: () => true })
  const client = createExchangeClient(transport)
  try {
    await clock.advance(warmUpMs)
    const look = createLook(client, clock)
    const updates: string[] = []
    for (let step = 0; step < updateCount; step += 1) {
      await trade(client, step)
      const answered: FeedEvent = { type: 'answered', roundTripMs: 8 + random(6), skewMs: 0 }
      updates.push(writeUpdate([...(await look(step)), answered]))
      await clock.advance(stepMs)
    }
    return { startMs: tapeStartMs, stepMs, updates }
  } finally {
    await transport.close()
    await sandbox.stop()
  }
}

/** What a desk's polls bring in one update, asked one after the other so that their order is always the same. */
function createLook(client: ExchangeClient, clock: FakeClock): (step: number) => Promise<FeedEvent[]> {
  const { signal } = new AbortController()
  const newFills = createNewFills(client, () => clock.now())
  let events: FeedEvent[] = []
  const emit = (event: FeedEvent) => events.push(event)
  const working = createWorkingOrders(client, () => clock.now(), emit)
  return async (step) => {
    events = []
    const atMs = clock.now()
    const isDue = (feed: keyof typeof everySteps) => step % everySteps[feed] === 0
    if (isDue('instruments'))
      emit({ type: 'instruments', instruments: (await client.fetchSymbols(signal)).instruments, atMs })
    for (const each of [symbol, secondSymbol])
      emit({ type: 'book', symbol: each, book: await client.fetchBook(each, signal), atMs })
    if (isDue('tickers')) {
      const tickers = await client.fetchTickers(signal)
      emit({ type: 'tickers', tickers: new Map(tickers.entries.map((ticker) => [ticker.symbol, ticker])), atMs })
    }
    if (isDue('orders')) await working.refresh(signal)
    if (isDue('fills')) emit({ type: 'fills', fills: (await newFills(signal)).entries, atMs })
    if (isDue('balances')) {
      const accounts = await client.fetchAccounts(signal)
      emit({ type: 'balances', balances: accounts.get(primaryAccount)?.entries ?? [], atMs })
    }
    if (isDue('transfers')) {
      emit({ type: 'withdrawals', withdrawals: (await client.fetchWithdrawals({}, signal)).entries, atMs })
      emit({ type: 'deposits', deposits: (await client.fetchDeposits({}, signal)).entries, atMs })
      emit({ type: 'whitelist', whitelist: (await client.fetchWhitelist(signal)).entries, atMs })
    }
    if (isDue('fees')) emit({ type: 'fees', fees: await client.fetchFees(signal), atMs })
    return events
  }
}

const order = (side: OrderDraft['side'], limitPrice: Decimal, quantity: string): OrderDraft => ({
  symbol,
  side,
  type: 'LIMIT',
  orderQuantity: new Decimal(quantity),
  limitPrice,
  stopPrice: null,
  timeInForce: 'GTC',
  expireDate: null,
  minQuantity: null,
  postOnly: false,
})

/** The person at the desk: some orders that rest, and every few seconds one that trades. */
async function trade(client: ExchangeClient, step: number): Promise<void> {
  const tick = new Decimal('0.5')
  const place = async (draft: OrderDraft, id: string) =>
    client.placeOrder({ ...draft, clientOrderId: `bench${String(step).padStart(6, '0')}${id}` })
  if (step !== 0 && step % 12 !== 0) return
  const { bids, asks } = await client.fetchBook(symbol, new AbortController().signal)
  const bid = bids[0]?.price
  const ask = asks[0]?.price
  if (bid === undefined || ask === undefined) return
  if (step === 0) {
    for (let level = 1; level <= 6; level += 1) {
      await place(order('BUY', bid.minus(tick.times(level * 8)), '0.01'), `b${level}`)
      await place(order('SELL', ask.plus(tick.times(level * 8)), '0.01'), `s${level}`)
    }
    return
  }
  await place(step % 24 === 0 ? order('BUY', ask, '0.002') : order('SELL', bid, '0.002'), 't')
}
