import { renameSync, rmSync, symlinkSync } from 'node:fs'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { err } from '../../../src/base/result.ts'
import { dayMs, minuteMs } from '../../../src/base/text/time-text.ts'
import { Decimal } from '../../../src/domain/money.ts'
import type { Fill } from '../../../src/domain/orders/fills.ts'
import { positionsOf } from '../../../src/domain/positions/lots.ts'
import { ownPrices } from '../../../src/domain/positions/own-prices.ts'
import type { Standing } from '../../../src/domain/positions/running-books.ts'
import { HistoryError } from '../../../src/history/history-database.ts'
import { openHistory } from '../../../src/history/history-file.ts'
import { Bookkeeping, type BookSource, type BooksTold } from '../../../src/services/history/bookkeeping.ts'
import { worldRules } from '../../domain/positions/worlds.ts'
import { eventually } from '../../fakes/eventually.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { temporaryFolder } from '../../fakes/temporary-folder.ts'
import { aFill, dayStartMs, opened } from '../../history/aids.ts'

const nothing: BookSource = { deposits: [], withdrawals: [], statedCosts: [], rules: worldRules }

/** The books of a desk beside a recorder that the test plays. */
function aDesk(folder = temporaryFolder('books')) {
  const file = opened(folder)
  file.addGap({ aboveMs: null, belowMs: null })
  file.putFills([], { id: 1, isClosed: true })
  const clock = new FakeClock(dayStartMs)
  const stop = new AbortController()
  const told: BooksTold[] = []
  const desk = { source: nothing as BookSource | null, trouble: null as HistoryError | null, opens: 0 }
  const books = new Bookkeeping({
    open: async () => {
      desk.opens += 1
      return desk.trouble === null ? openHistory(folder, { isReadOnly: true }) : err(desk.trouble)
    },
    ...{ method: 'fifo', clock, signal: stop.signal, source: () => desk.source },
    times: () => ({ dayStartMs, sessionStartMs: dayStartMs, nowMs: dayStartMs + dayMs / 2 }),
    tell: (each) => told.push(each),
  })
  const running = books.run()
  const end = async () => {
    stop.abort()
    await running
    file.close()
  }
  const whole = () => books.observe({ type: 'historyProgress', readCount: file.fillCount(), isWhole: true })
  const poll = (fills: readonly Fill[]) => books.observe({ type: 'fills', fills, unreadable: [], atMs: clock.now() })
  const standing = (): Standing | null => {
    const last = told.at(-1)
    return last?.kind === 'standing' ? last.standing : null
  }
  return { desk, file, folder, clock, books, told, whole, poll, standing, end }
}

const said = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, each) => (each instanceof Map ? [...each].sort() : each)))

/** What the desk tells is what all lines together come to. */
const expectedOf = (fills: readonly Fill[], source: BookSource = nothing) => {
  const { rules, deposits, withdrawals, statedCosts } = source
  const usdAt = ownPrices(fills, rules).ofTrade
  return said(
    positionsOf({ history: { fills, deposits, withdrawals }, rules, method: 'fifo', statedCosts, usdAt }).positions,
  )
}

const comesTo = (desk: ReturnType<typeof aDesk>, fills: readonly Fill[], source: BookSource = nothing) =>
  eventually(() => expect(said(desk.standing()?.positions)).toEqual(expectedOf(fills, source)))

const aDeposit = (depositId: string, timestampMs: number) => ({
  ...{ depositId, currency: 'BTC', address: '', txHash: null, state: 'COMPLETED' as const },
  ...{ amount: new Decimal('0.75'), timestampMs },
})

test('a fill that is polled, recorded and polled again counts once', async () => {
  const desk = aDesk()
  onTestFinished(desk.end)
  const fills = [1, 2, 3, 4].map((number) => aFill(number))
  desk.file.putFills(fills.slice(0, 2))
  desk.whole()
  desk.poll(fills.slice(1, 3))
  await comesTo(desk, fills.slice(0, 3))
  desk.file.putFills(fills.slice(2))
  desk.poll(fills.slice(2))
  await comesTo(desk, fills)
  desk.poll(fills)
  desk.books.wake()
  await comesTo(desk, fills)
})

test('what comes late is entered where it belongs: fills, transfers, stated costs, and what is taken back', async () => {
  const desk = aDesk()
  onTestFinished(desk.end)
  // Days lie between them, so that earlier books are kept and gone back to.
  const fills = Array.from({ length: 12 }, (_, at) =>
    aFill(at + 1, { timestampMs: dayStartMs - (12 - at) * (dayMs / 3) }),
  )
  const late = aFill(13, { timestampMs: dayStartMs - dayMs / 2 + 1 })
  desk.file.putFills(fills)
  desk.whole()
  await comesTo(desk, fills)
  desk.poll([late])
  await comesTo(desk, [...fills, late])
  const deposits = [aDeposit('1', dayStartMs - dayMs / 4), aDeposit('2', dayStartMs - 40 * dayMs)]
  const stated = {
    currency: 'BTC',
    quantity: new Decimal('0.5'),
    usdEach: new Decimal(7),
    atMs: dayStartMs - 5 * dayMs,
  }
  for (const source of [
    { ...nothing, deposits: deposits.slice(0, 1) },
    { ...nothing, deposits },
    { ...nothing, deposits, statedCosts: [stated] },
    { ...nothing, deposits: deposits.slice(1), statedCosts: [stated] },
    { ...nothing, deposits: deposits.slice(1) },
    nothing,
  ]) {
    desk.desk.source = source
    desk.books.wake()
    await comesTo(desk, [...fills, late], source)
  }
  expect(desk.desk.opens).toBe(1)
})

