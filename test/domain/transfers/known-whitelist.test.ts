import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type KnownWhitelist, whitelistNews, withLook, withTrust } from '../../../src/domain/transfers/whitelist.ts'

const ids = ['w1', 'w2', 'w3']
const entry = fc.record({
  whitelistId: fc.constantFrom(...ids),
  name: fc.constantFrom('cold', 'ops', 'new'),
  currency: fc.constantFrom('BTC', null),
})
const whitelist = fc.uniqueArray(entry, { selector: ({ whitelistId }) => whitelistId, maxLength: 3 })
const step = fc.oneof(
  whitelist.map((entries) => ({ kind: 'look' as const, entries })),
  fc.constantFrom(...ids).map((id) => ({ kind: 'trust' as const, id })),
)

test('an entry is known only under a name it had at the first look or was trusted with last', () => {
  fc.assert(
    fc.property(whitelist, fc.array(step, { maxLength: 20 }), (first, steps) => {
      let memory: KnownWhitelist = withLook(null, first, 0)
      // The model: what each entry was called last, and the one name that is trusted.
      const names = new Map(first.map(({ whitelistId, name }) => [whitelistId, name]))
      const trusted = new Map(names)
      const seenMs = new Map(first.map(({ whitelistId }) => [whitelistId, 0]))
      steps.forEach((each, at) => {
        if (each.kind === 'trust') {
          memory = withTrust(memory, each.id)
          const name = names.get(each.id)
          if (name !== undefined) trusted.set(each.id, name)
          return
        }
        memory = withLook(memory, each.entries, at + 1)
        for (const { whitelistId, name } of each.entries) {
          names.set(whitelistId, name)
          if (!seenMs.has(whitelistId)) seenMs.set(whitelistId, at + 1)
        }
      })
      for (const [whitelistId, name] of names) {
        const from = trusted.get(whitelistId)
        const wanted =
          from === undefined
            ? { kind: 'new', sinceMs: seenMs.get(whitelistId) }
            : from === name
              ? { kind: 'known' }
              : { kind: 'renamed', from }
        expect(whitelistNews({ whitelistId, name, currency: null }, memory, 99)).toEqual(wanted)
      }
    }),
  )
})

test('the memory of an empty first look is one: what comes later is new; a changed currency is remembered', () => {
  const empty = withLook(null, [], 1)
  const ops = { whitelistId: 'w2', name: 'ops', currency: 'BTC' }
  expect(empty).toEqual(new Map())
  expect(whitelistNews(ops, withLook(empty, [ops], 2), 3)).toEqual({ kind: 'new', sinceMs: 2 })
  expect(withLook(withLook(empty, [ops], 2), [{ ...ops, currency: null }], 3).get('w2')?.currency).toBeNull()
})

test('the same look again gives the same object, and so does trust that changes nothing', () => {
  fc.assert(
    fc.property(whitelist, (entries) => {
      const memory = withLook(null, entries, 1)
      expect(withLook(memory, entries, 2)).toBe(memory)
      for (const id of ids) expect(withTrust(memory, id)).toBe(memory)
    }),
  )
})

test('without a memory nothing is new; what a memory does not have is', () => {
  const cold = { whitelistId: 'w1', name: 'cold', currency: null }
  expect(whitelistNews(cold, null, 5)).toEqual({ kind: 'known' })
  expect(whitelistNews(cold, new Map(), 5)).toEqual({ kind: 'new', sinceMs: 5 })
})
