import { expect, test } from 'vitest'
import { ExchangeError } from '../../../src/api/errors.ts'
import { unknownText, unsentText } from '../../../src/services/plans/plan-words.ts'

const failed = (change: Partial<ConstructorParameters<typeof ExchangeError>[0]>) =>
  new ExchangeError({
    ...{ kind: 'connectivity', method: 'POST', path: '/plans', reason: 'refused', outcome: 'notSent', isOfHub: true },
    ...change,
  })

test('of a request without an answer nobody says that it failed: the plans are to be looked at first', () => {
  const end = 'is unknown. Look at the plans before you repeat it.'
  expect(unknownText({ ask: 'add' })).toBe(`The hub did not answer: whether the plan was begun ${end}`)
  for (const ask of ['cancel', 'edit', 'resume'])
    expect(unknownText({ ask })).toBe(`The hub did not answer: whether the plan was changed ${end}`)
})

test('of one that the hub refused it is said why, in its own words where it has some; of one that never left, what to do', () => {
  expect(unsentText(failed({ kind: 'rejected', outcome: 'refused', status: 409, words: 'plan p1 has ended.' }))).toBe(
    'Plan p1 has ended.',
  )
  expect(unsentText(failed({ kind: 'rejected', outcome: 'refused', fault: 'status', status: 403 }))).toBe(
    'The hub does not allow this (403); ask who runs the hub: nothing was changed.',
  )
  expect(unsentText(failed({ fault: 'connectionRefused' }))).toMatch(/^[A-Z].+: nothing was changed\.$/)
})
