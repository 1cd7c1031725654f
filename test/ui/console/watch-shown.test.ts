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
  deskState({
    duties: { role: 'console', where: 'here', watch: null, silent: null, heirPid: null, holds: [], ...duties },
    practice: null,
  })
const header = (of: WatchStatus | null) => rowText(headerRow(withDuties({ where: 'elsewhere', watch: of }), 160))

test('the header shows a watch and for how long, that something of it is not well, and that it is silent', () => {
  expect(header(watch())).toContain('watch up 3d ')
  expect(header(watch({ troubles: ['orders: no answer for 20 s'] }))).toContain('watch up 3d!')
  expect(header(watch({ beatMs: deskNowMs - 120_000 }))).toContain('watch silent 2m')
  expect(header(null)).not.toContain('watch')
})

test('the header says that another desk has the duties and does not move', () => {
  const silent = { pid: 812, beatMs: deskNowMs - 120_000 }
  const desk = withDuties({ where: 'elsewhere', silent })
  expect(rowText(headerRow(desk, 80))).toContain('desk silent 2m')
  // The watch itself is silent in its own words.
  const watched = withDuties({ where: 'elsewhere', silent, watch: watch({ beatMs: silent.beatMs }) })
  expect(rowText(headerRow(watched, 160))).not.toContain('desk silent')
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

test('a desk that another one takes on for names it, at the end and as it is suspended', () => {
  const why = '(stops that rest stay at the exchange)'
  const state = withDuties({ holds: [`1 plan ${why}`, 'canceling after an outage'], heirPid: 4711 })
  const gets = 'Another desk of the profile (pid 4711) stays open: it gets 1 plan and canceling after an outage.'
  expect(leftBehind(state)).toContain(gets)
  expect(leftBehind(state).join()).not.toContain('With this desk stop')
  expect(suspendedWords(state)).toEqual([gets])
  const alone = withDuties({ heirPid: 4711 })
  expect(leftBehind({ ...alone, alerts: { ...alone.alerts, watches: [armed] } }).join()).toContain(
    'Another desk of the profile (pid 4711) stays open: alerts and recording go on there.',
  )
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
