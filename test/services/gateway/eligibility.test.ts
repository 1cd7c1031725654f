import { expect, onTestFinished, test } from 'vitest'
import type { Need } from '../../../src/domain/desk/feeds.ts'
import { createEligibility } from '../../../src/services/gateway/eligibility.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'

test('what may be sold is asked for every ten seconds on screen, less often while it stays as it is, and hardly ever off screen', async () => {
  const clock = new FakeClock()
  const stop = new AbortController()
  const state: { need: Need; currency: string } = { need: 'visible', currency: 'EUR' }
  const askedAtMs: number[] = []
  const { paymentMethods } = createEligibility(
    {
      fetchPaymentMethods: async () => {
        askedAtMs.push(clock.now())
        return { paymentMethods: [{ type: 'CARD', supportedCurrencies: [state.currency] }], refused: [] }
      },
      fetchCurrencies: async () => ({ currencies: [], refused: [] }),
      fetchRegions: async () => ({ countries: [], usStates: [], refused: [] }),
    },
    {
      clock,
      random: () => 0.5,
      signal: stop.signal,
      emit: () => undefined,
      need: () => state.need,
      onlyBuyAllowed: () => true,
    },
  )
  const loop = paymentMethods.run()
  onTestFinished(async () => {
    stop.abort()
    await loop
  })
  await clock.advance(200_000)
  expect(askedAtMs).toEqual([0, 10_000, 25_000, 47_500, 81_250, 131_875, 191_875])
  state.currency = 'USD'
  await clock.advance(62_000)
  expect(askedAtMs.slice(7)).toEqual([251_875, 261_875])
  state.need = 'hidden'
  await clock.advance(400_000)
  expect(askedAtMs.length).toBe(11)
})

test('a list that is the very one of before is not looked through again', async () => {
  const clock = new FakeClock()
  const stop = new AbortController()
  let lookCount = 0
  const currencies = Object.assign([], {
    toJSON() {
      lookCount += 1
      return []
    },
  })
  let askedCount = 0
  const { currencies: poller } = createEligibility(
    {
      fetchPaymentMethods: async () => ({ paymentMethods: [], refused: [] }),
      fetchCurrencies: async () => {
        askedCount += 1
        return { currencies, refused: [] }
      },
      fetchRegions: async () => ({ countries: [], usStates: [], refused: [] }),
    },
    {
      ...{ clock, random: () => 0.5, signal: stop.signal, emit: () => undefined },
      ...{ need: () => 'visible', onlyBuyAllowed: () => true },
    },
  )
  const loop = poller.run()
  await clock.advance(30_000)
  stop.abort()
  await loop
  expect(askedCount).toBe(3)
  expect(lookCount).toBe(1)
})
