import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dayUses } from '../../../src/domain/transfers/withdrawal-checks.ts'
import { usdOfDay, usualFee, withdrawnOnDay } from '../../../src/domain/transfers/withdrawn-today.ts'
import { amount } from '../../fakes/amounts.ts'
import { aBalance } from '../../fakes/balances.ts'
import { anInstrument } from '../../fakes/instruments.ts'
import { noWithdrawalLimits } from '../../fakes/limits.ts'
import { aContext, aSent, aWithdrawal, bounds, dayMs, noonMs, reviewed, said, swappedTicker } from './review-scene.ts'

const fresh = <T>(value: T) => ({ kind: 'fresh', value }) as const
const startMs = noonMs - dayMs / 2

describe('what left on the UTC day', () => {
  const sums = (...given: Parameters<typeof withdrawnOnDay>) =>
    Object.fromEntries([...withdrawnOnDay(...given).amounts].map(([currency, sum]) => [currency, sum.toString()]))

  test('counts what is gone or on its way, not what came back or was refused, and nothing of the day before', () => {
    const listed = [
      aWithdrawal({ withdrawalId: 'a', state: 'COMPLETED', amount: amount('1') }),
      aWithdrawal({ withdrawalId: 'b', state: 'PENDING', amount: amount('2') }),
      aWithdrawal({ withdrawalId: 'c', state: null, amount: amount('4') }),
      aWithdrawal({ withdrawalId: 'd', state: 'FAILED', amount: amount('8') }),
      aWithdrawal({ withdrawalId: 'e', state: 'REFUNDED', amount: amount('16') }),
      aWithdrawal({ withdrawalId: 'f', state: 'REJECTED', amount: amount('32') }),
      aWithdrawal({ withdrawalId: 'g', timestampMs: startMs - 1, amount: amount('64') }),
      aWithdrawal({ withdrawalId: 'h', timestampMs: startMs, amount: amount('128') }),
      aWithdrawal({ withdrawalId: 'i', timestampMs: null, amount: amount('256') }),
      aWithdrawal({ withdrawalId: 'j', currency: 'USD', amount: amount('7') }),
    ]
    expect(sums(listed, [], noonMs)).toEqual({ BTC: '391', USD: '7' })
  })

  test('what this machine sent and the list does not have yet counts, what it has counts once', () => {
    const listed = [aWithdrawal({ withdrawalId: 'a' }), aWithdrawal({ withdrawalId: null, amount: amount('2') })]
    expect(sums(listed, [aSent({ withdrawalId: 'a', isKnown: true })], noonMs)).toEqual({ BTC: '2.5' })
    expect(sums(listed, [aSent({ withdrawalId: 'z', isKnown: true })], noonMs)).toEqual({ BTC: '3' })
    // Taken without an id: the list tells it by what it is.
    expect(sums(listed, [aSent({ isKnown: true }, { amount: amount('2') })], noonMs)).toEqual({ BTC: '2.5' })
    expect(sums(listed, [aSent({ isKnown: true }, { amount: 'max' })], noonMs)).toEqual({ BTC: '2.5' })
    // Without an answer it counts until it is settled.
    expect(sums(listed, [aSent()], noonMs)).toEqual({ BTC: '3' })
    expect(sums(listed, [aSent({ atMs: startMs - 1 })], noonMs)).toEqual({ BTC: '2.5' })
    const [nameless, known] = [aSent({ isKnown: true }), aSent({ isKnown: true, withdrawalId: 'a' })]
    expect(sums([aWithdrawal({ withdrawalId: 'a' })], [nameless], noonMs)).toEqual({ BTC: '0.5' })
    expect(sums([aWithdrawal({ withdrawalId: null })], [known], noonMs)).toEqual({ BTC: '0.5' })
    // One report is one withdrawal.
    expect(sums([aWithdrawal()], [nameless, nameless], noonMs)).toEqual({ BTC: '1' })
    // One of the day before is not what was sent today.
    const dayBefore = [aWithdrawal({ timestampMs: startMs - 1 })]
    expect(sums(dayBefore, [aSent({ isKnown: true })], noonMs)).toEqual({ BTC: '0.5' })
    // One that came back is claimed by what was sent, and counts no more.
    const back = [aWithdrawal({ withdrawalId: 'a', state: 'FAILED' })]
    expect(sums(back, [aSent({ withdrawalId: 'a', isKnown: true })], noonMs)).toEqual({})
  })

  test('everything without an answer cannot be reckoned, and a currency without a price has no value', () => {
    const day = withdrawnOnDay([aWithdrawal({ currency: 'ODD' })], [aSent({}, { amount: 'max' })], noonMs)
    expect(day.unreckoned).toEqual(['BTC'])
    const { tickers } = aContext()
    expect(usdOfDay(day, { tickers, balances: [] })).toMatchObject({ unpriced: ['BTC', 'ODD'] })
  })

  const amounts = fc.integer({ min: 1, max: 1_000 }).map((units) => amount(units.toString()).div(1_000))
  const ids = fc.constantFrom('a', 'b', 'c', null)
  const times = fc.integer({ min: startMs - dayMs, max: noonMs })
  const states = fc.constantFrom('PENDING', 'COMPLETED', 'FAILED', 'REFUNDED', 'REJECTED', null)
  const listOf = fc.array(
    fc
      .record({ withdrawalId: ids, amount: amounts, timestampMs: times, state: states })
      .map((fields) => aWithdrawal(fields)),
  )
  const sentOf = fc.array(
    fc
      .record({ withdrawalId: ids, amount: amounts, atMs: times, isKnown: fc.boolean() })
      .map(({ amount: sent, ...fields }) => aSent(fields, { amount: sent })),
  )
  const total = (...given: Parameters<typeof withdrawnOnDay>) =>
    withdrawnOnDay(...given).amounts.get('BTC') ?? amount('0')

  test('whatever else was sent, the sum never gets smaller, and never larger by more than that', () => {
    fc.assert(
      fc.property(listOf, sentOf, sentOf, (listed, sent, more) => {
        const before = total(listed, sent, noonMs)
        const after = total(listed, [...sent, ...more], noonMs)
        const most = more.reduce(
          (sum, { request }) => (request.amount === 'max' ? sum : sum.plus(request.amount)),
          before,
        )
        expect(after.gte(before)).toBe(true)
        expect(after.lte(most)).toBe(true)
      }),
    )
  })

  test('one without an answer always counts in full', () => {
    fc.assert(
      fc.property(listOf, amounts, (listed, sent) => {
        const one = aSent({}, { amount: sent })
        expect(
          total(listed, [one], noonMs)
            .minus(total(listed, [], noonMs))
            .eq(sent),
        ).toBe(true)
      }),
    )
  })
})

