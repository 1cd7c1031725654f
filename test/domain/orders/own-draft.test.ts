import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import { ownDraft, ownStops, withOwnDrafts, withSentDraft } from '../../../src/domain/orders/own-draft.ts'
import { aDraft, anOrder } from '../../fakes/orders.ts'

const none = new Set<string>()
const drafts = (...ids: string[]) => new Map(ids.map((id) => [id, aDraft()]))

test('what is read of earlier desks is older than what was sent; nothing new is the same record', () => {
  const known = drafts('now')
  expect([...withOwnDrafts(known, drafts('old1', 'old2', 'now'), none).keys()]).toEqual(['old1', 'old2', 'now'])
  expect(withOwnDrafts(known, drafts('now'), none)).toBe(known)
})

test('the oldest are forgotten beyond the bound, what still works is kept', () => {
  expect([...withSentDraft(drafts('a', 'b', 'c'), 'd', aDraft(), new Set(['a']), 3).keys()]).toEqual(['a', 'c', 'd'])
})

test('an id that stands for another order elsewhere is no own one', () => {
  const order = anOrder({ clientOrderId: 'x' })
  expect(ownDraft(order, drafts('x'))).not.toBeNull()
  expect(ownDraft({ ...order, side: 'SELL' }, drafts('x'))).toBeNull()
  expect(ownDraft({ ...order, symbol: 'ETH-USD' }, drafts('x'))).toBeNull()
})

test('stops wait only while they are PENDING', () => {
  const known = new Map([['x', aDraft({ type: 'STOP', stopPrice: new Decimal('65000') })]])
  const waiting = anOrder({ clientOrderId: 'x', status: 'PENDING', leavesQuantity: new Decimal(0) })
  expect(ownStops([waiting], known).map(({ stopPrice, quantity }) => `${quantity} at ${stopPrice}`)).toEqual([
    '0.05 at 65000',
  ])
  expect(ownStops([{ ...waiting, status: 'OPEN' }], known)).toEqual([])
})
