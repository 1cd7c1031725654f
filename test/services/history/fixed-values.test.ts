import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import type { FillQuery } from '../../../src/api/exchange-client.ts'
import { dayMs, minuteMs } from '../../../src/base/text/time-text.ts'
import { readableListing } from '../../../src/domain/listing.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { type Fill, newestFillFirst } from '../../../src/domain/orders/fills.ts'
import { compareIds } from '../../../src/domain/orders/order.ts'
import type { Withdrawal } from '../../../src/domain/transfers/transfer.ts'
import { openHistory } from '../../../src/history/history-file.ts'
import { Bookkeeping, type BooksTold } from '../../../src/services/history/bookkeeping.ts'
import { withRecorded } from '../../../src/services/history/recorded.ts'
import { createRecorder } from '../../../src/services/history/recorder.ts'
import { fetchPnl, type PnlClient } from '../../../src/services/pnl.ts'
import { worldRules } from '../../domain/positions/worlds.ts'
import { eventually } from '../../fakes/eventually.ts'
import { FakeClock, settle } from '../../fakes/fake-clock.ts'
import { temporaryFolder } from '../../fakes/temporary-folder.ts'
import { aBar, aFill, dayStartMs, opened } from '../../history/aids.ts'

/** Another price every second. */
const priceAt = (atMs: number) => new Decimal(60_000).plus(Math.floor(atMs / 1_000) % 7_919)

