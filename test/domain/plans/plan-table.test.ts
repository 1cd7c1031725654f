import { expect, test } from 'vitest'
import { planStates, planTable } from '../../../src/domain/plans/plan-table.ts'

test('where a plan stands means, in the words that its details show', () => {
  expect(planTable.map(({ state, means }) => [state, means])).toEqual([
    ['ended', 'it has come to its end'],
    [
      'unsettled',
      'the outcome of an order is unknown: until it is resolved only cancels go that are due again or asked for',
    ],
    ['ending', 'a user has ended it: its orders are being canceled'],
    ['held', 'something happened that the plan did not do, or could not: a user must look'],
    ['excess', 'more rests than is left to protect'],
    ['unprotected', 'no leg protects all there is'],
    ['closing', 'an exit has filled: the rest of the entry is being canceled'],
    ['atTarget', 'the target rests, and no stop'],
    ['protected', 'the stop rests at the exchange'],
    ['entering', 'the entry is to be placed, or rests'],
    ['working', 'the orders of the scale rest'],
    ['over', 'nothing is left to do'],
  ])
})

test('each state leads to others of the table, once each, and an end to none', () => {
  for (const { state, leadsTo } of planTable) {
    expect(leadsTo.filter((to) => !planStates.includes(to))).toEqual([])
    expect(new Set(leadsTo).size).toBe(leadsTo.length)
    expect(leadsTo.length === 0).toBe(state === 'ended')
  }
})
