import { describe, expect, test } from 'vitest'
import type { ApprovalRule } from '../../../src/domain/limits.ts'
import type { DraftApproval } from '../../../src/domain/transfers/draft.ts'
import type { Withdrawal } from '../../../src/domain/transfers/transfer.ts'
import { type KnownWhitelist, withLook } from '../../../src/domain/transfers/whitelist.ts'
import { currencyScale, withdrawalReview, withdrawalStops } from '../../../src/domain/transfers/withdrawal-review.ts'
import type { SentWithdrawal } from '../../../src/domain/transfers/withdrawn-today.ts'
import { amount } from '../../fakes/amounts.ts'
import { noWithdrawalLimits } from '../../fakes/limits.ts'
import { aContext, aSent, aWithdrawal, bounds, noonMs, reviewed, said, swappedTicker } from './review-scene.ts'

const fresh = <T>(value: T) => ({ kind: 'fresh', value }) as const

test('on a quiet day nothing stops a plain withdrawal, and every rule has its line once', () => {
  const checks = withdrawalReview(reviewed(), aContext())
  expect(withdrawalStops(checks, [])).toEqual([])
  const rules = checks.map(({ rule }) => rule)
  expect(rules).toEqual([...new Set(rules)])
  expect(rules).toEqual([
    'freshness',
    'beneficiary',
    'whitelist',
    'amount',
    'scale',
    'funds',
    'fee',
    'repeat',
    'dayCurrency',
    'dayUsd',
    'approval',
  ])
})

test('with old data the withdrawal waits, and nothing is judged by it', () => {
  const checks = withdrawalReview(
    reviewed(),
    aContext({ balances: { kind: 'stale', ageMs: 20_500 }, withdrawals: { kind: 'missing' } }),
  )
  expect(checks).toEqual([
    { rule: 'freshness', level: 'block', text: 'balances 20 s old, withdrawals not loaded: wait for fresh data' },
  ])
})

test.each(['whitelist', 'balances', 'withdrawals'])('without the %s alone it waits, too', (name) => {
  const checks = withdrawalReview(reviewed(), aContext({ [name]: { kind: 'stale', ageMs: 9_000 } }))
  expect(checks.map(({ text }) => text)).toEqual([`${name} 9 s old: wait for fresh data`])
})

test('decimals are those of any symbol the currency is in', () => {
  const { instruments } = aContext()
  expect(currencyScale('BTC', instruments)).toBe(8)
  expect(currencyScale('USD', instruments)).toBe(2)
  expect(currencyScale('ODD', instruments)).toBeNull()
})

test('soft limits stop what was not confirmed by that very rule; hard ones whatever was confirmed', () => {
  const limits = {
    ...noWithdrawalLimits,
    dayUsd: bounds('50000', null),
    dayPerCurrency: new Map([['BTC', bounds(null, '0.5')]]),
  }
  const checks = withdrawalReview(reviewed(), aContext({ limits }))
  expect(withdrawalStops(checks, []).map(({ rule }) => rule)).toEqual(['dayCurrency', 'dayUsd'])
  expect(withdrawalStops(checks, ['dayUsd', 'dayCurrency']).map(({ rule }) => rule)).toEqual(['dayCurrency'])
})

test('who agrees to a repeat agrees to those that were shown, and to none that went since', () => {
  const repeat = { rule: 'repeat', level: 'ask', text: 'the same went 3 s ago', about: ['w1', 'w2'] } as const
  expect(withdrawalStops([repeat], [])).toEqual([repeat])
  expect(withdrawalStops([repeat], ['repeat'], ['w1'])).toEqual([repeat])
  expect(withdrawalStops([repeat], ['repeat'], ['w2', 'w1', 'w0'])).toEqual([])
  // A question that is about no name is agreed to as it is.
  expect(withdrawalStops([{ rule: 'fee', level: 'ask', text: 'dear' }], ['fee'], [])).toEqual([])
  // Where it is not known what was shown, the rule alone counts.
  expect(withdrawalStops([repeat], ['repeat'])).toEqual([])
})

