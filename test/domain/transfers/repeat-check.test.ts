import { expect, test } from 'vitest'
import { repeatCheck, repeatWithinMs } from '../../../src/domain/transfers/withdrawal-checks.ts'
import { datedBySent } from '../../../src/domain/transfers/withdrawn-today.ts'
import { amount } from '../../fakes/amounts.ts'
import { aSent, aWithdrawal, noonMs } from './review-scene.ts'

const request = { currency: 'BTC', beneficiary: 'w1', amount: amount('0.50') }
const level = (context: Partial<Parameters<typeof repeatCheck>[1]>, of: Parameters<typeof repeatCheck>[0] = request) =>
  repeatCheck(of, { listed: [], sent: [], nowMs: noonMs, exchangeNowMs: noonMs, ...context }).level

test('the same again within minutes asks, whoever sent the first', () => {
  const check = repeatCheck(request, {
    listed: [aWithdrawal()],
    sent: [],
    nowMs: noonMs,
    exchangeNowMs: noonMs + 39_000,
  })
  expect(check).toMatchObject({ rule: 'repeat', level: 'ask', text: 'the same 0.5 BTC went to w1 40 s ago' })
  expect(level({ sent: [aSent({ isKnown: true })] })).toBe('ask')
  const said = (agoMs: number) =>
    repeatCheck(request, { listed: [], sent: [aSent({ isKnown: true, atMs: 5 })], nowMs: 5 + agoMs, exchangeNowMs: 0 })
  expect([said(119_999), said(120_000), said(599_999)].map(({ text }) => text.split(' w1 ')[1])).toEqual([
    ...['119 s ago', '2 min ago', '9 min ago'],
  ])
  expect(said(1_000).about).toEqual(['sent at 5'])
})

test('each that went is asked about by its name, the latest first said; only its own return takes it away', () => {
  const sent = [aSent({ isKnown: true, withdrawalId: 'x2', atMs: noonMs - 9_000 })]
  const now = { nowMs: noonMs, exchangeNowMs: noonMs }
  const both = repeatCheck(request, { listed: [aWithdrawal()], sent, ...now })
  expect(both).toMatchObject({ text: 'the same 0.5 BTC went to w1 1 s ago', about: ['x1', 'x2'] })
  // One that is listed without a time beside it is not the later one.
  const timeless = aWithdrawal({ withdrawalId: 'x3', timestampMs: null })
  expect(repeatCheck(request, { listed: [timeless], sent, ...now }).about).toEqual(['x3', 'x2'])
  expect(level({ listed: [aWithdrawal({ state: 'FAILED' })], sent })).toBe('ask')
  expect(level({ listed: [aWithdrawal({ state: 'FAILED' }), aWithdrawal({ withdrawalId: 'x2' })], sent })).toBe('ask')
  expect(
    level({ listed: [aWithdrawal({ beneficiary: 'w2' }), aWithdrawal({ withdrawalId: 'x2', state: 'FAILED' })], sent }),
  ).toBe('ok')
  const all = { sent: [aSent({ isKnown: true }, { amount: 'max' })], listed: [], nowMs: noonMs, exchangeNowMs: noonMs }
  for (const amountOf of [amount('0.5'), 'max'] as const)
    expect(repeatCheck({ ...request, amount: amountOf }, all)).toEqual({ rule: 'repeat', level: 'ok', text: '' })
  // Neither has an id: the one that came back may be another.
  expect(
    level({ listed: [aWithdrawal({ withdrawalId: null, state: 'FAILED' })], sent: [aSent({ isKnown: true })] }),
  ).toBe('ask')
})

test.each([
  ['another amount', { amount: amount('0.51') }],
  ['another beneficiary', { beneficiary: 'w2' }],
  ['another currency', { currency: 'ETH' }],
])('%s is none', (_, change) => {
  expect(level({ listed: [aWithdrawal()], sent: [aSent({ isKnown: true })] }, { ...request, ...change })).toBe('ok')
})

test('one that came back, one of long ago, and everything there is are none', () => {
  for (const state of ['FAILED', 'REFUNDED', 'REJECTED'] as const) {
    const sent = [aSent({ isKnown: true, withdrawalId: 'x1' })]
    expect(level({ listed: [aWithdrawal({ state })], sent })).toBe('ok')
  }
  expect(level({ listed: [aWithdrawal({ timestampMs: noonMs - repeatWithinMs })] })).toBe('ok')
  const max = repeatCheck(
    { ...request, amount: 'max' },
    { listed: [aWithdrawal()], sent: [], nowMs: noonMs, exchangeNowMs: noonMs },
  )
  expect(max.level).toBe('ok')
})

