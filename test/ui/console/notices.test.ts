import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import stringWidth from 'string-width'
import { describe, expect, test } from 'vitest'
import type { WriteEvent } from '../../../src/domain/desk/events.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { statementAnswered } from '../../../src/store/exports.ts'
import { showsNews } from '../../../src/store/log.ts'
import { reduceWrite } from '../../../src/store/orders/reduce-writes.ts'
import { noticeRow } from '../../../src/ui/console/foot-rows.ts'
import { wallAlarms } from '../../../src/ui/panes/wall/state-rows.ts'
import { rowText } from '../../../src/ui/text/row.ts'
import { deskNowMs, deskState } from '../../fakes/desk-state.ts'
import { aDraft, anOrder } from '../../fakes/orders.ts'
import { aDesk } from '../../store/desk.ts'

/** Words that tell the user what to do. */
const instruction = /\b(press|release|look|type|then|wait|choose)\b/i

/** What the desk says of a key that did nothing, as the source has it; what is filled in counts as two cells. */
const notices = ['src/ui', 'src/store'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .flatMap((name) => {
      const source = readFileSync(join(folder, name), 'utf8')
      const found = source.matchAll(/(['`])(Not (?:done|sent|taken|halted|resolved): (?:\$\{(?:[^{}])*\}|(?!\1).)*)\1/g)
      return [...found].map(([, , text = '']) => text.replaceAll(/\$\{[^{}]*\}/g, 'F5'))
    }),
)

test('the source has such notices', () => {
  expect(notices.length).toBeGreaterThan(15)
})

test.each(notices.filter((text) => instruction.test(text)))(
  '%s: what to do is seen at 80 columns beside a mark',
  (text) => {
    // Its reason may follow, and be cut.
    const upToIt = text.split(/(?<=\.) /)
    const last = upToIt.findLastIndex((sentence) => instruction.test(sentence))
    const needed = upToIt.slice(0, last + 1).join(' ')
    const notice = { atMs: deskNowMs, level: 'warn', text } as const
    const state = deskState({ notice, unknownWrites: deskState().unknownWrites.slice(0, 1) })
    const row = rowText(noticeRow(state, 80))
    expect(row).toContain('1 UNKNOWN: see 2 Orders')
    expect(row).toContain(needed)
    expect(stringWidth(row)).toBeLessThanOrEqual(80)
  },
)

test('at 80 columns the notice of a statement of today names its file', () => {
  const path = '/home/ada/.local/state/pitdesk/exports/statement-20261120T140207Z.json'
  const value = { path, lineCount: 27, missing: [], soFarMs: deskNowMs }
  const notice = statementAnswered({ ok: true, value }, deskNowMs)[0]
  if (notice?.type !== 'noted') throw new Error('no notice')
  const row = rowText(noticeRow(deskState({ notice, unknownWrites: [] }), 80))
  expect(row).toContain('Statement so far, 27 lines in …/statement-20261120T140207Z.json')
})

test('a long path in a sentence gives way to the reason behind it', () => {
  const folder = '/home/trader/a-long-name-of-a-folder/.local/state/pitdesk/accounts/main-0123456789/journal'
  const text = `Not sent: the journal in ${folder} cannot be opened: the disk is full. Nothing was placed.`
  const row = rowText(noticeRow(deskState({ notice: { atMs: deskNowMs, level: 'bad', text }, unknownWrites: [] }), 80))
  expect(row).toContain('the disk is full')
  expect(row).toContain('the journal in …/journal')
  expect(stringWidth(row)).toBeLessThanOrEqual(80)
  const wide = rowText(
    noticeRow(deskState({ notice: { atMs: deskNowMs, level: 'bad', text }, unknownWrites: [] }), 200),
  )
  expect(wide).toContain(folder)
})

test('what blocked an order is over with its ticket, its move and its symbol: the line says what was said before', () => {
  const { commands, store } = aDesk()
  const line = () => rowText(noticeRow(store.getState(), 80)).trim()
  commands.explain('Said before.')
  const blocked = () => {
    commands.openTicket('BUY')
    expect(line()).toBe('')
    for (const digit of '500') commands.typeIntoTicket(digit)
    commands.reviewTicket()
    expect(line()).toMatch(/Blocked: /)
  }
  blocked()
  commands.backFromTicket()
  expect(line()).toMatch(/Said before\.$/)
  blocked()
  store.dispatch({ type: 'symbolChosen', symbol: 'ETH-USD', atMs: deskNowMs })
  expect(line()).toMatch(/Said before\.$/)
  store.dispatch({ type: 'symbolChosen', symbol: 'BTC-USD', atMs: deskNowMs })
  const order = anOrder({ orderId: '7', limitPrice: new Decimal('64209.50') })
  store.dispatch({ type: 'orders', orders: [order], atMs: deskNowMs })
  commands.moveOnlyOrder()
  expect(line()).toBe('')
  commands.reviewMove()
  expect(line()).toMatch(/Blocked: it rests at 64209\.50 already/)
  commands.backFromMove()
  expect(line()).toMatch(/Said before\.$/)
  // Whole it stands in the log.
  expect(store.getState().log.filter(({ text }) => text.startsWith('Blocked: '))).toHaveLength(3)
})

test('a refusal is read to the end of its reason, or says where the rest of it stands', () => {
  const said = (text: string, level: 'bad' | 'info' = 'bad') =>
    rowText(noticeRow(deskState({ notice: { atMs: deskNowMs, level, text }, unknownWrites: [] }), 80)).trimEnd()
  const short = 'Not sent: needs 64,273.11 USD with fee, available 12,004.11: at most 0.1865.'
  expect(said(`${short} Nothing was placed.`)).toBe(` ✗ ${short}`)
  const long =
    'Order rejected: the price 64209.53 is not a whole number of ticks of 0.50, and the quantity is too small.'
  const row = said(`${long} Nothing was placed.`)
  expect(row).toMatch(/^ ✗ Order rejected: the price .*… see 7 Log$/)
  expect(row.length).toBeLessThanOrEqual(80)
  // What is no refusal is cut as it was.
  expect(said(long, 'info')).not.toContain('see 7 Log')
})

/** An id as long as the desk's own. */
const clientOrderId = 'a81fK2x10Dd5Qw7ZrT3b'
const unknown = { kind: 'unknown', reason: 'timed out', cause: 'noAnswer' } as const
const left = { kind: 'left', left: [anOrder({ orderId: '9912041' })] } as const
const tally = { before: 200, canceled: 199, otherwise: [] }
const request = { currency: 'BTC', beneficiary: 'wl_8f02', amount: 'max' } as const
const atMs = deskNowMs

/** Writes whose end leaves open what money hangs on, and the words for that. */
const open: readonly [string, WriteEvent][] = [
  ['May be live', { type: 'orderOutcome', draft: aDraft(), outcome: { ...unknown, clientOrderId }, atMs }],
  [
    'May be live',
    { type: 'orderOutcome', draft: aDraft(), outcome: { ...unknown, cause: 'unconfirmed', clientOrderId }, atMs },
  ],
  ['May still be working', { type: 'cancelOutcome', outcome: { ...unknown, orderId: '9912041' }, isMove: true, atMs }],
  ['May still be working', { type: 'cancelAllOutcome', outcome: { ...unknown, symbol: null }, atMs }],
  ['Still working', { type: 'cancelAllOutcome', outcome: { ...left, symbol: null, tally, ended: [] }, atMs }],
  [
    'May still be working',
    { type: 'cancelAllOutcome', outcome: { kind: 'refused', symbol: null, reason: 'frozen', left: null }, atMs },
  ],
  [
    'May still be working',
    {
      type: 'cancelsEnded',
      ends: ['9912041', '9912042'].map((orderId) => ({ orderId, outcome: { ...unknown, orderId } })),
      atMs,
    },
  ],
  ['May be on its way', { type: 'withdrawalOutcome', request, outcome: { ...unknown, key: 'k' }, atMs }],
]

describe.each([80, 40])('at %i columns', (width) => {
  test.each(open)('%s: what money hangs on is read beside the mark of unknown outcomes', (risk, event) => {
    for (const kind of ['ARMED', 'HALTED'] as const) {
      const before = deskState({ unknownWrites: [], mode: { kind } })
      const row = rowText(noticeRow(reduceWrite(before, event), width))
      expect(row).toContain(risk)
      expect(stringWidth(row)).toBeLessThanOrEqual(width)
    }
  })
})

test('a notice from before the wall clock was set back holds neither the line against an alert, nor news, nor the wall', () => {
  const { ahead, alerts } = deskState()
  const set = { ...ahead, wallMs: ahead.wallMs - 3_600_000 }
  const notice = { atMs: deskNowMs + ahead.wallMs - 60_000, level: 'bad', text: 'Order rejected: no funds.' } as const
  const toast = {
    ...{ seq: 1, atMs: deskNowMs, isQuiet: false },
    kind: 'watch',
    level: 'warn',
    text: 'BTC is up.',
  } as const
  const state = deskState({ ahead: set, notice, alerts: { ...alerts, toasts: [toast] }, unknownWrites: [] })
  expect(rowText(noticeRow(state, 80))).toContain('ALERT  BTC is up.')
  expect(showsNews(state, ['bad'], deskNowMs)).toBe(false)
  expect(wallAlarms(state).filter(({ word }) => word === 'NOTICE')).toEqual([])
  // Right after it was said it holds all of that.
  const fresh = { ...state, notice: { ...notice, atMs: deskNowMs + set.wallMs } }
  expect(rowText(noticeRow(fresh, 80))).toContain('no funds')
  expect(showsNews(fresh, ['bad'], deskNowMs)).toBe(true)
  expect(wallAlarms(fresh).filter(({ word }) => word === 'NOTICE')).toHaveLength(1)
})

test('a notice of yesterday does not read as one of today', () => {
  const notice = { atMs: deskNowMs - 23 * 3_600_000, level: 'good', text: 'Order 5 is placed.' } as const
  const row = rowText(noticeRow(deskState({ notice, unknownWrites: [] }), 80))
  expect(row).toContain(' 11-19 15:02 Order 5 is placed.')
})
