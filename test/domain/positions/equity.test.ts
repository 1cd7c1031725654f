import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs } from '../../../src/base/text/time-text.ts'
import type { EquityPoint } from '../../../src/domain/market/bar.ts'
import { Decimal, exactPlus, exactProduct, exactSum, zero } from '../../../src/domain/money.ts'
import {
  dayChange,
  drawdownOf,
  equityPointsMax,
  exposuresOf,
  type Flow,
  type Holding,
  mergedPoints,
  minutesFromMs,
  namesOf,
  thinnedPoints,
  transferFlows,
  unvaluedText,
  withoutFlows,
  withPoint,
  worthOf,
} from '../../../src/domain/positions/equity.ts'
import type { UsdAt } from '../../../src/domain/positions/usd-at.ts'
import { amount } from '../../fakes/amounts.ts'
import { aPoint } from '../../fakes/worth.ts'

const dayStartMs = Date.UTC(2026, 10, 20)
const nowMs = dayStartMs + 14 * hourMs

const money = fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n }).map((units) => new Decimal(units.toString()).div(1e8))
const price = fc.bigInt({ min: 1n, max: 10n ** 12n }).map((units) => new Decimal(units.toString()).div(1e6))
const holding: fc.Arbitrary<Holding> = fc.record({
  currency: fc.constantFrom('USD', 'BTC', 'ETH', 'XLM', 'DOGE'),
  quantity: money,
  usdEach: fc.option(price),
})
const holdings = fc.uniqueArray(holding, { selector: ({ currency }) => currency })
const same = (left: Decimal, right: Decimal) => expect(left.toFixed()).toBe(right.toFixed())

describe('worth', () => {
  test('is the exact sum of what has a rate, and never called whole while something held has none', () => {
    fc.assert(
      fc.property(holdings, (held) => {
        const worth = worthOf(held, [])
        const unvalued = held.filter(({ quantity, usdEach }) => usdEach === null && !quantity.isZero())
        same(worth.knownUsd, exactSum(held.map(({ quantity, usdEach }) => exactProduct(quantity, usdEach ?? zero))))
        expect(worth.equityUsd === null).toBe(unvalued.length > 0)
        expect(worth.unknown).toEqual(unvalued.map(({ currency }) => currency))
      }),
    )
  })

  test('whatever the missing rates are, "at least" holds', () => {
    fc.assert(
      fc.property(holdings, price, (held, missing) => {
        const worth = worthOf(held, [])
        const whole = worthOf(
          held.map((each) => ({ ...each, usdEach: each.usdEach ?? missing })),
          [],
        )
        if (worth.isAtLeast) expect(whole.knownUsd.gte(worth.knownUsd)).toBe(true)
      }),
    )
  })

  test('an account that nobody can see makes it unknown', () => {
    const worth = worthOf([{ currency: 'USD', quantity: amount('5'), usdEach: amount('1') }], ['account hedge'])
    expect(worth).toMatchObject({ equityUsd: null, unknown: ['account hedge'], isAtLeast: true })
  })

  test('what has nothing of it needs no rate', () => {
    expect(worthOf([{ currency: 'XLM', quantity: zero, usdEach: null }], []).equityUsd?.toFixed()).toBe('0')
  })

  test('shares of a whole add up to one', () => {
    const held = fc.uniqueArray(
      fc.record({
        currency: fc.constantFrom('USD', 'BTC', 'ETH', 'XLM'),
        quantity: price,
        usdEach: price.map((each): Decimal | null => each),
      }),
      { selector: ({ currency }) => currency, minLength: 1 },
    )
    fc.assert(
      fc.property(held, (all) => {
        const shares = exposuresOf(all, worthOf(all, [])).map(({ share }) => share ?? zero)
        expect(exactSum(shares).minus(1).abs().lt('1e-30')).toBe(true)
      }),
    )
  })
})

