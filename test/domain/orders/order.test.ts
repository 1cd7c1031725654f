import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import {
  canFollow,
  compareIds,
  filledShare,
  isWorking,
  openQuantity,
  orderQuantity,
  orderStatuses,
} from '../../../src/domain/orders/order.ts'
import { anOrder } from '../../fakes/orders.ts'

test('nothing follows an ended order, and every status may be reported again', () => {
  for (const status of orderStatuses) {
    expect(canFollow(status, status)).toBe(true)
    if (isWorking({ status })) continue
    expect(orderStatuses.filter((after) => after !== status && canFollow(status, after))).toEqual([])
  }
  expect(orderStatuses.filter((status) => isWorking({ status }))).toEqual(['PENDING', 'OPEN', 'PART_FILLED'])
})

test('open quantity is what still can trade, whatever leavesQty says after the end', () => {
  const part = { leavesQuantity: new Decimal('0.02'), cumQuantity: new Decimal('0.03') }
  expect(openQuantity(anOrder({ status: 'PART_FILLED', ...part }))?.toString()).toBe('0.02')
  expect(openQuantity(anOrder({ status: 'CANCELED', ...part }))?.toString()).toBe('0')
  expect(orderQuantity(anOrder({ status: 'CANCELED', ...part }))?.toString()).toBe('0.05')
  expect(filledShare(anOrder({ status: 'PART_FILLED', ...part }))?.toString()).toBe('0.6')
})

test('an untriggered stop does not tell its quantity', () => {
  const pending = anOrder({ status: 'PENDING', type: 'STOP', leavesQuantity: new Decimal(0) })
  expect(openQuantity(pending)).toBeNull()
  expect(orderQuantity(pending)).toBeNull()
})

test('ids beyond 2^53 compare exactly', () => {
  expect(['9007199254740993', '9007199254740992', '99'].toSorted(compareIds)).toEqual([
    '99',
    '9007199254740992',
    '9007199254740993',
  ])
})
