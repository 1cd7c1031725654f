import { expect, test } from 'vitest'
import type { HubPerson } from '../../src/domain/hub/person.ts'
import { createDeskStore } from '../../src/store/store.ts'
import { checkContext } from '../../src/store/ticket/check-context.ts'
import { deskState } from '../fakes/desk-state.ts'

const ann: HubPerson = { name: 'ann', role: 'trader', account: null, halted: null, limits: null }

/** A desk to which a hub tells one thing after the other. */
function told(mode: 'ARMED' | 'MONITOR', ...persons: readonly Partial<HubPerson>[]) {
  const store = createDeskStore(deskState({ mode: { kind: mode } }))
  for (const [at, person] of persons.entries())
    store.dispatch({ type: 'hubKnown', person: { ...ann, ...person }, atMs: 1_000 + at })
  const { log, mode: now, hub } = store.getState()
  return { texts: log.map(({ text }) => text), mode: now.kind, hub }
}

test('a halt and its end are told once each, with the reason as plain text', () => {
  const { texts, hub } = told('ARMED', {}, { halted: 'a \u001b[31mkey' }, { halted: 'a \u001b[31mkey' }, {})
  expect(texts.filter((text) => text.startsWith('Halted by the hub: a '))).toHaveLength(1)
  expect(texts.join()).not.toContain('\u001b')
  expect(texts.at(-1)).toContain('not halted any more')
  expect(hub?.halted).toBeNull()
})

test('who loses the role has a desk that reads, who has it again arms it; a desk that was to read only stays so', () => {
  expect(told('ARMED', {}, { role: 'viewer' }).mode).toBe('MONITOR')
  expect(told('ARMED', {}, { role: 'viewer' }, {}).mode).toBe('SAFE')
  expect(told('MONITOR', { role: 'viewer' }, {}).mode).toBe('MONITOR')
})

test('limits that change are told, and those of the start are not', () => {
  const limits = { orderUsd: '5000', dayUsd: null, withdrawDayUsd: '100' }
  expect(told('ARMED', { limits }).texts.join()).not.toContain('limits')
  expect(told('ARMED', {}, { limits }).texts.at(-1)).toBe(
    "Your limits at the hub: an order up to 5000 USD, a day's withdrawals up to 100 USD.",
  )
  expect(told('ARMED', { limits }, {}).texts.at(-1)).toBe('Your limits at the hub: none.')
})

test("a ticket is held against the person's limit of one order at the hub", () => {
  const most = (orderUsd: string | null) => {
    const hub = { ...ann, limits: { orderUsd, dayUsd: null, withdrawDayUsd: null } }
    return checkContext(deskState({ hub }), 'BTC-USD').hubOrderUsd
  }
  expect(most('2000')?.toFixed()).toBe('2000')
  expect(most(null)).toBeNull()
})