test('the largest value stands first, by its size whichever sign it has, and what nobody can value last', () => {
  const holding = (currency: string, quantity: string, usdEach: string | null): Holding => ({
    ...{ currency, quantity: amount(quantity), usdEach: usdEach === null ? null : amount(usdEach) },
  })
  const all = [
    ...[holding('DOGE', '5', null), holding('ETH', '1', '30'), holding('XLM', '0', '9'), holding('BTC', '-2', '50')],
    ...[holding('LTC', '1', '70'), holding('ADA', '1', null)],
  ]
  const rows = (held: readonly Holding[]) =>
    exposuresOf(held, worthOf(held, [])).map(({ currency, usd, share }) => [
      currency,
      usd?.toString(),
      share?.toString(),
    ])
  // What is owed of unknown value may be any amount, so that there is no whole.
  expect(rows([...all, holding('XRP', '-1', null)]).map(([currency]) => currency)).toEqual([
    ...['BTC', 'LTC', 'ETH', 'DOGE', 'ADA', 'XRP'],
  ])
  expect(rows([holding('XRP', '-1', null), holding('ETH', '1', '30')])).toEqual([
    ['ETH', '30', undefined],
    ['XRP', undefined, undefined],
  ])
  expect(rows([holding('LTC', '1', '75'), holding('ETH', '1', '25'), holding('ADA', '1', null)])).toEqual([
    ['LTC', '75', '0.75'],
    ['ETH', '25', '0.25'],
    ['ADA', undefined, undefined],
  ])
  expect(rows([holding('BTC', '-1', '50'), holding('ETH', '1', '50')])).toEqual([
    ['BTC', '-50', undefined],
    ['ETH', '50', undefined],
  ])
  expect(namesOf(['a', 'b', 'c'])).toBe('a, b, c')
  expect(unvaluedText({ unknown: ['a', 'b', 'c', 'd', 'e'] })).toBe('no value known for a, b, c and 2 more')
})

test('however many currencies are held, those with a value come by its size, and the others as they came', () => {
  const value = fc.option(fc.integer({ min: 1, max: 50 }))
  fc.assert(
    fc.property(fc.array(value, { minLength: 40, maxLength: 120, size: 'max' }), (values) => {
      const held = values.map((each, at): Holding => {
        return { currency: `C${at}`, quantity: usd(1), usdEach: each === null ? null : usd(each) }
      })
      const rows = exposuresOf(held, worthOf(held, []))
      const valued = rows.flatMap((row) => (row.usd === null ? [] : [row.usd.toNumber()]))
      expect(valued).toEqual(valued.toSorted((left, right) => right - left))
      const unvalued = held.flatMap(({ currency, usdEach }) => (usdEach === null ? [currency] : []))
      expect(rows.slice(valued.length).map(({ currency }) => currency)).toEqual(unvalued)
    }),
  )
})

const usd = (units: number) => new Decimal(units)
const flowAt = (atMs: number, units: number): Flow => ({
  fromMs: atMs,
  toMs: atMs,
  usd: usd(units),
  source: 'USD',
  currency: 'USD',
})
const worth = (units: Decimal) => worthOf([{ currency: 'USD', quantity: units, usdEach: usd(1) }], [])

/** A day told by its gains and its transfers, minute by minute; equity follows from both. */
const world = fc
  .array(fc.record({ gain: fc.integer({ min: -500, max: 500 }), moved: fc.integer({ min: -90, max: 900 }) }), {
    minLength: 2,
    maxLength: 60,
  })
  .map((minutes) => {
    let [equity, traded] = [usd(10_000), zero]
    const points: EquityPoint[] = []
    const flows: Flow[] = []
    const levels: Decimal[] = []
    for (const [minute, { gain, moved }] of minutes.entries()) {
      const startMs = dayStartMs + minute * 2 * minuteMs
      if (minute > 0) {
        equity = equity.plus(gain).plus(moved)
        traded = traded.plus(gain)
        // In the minute before the point, in which nobody looked.
        if (moved !== 0) flows.push(flowAt(startMs - minuteMs, moved))
      }
      levels.push(traded)
      points.push({ startMs, equityUsd: equity, knownUsd: equity, unknown: [] })
    }
    return { points, flows, equity, traded, levels }
  })

