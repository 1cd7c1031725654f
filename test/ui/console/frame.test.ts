import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import { emptyFillSums, withFillSums } from '../../../src/domain/orders/fills.ts'
import { type DeskState, initialState } from '../../../src/store/desk.ts'
import { createDeskStore } from '../../../src/store/store.ts'
import { usualTerminal } from '../../../src/store/terminal.ts'
import { createPacedRow } from '../../../src/ui/console/console-screen.tsx'
import { headerRow } from '../../../src/ui/console/header-row.ts'
import { limitsRow, tickersRow } from '../../../src/ui/console/top-rows.ts'
import { sessionRows } from '../../../src/ui/panes/session-pane.tsx'
import { compactAmount } from '../../../src/ui/text/amounts.ts'
import { uptimeText } from '../../../src/ui/text/moment.ts'
import { rowText, span } from '../../../src/ui/text/row.ts'
import { deskNowMs, deskState, unknownOrder } from '../../fakes/desk-state.ts'
import { onScreen } from '../render-screen.tsx'

const minuteMs = 60_000

test.each([
  ['0', '0'],
  ['0.2', '1'],
  ['980', '980'],
  ['999.2', '1k'],
  ['1000', '1k'],
  ['1234', '1.3k'],
  ['41020', '42k'],
  ['250000', '250k'],
  ['999999', '1M'],
  ['999000', '999k'],
  ['1200000', '1.2M'],
  ['50000000', '50M'],
])('%s for a glance is %s', (amount, text) => {
  expect(compactAmount(new Decimal(amount))).toBe(text)
})

test.each([
  [-5, '0m'],
  [59 * minuteMs, '59m'],
  [60 * minuteMs, '01:00'],
  [(6 * 1_440 + 251) * minuteMs, '6d 04:11'],
])('%i ms of running are %s', (ms, text) => {
  expect(uptimeText(ms)).toBe(text)
})

const limits = (state: DeskState, width: number) => rowText(limitsRow(state, width))

test('the line of limits: what one order may be, and how much of the day is used', () => {
  const state = deskState({ venue: { kind: 'live', profileName: 'main' } })
  expect(limits(state, 120)).toBe(
    ' limits:  max/order 1M USD  collar 50%  open 4/200  day 5.7k/50M USD  dup-guard 2s                                up 0m ',
  )
  // What has no known outcome counts in both.
  expect(limits({ ...state, unknownWrites: [] }, 120)).toContain('open 3/200  day 5.1k/50M USD')
  for (let width = 80; width <= 240; width += 1) expect(limits(state, width)).toHaveLength(width)
  expect(limits({ ...state, nowMs: state.nowMs + 60_000 }, 120)).toContain('open 4!/200  day 5.7k!/50M USD')
})

test('calls, the last refusal and a pause that the service asked for are there where there is room', () => {
  const calls = { perSecond: 4.24, perSecondMax: 20, pausedMs: 0, retryCount: 0 }
  const lastReject = { atMs: deskNowMs, reason: 'Insufficient\u001b[2J Balance' }
  const session = { ...deskState().session, calls, lastReject }
  expect(limits(deskState({ session }), 200)).toMatch(
    /last reject 14:02 'Insufficient.*Balance' {2}calls 4\.2\/20 a second {2}gw 2 unread, oldest 4m, 1 stuck, 1 conflict $/,
  )
  expect(limits(deskState({ session }), 200)).not.toContain('\u001b')
  const paused = { ...session, calls: { ...calls, pausedMs: 2_100 } }
  expect(limits(deskState({ session: paused }), 200)).toContain('polls paused 3s')
  expect(rowText(headerRow(onScreen(deskState({ session: paused }), 120, 40), 120))).toContain('polls paused 3s')
})

test('a limit that is nearly used up is marked', () => {
  const tone = (hard: number) => {
    const state = deskState()
    const openOrders = { soft: null, hard }
    return limitsRow({ ...state, limits: { ...state.limits, openOrders } }, 120).find(
      ({ text }) => text === `4/${hard}`,
    )?.tone
  }
  expect([tone(20), tone(5), tone(4)]).toEqual(['text', 'warn', 'bad'])
})

test('before the first answers the used parts are not known', () => {
  const start = initialState({
    nowMs: 0,
    venue: { kind: 'live', profileName: 'main' },
    mode: { kind: 'SAFE' },
    symbol: 'A-B',
  })
  expect(limits(start, 120)).toMatch(/open -\/20 {2}day -\/250k USD {2}dup-guard 5s/)
})

test('a frozen picture says since when in the header, and counts what came in behind it', () => {
  const store = createDeskStore(onScreen(deskState({ unknownWrites: [] }), 80, 24))
  store.dispatch({ type: 'pictureFrozen', atMs: deskNowMs })
  const header = () => rowText(headerRow(store.getState(), 80))
  expect(header()).toBe(' ARMED   PRACTICE  BTC-USD open   FROZEN since 14:02:07   rtt 82ms    14:02:07Z ')
  store.dispatch({ type: 'writeUnknown', write: unknownOrder, atMs: deskNowMs })
  store.dispatch({ type: 'ticked', nowMs: deskNowMs + 60_000 })
  expect(header()).toContain(' FROZEN 14:02:07 +1 unknown ')
  expect(header()).toContain('14:03:07Z')
  expect(header()).not.toContain('STALE')
})

