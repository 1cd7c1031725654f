import { expect, test } from 'vitest'
import type { UnknownWrite } from '../../../src/domain/unknown-write.ts'
import { createCommands } from '../../../src/store/commands.ts'
import type { DeskState } from '../../../src/store/desk.ts'
import { createDeskStore } from '../../../src/store/store.ts'
import { actionOf } from '../../../src/ui/keys/handle-input.ts'
import { namedKey } from '../../../src/ui/terminal/key-sequences.ts'
import { deskNowMs, deskState, unknownOrder } from '../../fakes/desk-state.ts'
import { quietPort } from '../../fakes/quiet-port.ts'
import { anUnknownWithdrawal, aWithdrawal } from '../../fakes/transfers.ts'
import { plainScreen } from '../render-screen.tsx'

const asked = (key: string, change: Partial<UnknownWrite> = {}): UnknownWrite => ({
  ...unknownOrder,
  key,
  sentence: `No answer for ${key}. It may be live.`,
  question: { evidence: `No list has ${key}.`, verdicts: ['notPlaced'] },
  ...change,
})

function aDesk(unknownWrites: readonly UnknownWrite[]) {
  const store = createDeskStore(deskState({ unknownWrites }))
  const said: string[] = []
  const port = {
    ...quietPort(deskNowMs),
    decideUnknown: (key: string, verdict: string, id: string | null) =>
      void said.push([key, verdict, ...(id === null ? [] : [id])].join(' ')),
  }
  const commands = createCommands({ store, port, exit: () => undefined })
  commands.askUnknown()
  const screen = (state: DeskState = store.getState()) => plainScreen(state, 80, 24)
  return { store, commands, said, screen, last: () => screen().trimEnd().split('\n').at(-1) ?? '' }
}

test('with two of them the keys move between them, and the one that an answer settles is marked', () => {
  const { commands, screen, said, last } = aDesk([asked('order one'), asked('cancel two')])
  expect(screen()).toContain('Resolve unknown outcome 1 of 2')
  expect(screen()).toMatch(/> No answer for order one/)
  expect(last()).toContain('choose')
  commands.moveInUnknown(1)
  expect(screen()).toContain('Resolve unknown outcome 2 of 2')
  expect(screen()).toMatch(/> No answer for cancel two/)
  expect(screen()).toContain('No list has cancel two.')
  commands.resolveUnknown('notPlaced')
  expect(said).toEqual(['cancel two notPlaced'])
})

test('one that is still looked for is no choice, and a key that does nothing is not named and says why', () => {
  const { commands, store, last, said } = aDesk([asked('order one'), asked('cancel two', { question: null })])
  expect(last()).not.toMatch(/choose|it was placed/)
  expect(actionOf(namedKey('j'), store.getState())).toBe('unsettledDown')
  commands.moveInUnknown(1)
  expect(store.getState().notice?.text).toBe('This is the only one to resolve.')
  commands.resolveUnknown('placed')
  expect(store.getState().notice?.text).toBe('Not resolved: the evidence does not allow "placed".')
  expect([store.getState().overlay?.kind, said]).toEqual(['unknownWrite', []])
})

test('a list that changes while one decides moves no mark: what was marked is meant, or nothing', () => {
  const write = anUnknownWithdrawal()
  const { currency, beneficiary, amount } = aWithdrawal()
  const listing = (...ids: string[]) => ({
    evidence: 'These may be it.',
    verdicts: ['placed', 'notPlaced'] as const,
    withdrawals: {
      request: { currency, beneficiary, amount },
      matches: ids.map((withdrawalId) => aWithdrawal({ withdrawalId })),
      others: [],
    },
  })
  const asking = () => aDesk([{ ...write, question: listing('w-1') }])
  const changed = (ids: string[]) =>
    ({ type: 'writeQuestion', key: write.key, question: listing(...ids), atMs: deskNowMs }) as const
  const came = asking()
  came.store.dispatch(changed(['w-2', 'w-1']))
  came.commands.resolveUnknown('placed')
  expect(came.said).toEqual([`${write.key} placed w-1`])
  const gone = asking()
  gone.store.dispatch(changed(['w-2']))
  gone.commands.resolveUnknown('placed')
  expect(gone.said).toEqual([])
  expect(gone.store.getState().notice?.text).toBe('Not resolved: evidence changed. Look again.')
  expect(gone.screen()).toMatch(/> w-2/)
})