describe('limits of the day', () => {
  const limits = (change: object) => ({ limits: { ...noWithdrawalLimits, ...change } })
  const before = { withdrawals: fresh([aWithdrawal({ amount: amount('0.5') })]) }
  const perBtc = (soft: string | null, hard: string | null) =>
    limits({ dayPerCurrency: new Map([['BTC', bounds(soft, hard)]]) })

  test.each([
    [null, '1.5', 'ok'],
    ['1.5', null, 'ok'],
    [null, '1.49', "block today's 1.5 BTC with this is over the hard limit 1.49 BTC: at most 0.99 BTC more today"],
    ['1.2', '1.49', "block today's 1.5 BTC with this is over the hard limit 1.49 BTC: at most 0.99 BTC more today"],
    ['1.2', '2', "ask today's 1.5 BTC with this is over the soft limit 1.2 BTC: at most 0.7 BTC more today"],
    [
      null,
      '0.5',
      "block today's 1.5 BTC with this is over the hard limit 0.5 BTC: no more BTC within it today (the day ends at 00:00 UTC)",
    ],
  ])('per currency, soft %s hard %s', (soft, hard, text) =>
    expect(said('dayCurrency', reviewed(), aContext({ ...before, ...perBtc(soft, hard) }))).toBe(text),
  )

  test('another currency has none, and everything counts as all that is there', () => {
    const context = aContext({ ...before, ...perBtc(null, '3') })
    expect(said('dayCurrency', reviewed({ currency: 'USD', beneficiary: 'w2' }), context)).toBe('ok')
    expect(said('dayCurrency', reviewed({ amount: 'max' }), context)).toContain("block today's 3.5 BTC")
    // What is offered has the decimals of the currency, and eight where they are not known.
    const of = (currency: string) =>
      said(
        'dayCurrency',
        reviewed({ currency, beneficiary: 'w2', amount: amount('2') }),
        aContext(limits({ dayPerCurrency: new Map([[currency, bounds(null, '1.0050000001')]]) })),
      )
    expect(of('USD')).toMatch(/at most 1 USD more today$/)
    expect(of('ODD')).toMatch(/at most 1.005 ODD more today$/)
  })

  test('a limit of a currency that nobody knows is asked about where this one may be meant', () => {
    const named = (name: string, also: object = {}) =>
      aContext({ ...limits({ dayPerCurrency: new Map([[name, bounds(null, '1')]]) }), ...also })
    const asked = 'ask limits in withdrawal_day.BTCC have no effect, unknown currency (BTC?)'
    expect(said('dayCurrency', reviewed(), named('BTCC'))).toBe(asked)
    expect(said('dayCurrency', reviewed({ currency: 'USD', beneficiary: 'w2' }), named('BTCC'))).toBe('ok')
    expect(said('dayCurrency', reviewed(), named('ODDLY'))).toBe('ok')
    // Before the symbols are read nobody knows which currencies there are; afterwards those of a symbol are known.
    expect(said('dayCurrency', reviewed(), named('BTCC', { instruments: new Map() }))).toBe('ok')
    const instruments = new Map([['BTCC-USDX', anInstrument({ symbol: 'BTCC-USDX', base: 'BTCC', counter: 'USDX' })]])
    expect(said('dayCurrency', reviewed(), named('BTCC', { instruments }))).toBe('ok')
    expect(said('dayCurrency', reviewed(), named('ODD'))).toBe('ok')
    const dollars = reviewed({ currency: 'USD', beneficiary: 'w2' })
    expect(said('dayCurrency', dollars, named('USDX', { instruments }))).toBe('ok')
  })

  test('in USD every currency counts, at its last price', () => {
    const inUsd = (soft: string | null, hard: string | null) =>
      aContext({
        withdrawals: fresh([
          aWithdrawal({ amount: amount('0.5') }),
          aWithdrawal({ withdrawalId: 'u', currency: 'USD', amount: amount('1000') }),
        ]),
        ...limits({ dayUsd: bounds(soft, hard) }),
      })
    expect(said('dayUsd', reviewed(), inUsd(null, '91000'))).toBe('ok')
    expect(said('dayUsd', reviewed(), inUsd('90000', '100000'))).toBe(
      "ask today's 91,000.00 USD with this is over the soft limit 90,000.00 USD: at most 0.98333333 BTC more today",
    )
    expect(said('dayUsd', reviewed(), inUsd(null, '90000'))).toContain('block')
    expect(
      said('dayUsd', reviewed({ currency: 'USD', beneficiary: 'w2', amount: amount('100') }), inUsd(null, '31050')),
    ).toContain('at most 50 USD more today')
  })

  test('a value that is not known asks, and what is known already blocks', () => {
    const odd = reviewed({ currency: 'ODD', beneficiary: 'w2' })
    const inUsd = limits({ dayUsd: bounds(null, '50000') })
    expect(said('dayUsd', odd, aContext(inUsd))).toBe(
      "ask the value in USD is unknown (ODD): cannot check the day's limit 50,000.00 USD",
    )
    const much = { withdrawals: fresh([aWithdrawal({ amount: amount('1') })]) }
    expect(said('dayUsd', odd, aContext({ ...inUsd, ...much }))).toContain("block today's at least 60,000.00 USD")
    const left = (usd: string) => `hard limit ${usd} USD: at most`
    expect(said('dayUsd', odd, aContext({ ...inUsd, ...much }))).toContain(`${left('50,000.00')} 0.00 USD more today`)
    expect(said('dayUsd', odd, aContext())).toBe('ok')
  })

  test('a rate of one where no other rate is told values nothing: a bitcoin is not a dollar', () => {
    const balances = fresh([aBalance('BTC', '900'), aBalance('USD', '5')])
    const context = aContext({ balances, tickers: new Map(), ...limits({ dayUsd: bounds(null, '50000') }) })
    const all = reviewed({ amount: amount('900') })
    expect(said('dayUsd', all, context)).toBe(
      "ask the value in USD is unknown (BTC): cannot check the day's limit 50,000.00 USD",
    )
  })

  test('a last price in the place of another lets nothing past a hard limit, nor hides what already left', () => {
    const under = (soft: string | null, hard: string | null) =>
      aContext({ ...swappedTicker, ...before, ...limits({ dayUsd: bounds(soft, hard) }) })
    const apart = 'the last price of BTC is 0.16 USD and its rate 60,000 USD, which cannot both be true'
    const small = reviewed({ amount: amount('0.2') })
    expect(said('dayUsd', small, under(null, '3000'))).toBe(`block ${apart}: cannot check the day's limit 3,000.00 USD`)
    const dollars = reviewed({ currency: 'USD', beneficiary: 'w2', amount: amount('100') })
    expect(said('dayUsd', dollars, under('100', '3000'))).toContain(`block ${apart}`)
    expect(said('dayUsd', small, under('3000', null))).toContain(`ask ${apart}`)
    expect(said('dayUsd', small, under(null, null))).toBe('ok')
  })

  test('in USD the higher of last price and rate counts', () => {
    const balances = fresh([aBalance('BTC', '3', { rate: '70000' }), aBalance('USD', '5000')])
    expect(said('dayUsd', reviewed(), aContext({ balances, ...limits({ dayUsd: bounds(null, '69999') }) }))).toContain(
      "block today's 70,000.00 USD with this",
    )
  })

  test('everything of a currency without an answer makes the day unknown', () => {
    const context = aContext({
      sent: [aSent({}, { amount: 'max' })],
      limits: {
        ...noWithdrawalLimits,
        dayUsd: bounds(null, '900000'),
        dayPerCurrency: new Map([['BTC', bounds(null, '9')]]),
      },
    })
    expect(said('dayCurrency', reviewed(), context)).toContain('ask all BTC was sent today without an answer')
    expect(said('dayUsd', reviewed(), context)).toContain('ask the value in USD is unknown (BTC)')
    const odd = reviewed({ currency: 'ODD', beneficiary: 'w2' })
    expect(said('dayUsd', odd, context)).toContain('ask the value in USD is unknown (ODD, BTC)')
    const dollars = reviewed({ currency: 'USD', beneficiary: 'w2' })
    expect(said('dayUsd', dollars, context)).toContain('ask the value in USD is unknown (BTC)')
    // What is over the hard limit by itself stays blocked.
    const dayPerCurrency = new Map([['BTC', bounds(null, '0.9')]])
    const over = { ...context, limits: { ...context.limits, dayPerCurrency } }
    expect(said('dayCurrency', reviewed(), over)).toContain('block')
    const none = {
      ...context,
      limits: { ...noWithdrawalLimits, dayPerCurrency: new Map([['BTC', bounds(null, null)]]) },
    }
    expect(said('dayCurrency', reviewed(), none)).toBe('ok')
  })

  test('what would satisfy a limit does, and one unit more does not', () => {
    const units = fc.integer({ min: 1, max: 1_000_000_000 })
    const coins = (count: number) => amount(count.toString()).div(100_000_000)
    const ends = { within: 0, beyond: 0, told: 0 }
    fc.assert(
      fc.property(units, units, units, fc.boolean(), (left, wish, bound, isUsd) => {
        const context = aContext({
          withdrawals: fresh([aWithdrawal({ amount: coins(left) })]),
          ...(isUsd
            ? limits({ dayUsd: bounds(null, coins(bound).times(60_000).toString()) })
            : perBtc(null, coins(bound).toString())),
        })
        const rule = isUsd ? 'dayUsd' : 'dayCurrency'
        const text = said(rule, reviewed({ amount: coins(wish) }), context)
        expect(text === 'ok').toBe(left + wish <= bound)
        const most = /at most (\S+) BTC more today/.exec(text)?.[1]
        ends[text === 'ok' ? 'within' : most === undefined ? 'beyond' : 'told'] += 1
        if (text === 'ok' || most === undefined) return
        expect(said(rule, reviewed({ amount: amount(most) }), context)).toBe('ok')
        expect(said(rule, reviewed({ amount: amount(most).plus('0.00000001') }), context)).toContain('block')
      }),
      { numRuns: 300 },
    )
    expect(Math.min(...Object.values(ends)), JSON.stringify(ends)).toBeGreaterThan(5)
  })
})

