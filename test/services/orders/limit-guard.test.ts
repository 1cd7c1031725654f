import { expect, test } from 'vitest'
import type { Mode } from '../../../src/domain/desk/mode.ts'
import type { SentOrder } from '../../../src/domain/orders/exposure.ts'
import type { OrderDraft } from '../../../src/domain/orders/order.ts'
import { createLimitGuard, type MovedAs } from '../../../src/services/orders/limit-guard.ts'
import { checkContext } from '../../../src/store/ticket/check-context.ts'
import { amount } from '../../fakes/amounts.ts'
import { noLimits } from '../../fakes/limits.ts'
import { aDraft } from '../../fakes/orders.ts'
import { aDesk, startMs } from '../../store/desk.ts'

/** The guard of a desk, as compose connects it. */
function aGuard(mode: Mode['kind'], soft: string, hard: string) {
  const limits = { ...noLimits, orderNotionalUsd: { soft: amount(soft), hard: amount(hard) } }
  const { store } = aDesk(mode, { limits })
  let nowMs = startMs
  const guard = createLimitGuard(
    (symbol) => checkContext(store.getState(), symbol, nowMs),
    () => store.getState().mode,
  )
  return {
    stops: (change: Partial<OrderDraft> = {}) =>
      guard(aDraft({ limitPrice: amount('64209.5'), ...change })).map(({ text }) => text),
    wait: (ms: number) => {
      nowMs += ms
    },
  }
}

test('what passes the checks passes the guard, a soft limit too: it was confirmed before', () => {
  expect(aGuard('ARMED', '1000', '5000').stops()).toEqual([])
})

test('a hard limit stops the order at the last moment, whatever was checked before', () => {
  expect(aGuard('ARMED', '1000', '3000').stops()).toEqual(['notional 3,210.48 USD is over the hard limit 3,000.00 USD'])
})

test('an order without what its type needs is stopped, whoever sends it', () => {
  expect(aGuard('ARMED', '1000', '5000').stops({ limitPrice: null })).toEqual(['a LIMIT order needs a limit price'])
  expect(aGuard('ARMED', '1000', '5000').stops({ timeInForce: 'GTD' })).toEqual([
    'GTD needs an expiry date, as YYYYMMDD',
  ])
})

test('what grew old since it was checked stops it', () => {
  const guard = aGuard('ARMED', '1000', '5000')
  guard.wait(6_000)
  expect(guard.stops()).toEqual(['book 6 s old: wait for fresh data'])
})

test.each(['MONITOR', 'SAFE', 'HALTED'] as const)('in %s nothing goes out', (mode) => {
  expect(aGuard(mode, '1000', '5000').stops()).toEqual([`the desk is ${mode}`])
})

test('of the rest of a canceled order only whole lots may go out again: balances and lists are behind the cancel', () => {
  const rest = (quantity: string) =>
    createLimitGuard((symbol) => checkContext(aDesk('ARMED').store.getState(), symbol, startMs))(
      aDraft({ orderQuantity: amount(quantity) }),
      { kind: 'rest' },
    ).map(({ rule, level }) => `${rule} ${level}`)
  expect(rest('0.0312')).toEqual([])
  expect(rest('9999')).toEqual([])
  expect(rest('0.03123456789')).toEqual(['lot block'])
})

test('orders of other processes count at the last moment, of those a plan placed itself only the ones without an answer', () => {
  const { store } = aDesk('ARMED', { limits: { ...noLimits, duplicateWithinMs: 10_000 } })
  const asked: unknown[] = []
  const guard = createLimitGuard((symbol, ...about) => {
    asked.push(about)
    return checkContext(store.getState(), symbol, startMs)
  })
  const draft = aDraft({ limitPrice: amount('64209.5') })
  const sent = (stage: SentOrder['stage']) => [{ clientOrderId: 'p1', draft, atMs: startMs, stage }]
  const rules = (besides: readonly string[], stage: SentOrder['stage']) =>
    guard(draft, { kind: 'instead', orderId: '7', besides }, sent(stage)).map(({ rule }) => rule)
  expect(guard(draft)).toEqual([])
  expect(guard(draft, undefined, sent('taken')).map(({ rule }) => rule)).toEqual(['duplicate'])
  expect(rules(['p0'], 'taken')).toEqual(['duplicate'])
  expect(rules(['p1'], 'taken')).toEqual([])
  expect(rules(['p1'], 'inFlight')).toEqual(['duplicate'])
  expect(asked.slice(0, 3)).toEqual([
    [null, []],
    [null, []],
    ['7', ['p0']],
  ])
})

test('of an order that is written down only the mode is asked before it leaves', () => {
  for (const mode of ['ARMED', 'HALTED'] as const) {
    const { store } = aDesk(mode, { limits: { ...noLimits, openOrders: { soft: null, hard: 0 } } })
    const guard = createLimitGuard(
      (symbol) => checkContext(store.getState(), symbol, startMs),
      () => store.getState().mode,
    )
    const draft = aDraft({ limitPrice: amount('64209.5') })
    const rules = (movedAs?: MovedAs) => guard(draft, movedAs).map(({ rule }) => rule)
    expect(rules({ kind: 'begun' })).toEqual(mode === 'ARMED' ? [] : ['mode'])
    expect(rules()).toEqual(mode === 'ARMED' ? ['openOrders'] : ['mode', 'openOrders'])
  }
})