test('what is listed is as old as the exchange says, what this machine sent as it says itself: no wrong clock hides a repeat', () => {
  const dayMs = 24 * 60 * 60_000
  const set = { nowMs: noonMs + dayMs, exchangeNowMs: noonMs + 2_000 }
  const check = repeatCheck(request, { listed: [aWithdrawal({ timestampMs: noonMs })], sent: [], ...set })
  expect(check).toMatchObject({ level: 'ask', text: 'the same 0.5 BTC went to w1 2 s ago' })
  const slow = { nowMs: noonMs - dayMs, exchangeNowMs: noonMs }
  expect(level({ listed: [aWithdrawal({ timestampMs: noonMs - repeatWithinMs })], ...slow })).toBe('ok')
  expect(level({ sent: [aSent({ isKnown: true, atMs: noonMs - dayMs - 1_000 })], ...slow })).toBe('ask')
})

test('the same that is listed without a time may have gone just now, and asks', () => {
  const listed = [aWithdrawal({ withdrawalId: 'x1', timestampMs: null })]
  const check = repeatCheck(request, { listed, sent: [], nowMs: noonMs, exchangeNowMs: noonMs })
  expect(check).toEqual({
    ...{ rule: 'repeat', level: 'ask', about: ['x1'] },
    text: 'the same 0.5 BTC went to w1, at an unknown time',
  })
  // One that this machine sent has its own time.
  const of = (atMs: number) => {
    const sent = [aSent({ isKnown: true, withdrawalId: 'x1', atMs }), aSent({ withdrawalId: null, atMs: 1 })]
    return { listed: datedBySent(listed, sent), sent }
  }
  expect(level(of(noonMs - repeatWithinMs))).toBe('ok')
  expect(level(of(noonMs - 5_000))).toBe('ask')
  expect(datedBySent([aWithdrawal()], [aSent({ withdrawalId: 'x1', atMs: 1 })])).toEqual([aWithdrawal()])
  const nameless = [aWithdrawal({ withdrawalId: null, timestampMs: null })]
  expect(datedBySent(nameless, of(noonMs).sent)).toEqual(nameless)
  expect(level({ listed: [aWithdrawal({ timestampMs: null, state: 'FAILED' })] })).toBe('ok')
})

test('one without an answer is left to the rule that holds a like one back', () => {
  expect(level({ sent: [aSent()] })).toBe('ok')
})

test('the same that was rejected is asked about for ten minutes; with one that went both are said', () => {
  const refused = [{ request, atMs: noonMs - 3_000, name: 'd7' }]
  const check = repeatCheck(request, { listed: [], sent: [], refused, nowMs: noonMs, exchangeNowMs: noonMs })
  expect(check).toEqual({
    ...{ rule: 'repeat', level: 'ask', about: ['d7'] },
    text: 'the same 0.5 BTC to w1 was rejected 3 s ago and may be listed later all the same: this could be the second',
  })
  expect(level({ refused, nowMs: noonMs + repeatWithinMs - 3_000 })).toBe('ok')
  expect(level({ refused, nowMs: noonMs + repeatWithinMs - 3_001 })).toBe('ask')
  for (const other of [{ amount: amount('1') }, { amount: 'max' as const }, { beneficiary: 'w2' }, { currency: 'ETH' }])
    expect(level({ refused }, { ...request, ...other })).toBe('ok')
  const all = { ...request, amount: 'max' as const }
  expect(level({ refused: [{ request: all, atMs: noonMs, name: 'd8' }] }, all)).toBe('ask')
  const both = repeatCheck(request, {
    listed: [aWithdrawal()],
    sent: [],
    refused,
    nowMs: noonMs,
    exchangeNowMs: noonMs,
  })
  expect(both).toMatchObject({
    level: 'ask',
    text: expect.stringMatching(/ went to w1 .*; the same .* was rejected 3 s/),
  })
  expect(both.about).toEqual(['x1', 'd7'])
  const again = [...refused, { request, atMs: noonMs - 60_000, name: 'd6' }]
  const later = repeatCheck(request, { listed: [], sent: [], refused: again, nowMs: noonMs, exchangeNowMs: noonMs })
  expect(later).toMatchObject({ text: expect.stringContaining('rejected 3 s ago'), about: ['d7', 'd6'] })
})