describe('the outlook of a withdrawal', () => {
  test('the usual fee is the median of completed ones of the currency; none without any', () => {
    const charged = (fee: string, more: Parameters<typeof aWithdrawal>[0] = {}) =>
      aWithdrawal({ state: 'COMPLETED', fee: amount(fee), ...more })
    const listed = [charged('3'), charged('1'), charged('9', { state: 'REJECTED' }), charged('8', { currency: 'ETH' })]
    const usual = usualFee([...listed, aWithdrawal({ state: 'COMPLETED', fee: null })], 'BTC')
    expect([usual?.median.toFixed(), usual?.count]).toEqual(['2', 2])
    expect(usualFee(listed, 'XLM')).toBeNull()
    expect(
      usualFee(
        ['9', '1', '4'].map((fee) => charged(fee)),
        'BTC',
      )?.median.toFixed(),
    ).toBe('4')
  })

  test('says how much of the limits of the day is used with it, and that it is unknown where it is', () => {
    const limits = {
      ...noWithdrawalLimits,
      dayPerCurrency: new Map([['BTC', bounds(null, '2')]]),
      dayUsd: bounds('1000', '9000'),
    }
    const context = aContext({ limits })
    const { balances, withdrawals } = context
    if (balances.kind !== 'fresh' || withdrawals.kind !== 'fresh') throw new Error('fresh data was expected')
    const day = { ...context, balances: balances.value, withdrawals: withdrawals.value, scale: 8 }
    const usesOf = (more: Partial<typeof day> = {}) =>
      dayUses(reviewed().request, { ...day, ...more }).map(
        ({ used, bound, unit }) => `${used?.toFixed() ?? '?'} of ${bound.toFixed()} ${unit}`,
      )
    expect(usesOf()).toHaveLength(2)
    expect(usesOf()).toEqual(['1 of 2 BTC', '60000 of 1000 USD'])
    const unpriced = { tickers: new Map(), balances: [] }
    expect(usesOf(unpriced)).toEqual(['1 of 2 BTC', '? of 1000 USD'])
    const all = aSent({ isKnown: false }, { amount: 'max' })
    expect(usesOf({ sent: [all] })).toEqual(['? of 2 BTC', '? of 1000 USD'])
    expect(usesOf({ limits: noWithdrawalLimits })).toEqual([])
  })
})