test('on a wide screen the second ladder has its symbol in the header', () => {
  const state = onScreen(deskState({ symbol2: 'XLM-USD' }), 200, 60)
  expect(rowText(headerRow(state, 200))).toContain('BTC-USD open  XLM-USD HALT  book 0.4s')
})

test('with two ladders header, prices and limits are about the symbol of the one in focus', () => {
  const { limits: usual, ladder, ...more } = deskState()
  const bounds = { hard: new Decimal('100'), soft: null }
  const perSymbol = new Map([['XLM-USD', { orderNotionalUsd: bounds, collarPercent: bounds }]])
  const two = { symbol2: 'XLM-USD', ladder2: { ...ladder, groupTicks: 10 }, limits: { ...usual, perSymbol } }
  const at = (focus: 'ladder' | 'ladder2') => ({ ...onScreen(deskState({ ...more, ...two }), 200, 60), focus })
  expect(limits(at('ladder'), 200)).toContain('max/order 1M USD  collar 50%')
  expect(limits(at('ladder2'), 200)).toContain('max/order 100 USD  collar 100%')
  // The symbol that keys act on stays in a narrow header too.
  expect(rowText(headerRow(at('ladder'), 88))).toContain('  BTC-USD open  ')
  expect(rowText(headerRow(at('ladder2'), 88))).toContain('  XLM-USD HALT  ')
  expect(rowText(headerRow(at('ladder2'), 200))).toContain('  XLM-USD HALT  BTC-USD open  ')
  expect(rowText(tickersRow(at('ladder'), 88))).toContain('>BTC ')
  expect(rowText(tickersRow(at('ladder2'), 88))).toContain('>XLM ')
})

test('a line that tells times is made twice a second at most, and at once for what a person does', () => {
  let made = 0
  const line = createPacedRow(({ nowMs, mode }) => {
    made += 1
    return [span(`${nowMs} ${mode.kind}`)]
  })
  const text = (state: DeskState) => rowText(line(state))
  const state = deskState({ nowMs: 1_000 })
  for (const nowMs of [1_000, 1_100, 1_400, 1_499]) expect(text({ ...state, nowMs })).toBe('1000 ARMED')
  expect(text({ ...state, nowMs: 1_500 })).toBe('1500 ARMED')
  expect(text({ ...state, nowMs: 1_510, mode: { kind: 'HALTED' } })).toBe('1510 HALTED')
  expect(made).toBe(3)
})

function sessionView(more: Partial<DeskState> = {}) {
  const state = deskState(more)
  const sums = withFillSums(emptyFillSums(deskNowMs - 60_000), state.fills.value ?? [], deskNowMs, 0)
  return {
    ...state,
    fillSums: sums,
    startedAtMs: deskNowMs - 3_700_000,
    rejectCount: 1,
    retryCount: 3,
    skewMs: 3,
    hangUp: 'keep' as const,
    watch: null,
    areFillsKnown: true,
    reading: null,
  }
}
const session = (rowCount: number) => sessionRows(sessionView(), 46, rowCount).map((row) => rowText(row).trimEnd())

test('the session counts no fills as none before they have answered', () => {
  const lines = sessionRows({ ...sessionView(), areFillsKnown: false }, 46, 12).map((row) => rowText(row))
  for (const name of ['fills', 'turnover', 'fees'])
    expect(lines.find((line) => line.startsWith(` ${name} `))).toMatch(/ - +- *$/)
})

test('the session: fee rates, what was executed since the start and today, averages, what went wrong', () => {
  expect(session(12)).toEqual([
    ' maker 0.10%  taker 0.20%  volume 42k USD',
    '                    session             today',
    ' fills                    1                 3',
    ' turnover          1,926.38          6,456.98',
    ' fees                  1.93             10.99',
    ' avg buy                  -       64,188.0000',
    ' avg sell       64,212.5000       64,212.5000',
    ' rejects 1  unknown 1  retries GET 3',
    ' hang-up orders stay',
    ' averages of BTC-USD, sums in USD',
    ' up 01:01',
  ])
})

test('what a hang-up does to orders stands in the session, and in the limits line where it cancels them', () => {
  const rows = (view: Parameters<typeof sessionRows>[0]) =>
    sessionRows(view, 46, 12).map((row) => rowText(row).trimEnd())
  expect(rows({ ...sessionView(), hangUp: 'cancel' })).toContain(' hang-up cancels every order')
  const terminal = { ...usualTerminal, hangUp: 'cancel' } as const
  expect(limits(deskState({ terminal }), 200)).toContain('hang-up cancels all')
  expect(limits(deskState(), 200)).not.toContain('hang-up')
})

test('with little room the averages give way before what the columns are', () => {
  expect(session(5).map((row) => row.trim().split(' ')[0])).toEqual([
    'maker',
    'session',
    'fills',
    'turnover',
    'rejects',
  ])
  for (const rowCount of [0, 1, 3, 7, 9]) expect(session(rowCount)).toHaveLength(rowCount)
})

test("one order may be what the hub lets the person send, where that is less than the desk's own limit", () => {
  const hub = (orderUsd: string) =>
    ({ name: 'ann', role: 'trader', account: null, halted: null, limits: { ...none, orderUsd } }) as const
  const none = { orderUsd: null, dayUsd: null, withdrawDayUsd: null }
  expect(limits(deskState({ hub: hub('2000') }), 120)).toContain('max/order 2k USD (hub)  ')
  expect(limits(deskState({ hub: hub('2000000') }), 120)).toContain('max/order 1M USD  ')
})