test('what is listed only now was not seen by who says that it was not placed: nothing is resolved before that', () => {
  const write = anUnknownWithdrawal()
  const { currency, beneficiary, amount } = aWithdrawal()
  const none = { evidence: 'The exchange lists none.', verdicts: ['notPlaced'] as const }
  const { store, commands, said, screen } = aDesk([{ ...write, question: none }])
  const matches = ['w-1', 'w-2'].map((withdrawalId) => aWithdrawal({ withdrawalId }))
  const some = { evidence: 'These may be it.', verdicts: ['placed', 'notPlaced'] as const }
  const question = { ...some, withdrawals: { request: { currency, beneficiary, amount }, matches, others: [] } }
  store.dispatch({ type: 'writeQuestion', key: write.key, question, atMs: deskNowMs })
  commands.resolveUnknown('notPlaced')
  expect(said).toEqual([])
  expect(store.getState().notice?.text).toBe('Not resolved: evidence changed. Look again.')
  expect(screen()).toMatch(/> w-1/)
  commands.resolveUnknown('notPlaced')
  expect(said).toEqual([`${write.key} notPlaced`])
})

test('another one that may be it, beside the marked one, was not seen by who says that it was not placed', () => {
  const write = anUnknownWithdrawal()
  const { currency, beneficiary, amount } = aWithdrawal()
  const listing = (...ids: string[]) => ({
    evidence: `These may be it: ${ids.join(', ')}.`,
    verdicts: ['placed', 'notPlaced'] as const,
    withdrawals: {
      request: { currency, beneficiary, amount },
      matches: ids.map((withdrawalId) => aWithdrawal({ withdrawalId })),
      others: [],
    },
  })
  const { store, commands, said, screen } = aDesk([{ ...write, question: listing('w-1', 'w-2') }])
  commands.moveInUnknown(1)
  const question = listing('w-1', 'w-2', 'w-3')
  store.dispatch({ type: 'writeQuestion', key: write.key, question, atMs: deskNowMs })
  commands.resolveUnknown('notPlaced')
  expect(said).toEqual([])
  expect(store.getState().notice?.text).toBe('Not resolved: evidence changed. Look again.')
  expect(screen()).toMatch(/> w-2/)
  commands.resolveUnknown('notPlaced')
  expect(said).toEqual([`${write.key} notPlaced`])
})

test('however much may have been it, the chosen one and what the answers do are on the smallest full screen', () => {
  const { currency, beneficiary, amount } = aWithdrawal()
  const ids = (name: string, count: number) =>
    Array.from({ length: count }, (_, at) => aWithdrawal({ withdrawalId: `${name}-${at}` }))
  const withdrawals = { request: { currency, beneficiary, amount }, matches: ids('match', 6), others: ids('other', 5) }
  const question = { evidence: 'These may be it.', verdicts: ['placed', 'notPlaced'] as const, withdrawals }
  const { screen, commands } = aDesk([{ ...anUnknownWithdrawal(), question }])
  for (let at = 0; at < 6; at += 1) {
    if (at > 0) commands.moveInUnknown(1)
    expect(screen()).toMatch(new RegExp(`> match-${at} `))
    expect(screen()).toContain('if it was, there are two.')
    expect(screen()).toContain('n it was not placed')
    expect(screen()).toMatch(/\d+ more lines have no room/)
  }
})
