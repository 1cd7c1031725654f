import { expect, test } from 'vitest'
import type { CancelAllOutcome } from '../../../src/domain/orders/order-outcome.ts'
import type { NotSent } from '../../../src/domain/write-outcome.ts'
import { cancelAtHangUp, hangUpMaxMs } from '../../../src/services/orders/hang-up.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'

const canceled: CancelAllOutcome = {
  kind: 'canceled',
  symbol: null,
  tally: { before: null, canceled: 0, otherwise: [] },
}
const unknown = { kind: 'unknown', symbol: null, reason: 'no answer', cause: 'noAnswer' } as const
const notSent = { kind: 'notSent', reason: 'no connection' } as const

/** A hang-up whose cancels come to `outcomes` in their order, the last one for ever. */
function hangUp(outcomes: readonly (CancelAllOutcome | NotSent)[], underWay: Promise<unknown>[] = []) {
  const clock = new FakeClock()
  const triedAtMs: number[] = []
  const result = cancelAtHangUp({
    orders: {
      cancelAll: async (symbol) => {
        expect(symbol).toBeNull()
        triedAtMs.push(clock.now())
        return outcomes[triedAtMs.length - 1] ?? outcomes.at(-1) ?? canceled
      },
    },
    clock,
    writesUnderWay: () => underWay.length,
    writesEnded: () => Promise.all(underWay).then(() => underWay.splice(0)),
  })
  const startedAtMs = clock.now()
  return { clock, result, tries: () => triedAtMs.map((atMs) => atMs - startedAtMs) }
}

test('one cancel that is confirmed is enough', async () => {
  const { result, tries } = hangUp([canceled])
  expect(await result).toBe(true)
  expect(tries()).toEqual([0])
})

test('an order that was on its way is waited for and taken back by a second cancel', async () => {
  const order = Promise.withResolvers<null>()
  const { clock, result, tries } = hangUp([canceled], [order.promise])
  await clock.advance(3_000)
  expect(tries()).toEqual([0])
  order.resolve(null)
  expect(await result).toBe(true)
  expect(tries()).toEqual([0, 3_000])
})

test('what has no answer or did not leave is tried again, further and further apart', async () => {
  const { clock, result, tries } = hangUp([notSent, unknown, unknown, canceled])
  await clock.advance(10_000)
  expect(await result).toBe(true)
  expect(tries()).toEqual([0, 500, 1_500, 3_500])
})

test('an exchange that never answers does not keep the desk for ever', async () => {
  const { clock, result, tries } = hangUp([unknown])
  await clock.advance(hangUpMaxMs * 2)
  expect(await result).toBe(false)
  expect(tries().at(-1)).toBeGreaterThanOrEqual(hangUpMaxMs)
  expect(tries().at(-1)).toBeLessThan(hangUpMaxMs + 5_000)
})

test('nor does a write that does not end, such as a cancel that is repeated until the exchange is back', async () => {
  const { clock, result } = hangUp([notSent], [new Promise(() => undefined)])
  await clock.advance(hangUpMaxMs * 2)
  expect(await result).toBe(false)
})
