import { expect, test } from 'vitest'
import type { Watch } from '../../../src/domain/alerts/watch.ts'
import type { WatchStatus } from '../../../src/domain/desk/duties.ts'
import { Decimal } from '../../../src/domain/money.ts'
import type { DutiesState } from '../../../src/store/duties.ts'
import { leftBehind, suspendedWords } from '../../../src/store/quit.ts'
import { reduce } from '../../../src/store/store.ts'
import { headerRow } from '../../../src/ui/console/header-row.ts'
import { rowText } from '../../../src/ui/text/row.ts'
import { deskNowMs, deskState } from '../../fakes/desk-state.ts'

const dayMs = 86_400_000
const watch = (more: Partial<WatchStatus> = {}): WatchStatus => ({
  ...{ pid: 812, sinceMs: deskNowMs - 3 * dayMs, beatMs: deskNowMs - 2_000, hasDuties: true },
  ...{ does: ['alerts'], troubles: [], isExchangeSilent: false, unsaid: 0 },
  ...more,
})
const withDuties = (duties: Partial<DutiesState>) =>
  deskState({ duties: { role: 'console', where: 'here', watch: null, holds: [], ...duties }, practice: null })
const header = (of: WatchStatus | null) => rowText(headerRow(withDuties({ where: 'elsewhere', watch: of }), 160))

test('the header shows a watch and for how long, that something of it is not well, and that it is silent', () => {
  expect(header(watch())).toContain('watch up 3d ')
  expect(header(watch({ troubles: ['orders: no answer for 20 s'] }))).toContain('watch up 3d!')
  expect(header(watch({ beatMs: deskNowMs - 120_000 }))).toContain('watch silent 2m')
  expect(header(null)).not.toContain('watch')
})

const armed: Watch = {
  ...{ id: 1, symbol: 'BTC-USD', price: 'last', comparison: '>', priceScale: 2, isAtOnce: false, repeats: false },
  ...{ level: new Decimal(1), state: { kind: 'near' } },
}

test('a desk that nobody goes on for says at the end what stops with it', () => {
  const state = withDuties({ holds: ['canceling after an outage'] })
  const watches = [armed]
  const desk = { ...state, alerts: { ...state.alerts, watches } }
  expect(leftBehind(desk)).toContain(
    'With this desk stop: 1 price alert, canceling after an outage and recording. pitdesk watch keeps them running.',
  )
  const beside = { ...desk, duties: { ...desk.duties, where: 'elsewhere' as const, watch: watch() } }
  expect(leftBehind(beside).join()).not.toContain('stop:')
  const nothing = { ...desk, alerts: { ...desk.alerts, watches: [] }, duties: { ...desk.duties, holds: [] } }
  expect(leftBehind(nothing).join()).not.toContain('stop:')
})

test('a desk that is suspended says what stands still with it', () => {
  const state = withDuties({ holds: ['1 plan'] })
  expect(suspendedWords(state)).toEqual([
    'Until fg, stopped here: 1 plan and recording. Another desk of the profile, or pitdesk watch, runs them.',
  ])
  expect(suspendedWords(withDuties({ where: 'elsewhere', holds: ['1 plan'] }))).toEqual([])
  expect(suspendedWords(withDuties({ holds: [] }))).toEqual([])
})

test('who has the duties is part of the state', () => {
  const next = reduce(withDuties({}), { type: 'dutiesChanged', duties: { where: 'elsewhere', watch: watch() } })
  expect(next.duties).toMatchObject({ role: 'console', where: 'elsewhere', watch: { pid: 812 } })
})