/** An account that trades, on a desk that is closed and opened again. */
function aWorld() {
  const folder = temporaryFolder('values')
  const clock = new FakeClock(dayStartMs)
  const fills: Fill[] = []
  const withdrawals: Withdrawal[] = []
  const fetchFills = async ({ fromExecId, toExecId, fromMs = 0, toMs = Infinity, limit = 100 }: FillQuery) => {
    const asked = fills.filter(
      ({ execId, timestampMs }) =>
        timestampMs >= fromMs &&
        timestampMs <= toMs &&
        (toExecId === undefined || compareIds(execId, toExecId) <= 0) &&
        (fromExecId === undefined || compareIds(execId, fromExecId) >= 0),
    )
    return readableListing(asked.toSorted(newestFillFirst).slice(0, limit))
  }
  const client = {
    fetchFills,
    fetchSymbols: async () => ({ instruments: worldRules, unreadable: [] }),
    fetchAccounts: async () => new Map(),
    fetchDeposits: async () => readableListing([]),
    fetchWithdrawals: async () => readableListing(withdrawals),
  } as unknown as PnlClient
  const noOrders = {
    fetchOrderPage: async () => ({ orders: [], nextOrderId: '0' }),
    fetchOrder: () => Promise.reject(new Error('no order')),
  }
  const open = () => {
    const stopping = new AbortController()
    const recorder = createRecorder({
      ...{ client: { fetchFills, ...noOrders }, mayBeginAnew: false, clock, signal: stopping.signal },
      open: async (options) => openHistory(folder, options),
      toUtcMs: (atMs) => atMs,
      emit: () => undefined,
      tell: () => undefined,
    })
    const done = recorder.run()
    return {
      recorder,
      close: async () => {
        stopping.abort()
        await done
      },
    }
  }
  let desk = open()
  const pass = async (ms: number) => {
    await clock.advance(ms)
    for (let turn = 0; turn < 12; turn += 1) await settle()
  }
  const look = () => {
    const lastPrice = priceAt(clock.now())
    const ticker = { symbol: 'BTC-USD', lastPrice, price24h: null, volume24h: null }
    desk.recorder.observe({ type: 'tickers', tickers: new Map([['BTC-USD', ticker]]), atMs: clock.now() })
  }
  const fill = (symbol: string, price: Decimal, fee: string) => {
    const number = fills.length + 1
    fills.push(
      aFill(number, {
        symbol,
        price,
        fee: new Decimal(fee),
        side: number % 3 === 0 ? 'SELL' : 'BUY',
        timestampMs: clock.now(),
      }),
    )
  }
  return {
    ...{ folder, clock, client, pass, look },
    trade: () => fill('ETH-BTC', new Decimal('0.05'), '0.0001'),
    buy: () => fill('BTC-USD', priceAt(clock.now()), '3'),
    withdraw: () =>
      withdrawals.push({
        ...{ withdrawalId: `w-${withdrawals.length}`, beneficiary: '1', currency: 'BTC', state: 'COMPLETED' as const },
        ...{ amount: new Decimal('0.001'), fee: new Decimal('0.0002'), timestampMs: clock.now() },
      }),
    poll: () => {
      desk.recorder.observe({ type: 'fills', fills: fills.slice(-10), atMs: clock.now() } as never)
      desk.recorder.observe({ type: 'withdrawals', withdrawals: [...withdrawals], atMs: clock.now() } as never)
    },
    restart: async (idleMs: number) => {
      await desk.close()
      clock.standStill(idleMs)
      desk = open()
      await pass(1_500)
    },
    end: () => desk.close(),
    /** What each trade brought and each fee was worth, as the command says it, with what all of it comes to. */
    figures: async () => {
      const { pnl, matches, fees } = await withRecorded(
        async () => openHistory(folder, { isReadOnly: true }),
        (recorded) =>
          fetchPnl(
            client,
            {
              period: { fromMs: 0, toMs: clock.now() },
              method: 'fifo',
              mark: 'mid',
              statedCosts: [],
              hasLots: true,
            },
            { signal: new AbortController().signal, nowMs: () => clock.now(), recorded },
          ),
        // The record is read again for them.
        async ({ pnl: told, lots }) => ({
          pnl: told,
          matches: [...(lots?.matches ?? [])],
          fees: [...(lots?.fees ?? [])],
        }),
      )
      const said = [
        ...matches.map(({ closedId, openedId, closedBy, currency, quantity, costUsd, proceedsUsd, proceedsSource }) => [
          `${closedId} ${closedBy} ${currency} of ${openedId} ${quantity}`,
          `${costUsd?.toFixed()} ${proceedsUsd?.toFixed()} ${proceedsSource}`,
        ]),
        ...fees.map(({ id, currency, feeUsd }) => [`fee ${id} ${currency}`, String(feeUsd?.toFixed())]),
      ] as [string, string][]
      const { realizedUsd, feesUsd } = pnl.total.realized
      return { said: new Map(said), sums: [realizedUsd.toFixed(), feesUsd.toFixed()] }
    },
    /** What a desk that starts now says of the same. */
    onScreen: async () => {
      const stopping = new AbortController()
      const told: BooksTold[] = []
      const books = new Bookkeeping({
        open: async () => openHistory(folder, { isReadOnly: true }),
        ...{ method: 'fifo', clock, signal: stopping.signal },
        source: () => ({ rules: worldRules, deposits: [], withdrawals, statedCosts: [] }),
        times: () => ({ dayStartMs, sessionStartMs: 0, nowMs: clock.now() }),
        tell: (each) => told.push(each),
      })
      const running = books.run()
      books.observe({ type: 'historyProgress', readCount: 0, isWhole: true })
      books.observe({ type: 'fills', fills, unreadable: [], atMs: clock.now() } as never)
      await eventually(() => expect(told.at(-1)?.kind).toBe('standing'))
      stopping.abort()
      await running
      const last = told.at(-1)
      const total = last?.kind === 'standing' ? last.standing.all.total : null
      return [total?.realizedUsd.toFixed(), total?.feesUsd.toFixed()]
    },
  }
}

type World = ReturnType<typeof aWorld>

const steps = {
  look: async (world: World) => world.look(),
  trade: async (world: World) => world.trade(),
  buy: async (world: World) => world.buy(),
  withdraw: async (world: World) => world.withdraw(),
  poll: async (world: World) => world.poll(),
  restart: (world: World) => world.restart(0),
  weeks: (world: World) => world.restart(15 * dayMs),
  year: (world: World) => world.restart(367 * dayMs),
}
const step = fc.record({
  kind: fc.constantFrom(
    ...([
      'look',
      'look',
      'look',
      'trade',
      'trade',
      'buy',
      'withdraw',
      'poll',
      'poll',
      'restart',
      'weeks',
      'year',
    ] as const),
  ),
  afterMs: fc.integer({ min: 1, max: 100_000 }),
})

