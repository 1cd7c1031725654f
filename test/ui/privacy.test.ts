import { describe, expect, test } from 'vitest'
import { Decimal } from '../../src/domain/money.ts'
import type { DeskState } from '../../src/store/desk.ts'
import { listPanes } from '../../src/store/view/lists.ts'
import { announcements, cursorSentence } from '../../src/ui/console/spoken/sentences.ts'
import { sourceOf } from '../../src/ui/tables/list-registry.ts'
import { deskState, orderFrom } from '../fakes/desk-state.ts'
import { somePlans } from '../fakes/plans.ts'
import { worthDesk } from '../fakes/worth.ts'
import { scenes } from './golden/scenes.ts'
import { plainScreen } from './render-screen.tsx'

/** Of the state what is the account's own. */
const ownSlices = [
  ...(['balances', 'otherAccounts', 'orders', 'endedOrders', 'sentOrders', 'ownDrafts', 'fills', 'fillSums'] as const),
  ...(['filledToday', 'withdrawals', 'deposits', 'drafts', 'orderDrafts', 'followed', 'positions', 'equity'] as const),
  'plans',
] as const satisfies readonly (keyof DeskState)[]

/** Amounts in it that are the market's. */
const marketNames: ReadonlySet<string> = new Set([
  ...['price', 'limitPrice', 'stopPrice', 'lastPrice', 'usdRate', 'rate'],
  // Of a plan: its prices, and how far it is from them.
  ...['entryPrice', 'targetPrice', 'stopLimit', 'nearBy', 'backBy', 'trailBy', 'stepBy', 'best'],
])
/** What a form of a withdrawal is about: its fee, and the draft that a second person is to approve. */
const askedSlices: ReadonlySet<string> = new Set(['withdrawals', 'drafts'])

/** The same with every own amount so many times as large; a notional twice over, so that averages change too. */
function scaled(value: unknown, by: Decimal, name = ''): unknown {
  if (value instanceof Decimal) {
    if (marketNames.has(name)) return value
    return name === 'notional' ? value.times(by).times(by) : value.times(by)
  }
  if (Array.isArray(value)) return value.map((each) => scaled(each, by, name))
  if (value instanceof Map) return new Map([...value].map(([key, each]) => [key, scaled(each, by, String(key))]))
  if (value === null || typeof value !== 'object' || value instanceof Set) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, scaled(each, by, key)]))
}

/** A private desk of another account, which differs in nothing but its amounts, and tells of them in a message. */
function privateDesk(state: DeskState, by: Decimal): DeskState {
  const amount = new Decimal('0.0731').times(by).toFixed()
  const said = { atMs: state.nowMs, level: 'info', text: `Filled: BUY ${amount} BTC-USD, ${amount} USD fee.` } as const
  const isAsked = (slice: string) => state.overlay?.kind.startsWith('withdraw') === true && askedSlices.has(slice)
  const own = Object.fromEntries(
    ownSlices.filter((slice) => !isAsked(slice)).map((slice) => [slice, scaled(state[slice], by)]),
  )
  return {
    ...state,
    ...own,
    log: [...state.log, said],
    notice: said,
    looks: { ...state.looks, isPrivate: true },
  }
}

/** What asks about an order, a plan, a cancel or a write without an answer says which: nobody can agree to `***`. */
const asks = /^(move-|compact-halt|overlay-(confirmCancel|halt|unknownWrite|planCancel|planResume))/

const told = Object.entries(scenes).filter(([name]) => !asks.test(name))

const sizes = [
  [80, 24],
  [120, 40],
  [200, 60],
] as const

describe('in private no screen tells an amount of the account', () => {
  test.each(told)('%s', (_, { state, sizes: own = sizes }) => {
    for (const [columns, rows] of own) {
      const lines = (of: DeskState) => plainScreen(of, columns, rows).split('\n')
      expect({ columns, lines: lines(other(state)) }).toEqual({ columns, lines: lines(one(state)) })
    }
  })
})

const one = (state: DeskState): DeskState => privateDesk(state, new Decimal(1))
const other = (state: DeskState): DeskState => privateDesk(state, new Decimal('1.07'))
const whole = { ...worthDesk(), plans: somePlans() }

test.each(listPanes)('nor do the details of a row of the %s', (pane) => {
  const { keys } = sourceOf(pane).keys(whole)
  for (const key of keys)
    expect(sourceOf(pane).details(other(whole), key)).toEqual(sourceOf(pane).details(one(whole), key))
})

test('nor what is read aloud: the cursor, the panes and what happens', () => {
  const spoken = (state: DeskState): DeskState => ({ ...state, looks: { ...state.looks, isSpoken: true } })
  const { ladder } = deskState()
  const cursor = { ...whole, ladder: { ...ladder, cursorPrice: orderFrom({}).limitPrice } }
  expect(cursorSentence(other(cursor))).toMatch(/own buy/)
  expect(cursorSentence(other(cursor))).toBe(cursorSentence(one(cursor)))
  expect(announcements(whole, other(whole))).toEqual(announcements(whole, one(whole)))
  for (const focus of ['equity', 'chart', 'positions'] as const) {
    const state = spoken({ ...whole, focus, view: { layout: 'trade', isZoomed: true } })
    expect(plainScreen(other(state), 120, 40)).toBe(plainScreen(one(state), 120, 40))
  }
})

test('an order that is being typed and a withdrawal under review stay readable', () => {
  const screen = (name: string): string => plainScreen(one(scenes[name]?.state ?? whole), 120, 40)
  expect(screen('ticket-review')).toMatch(/BUY 0\.0500 BTC-USD/)
  expect(screen('overlay-withdrawReview')).toMatch(/Withdraw 0\.05 BTC/)
  expect(screen('overlay-withdrawReview')).toMatch(/remains +\*\*\*/)
})

test('an exported file has every figure, whatever the screen hides', () => {
  const table = (pane: (typeof listPanes)[number], isPrivate: boolean) => {
    const state = { ...whole, looks: { ...whole.looks, isPrivate } }
    const { head, rows } = sourceOf(pane).export(state)
    return [head, ...rows]
  }
  for (const pane of listPanes.filter((each) => each !== 'log')) expect(table(pane, true)).toEqual(table(pane, false))
  expect(JSON.stringify(table('balances', true))).toMatch(/\d\.\d/)
})
