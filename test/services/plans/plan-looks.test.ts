import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import type { PlanOrder } from '../../../src/domain/plans/plan.ts'
import { lookAtSent } from '../../../src/services/plans/plan-looks.ts'
import { createMemoryJournal } from '../../fakes/memory-journal.ts'
import { aDraft, anOrder } from '../../fakes/orders.ts'

const own = aDraft({ limitPrice: new Decimal(59_000) })
const planOrder: PlanOrder = {
  ...{ clientOrderId: 'x1', orderId: null, role: 'entry', slice: null, draft: own, standing: 'sent', status: null },
  ...{ filled: null, cancelingSinceMs: null },
} as PlanOrder

async function looked(draft: typeof own) {
  const journal = createMemoryJournal()
  const write = await journal.begin({ kind: 'order', clientOrderId: 'x1', draft }, 1)
  await write.end({ kind: 'accepted', id: '7', status: 'OPEN' }, 2)
  return await lookAtSent({ journal, client: { fetchOrder: () => Promise.resolve(anOrder()) } }, planOrder)
}

test('an order of somebody else under the id of a plan is none of the plan', async () => {
  const other = aDraft({ limitPrice: new Decimal(61_000) })
  expect(await looked(other)).toMatchObject({ kind: 'notPlaced', reason: expect.stringContaining('another order') })
  expect(await looked(own)).toMatchObject({ kind: 'report' })
  // A part of it may have been placed, where it took the place of another.
  expect(await looked({ ...own, orderQuantity: own.orderQuantity.div(2) })).toMatchObject({ kind: 'report' })
})