test('in whatever order fills come and are recorded, the books are those of all of them', async () => {
  const one = fc.record({ hour: fc.integer({ min: -60, max: 5 }), way: fc.constantFrom('record', 'poll', 'both') })
  const steps = fc.array(one, { maxLength: 14 })
  await fc.assert(
    fc.asyncProperty(steps, async (plan) => {
      const desk = aDesk()
      desk.whole()
      const fills: Fill[] = []
      for (const [at, { hour, way }] of plan.entries()) {
        const fill = aFill(at + 1, { timestampMs: dayStartMs + hour * (dayMs / 24), price: new Decimal(100 + at) })
        fills.push(fill)
        // The file has no gap between what was recorded: what is polled alone comes with the next that is recorded.
        if (way !== 'poll') desk.file.putFills(fills)
        if (way !== 'record') desk.poll([fill])
        else desk.books.wake()
        await comesTo(desk, fills)
      }
      await desk.end()
    }),
    { numRuns: 40 },
  )
})

test('the reading of many fills is told, and other work comes between', async () => {
  const desk = aDesk()
  onTestFinished(desk.end)
  const count = 25_000
  for (let from = 0; from < count; from += 5_000)
    desk.file.putFills(Array.from({ length: 5_000 }, (_, at) => aFill(from + at + 1)))
  desk.books.observe({ type: 'historyProgress', readCount: 500, isWhole: false })
  desk.whole()
  await eventually(() => expect(desk.standing()).not.toBeNull())
  expect(desk.told.flatMap((each) => (each.kind === 'reading' ? [each.reading] : []))).toEqual([
    { from: 'exchange', count: 500 },
    { from: 'file', count: 9_999, total: count },
    { from: 'file', count: 19_999, total: count },
  ])
})

test('what a disk does to the file is told, thrown nowhere, and positions are there again once it is mended', async () => {
  const desk = aDesk()
  onTestFinished(desk.end)
  desk.file.putFills([aFill(1)])
  desk.desk.trouble = new HistoryError('disk', 'the disk fails')
  desk.whole()
  await eventually(() => expect(desk.told).toEqual([{ kind: 'unknown', why: 'the disk fails' }]))
  desk.desk.trouble = null
  await desk.clock.reached(minuteMs)
  await desk.clock.advance(minuteMs)
  await comesTo(desk, [aFill(1)])
  // Its folder cannot be looked into while it is open, as on a disk that fails.
  renameSync(desk.folder, `${desk.folder}.away`)
  symlinkSync(desk.folder, desk.folder)
  desk.poll([aFill(2)])
  await eventually(() =>
    expect(desk.told.at(-1)).toEqual({ kind: 'unknown', why: expect.stringContaining('cannot be used: links that') }),
  )
  rmSync(desk.folder)
  renameSync(`${desk.folder}.away`, desk.folder)
  await desk.clock.reached(minuteMs)
  await desk.clock.advance(minuteMs)
  await comesTo(desk, [aFill(1), aFill(2)])
  // The file is taken away while it is open.
  for (const end of ['', '-wal', '-shm']) rmSync(`${desk.file.path}${end}`, { force: true })
  desk.poll([aFill(3)])
  await eventually(() =>
    expect(desk.told.at(-1)).toEqual({ kind: 'unknown', why: expect.stringContaining('was removed or replaced') }),
  )
  const next = opened(desk.folder)
  next.addGap({ aboveMs: null, belowMs: null })
  next.putFills([aFill(1)], { id: 1, isClosed: true })
  await desk.clock.reached(minuteMs)
  await desk.clock.advance(minuteMs)
  await comesTo(desk, [aFill(1), aFill(2), aFill(3)])
  next.close()
})

test('nothing is reckoned before transfers are loaded', async () => {
  const desk = aDesk()
  onTestFinished(desk.end)
  desk.file.putFills([aFill(1)])
  desk.desk.source = null
  desk.whole()
  desk.desk.source = nothing
  desk.books.wake()
  await comesTo(desk, [aFill(1)])
  expect(desk.told).toHaveLength(1)
})

test('a fill that was told again with other terms is said beside the positions', async () => {
  const desk = aDesk()
  onTestFinished(desk.end)
  desk.file.putFills([aFill(1)])
  desk.file.putFills([{ ...aFill(1), quantity: new Decimal(7) }])
  desk.whole()
  await comesTo(desk, [aFill(1)])
  const last = desk.told.at(-1)
  expect(last?.kind === 'standing' && last.missing.join()).toContain('The execution 1 was told first as SELL 0.05')
})
