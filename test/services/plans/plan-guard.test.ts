import { expect, test } from 'vitest'
import { block, type CheckRule } from '../../../src/domain/orders/checks/check.ts'
import { planGuard } from '../../../src/services/plans/plan-guard.ts'
import { aDraft } from '../../fakes/orders.ts'

const rules: readonly CheckRule[] = ['funds', 'orderValue', 'dayValue', 'openOrders', 'status']
const asked: unknown[] = []
const guarded = (exit: 'BUY' | 'SELL' | null) =>
  planGuard(exit, (draft, movedAs) => {
    asked.push([draft.side, movedAs])
    return rules.map((rule) => block(rule, rule))
  })
const named = (exit: 'BUY' | 'SELL' | null, side: 'BUY' | 'SELL') =>
  guarded(exit)(aDraft({ side }), { kind: 'rest' }).map(({ rule }) => rule)

test('limits on what is opened hold the entry of a plan and an order of a scale, and no leg; all else holds each', () => {
  for (const side of ['BUY', 'SELL'] as const) {
    expect(named(side, side)).toEqual(['funds', 'status'])
    expect(named(side === 'BUY' ? 'SELL' : 'BUY', side)).toEqual(rules)
    expect(named(null, side)).toEqual(rules)
  }
  expect(asked).toContainEqual(['SELL', { kind: 'rest' }])
})