describe('the day', () => {
  test('gain + transfers is the change of equity, to the last digit, and the gain is what trading made', () => {
    fc.assert(
      fc.property(world, ({ points, flows, equity, traded }) => {
        const change = dayChange(points, worth(equity), flows, nowMs)
        if (change.kind === 'unknown') throw new Error(change.why)
        same(change.usd, traded)
        const moved = exactSum(flows.map((flow) => flow.usd ?? zero))
        same(exactPlus(change.usd, moved), equity.minus(points[0]?.equityUsd ?? zero))
      }),
    )
  })

  test('drawdown is the fall of what trading made from its highest, whatever was paid in or out', () => {
    fc.assert(
      fc.property(world, ({ points, flows, equity, traded, levels }) => {
        const drawdown = drawdownOf(points, dayStartMs, worth(equity), { flows, nowMs })
        if (drawdown.kind === 'unknown') throw new Error(drawdown.why)
        same(drawdown.usd, Decimal.max(...levels).minus(traded))
      }),
    )
  })

  test('is unknown, with its reason, while something is', () => {
    const points = [aPoint(dayStartMs, '100')]
    const unknown = { ...worth(usd(1)), equityUsd: null, unknown: ['DOGE'] }
    expect(dayChange(points, unknown, [], nowMs)).toEqual({ kind: 'unknown', why: 'no value known for DOGE' })
    expect(dayChange(points, worth(usd(1)), null, nowMs)).toMatchObject({ kind: 'unknown' })
    expect(dayChange([aPoint(dayStartMs - minuteMs, '1')], worth(usd(1)), [], nowMs)).toMatchObject({ kind: 'unknown' })
    const unvalued: Flow = { ...flowAt(dayStartMs + hourMs, 0), usd: null, currency: 'DOGE' }
    expect(dayChange(points, worth(usd(1)), [unvalued], nowMs)).toEqual({
      kind: 'unknown',
      why: 'no price of DOGE is known for its transfer of 01:00 UTC',
    })
  })

  test('a point in whose minute money was moving neither begins the day nor is its highest', () => {
    const moving: Flow = {
      fromMs: dayStartMs,
      toMs: dayStartMs + 3 * minuteMs,
      usd: usd(50),
      source: 'USD',
      currency: 'USD',
    }
    const points = [aPoint(dayStartMs + minuteMs, '150'), aPoint(dayStartMs + 5 * minuteMs, '150')]
    const change = dayChange(points, worth(usd(151)), [moving], nowMs)
    if (change.kind === 'unknown') throw new Error(change.why)
    same(change.usd, usd(1))
    expect(change.sinceMs).toBe(dayStartMs + 5 * minuteMs)
    const drawdown = drawdownOf(points, dayStartMs, worth(usd(149)), { flows: [moving], nowMs })
    if (drawdown.kind === 'unknown') throw new Error(drawdown.why)
    same(drawdown.usd, usd(1))
  })
})

describe('a curve without transfers', () => {
  const points = [0, 2, 4].map((minute) => aPoint(dayStartMs + minute * minuteMs, '100'))
  const levels = (flows: readonly Flow[] | null) =>
    withoutFlows(points, flows).map(({ equityUsd }) => equityUsd?.toString() ?? '?')

  test('every point before a transfer has it already; the one beside it is unknown', () => {
    expect(levels([])).toEqual(['100', '100', '100'])
    expect(withoutFlows(points, [])[0]).toBe(points[0])
    expect(levels([flowAt(dayStartMs + 3 * minuteMs, 50)])).toEqual(['150', '150', '100'])
    const during = { ...flowAt(0, 50), fromMs: dayStartMs + minuteMs, toMs: dayStartMs + 3 * minuteMs }
    expect(levels([during])).toEqual(['150', '?', '100'])
    expect(levels([{ ...flowAt(dayStartMs + 3 * minuteMs, 0), usd: null }])).toEqual(['?', '?', '100'])
    expect(levels(null)).toEqual(['?', '?', '?'])
    const unknown = [{ ...aPoint(dayStartMs, '100'), equityUsd: null }]
    expect(withoutFlows(unknown, [])[0]?.equityUsd).toBeNull()
  })

  test('a minute is touched by what moves in it, and not by what ends as it begins or begins as it ends', () => {
    const moving = (fromMs: number, toMs: number) => [{ ...flowAt(0, 50), fromMs, toMs }]
    const [startMs, endMs] = [dayStartMs + 2 * minuteMs, dayStartMs + 3 * minuteMs]
    expect(levels(moving(dayStartMs + minuteMs, startMs))[1]).toBe('100')
    expect(levels(moving(dayStartMs + minuteMs, startMs + 1))[1]).toBe('?')
    expect(levels(moving(endMs, endMs + 1))[1]).toBe('150')
    expect(levels(moving(endMs - 1, endMs + 1))[1]).toBe('?')
  })
})