test('nothing that is realized changes by recording, thinning or a restart, and the screen says the same', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 40 }), async (plan) => {
      const world = aWorld()
      const before = new Map<string, string>()
      try {
        await world.pass(1_500)
        for (const { kind, afterMs } of plan) {
          await world.pass(afterMs)
          await steps[kind](world)
          const { said } = await world.figures()
          for (const [what, value] of said) {
            expect(`${what}: ${value}`).toBe(`${what}: ${before.get(what) ?? value}`)
            before.set(what, value)
          }
        }
        world.poll()
        await world.pass(3 * minuteMs)
        expect(await world.onScreen()).toEqual((await world.figures()).sums)
      } finally {
        await world.end()
      }
    }),
    { numRuns: 25 },
  )
})

test('a trade counts by the bar that had ended a minute before it, not by the running one, and stays so for ever', async () => {
  const world = aWorld()
  onTestFinished(world.end)
  await world.pass(1_500)
  for (let minute = 0; minute < 4; minute += 1) {
    world.look()
    await world.pass(minuteMs)
  }
  world.trade()
  world.withdraw()
  world.look()
  const fresh = await world.figures()
  expect([...fresh.said.values()].join('; ')).toContain('bar of BTC-USD, 00:02 UTC')
  world.poll()
  await world.pass(2 * minuteMs)
  expect(await world.figures()).toEqual(fresh)
  await world.restart(20 * dayMs)
  world.poll()
  await world.pass(3 * minuteMs)
  const file = opened(world.folder)
  expect(file.bars('BTC-USD', 0, Number.MAX_SAFE_INTEGER).every(({ spanMs }) => spanMs !== undefined)).toBe(true)
  file.close()
  expect(await world.figures()).toEqual(fresh)
  expect(await world.onScreen()).toEqual(fresh.sums)
})

test('the desk takes over what was written of a trade that it had counted otherwise', async () => {
  const folder = temporaryFolder('values')
  const file = opened(folder)
  onTestFinished(() => file.close())
  file.addGap({ aboveMs: null, belowMs: null })
  file.putFills([], { id: 1, isClosed: true })
  const clock = new FakeClock(dayStartMs)
  const stopping = new AbortController()
  onTestFinished(() => stopping.abort())
  const told: BooksTold[] = []
  const trade = aFill(1, { symbol: 'ETH-BTC', side: 'BUY', price: new Decimal('0.05'), fee: new Decimal(0) })
  const books = new Bookkeeping({
    open: async () => openHistory(folder, { isReadOnly: true }),
    ...{ method: 'fifo', clock, signal: stopping.signal },
    source: () => ({ rules: worldRules, deposits: [], withdrawals: [], statedCosts: [] }),
    times: () => ({ dayStartMs, sessionStartMs: 0, nowMs: clock.now() }),
    tell: (each) => told.push(each),
  })
  void books.run()
  const costOf = () => {
    const last = told.at(-1)
    const held = last?.kind === 'standing' ? last.standing.positions : []
    return held.find(({ currency }) => currency === 'ETH')?.averageCostUsd?.toFixed() ?? null
  }
  books.observe({ type: 'historyProgress', readCount: 0, isWhole: true })
  books.observe({ type: 'fills', fills: [trade], unreadable: [], atMs: clock.now() } as never)
  await eventually(() => expect(told).toHaveLength(1))
  expect(costOf()).toBeNull()
  file.putBars([['BTC-USD', aBar(dayStartMs - 3 * minuteMs, { close: new Decimal(60_000) })]])
  file.putFills([trade])
  while (file.values.fixFills(10));
  await clock.reached(minuteMs)
  await clock.advance(minuteMs)
  await eventually(() => expect(costOf()).toBe('3000'))
})
