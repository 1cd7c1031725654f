import { expect, test } from 'vitest'
import { IncompleteList, ordersById } from '../../../src/commands/cli/paging.ts'
import { anOrder } from '../../fakes/orders.ts'

test('orders of the engine without an end are listed up to two million, and the list is called not complete', async () => {
  const page = Array.from({ length: 50_000 }, () => anOrder({ orderId: '1' }))
  let calls = 0
  const client = {
    async fetchOrderPage() {
      calls += 1
      if (calls > 100) throw new Error('the list has no end')
      return { nextOrderId: `${calls}`, orders: [...page.slice(1), anOrder({ orderId: `${calls}` })] }
    },
  }
  let count = 0
  const listed = async () => {
    const context = { most: null, signal: new AbortController().signal, onPage: () => {} }
    for await (const orders of ordersById(client, {}, context)) count += orders.length
  }
  await expect(listed()).rejects.toBeInstanceOf(IncompleteList)
  expect(count).toBe(2_000_000)
})

test('OPEN asks the engine for partly filled orders too, as it does the list', async () => {
  const orders = [
    anOrder({ orderId: '1', status: 'OPEN' }),
    anOrder({ orderId: '2', status: 'PART_FILLED' }),
    anOrder({ orderId: '3', status: 'FILLED' }),
    anOrder({ orderId: '4', status: 'PENDING' }),
  ]
  const client = {
    fetchOrderPage: async ({ orderId }: { orderId?: string }) => ({
      nextOrderId: '4',
      orders: orderId === undefined ? orders : [],
    }),
  }
  const listed = async (status: 'OPEN' | 'FILLED') => {
    const context = { most: null, signal: new AbortController().signal, onPage: () => {} }
    const ids: (string | null)[] = []
    for await (const page of ordersById(client, { status }, context)) ids.push(...page.map(({ orderId }) => orderId))
    return ids
  }
  expect(await listed('OPEN')).toEqual(['1', '2'])
  expect(await listed('FILLED')).toEqual(['3'])
})