describe('the fee as the exchange took it last', () => {
  const context = aContext({
    withdrawals: fresh([
      aWithdrawal({ fee: amount('0.0005'), timestampMs: 5 }),
      aWithdrawal({ fee: amount('0.0009'), timestampMs: 3 }),
      aWithdrawal({ fee: amount('7'), timestampMs: 9, state: 'REJECTED' }),
      aWithdrawal({ fee: amount('8'), timestampMs: 9, currency: 'USD' }),
      aWithdrawal({ fee: null, timestampMs: 10 }),
    ]),
  })
  test.each([
    [{ amount: amount('1') }, 'ok the last fee was 0.0005 BTC'],
    [{ amount: amount('2.9995') }, 'ok the last fee was 0.0005 BTC'],
    [
      { amount: amount('2.99950001') },
      'ask the last fee was 0.0005 BTC: with it 3.00000001 is more than the available 3: at most 2.9995',
    ],
    [{ amount: amount('0.0005') }, 'warn the last fee was 0.0005 BTC: at least as much as would arrive'],
    [{ amount: 'max' as const }, 'ok the last fee was 0.0005 BTC: 2.9995 BTC would arrive'],
  ])('%j: %s', (request, text) => expect(said('fee', reviewed(request), context)).toBe(text))

  test('the last is that of the latest time, whatever the order of the list; what is offered has the decimals', () => {
    const dated = (fee: string, timestampMs: number | null) => aWithdrawal({ fee: amount(fee), timestampMs })
    const last = (...list: Withdrawal[]) =>
      said('fee', reviewed({ amount: amount('2.9999') }), aContext({ withdrawals: fresh(list) })).split(': ')[0]
    expect(last(dated('0.01', 3), dated('0.02', 5))).toContain('0.02 BTC')
    expect(last(dated('0.01', 5), dated('0.02', 5))).toContain('0.01 BTC')
    expect(last(dated('0.01', null), dated('0.02', 5), dated('0.03', null))).toContain('0.02 BTC')
    const fine = aContext({ withdrawals: fresh([dated('0.0000000001', 5)]) })
    expect(said('fee', reviewed({ amount: 'max' }), fine)).toContain('2.99999999 BTC would arrive')
    const odd = { currency: 'ODD', beneficiary: 'w2' }
    const unscaled = aContext({ withdrawals: fresh([aWithdrawal({ ...odd, fee: amount('0.0000000001') })]) })
    expect(said('fee', reviewed({ ...odd, amount: 'max' }), unscaled)).toContain('9.9999999999 ODD would arrive')
    const dear = aContext({ withdrawals: fresh([dated('3', 5)]) })
    expect(said('fee', reviewed(), dear)).toContain('more than 3 has to be available')
    // What is more than there is has its own rule.
    expect(said('fee', reviewed({ amount: amount('3.1') }), dear)).toBe('ok the last fee was 3 BTC')
  })

  test('one that is not known is warned of', () =>
    expect(said('fee', reviewed(), aContext())).toContain(
      'warn the fee for BTC is unknown before the first withdrawal',
    ))

  test('of everything nothing may be left', () => {
    const dear = fresh([aWithdrawal({ fee: amount('3') })])
    expect(said('fee', reviewed({ amount: 'max' }), aContext({ withdrawals: dear }))).toContain('nothing would be left')
    expect(said('funds', reviewed({ amount: 'max' }), aContext({ balances: fresh([]) }))).toBe(
      'block nothing is available in BTC',
    )
  })
})

type Earlier = { sent?: SentWithdrawal[]; listed?: Withdrawal[] }

describe('the beneficiary', () => {
  const toOps = { beneficiary: 'w2' }
  const entries = [
    { whitelistId: 'w1', name: 'cold', currency: 'BTC' },
    { whitelistId: 'w2', name: 'ops', currency: null },
  ]
  const first = entries.slice(0, 1)
  const memoryOf = (...looks: (typeof entries)[]): KnownWhitelist | null =>
    looks.reduce<KnownWhitelist | null>((memory, look, at) => withLook(memory, look, noonMs + at), null)

  test.each([
    ['known since the first look', memoryOf(entries), 'w1', 'ok'],
    [
      'new since then',
      memoryOf(first, entries),
      'w2',
      'warn "ops" (w2) is new on the whitelist: first seen 2022-01-08 12:00 UTC, nothing sent to it since',
    ],
    [
      'renamed',
      memoryOf([{ whitelistId: 'w1', name: 'hot', currency: 'BTC' }]),
      'w1',
      'warn w1 was called "hot" and is now "cold"',
    ],
    ['not remembered at all', null, 'w1', 'ok'],
  ])('%s', (_, memory, beneficiary, text) =>
    expect(said('whitelist', reviewed({ beneficiary }), aContext({ memory }))).toBe(text),
  )

  test.each([
    ['what was found after its answer was lost', { sent: [aSent({ isKnown: true, withdrawalId: 'x9' }, toOps)] }, true],
    ['what has no known outcome', { sent: [aSent({}, toOps)] }, false],
    ['what another beneficiary got', { sent: [aSent({ isKnown: true })] }, false],
    ['what left before it was first seen', { sent: [aSent({ isKnown: true, atMs: noonMs - 9_000 }, toOps)] }, false],
    ['what left as it was first seen', { sent: [aSent({ isKnown: true, atMs: noonMs - 5_000 }, toOps)] }, true],
    [
      'one of the list as it was first seen',
      { listed: [aWithdrawal({ ...toOps, timestampMs: noonMs - 5_000 })] },
      true,
    ],
    ['one of the list before', { listed: [aWithdrawal({ ...toOps, timestampMs: noonMs - 5_001 })] }, false],
    ['one of the list at an unknown time', { listed: [aWithdrawal({ ...toOps, timestampMs: null })] }, false],
    ['one of the list to another beneficiary', { listed: [aWithdrawal()] }, false],
    [
      'what was sent, while another one came back',
      {
        sent: [aSent({ isKnown: true, withdrawalId: 'x9' }, toOps)],
        listed: [aWithdrawal({ withdrawalId: null, state: 'FAILED' }), aWithdrawal({ withdrawalId: 'x9' })],
      },
      true,
    ],
    [
      'what has no id, while another without one came back',
      {
        sent: [aSent({ isKnown: true }, toOps)],
        listed: [aWithdrawal({ withdrawalId: null, state: 'FAILED' })],
      },
      true,
    ],
    ['a completed one of the list', { listed: [aWithdrawal(toOps)] }, true],
    ['a pending one of the list', { listed: [aWithdrawal({ ...toOps, state: 'PENDING' as const })] }, true],
    ['a rejected one of the list', { listed: [aWithdrawal({ ...toOps, state: 'REJECTED' as const })] }, false],
    [
      'what was sent and came back',
      {
        sent: [aSent({ isKnown: true, withdrawalId: 'x1' }, toOps)],
        listed: [aWithdrawal({ ...toOps, state: 'FAILED' as const })],
      },
      false,
    ],
  ])('sent to a new one since: %s', (_, { sent = [], listed = [] }: Earlier, counts) => {
    const memory = withLook(withLook(null, first, 0), entries, noonMs - 5_000)
    const context = aContext({ memory, sent, withdrawals: { kind: 'fresh', value: listed } })
    const text = said('whitelist', reviewed({ beneficiary: 'w2' }), context)
    if (counts) expect(text).toBe('ok')
    else expect(text).toContain('nothing sent to it since')
  })

  test('one that is not on the whitelist has its own rule, and nothing else is said of it', () => {
    expect(said('whitelist', reviewed({ beneficiary: 'w9' }), aContext())).toBe('ok')
  })

  test('one that has another name than in the draft is asked about', () => {
    expect(said('whitelist', reviewed({}, { draftedName: 'cold' }), aContext())).toBe('ok')
    expect(said('whitelist', reviewed({}, { draftedName: 'mine' }), aContext())).toBe(
      'ask w1 was called "mine" when the draft was made and is now "cold"',
    )
  })

  test('a name cannot steer a terminal', () => {
    const whitelist = fresh([{ whitelistId: 'w1', name: 'co\u001b[2Jld', currency: 'BTC' }])
    expect(said('whitelist', reviewed({}, { draftedName: 'x' }), aContext({ whitelist }))).not.toContain('\u001b')
  })
})

