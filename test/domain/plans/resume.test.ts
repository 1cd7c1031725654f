import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import type { PlanFacts } from '../../../src/domain/plans/facts.ts'
import { begunPlan } from '../../../src/domain/plans/plan.ts'
import type { PlanTerms } from '../../../src/domain/plans/terms.ts'
import { tradedOnResume } from '../../../src/domain/plans/what-if.ts'
import { anInstrument } from '../../fakes/instruments.ts'
import { heldPlan, lateEntry, ocoTerms, protectedPlan, tenth, tenthLegs } from '../../fakes/plans.ts'

const nowMs = Date.UTC(2026, 10, 20, 13)

/** What is known where the market is at this price; null: nobody knows where it is. */
const factsAt = (price: number | null, last: number | null = null): PlanFacts => ({
  ...{ nowMs, instrument: anInstrument(), blindMs: 0, judge: () => null, hasBudget: true },
  price:
    price === null
      ? { kind: 'unknown', why: 'no price has come yet', sinceMs: 0 }
      : { kind: 'known', price: new Decimal(price), last: last === null ? null : new Decimal(last) },
})
const traded = (terms: PlanTerms, facts: PlanFacts) => tradedOnResume(begunPlan('p1', terms, 0), facts)?.type ?? null
const bracket = (side: 'BUY' | 'SELL', entryPrice: number | null): PlanTerms => ({
  ...{ ...tenth, kind: 'bracket', side, entryPrice: entryPrice === null ? null : new Decimal(entryPrice) },
  ...(side === 'BUY'
    ? tenthLegs
    : { ...tenthLegs, stopPrice: tenthLegs.targetPrice, targetPrice: tenthLegs.stopPrice }),
})

test('a market entry that is still due trades as its plan is resumed, however long ago it was asked for', () => {
  expect(tradedOnResume(lateEntry().plan, factsAt(64_000))).toMatchObject({ type: 'MARKET', side: 'BUY' })
  expect(traded(bracket('SELL', null), factsAt(null))).toBe('MARKET')
})

test('a limit entry trades at once where the market has come to it, and may where nobody knows the market', () => {
  const of = (side: 'BUY' | 'SELL', price: number | null) => traded(bracket(side, 64_000), factsAt(price))
  expect([of('BUY', 64_000), of('BUY', 64_001), of('BUY', null)]).toEqual(['LIMIT', null, 'LIMIT'])
  expect([of('SELL', 64_000), of('SELL', 63_999), of('SELL', null)]).toEqual(['LIMIT', null, 'LIMIT'])
})

test('a stop that is missing triggers at once where the price has passed it, by the mid or by the last trade', () => {
  const { plan } = heldPlan()
  const of = (price: number | null, last?: number) => tradedOnResume(plan, factsAt(price, last))?.type ?? null
  expect([of(64_000), of(63_000), of(64_000, 62_999), of(null)]).toEqual([null, 'STOP', 'STOP', 'STOP'])
  const toBuy: PlanTerms = {
    ...{ ...ocoTerms, kind: 'oco', side: 'BUY', ...tenthLegs },
    ...{ stopPrice: new Decimal(66_000), targetPrice: new Decimal(63_000) },
  }
  expect([traded(toBuy, factsAt(65_999)), traded(toBuy, factsAt(66_000))]).toEqual([null, 'STOP'])
})

test('what rests already, and a scale that is post-only, trade nothing by being resumed', () => {
  expect(tradedOnResume(protectedPlan().plan, factsAt(64_000))).toBeNull()
  const slices = [{ price: new Decimal(64_000), quantity: tenth.quantity }]
  const scale = (postOnly: boolean): PlanTerms => ({ ...tenth, kind: 'scale', side: 'BUY', postOnly, slices })
  expect([traded(scale(true), factsAt(63_000)), traded(scale(false), factsAt(63_000))]).toEqual([null, 'LIMIT'])
})