describe('the fall from the highest', () => {
  const now = (units: number, flows: readonly Flow[] | null = [], points = [aPoint(dayStartMs, '100')]) => {
    const fall = drawdownOf(points, dayStartMs, worth(usd(units)), { flows, nowMs })
    return fall.kind === 'unknown' ? fall.why : [fall.usd, fall.share, fall.highUsd, fall.atMs].map(String)
  }

  test('is nothing at the highest, and a share of it below', () => {
    expect(now(100)).toEqual(['0', '0', '100', String(nowMs)])
    expect(now(75)).toEqual(['25', '0.25', '100', String(dayStartMs)])
    expect(now(75, [flowAt(dayStartMs + hourMs, -50)])).toEqual(['0', '0', '75', String(nowMs)])
    expect(now(5, [flowAt(nowMs, 1)], [])).toEqual(['0', '0', '5', String(nowMs)])
    expect(drawdownOf([], dayStartMs, worth(usd(1)), { flows: [], nowMs }).kind).toBe('known')
    expect(now(-5, [], [])).toEqual(['0', '0', '-5', String(nowMs)])
  })

  test('is not of points before its time, of unknown ones, or of transfers that were over before them', () => {
    expect(now(75, [], [aPoint(dayStartMs - minuteMs, '100')])).toEqual(['0', '0', '75', String(nowMs)])
    expect(now(75, [], [{ ...aPoint(dayStartMs, '100'), equityUsd: null }])).toEqual(['0', '0', '75', String(nowMs)])
    const before: Flow = { ...flowAt(dayStartMs, 0), usd: null, currency: 'DOGE' }
    expect(now(75, [before])).toEqual(['25', '0.25', '100', String(dayStartMs)])
    expect(now(75, [{ ...before, fromMs: dayStartMs + hourMs, toMs: dayStartMs + hourMs }])).toBe(
      'no price of DOGE is known for its transfer of 01:00 UTC',
    )
    expect(now(75, null)).toBe('deposits or withdrawals are not loaded in full')
    const unvalued = worthOf([{ currency: 'DOGE', quantity: usd(1), usdEach: null }], [])
    expect(drawdownOf([], dayStartMs, unvalued, { flows: [], nowMs })).toEqual({
      ...{ kind: 'unknown', why: 'no value known for DOGE' },
    })
  })
})

describe('the share of a day', () => {
  test('begins with the first minute whose worth is known, and names what moved after it alone', () => {
    const points = [{ ...aPoint(dayStartMs, '1'), equityUsd: null }, aPoint(dayStartMs + 2 * minuteMs, '100')]
    const flows = [flowAt(dayStartMs + minuteMs, 7), flowAt(dayStartMs + hourMs, 50)]
    const day = dayChange(points, worth(usd(160)), flows, nowMs)
    expect(day).toMatchObject({ kind: 'known', sinceMs: dayStartMs + 2 * minuteMs, moved: [flows[1]] })
    expect(day.kind === 'known' && day.usd.toString()).toBe('10')
  })

  test('is of what was there at its first whole minute, and of nothing there is none', () => {
    const change = (first: string, units: number) =>
      dayChange([aPoint(dayStartMs - minuteMs, '7'), aPoint(dayStartMs, first)], worth(usd(units)), [], nowMs)
    expect(change('80', 100)).toMatchObject({ kind: 'known', sinceMs: dayStartMs, moved: [] })
    const shareOf = (first: string) => {
      const day = change(first, 100)
      return day.kind === 'known' ? String(day.share) : day.why
    }
    expect([shareOf('80'), shareOf('0'), shareOf('-5')]).toEqual(['0.25', 'null', 'null'])
    const none = dayChange([{ ...aPoint(dayStartMs, '1'), equityUsd: null }], worth(usd(1)), [], nowMs)
    expect(none).toEqual({ kind: 'unknown', why: 'no minute of this UTC day without a transfer under way yet' })
    expect(dayChange([], worth(usd(1)), null, nowMs)).toEqual({
      ...{ kind: 'unknown', why: 'deposits or withdrawals are not loaded in full' },
    })
  })
})

