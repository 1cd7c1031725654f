import { expect, test } from 'vitest'
import type { JsonSchema, JsonValue } from '../../src/commands/schema/kinds.ts'
import { schemaTable } from '../../src/commands/schema/table.ts'
import { standings } from '../../src/domain/plans/plan.ts'
import { planTable, toldState } from '../../src/domain/plans/plan-table.ts'
import { withdrawalStatuses } from '../../src/domain/transfers/transfer.ts'
import { auditActions } from '../../src/hub/people/audit-events.ts'
import type { JournalOutcome, Settlement, WriteIntent } from '../../src/journal/entry.ts'
import { pages } from '../../src/manual/pages.ts'
import { shortStates } from '../../src/ui/tables/orders-table.ts'
import { depositMeanings } from '../../src/ui/tables/transfers/deposits-table.ts'
import { withdrawalMeanings } from '../../src/ui/tables/transfers/withdrawal-items.ts'
import { allCodes, codes, expectPart } from './pages.ts'

const tableLines = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/** Every list of words in a schema, however deep. */
function wordsIn(schema: JsonSchema): string[] {
  const within = (value: JsonValue | undefined): string[] => {
    if (typeof value !== 'object' || value === null) return []
    if (Array.isArray(value)) return value.flatMap(within)
    return Object.entries(value).flatMap(([keyword, each]) =>
      keyword === 'enum' && Array.isArray(each) ? each.map(String) : within(each),
    )
  }
  return within(schema)
}

test('every word that a field of --json may have stands in the manual as it is written', () => {
  const words = new Set(schemaTable.flatMap(({ schema }) => wordsIn(schema)))
  expect(words.size).toBeGreaterThan(70)
  expect([...words].filter((word) => !allCodes.includes(word))).toEqual([])
})

test('the states of plans, withdrawals and deposits stand there with what the screen says of them', () => {
  const plans = planTable.map(({ state, means }) => [`\`${state}\``, toldState(state).word, means])
  expectPart('states', 'sure to rest.\n\n| word | screen | says |\n|---|---|---|\n', '\n\n', tableLines(plans))
  const withdrawals = [...withdrawalStatuses, '?'].map((state) => [`\`${state}\``, withdrawalMeanings[state] ?? ''])
  expectPart('states', '## Withdrawals\n\n| word | says |\n|---|---|\n', '\n\n', tableLines(withdrawals))
  const deposits = Object.entries(depositMeanings).map(([state, means]) => [`\`${state}\``, means])
  expectPart('states', '## Deposits\n\n| word | says |\n|---|---|\n', '\n\n', tableLines(deposits))
})

test('what the list of orders shortens a state to stands there too', () => {
  expect(Object.values(shortStates).filter((short) => !codes(pages.states).includes(short))).toEqual([])
})

test('how an order of a plan stands is told there, also of one that was left', () => {
  const [, told = ''] = /An order of a plan is ([^.]+)\./.exec(pages.states) ?? []
  expect(codes(told)).toEqual([...standings, 'left'])
})

const kinds: Readonly<Record<WriteIntent['kind'], true>> = {
  order: true,
  cancel: true,
  cancelAll: true,
  move: true,
  withdrawal: true,
}
const outcomes: Readonly<Record<JournalOutcome['kind'], true>> = {
  accepted: true,
  canceled: true,
  rejected: true,
  refused: true,
  notSent: true,
  unknown: true,
}
const settlements: Readonly<Record<Settlement['how'], true>> = {
  placed: true,
  rejected: true,
  canceled: true,
  notCanceled: true,
  notPlaced: true,
}

test('what the journal and the audit list of a hub call a write, its end and an action stands there', () => {
  const words = [kinds, outcomes, settlements, auditActions].flatMap((each) => Object.keys(each))
  expect(words.filter((word) => !codes(pages.states).includes(word))).toEqual([])
})
