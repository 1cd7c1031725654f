import { expect, test } from 'vitest'
import { noLimits } from '../../../src/domain/limits.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { exportAnswered, statementAnswered } from '../../../src/store/exports.ts'
import { noticeRow } from '../../../src/ui/console/foot-rows.ts'
import { rowText } from '../../../src/ui/text/row.ts'
import { deskNowMs, deskState } from '../../fakes/desk-state.ts'
import { anOrder } from '../../fakes/orders.ts'
import { aDesk, type Desk, startMs } from '../../store/desk.ts'
import { aTicket, send, write } from '../../store/ticket/ticket-scene.ts'

const limits = { ...noLimits, orderNotionalUsd: { soft: new Decimal('100'), hard: new Decimal('5000') } }

/** What a person does, and the keys that the desk's answer names. */
const answers: readonly (readonly [name: string, act: () => Desk, keys: readonly string[]])[] = [
  ['sending over a soft limit', () => sent(), ['type Y, then Enter']],
  ['sending an unusual size', () => confirmed(sent()), ['type 0.05 again, then Enter']],
  ['an order on a SAFE desk', () => did(aDesk('SAFE'), (desk) => desk.commands.openTicket('BUY')), ['press L']],
  [
    'halting behind a lock',
    () => did(aDesk(), ({ commands }) => [commands.lock(), commands.askHalt(), commands.confirmHalt()]),
    ['type ALL, then Enter'],
  ],
  [
    'halting with half a word',
    () => did(aDesk(), ({ commands }) => [commands.askHalt(), commands.typeIntoHalt('a'), commands.confirmHalt()]),
    ['Type ALL'],
  ],
  [
    'canceling before quitting with nothing to cancel',
    () => did(aDesk(), (d) => d.commands.cancelAndQuit()),
    ['Enter quits'],
  ],
  ['canceling with no row selected', () => did(aDesk(), (d) => d.commands.cancelSelectedOrder()), ['j and k select']],
  [
    'a while without a key',
    () => did(aDesk('ARMED', { idleRules: { safeAfterMs: 60_000, lockAfterMs: null } }), (d) => d.wait(35_000)),
    ['Any key'],
  ],
  [
    'longer without a key',
    () => did(aDesk('ARMED', { idleRules: { safeAfterMs: 60_000, lockAfterMs: null } }), (d) => d.wait(65_000)),
    ['Press L'],
  ],
  ['a question about an unknown write', () => asked(), ['Press u']],
]

function did(desk: Desk, act: (desk: Desk) => unknown): Desk {
  act(desk)
  return desk
}
function sent(): Desk {
  const desk = aTicket('quantity', { limits })
  write(desk, 'quantity', '0.05')
  send(desk)
  return desk
}
const confirmed = (desk: Desk): Desk =>
  did(desk, ({ commands }) => [commands.confirmSoftLimits(), commands.sendTicket()])
function asked(): Desk {
  const desk = aDesk()
  const evidence = 'The order is in no list of the exchange, looked for twice, the last time 40 s after it was sent.'
  const write = { key: 'c1', kind: 'order', symbol: 'BTC-USD', sentence: 'No answer.', order: anOrder() } as const
  desk.store.dispatch({ type: 'unsettled', write: { ...write, atMs: startMs, question: null }, atMs: startMs })
  const question = { evidence, verdicts: ['placed', 'notPlaced'] as const }
  desk.store.dispatch({ type: 'unsettledQuestion', key: 'c1', question, atMs: startMs })
  return desk
}

test.each(answers)('%s: the keys are on the line at 80 columns, also beside what is unsettled', (_, act, keys) => {
  const notice = act().store.getState().notice
  if (notice === null) throw new Error('nothing was said')
  for (const unsettled of [[], deskState().unsettled]) {
    const line = rowText(noticeRow({ ...deskState(), notice, unsettled, nowMs: deskNowMs }, 80))
    for (const key of keys) expect(line).toContain(key)
  }
})

test('a notice that is too long ends after a whole word, and what is cut is marked', () => {
  const text = 'Cancel of 9912041 refused: the market is frozen for its closing auction until 14:30.'
  const notice = { atMs: deskNowMs, level: 'warn', text } as const
  const line = rowText(noticeRow(deskState({ notice }), 80))
  expect(line).toMatch(/^ ! Cancel of 9912041 refused: the market is frozen… +1 UNSETTLED/)
})

test('a complaint about a field is over with the next good paste, the next change, and once it is confirmed', () => {
  const desk = aTicket()
  const said = () => desk.store.getState().notice?.text ?? null
  desk.commands.pasteIntoTicket('nonsense')
  expect(said()).toMatch(/nonsense/)
  desk.commands.pasteIntoTicket('0.07')
  expect(said()).toBeNull()
  desk.commands.pasteIntoTicket('nonsense')
  desk.commands.typeIntoTicket('5')
  expect(said()).toBeNull()
  write(desk, 'price', '64211.13')
  desk.commands.reviewTicket()
  expect(said()).toMatch(/^Blocked: /)
  write(desk, 'price', '64210.50')
  expect(said()).toBeNull()
  const soft = sent()
  expect(soft.store.getState().notice?.text).toMatch(/type Y/)
  soft.commands.confirmSoftLimits()
  expect(soft.store.getState().notice).toBeNull()
})

test('what is said of anything else stays while a ticket is filled in', () => {
  const desk = aTicket()
  desk.store.dispatch({ type: 'noted', level: 'bad', text: 'Fill of 5.', atMs: startMs })
  desk.commands.typeIntoTicket('5')
  expect(desk.store.getState().notice?.text).toBe('Fill of 5.')
})

test('a file that was written is named however narrow the line is, and its whole path stands in the log', () => {
  const folder = '/home/somebody/.local/state/pitdesk/exports/a-long-way-down'
  const path = `${folder}/orders-20261122-091500.csv`
  const desk = aDesk()
  desk.store.dispatch(exportAnswered({ ok: true, value: { path, rowCount: 2 } }, startMs))
  const state = desk.store.getState()
  const line = (width: number) => rowText(noticeRow(state, width))
  expect(line(200)).toContain(path)
  expect(line(79)).toContain('a-long-way-down/orders-20261122-091500.csv')
  expect(line(52)).toMatch(/ 2 rows in …\S*\/orders-20261122-091500\.csv/)
  expect(state.log.at(-1)?.text).toBe(`2 rows in ${path}`)
  const value = { path: path.replace('orders', 'statement'), lineCount: 7, missing: ['BTC differs.'] }
  desk.store.dispatchAll(statementAnswered({ ok: true, value }, startMs))
  expect(rowText(noticeRow(desk.store.getState(), 79))).toContain('/statement-20261122-091500.csv')
})
