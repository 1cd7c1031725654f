import { expect, test } from 'vitest'
import { type EventFilter, eventFilter } from '../../../src/inbox/forward/event-filter.ts'
import { eventBody } from '../../fakes/memory-events.ts'

const all: EventFilter = { states: [], types: [], currencies: [], countries: [] }
const passes = (filter: Partial<EventFilter>, fields: Readonly<Record<string, unknown>> = {}): boolean =>
  passesBody(filter, eventBody(fields))
const passesBody = (filter: Partial<EventFilter>, body: string): boolean =>
  eventFilter({ ...all, ...filter })({
    ...{ sequence: 1, eventId: 'e1', orderId: 'o1', receivedAtMs: 0, source: '127.0.0.1', body },
    ...{ copies: 0, conflicts: 0 },
  })

test('empty lists let everything pass, also what cannot be read', () => {
  expect(passes({})).toBe(true)
  expect(passesBody({}, 'not JSON')).toBe(true)
})

test('what this version cannot read passes every filter: it may be wanted', () => {
  expect(passesBody({ states: ['COMPLETED'] }, 'not JSON')).toBe(true)
  expect(passes({ states: ['COMPLETED'], currencies: ['ETH'] }, { orderState: 'NEW_IN_2030' })).toBe(true)
})

test.each<[string, Partial<EventFilter>, Readonly<Record<string, unknown>>]>([
  ['a state', { states: ['PENDING'] }, { orderState: 'COMPLETED' }],
  ['a type', { types: ['BUY'] }, { orderType: 'SELL' }],
  ['a country', { countries: ['DE'] }, { userCountry: 'FR' }],
  ['a country that is not given', { countries: ['DE'] }, {}],
  ['both currencies', { currencies: ['EUR'] }, { inputCurrency: 'USD', outputCurrency: 'BTC' }],
])('%s that is not in the list stays here', (_what, filter, other) => {
  expect(passes(filter, other)).toBe(false)
})

test('one of several is enough within a list, and each list has to agree', () => {
  expect(passes({ states: ['COMPLETED', 'PENDING'] })).toBe(true)
  expect(passes({ countries: ['FR', 'DE'] }, { userCountry: 'DE' })).toBe(true)
  expect(passes({ states: ['PENDING'], types: ['SELL'] })).toBe(false)
  expect(passes({ states: ['PENDING'], types: ['BUY'] })).toBe(true)
})

test('a currency may be what the user pays or what the user gets, in capitals or not', () => {
  expect(passes({ currencies: ['eur'] })).toBe(true)
  expect(passes({ currencies: ['BTC'] })).toBe(true)
  expect(passes({ currencies: ['ETH'] })).toBe(false)
  expect(passes({ countries: ['de'] }, { userCountry: 'DE' })).toBe(true)
})