describe('transfers as flows', () => {
  /** BTC is worth the hour of its moment. */
  const priceAt: UsdAt = (currency, atMs) => {
    if (currency === 'USD') return { usd: usd(1), source: 'USD' }
    const hours = Math.floor((atMs - dayStartMs) / hourMs)
    return currency === 'BTC' ? { usd: usd(hours), source: `hour ${hours}` } : null
  }
  const base = { exchangeAheadMs: 0, usdAt: priceAt }
  const none = { deposits: new Map(), withdrawals: new Map() }
  const deposit = { depositId: 'd1', amount: usd(50), currency: 'USD', address: 'a', txHash: null }
  const sent = { withdrawalId: 'w1', amount: usd(30), fee: usd(1), currency: 'USD', beneficiary: 'b' }

  test('count once they are completed; a fee is a loss and no transfer', () => {
    const flows = transferFlows({
      ...base,
      deposits: [
        { ...deposit, state: 'COMPLETED', timestampMs: dayStartMs },
        { ...deposit, depositId: 'd2', state: 'UNCONFIRMED', timestampMs: dayStartMs },
      ],
      withdrawals: [
        { ...sent, state: 'COMPLETED', timestampMs: dayStartMs },
        { ...sent, withdrawalId: 'w2', state: 'PENDING', timestampMs: dayStartMs },
      ],
      followed: none,
    })
    expect(flows.map((flow) => flow.usd?.toFixed())).toEqual(['50', '-30'])
  })

  test('each counts by the price of its moment: when it was seen to come, else when the exchange dates it', () => {
    const coin = { ...deposit, currency: 'BTC', amount: usd(2), state: 'COMPLETED' as const }
    const atMs = dayStartMs + 5 * hourMs
    const history = [{ state: 'COMPLETED' as const, atMs, lastLookMs: atMs - minuteMs }]
    const seen = { currency: 'BTC', history, tookMs: 5, before: null, after: null }
    const flows = transferFlows({
      ...base,
      deposits: [
        { ...coin, timestampMs: dayStartMs + 3 * hourMs },
        { ...coin, depositId: 'd2', timestampMs: dayStartMs + 3 * hourMs },
        { ...coin, depositId: 'd3', timestampMs: null },
        { ...coin, depositId: 'd4', currency: 'DOGE', timestampMs: dayStartMs + 3 * hourMs },
      ],
      withdrawals: [],
      followed: { ...none, deposits: new Map([['d2', seen]]) },
    })
    expect(flows.map((flow) => [flow.usd?.toFixed(), flow.source])).toEqual([
      ['6', 'hour 3'],
      ['10', 'hour 5'],
      [undefined, null],
      [undefined, null],
    ])
    const points = [aPoint(dayStartMs, '100')]
    const change = dayChange(points, worth(usd(117)), flows.slice(0, 2), nowMs)
    expect(change.kind === 'known' && [change.usd.toFixed(), change.moved.length]).toEqual(['1', 2])
    expect(dayChange(points, worth(usd(117)), flows, nowMs)).toEqual({
      kind: 'unknown',
      why: 'no price of DOGE is known for its transfer of 04:00 UTC',
    })
  })

  test('one that was refunded after it was seen completed comes back', () => {
    const history = [
      { state: 'COMPLETED' as const, atMs: dayStartMs + hourMs },
      { state: 'REFUNDED' as const, atMs: dayStartMs + 2 * hourMs },
    ]
    const record = { currency: 'USD', history, tookMs: 5, before: null, after: null }
    const flows = transferFlows({
      ...base,
      deposits: [],
      withdrawals: [{ ...sent, state: 'REFUNDED', timestampMs: dayStartMs }],
      followed: { ...none, withdrawals: new Map([['w1', record]]) },
    })
    expect(flows.map((flow) => flow.usd?.toFixed())).toEqual(['-30', '30'])
    expect(flows[0]).toMatchObject({ toMs: dayStartMs + hourMs })
  })

  test('what nobody saw happen moved at any time from its beginning to when it was seen, or within the hour', () => {
    const completed = { ...deposit, state: 'COMPLETED' as const }
    const flowOf = (timestampMs: number | null, seen?: { atMs: number; lastLookMs?: number }, exchangeAheadMs = 0) => {
      const before = { state: 'UNCONFIRMED' as const, atMs: 1, lastLookMs: 1 }
      const history = seen === undefined ? [] : [before, { state: 'COMPLETED' as const, ...seen }]
      const record = { currency: 'USD', history, tookMs: null, before: null, after: null }
      const followed = { ...none, deposits: new Map([['d1', record]]) }
      const [flow] = transferFlows({
        ...base,
        exchangeAheadMs,
        deposits: [{ ...completed, timestampMs }],
        withdrawals: [],
        followed,
      })
      return [flow?.fromMs, flow?.toMs]
    }
    expect(flowOf(5_000)).toEqual([5_000, 5_000 + hourMs])
    const dateless = transferFlows({
      ...{ ...base, withdrawals: [], followed: none },
      deposits: [{ ...completed, timestampMs: null }],
    })
    expect(dateless.map((flow) => [flow.usd?.toString(), flow.source])).toEqual([['50', 'USD']])
    expect(flowOf(null)).toEqual([0, hourMs])
    expect(flowOf(5_000, { atMs: 60_000 }, 1_000)).toEqual([5_000, 61_000])
    expect(flowOf(null, { atMs: 60_000 })).toEqual([0, 60_000])
    expect(flowOf(90_000, { atMs: 60_000 })).toEqual([60_000, 60_000])
    expect(flowOf(58_000, { atMs: 60_000, lastLookMs: 59_000 })).toEqual([58_000, 75_000])
    expect(flowOf(0, { atMs: 60_000, lastLookMs: 59_000 })).toEqual([44_000, 75_000])
  })

  test('one that was refunded before anybody saw it leave moved nothing; one without an id goes by its own time', () => {
    const refunded = { ...sent, state: 'REFUNDED' as const, timestampMs: dayStartMs }
    const flows = (withdrawals: Parameters<typeof transferFlows>[0]['withdrawals'], history?: object[]) => {
      const record = { currency: 'BTC', history: history ?? [], tookMs: null, before: null, after: null }
      const followed = { ...none, withdrawals: new Map([['w1', record as never]]) }
      return transferFlows({ ...base, exchangeAheadMs: hourMs, deposits: [], withdrawals, followed }).map((flow) => [
        ...[
          flow.usd?.toFixed() ?? '?',
          flow.source,
          (flow.fromMs - dayStartMs) / hourMs,
          (flow.toMs - dayStartMs) / hourMs,
        ],
      ])
    }
    expect(flows([refunded])).toEqual([])
    expect(
      flows([{ ...sent, withdrawalId: null, state: 'COMPLETED', timestampMs: dayStartMs + hourMs, currency: 'BTC' }]),
    ).toEqual([['-30', 'hour 1', 1, 2]])
    const coin = { ...refunded, currency: 'BTC' }
    const out = { state: 'COMPLETED', atMs: dayStartMs + 3 * hourMs, lastLookMs: dayStartMs + 3 * hourMs - 15_000 }
    const back = { state: 'REFUNDED', atMs: dayStartMs + 6 * hourMs, lastLookMs: dayStartMs + 6 * hourMs - 15_000 }
    const values = flows([coin], [out, back]).map(([value, source]) => `${value} ${source}`)
    expect(values).toEqual(['-120 hour 4', '210 hour 7'])
    // It left before it came back, whatever the looks say.
    const both = { ...back, atMs: out.atMs + 1_000, lastLookMs: out.atMs }
    expect(flows([coin], [out, both])[1]?.[2]).toBe(4)
    // What the exchange says now counts, whatever was seen of it.
    expect(flows([{ ...sent, state: 'FAILED', timestampMs: dayStartMs }], [out, back])).toEqual([])
    // Nobody saw when it came back, so that nobody knows what it was worth then.
    expect(flows([coin], [out]).map(([value, source]) => `${value} ${source}`)).toEqual(['-120 hour 4', '? null'])
  })

  test('one that was seen to complete moved the balance between two looks: the minutes around it stay', () => {
    const seenMs = dayStartMs + hourMs + 20_000
    const history = [
      { state: 'PENDING' as const, atMs: dayStartMs + 50 * minuteMs, lastLookMs: dayStartMs + 50 * minuteMs - 5_000 },
      { state: 'COMPLETED' as const, atMs: seenMs, lastLookMs: seenMs - 4_000 },
    ]
    const record = { currency: 'USD', history, tookMs: 10 * minuteMs, before: null, after: null }
    const flows = transferFlows({
      ...base,
      exchangeAheadMs: 1_000,
      deposits: [],
      withdrawals: [{ ...sent, state: 'COMPLETED', timestampMs: dayStartMs + 50 * minuteMs }],
      followed: { ...none, withdrawals: new Map([['w1', record]]) },
    })
    expect(flows).toMatchObject([{ fromMs: seenMs - 4_000 + 1_000 - 15_000, toMs: seenMs + 1_000 + 15_000 }])
    const points = [aPoint(dayStartMs + hourMs - minuteMs, '100'), aPoint(dayStartMs + hourMs, '80')]
    const change = dayChange(points, worth(usd(72)), flows, nowMs)
    if (change.kind === 'unknown') throw new Error(change.why)
    expect(change.sinceMs).toBe(dayStartMs + hourMs - minuteMs)
    same(change.usd, usd(2))
  })
})