describe('a second person', () => {
  const always: ApprovalRule = { kind: 'always' }
  const from = (usd: string): ApprovalRule => ({ kind: 'fromUsd', usd: amount(usd) })
  const wanted: DraftApproval = { kind: 'wanted' }
  const given: DraftApproval = { kind: 'given', by: 'Ada', atMs: 5 }
  const none: DraftApproval = { kind: 'none' }

  test.each<[string, ApprovalRule, DraftApproval | null, string | null, string]>([
    ['is not needed', { kind: 'never' }, null, null, 'ok'],
    ['below the amount', from('60000.01'), none, 'Ada', 'ok'],
    [
      'from the amount on',
      from('60000'),
      none,
      'Ada',
      'block the approver has to approve it (60,000.00 USD; required from 60,000.00 USD on): Ada has not yet',
    ],
    [
      'before there is a draft',
      always,
      null,
      'Ada',
      'warn the approver has to approve it (required for every withdrawal): it waits as a draft for Ada',
    ],
    [
      'has not yet',
      always,
      wanted,
      'Ada',
      'block the approver has to approve it (required for every withdrawal): Ada has not yet',
    ],
    [
      'asked for by the draft alone',
      { kind: 'never' },
      wanted,
      'Ada',
      'block the approver has to approve it (the draft asks for it): Ada has not yet',
    ],
    ['has', always, given, 'Ada', 'ok approved by Ada'],
    [
      'is not set up',
      always,
      null,
      null,
      'block the approver has to approve it (required for every withdrawal); no approver set up: pitdesk lock approver setup',
    ],
  ])('%s', (_, approval, drafted, approver, text) => {
    const context = aContext({ limits: { ...noWithdrawalLimits, approval }, approver })
    expect(said('approval', reviewed({}, { approval: drafted }), context)).toBe(text)
  })

  test('what has no price in USD is approved whatever its amount; everything counts as all that is there', () => {
    const context = aContext({ limits: { ...noWithdrawalLimits, approval: from('180000') }, approver: 'Ada' })
    const small = reviewed({ currency: 'ODD', beneficiary: 'w2', amount: amount('0.1') })
    expect(said('approval', small, context)).toContain(
      'warn the approver has to approve it (the value of ODD in USD is unknown',
    )
    expect(said('approval', reviewed({ amount: 'max' }), context)).toContain('warn the approver has to approve it')
    expect(said('approval', reviewed({ amount: amount('2.99') }), context)).toBe('ok')
  })

  test('a last price in the place of another spares nobody the approver', () => {
    const context = aContext({
      ...swappedTicker,
      ...{ limits: { ...noWithdrawalLimits, approval: from('3000') }, approver: null },
    })
    expect(said('approval', reviewed({ amount: amount('0.2') }), context)).toContain(
      'block the approver has to approve it (the last price of BTC is 0.16 USD and its rate 60,000 USD, ' +
        'which cannot both be true; required from 3,000.00 USD on)',
    )
  })
})
