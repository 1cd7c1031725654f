import { expect, test } from 'vitest'
import { hubLimitUsd, mayTradeAtHub, personLimitsText } from '../../../src/domain/hub/person.ts'
import { takenIdText } from '../../../src/domain/hub/taken-id.ts'

const limits = { orderUsd: '5000', dayUsd: null, withdrawDayUsd: '0.5' }

test("a person's limits are said each by its name, and where there are none, that", () => {
  expect(personLimitsText(limits)).toBe("an order up to 5000 USD, a day's withdrawals up to 0.5 USD")
  expect(personLimitsText({ ...limits, orderUsd: null, dayUsd: '7' })).toContain("a day's orders up to 7 USD")
  expect(personLimitsText({ orderUsd: null, dayUsd: null, withdrawDayUsd: null })).toBe('none')
  expect(personLimitsText(null)).toBe('none')
})

test('a limit that the hub does not send is left to the hub', () => {
  expect(hubLimitUsd({ limits }, 'orderUsd')?.toFixed()).toBe('5000')
  for (const unset of [{ limits }, { limits: null }, null]) expect(hubLimitUsd(unset, 'dayUsd')).toBeNull()
})

test('only a trader trades', () => {
  expect(mayTradeAtHub({ role: 'trader' })).toBe(true)
  expect([mayTradeAtHub({ role: 'viewer' }), mayTradeAtHub({ role: 'admin' })]).toEqual([false, false])
})

test('a client order id is taken by somebody else, or by an order before', () => {
  expect(takenIdText('a1', 'anotherPerson')).toBe('client order id a1 is used by another person')
  expect(takenIdText('a1', 'anotherOrder')).toBe('client order id a1 was used before, for another order')
})