describe('points', () => {
  const startMs = fc.integer({ min: 0, max: 400 * 24 * 60 }).map((minute) => nowMs - minute * minuteMs)
  const points = fc.uniqueArray(fc.tuple(startMs, fc.integer({ min: 1, max: 9_999 })), {
    maxLength: 80,
    selector: ([minute]) => minute,
  })

  test('merged ones stand in order, a minute once, and no whole point is higher than the highest kept', () => {
    fc.assert(
      fc.property(points, points, (recorded, own) => {
        const toPoint = ([atMs, units]: [number, number]) => aPoint(atMs, String(units))
        const merged = mergedPoints(recorded.map(toPoint), own.map(toPoint), nowMs)
        const times = merged.map((point) => point.startMs)
        expect(times).toEqual([...new Set(times)].toSorted((left, right) => left - right))
        const byMinute = new Map([...recorded, ...own])
        // The minute that the day counts from is as an earlier run saw it begin.
        const today = [...byMinute.keys()].filter((minute) => minute >= dayStartMs)
        const base = recorded.find(([minute]) => minute === Math.min(...today))
        if (base !== undefined) byMinute.set(...base)
        const highest = Math.max(0, ...byMinute.values())
        expect(Math.max(0, ...merged.map((point) => point.knownUsd.toNumber()))).toBe(highest)
      }),
    )
  })

  test('of days before yesterday one an hour is kept', () => {
    const old = Array.from({ length: 180 }, (_, minute) => aPoint(dayStartMs - 5 * dayMs + minute * minuteMs, '5'))
    const today = Array.from({ length: 180 }, (_, minute) => aPoint(dayStartMs + minute * minuteMs, '5'))
    expect(thinnedPoints([...old, ...today], nowMs)).toHaveLength(3 + 180)
    const year = Array.from({ length: 20_000 }, (_, hour) => aPoint(nowMs - (20_000 - hour) * hourMs, '5'))
    expect(thinnedPoints(year, nowMs)).toHaveLength(equityPointsMax)
    expect(equityPointsMax).toBeGreaterThan(366 * 24 + 2 * 24 * 60)
  })

  test('of an hour long ago the highest whole point is kept, the first of those', () => {
    const hour = (...values: (string | null)[]) =>
      values.map((value, minute): EquityPoint => {
        const point = aPoint(dayStartMs - 5 * dayMs + minute * minuteMs, value ?? '0')
        return value === null ? { ...point, equityUsd: null } : point
      })
    const kept = (points: readonly EquityPoint[]) =>
      thinnedPoints(points, nowMs).map(({ startMs, equityUsd }) => [
        new Date(startMs).getUTCMinutes(),
        String(equityUsd),
      ])
    expect(kept(hour('5', '9', '7', '9'))).toEqual([[1, '9']])
    expect(kept(hour(null, '3', null))).toEqual([[1, '3']])
    expect(kept(hour(null, null))).toEqual([[0, 'null']])
    // From yesterday on every minute stays.
    const border = [aPoint(dayStartMs - dayMs, '1'), aPoint(dayStartMs - dayMs + minuteMs, '2')]
    expect(kept(border)).toHaveLength(2)
    expect(minutesFromMs(nowMs)).toBe(dayStartMs - dayMs)
  })

  test('a point says something new as soon as its worth, or what is unknown of it, is another', () => {
    const part = (...unknown: string[]) => worthOf([{ currency: 'USD', quantity: usd(1), usdEach: usd(1) }], unknown)
    const points = withPoint([], part('a', 'b'), nowMs, [])
    expect(withPoint(points, part('a', 'b'), nowMs, [])).toBe(points)
    for (const other of [part('a'), part('a', 'c'), part(), part('a', 'b', 'c')])
      expect(withPoint(points, other, nowMs, []).at(-1)?.unknown).toEqual(other.unknown)
  })

  test('where the clock is set back, what is of the past stays and what would be of the future goes', () => {
    const points = [-2, -1, 0, 2].map((minute) => aPoint(nowMs + minute * minuteMs, '5'))
    const times = (atMs: number) =>
      withPoint(points, worth(usd(1)), atMs, []).map(({ startMs, knownUsd }) => [
        (startMs - nowMs) / minuteMs,
        Number(knownUsd),
      ])
    expect(times(nowMs)).toEqual([
      [-2, 5],
      [-1, 5],
      [0, 1],
    ])
    expect(times(nowMs + minuteMs).map(([minute]) => minute)).toEqual([-2, -1, 0, 1])
  })

  test('with a new day the points of the day before yesterday are thinned, and never more are kept than the most', () => {
    const old = [0, 1, 2].map((minute) => aPoint(dayStartMs - dayMs - hourMs + minute * minuteMs, '5'))
    const yesterday = [...old, aPoint(dayStartMs - minuteMs, '5')]
    expect(withPoint(yesterday, worth(usd(1)), dayStartMs, [])).toHaveLength(3)
    expect(withPoint([...old, aPoint(dayStartMs, '5')], worth(usd(1)), nowMs, [])).toHaveLength(5)
    const most = Array.from({ length: equityPointsMax }, (_, at) =>
      aPoint(nowMs - (equityPointsMax - at) * hourMs, '5'),
    )
    expect(withPoint(most, worth(usd(1)), nowMs, [])).toHaveLength(equityPointsMax)
  })

  test('the minute that the day counts from holds its first whole look, unless money moved in it', () => {
    const part = worthOf([{ currency: 'DOGE', quantity: usd(1), usdEach: null }], [])
    const partial = withPoint([], part, nowMs, [])
    const whole = withPoint(partial, worth(usd(1)), nowMs + 1_000, [])
    expect(whole.map(({ equityUsd }) => String(equityUsd))).toEqual(['1'])
    expect(withPoint(whole, worth(usd(2)), nowMs + 2_000, [])).toBe(whole)
    const moved = withPoint(whole, worth(usd(2)), nowMs + 2_000, [flowAt(nowMs + 1_000, 1)])
    expect(moved.map(({ equityUsd }) => String(equityUsd))).toEqual(['2'])
    // The next minute is the base then, and holds its first look in turn.
    const flows = [{ ...flowAt(nowMs + 1_000, 1), toMs: nowMs + 2_000 }]
    const next = withPoint(moved, worth(usd(3)), nowMs + minuteMs, flows)
    expect(withPoint(next, worth(usd(4)), nowMs + minuteMs + 1_000, flows)).toBe(next)
  })

  test('any other running minute holds its last look; a clock that is set back begins there again', () => {
    const first = withPoint([aPoint(dayStartMs, '5')], worth(usd(1)), nowMs, [])
    const second = withPoint(first, worth(usd(2)), nowMs + 30_000, [])
    expect(second.map((point) => point.knownUsd.toNumber())).toEqual([5, 2])
    expect(withPoint(second, worth(usd(2)), nowMs + 40_000, [])).toBe(second)
    const third = withPoint(second, worth(usd(3)), nowMs + minuteMs, [])
    expect(third).toHaveLength(3)
    expect(withPoint(third, worth(usd(4)), nowMs - 5_000, []).map((point) => point.knownUsd.toNumber())).toEqual([5, 4])
  })
})
