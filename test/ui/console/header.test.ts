import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import { emptyTicket } from '../../../src/domain/orders/ticket.ts'
import type { DeskState } from '../../../src/store/desk.ts'
import { type Feed, failed } from '../../../src/store/feeds/feed.ts'
import { createDeskStore, reduce } from '../../../src/store/store.ts'
import { footRow, noticeRow } from '../../../src/ui/console/foot-rows.ts'
import { headerRow } from '../../../src/ui/console/header-row.ts'
import { limitsRow, tickersRow } from '../../../src/ui/console/top-rows.ts'
import { keymap } from '../../../src/ui/keys/keymap.ts'
import { rowText, rowWidth } from '../../../src/ui/text/row.ts'
import { deskNowMs, deskState } from '../../fakes/desk-state.ts'
import { anOrderDraft } from '../../fakes/drafts.ts'
import { protectedPlan, somePlans } from '../../fakes/plans.ts'
import { worthDesk } from '../../fakes/worth.ts'
import { onScreen } from '../render-screen.tsx'

const header = (state: DeskState, width: number) =>
  rowText(headerRow(onScreen(state, width, width < 112 ? 24 : 40), width))

test('the header of a narrow and of a wide terminal', () => {
  expect(header(deskState(), 80)).toBe(
    ' ARMED   PRACTICE  BTC-USD open  bk 0.4s  ord 1.1s  bal 4.0s  82ms    14:02:07Z ',
  )
  expect(header(deskState(), 120)).toBe(
    ' ARMED   PRACTICE  BTC-USD open  bk 0.4s  ord 1.1s  bal 4.0s  tk 0.6s  fl 1.3s  out 2.0s  in 2.0s  82ms       14:02:07Z ',
  )
})

test('as whom a hub knows the desk stands in the header where it has room', () => {
  const hub = { name: 'ann', role: 'trader', account: null, halted: null, limits: null } as const
  expect(header(deskState({ hub }), 180)).toContain('  via hub as ann (trader)  ')
  expect(header(deskState({ hub }), 80)).toBe(header(deskState(), 80))
})

test('a halt of the hub is in every header, its reason where there is room', () => {
  const hub = { name: 'ann', role: 'trader', account: null, halted: 'a key is lost', limits: null } as const
  const safe = { hub, mode: { kind: 'SAFE' } } as const
  expect(header(deskState(safe), 180)).toContain('  HALTED BY HUB: a key is lost  ')
  expect(header(deskState(safe), 80)).toContain('HALTED BY HUB')
})

test('a halt whose cancel did not leave says so in every header', () => {
  const halted = { mode: { kind: 'HALTED' }, untakenHalts: [null] } as const
  for (const width of [80, 120, 180]) expect(header(deskState(halted), width)).toContain('HALTED: CANCEL NOT TAKEN')
  expect(header(deskState(halted), 40)).toMatch(/HALTED(!|: CANCEL)/)
  expect(header(deskState({ ...halted, untakenHalts: [] }), 180)).not.toContain('NOT TAKEN')
})

test('an armed desk whose journal takes no write says so in place of ARMED, at every width, until it takes one', () => {
  for (const width of [40, 60, 80, 120, 180]) {
    expect(header(deskState({ isJournalDown: true }), width)).toMatch(/^ NO JOURNAL /)
    expect(header(deskState({ isJournalDown: true, mode: { kind: 'SAFE' } }), width)).toMatch(/^ SAFE /)
  }
  const store = createDeskStore(deskState())
  store.dispatch({ type: 'journalKept', isKept: false, atMs: 0 })
  expect(header(store.getState(), 80)).toContain('NO JOURNAL')
  store.dispatch({ type: 'journalKept', isKept: true, atMs: 0 })
  expect(header(store.getState(), 80)).toMatch(/^ ARMED /)
})

test('an armed desk behind a halted hub says so in place of ARMED, at 40 columns too, and why from 80 on', () => {
  const halted = 'a key of the office was lost on its way, all is looked at'
  const hub = { name: 'ann', role: 'trader', account: null, halted, limits: null } as const
  for (const width of [40, 60, 80, 120, 180]) {
    expect(header(deskState({ hub }), width)).toMatch(/^ HALTED BY HUB /)
    expect(header(deskState({ hub }), width)).not.toContain('ARMED')
  }
  expect(header(deskState({ hub }), 80)).toContain('a key of the office…')
  expect(header(deskState({ hub }), 180)).toContain('a key of the office was lost on its way')
})

test('short of room what is said of plans is shortened, then left out whole: no number is cut', () => {
  const plans = somePlans()
  const list = [1, 2, 3].flatMap((part) =>
    plans.list.map((now) => ({ ...now, plan: { ...now.plan, planId: `${now.plan.planId}-${part}` } })),
  )
  const venue = { kind: 'live', profileName: 'a long name of a profile' } as const
  const stale = { orders: { ...deskState().orders, atMs: deskNowMs - 60_000 } }
  const whole = / {2}plans (6, )?3 BARE( since 12:03)?(, 3 held)?( {2}\[STALE [^\]]+\])?( {2}.*)? +\d\d:\d\d(:\d\d)?Z $/
  for (const more of [{}, { venue }, stale, { ...stale, venue }]) {
    for (let width = 30; width <= 120; width += 1) {
      const text = header(deskState({ ...more, plans: { ...plans, list } }), width)
      expect(rowWidth(headerRow(deskState({ ...more, plans: { ...plans, list } }), width))).toBeLessThanOrEqual(width)
      if (width >= 80) expect([width, text]).toEqual([width, expect.stringMatching(whole)])
      else
        expect([width, text]).toEqual([
          width,
          expect.stringMatching(/ (\d\d:\d\d(:\d\d)?Z|3 BARE|held|\]|open|\w+-USD|bk 0\.4s) *$|\] *$/),
        ])
    }
  }
})

test('at every width from 40 columns on it says that the screen is frozen, and of plans that one is bare or held', () => {
  const venues = [
    { kind: 'practice', profileName: 'paper' },
    { kind: 'live', profileName: 'a long name of a profile' },
  ] as const
  for (const venue of venues)
    for (const kind of ['MONITOR', 'SAFE', 'ARMED', 'HALTED'] as const)
      for (let width = 40; width <= 130; width += 1) {
        const bare = deskState({ venue, mode: { kind }, plans: somePlans() })
        expect([width, header(bare, width)]).toEqual([width, expect.stringMatching(/ 1 (BARE|not protected)\b/)])
        for (const state of [bare, deskState({ venue, mode: { kind } })]) {
          const frozen = reduce(state, { type: 'pictureFrozen', atMs: deskNowMs })
          expect([width, header(frozen, width)]).toEqual([width, expect.stringContaining(' FROZEN ')])
        }
      }
})

test('drafts of orders that wait are counted where there is room, ended ones are not, and the lock hides them', () => {
  const over = anOrderDraft({ draftId: 'c', state: { kind: 'dropped', atMs: 1 } })
  const orderDrafts = [anOrderDraft({ draftId: 'a' }), anOrderDraft({ draftId: 'b' }), over]
  expect(header(deskState({ orderDrafts }), 180)).toContain('  drafts 2  ')
  expect(header(deskState({ orderDrafts: [over] }), 180)).not.toContain('drafts')
  expect(header(deskState({ orderDrafts, lock: { kind: 'covered', sentence: '' } }), 180)).not.toContain('drafts')
})

test('a clock that is off by more than can be told from the date is shown', () => {
  const line = (skewMs: number) => header(deskState({ connection: { roundTripMs: 82, skewMs } }), 140)
  const tone = (skewMs: number) =>
    headerRow(deskState({ connection: { roundTripMs: 82, skewMs } }), 160).find(({ text }) => /^[-+]\d/.test(text))
      ?.tone
  expect(line(0)).toContain('skew 0.0s')
  expect([tone(-240), tone(-260)]).toEqual(['text', 'warn'])
  expect(line(-260)).toContain('skew -0.3s')
  expect(line(2_640)).toContain('skew +2.6s')
  expect(line(-9_970)).toContain('skew -10s')
  expect(line(3_600_000)).toContain('skew +3600s')
})

test('practice and live are told apart in words and in tone', () => {
  const live = deskState({ venue: { kind: 'live', profileName: 'prod/main' } })
  expect(header(live, 80)).toContain(' LIVE prod/main ')
  expect(headerRow(live, 80).find(({ text }) => text.includes('LIVE'))?.tone).toBe('live')
  expect(headerRow(deskState(), 80).find(({ text }) => text.includes('PRACTICE'))?.tone).toBe('practice')
})

test('each feed is held against its own limit: the book is old at 6 s, orders and balances are not', () => {
  const line = header(deskState({ nowMs: deskNowMs + 5_700 }), 80)
  expect(line).toContain('[STALE bk 6.1s]')
  expect(line).toContain('  ord 6.8s  bal 9.7s')
})

test('when everything is old, the header names what fits and counts the rest', () => {
  expect(header(deskState({ nowMs: deskNowMs + 60_000 }), 80)).toBe(
    ' ARMED   PRACTICE  BTC-USD open  [STALE bk 60s ord 61s bal 64s +4]    14:03:07Z ',
  )
})

test('at 40 columns something of what is stale stays, whatever else must be shorter', () => {
  const line = (more: Partial<DeskState>) => {
    const text = rowText(headerRow(onScreen(deskState(more), 40, 20), 40))
    expect(text).toHaveLength(40)
    return text
  }
  const orders = { ...deskState().orders, atMs: deskNowMs - 14_000 }
  const entry = { confirmAboveUsd: new Decimal(500), sizes: new Map() }
  expect(line({ orders })).toMatch(/BTC-USD {2}\[STALE 14s\]/)
  expect(line({ orders, mode: { kind: 'HALTED' } })).toMatch(/^ HALTED .*\[STALE( 14s)?\]/)
  expect(line({ nowMs: deskNowMs + 60_000 })).toContain('[STALE')
  expect(line({ orders, symbol: 'DOGE-USD' })).toContain('[STALE')
  // Where not even the word has room, what can be traded goes first.
  expect(line({ orders, entry })).toMatch(/^ ARMED +ONE-KEY .*PRACTICE .*BTC-USD/)
})

test('a feed whose polls fail is marked before it is old', () => {
  const orders = failed(deskState().orders, 'no answer', deskNowMs)
  expect(header(deskState({ orders }), 80)).toContain('ord 1.1s!')
})

test('what all accounts are worth stands in the header where it has room, with the gain of the day, and ! once it is old', () => {
  const worth = (state: DeskState, width = 200) => /eq \S+ USD\S* [+-]\d\S*%/.exec(header(state, width))?.[0] ?? null
  expect(worth(worthDesk())).toMatch(/^eq [\d,]+ USD [+-][\d.]+%$/)
  expect(worth(worthDesk(), 80)).toBeNull()
  expect(header(worthDesk({ nowMs: deskNowMs + 60_000 }), 240)).toMatch(/eq [\d,]+ USD! /)
  // What a frozen picture says it was worth stands in the picture.
  const picture = { kind: 'frozen', sinceMs: deskNowMs, shown: worthDesk() } as const
  expect(header(worthDesk({ picture }), 200)).toContain('FROZEN since')
  expect(header(worthDesk({ picture }), 200)).not.toContain('eq ')
})

test('a symbol that is not open says so', () => {
  expect(header(deskState({ symbol: 'XLM-USD' }), 80)).toContain('XLM-USD HALT')
})

test('mode, venue, symbol and time are there at any width, and the line is exactly that wide', () => {
  const ages = fc.integer({ min: 0, max: 900_000 })
  fc.assert(
    fc.property(fc.integer({ min: 80, max: 200 }), ages, fc.constantFrom('practice', 'live'), (width, ageMs, kind) => {
      const state = deskState({ nowMs: deskNowMs + ageMs, venue: { kind, profileName: 'a rather long profile name' } })
      const line = header(state, width)
      expect(line).toHaveLength(width)
      for (const word of [' ARMED ', kind === 'live' ? ' LIVE ' : ' PRACTICE ', 'BTC-USD', 'Z '])
        expect(line).toContain(word)
      if (ageMs > 20_000) expect(line).toContain('STALE')
    }),
  )
})

test('the line of tickers keeps the symbol of the ladder, whatever else fits', () => {
  const line = rowText(tickersRow(deskState({ symbol: 'LTC-USD' }), 80))
  expect(line).toHaveLength(80)
  expect(line).toMatch(/^ BTC 64,210.50 \+1.2% {3}ETH .*>LTC 71.20 \+0.1% .*grp 0.01 $/)
})

test('the line of tickers says that there are more symbols than it has room for', () => {
  const line = (width: number) => rowText(tickersRow(deskState(), width))
  expect(line(80)).toMatch(/ SOL 142\.33 \+3\.1% {2}3 more +grp 0\.50 $/)
  expect(line(72)).toMatch(/ SOL 142\.33 \+3\.1% … grp 0\.50 $/)
  for (const width of [70, 71]) expect(line(width)).toMatch(/ SOL 142\.33 \+3\.1%… ?grp 0\.50 $/)
  for (let width = 30; width < 100; width += 1) expect(line(width)).toMatch(/more|…/)
  for (let width = 30; width < 100; width += 1) expect(line(width)).toHaveLength(width)
  expect(line(160)).not.toMatch(/more|…/)
})

test('what is not settled is counted beside the last notice until it is settled', () => {
  const line = rowText(noticeRow(deskState(), 80))
  expect(line).toHaveLength(80)
  expect(line).toMatch(/^ Fill SELL 0.0300.*1 UNKNOWN: see 2 Orders $/)
  expect(rowText(noticeRow(deskState({ unknownWrites: [] }), 80))).toMatch(/^ 14:01:58 Fill SELL .*9912017\. +$/)
  // Beside a ticket an old line would seem to be about it.
  const ticket = { stage: 'edit', form: emptyTicket({ symbol: 'BTC-USD' }, 'BUY'), field: 'quantity' } as const
  expect(rowText(noticeRow(deskState({ unknownWrites: [], notice: null, ticket }), 80)).trim()).toBe('')
})

test('the foot names the keys that act now; help, dangers and arming stay when it is short', () => {
  const armed = { kind: 'ARMED' } as const
  const scopes = ['ladder', 'desk', 'anywhere', 'interrupt'] as const
  expect(rowText(footRow(scopes, armed, 80)).trimEnd()).toBe(
    ' b buy  s sell  x cancel  m move  u resolve  g symbol  : cmd  K halt  ? keys',
  )
  expect(rowText(footRow(scopes, { kind: 'SAFE' }, 50)).trimEnd()).toBe(
    ' b buy  s sell  x cancel  L arm  K halt  ? keys',
  )
  expect(rowText(footRow(['review', 'anywhere'], armed, 80)).trimEnd()).toBe(
    ' Enter SEND  Y over limit  Down more  x discard  Esc back  K halt  ? keys',
  )
  const ofOrder = keymap.filter(({ action }) => action !== 'discardDraft')
  expect(rowText(footRow(['review', 'anywhere'], armed, 80, ofOrder)).trimEnd()).toBe(
    ' Enter SEND  Y over limit  Down more  Esc back  L safe  K halt  ? keys',
  )
  for (let width = 40; width <= 200; width += 1) expect(rowWidth(footRow(scopes, armed, width))).toBe(width)
})

test('the age of orders is in view wherever a ladder, plans or a count rests on them, and everywhere once it is old', () => {
  const line = (visiblePanes: DeskState['screen']['visiblePanes'], more: Partial<DeskState> = {}, width = 80) => {
    const state = deskState(more)
    return rowText(headerRow({ ...state, screen: { ...state.screen, visiblePanes } }, width))
  }
  const orders = (ms: number) => ({ unknownWrites: [], orders: { value: [], failure: null, atMs: deskNowMs - ms } })
  for (const panes of [['ladder', 'balances'], ['ladder2'], ['plans'], ['orders']] as const) {
    expect(line(panes, orders(1_000))).toContain('ord 1.0s')
    expect(line(panes, orders(14_000))).toContain('[STALE ord 14s]')
  }
  expect(line(['log'], orders(1_000))).not.toContain('ord ')
  expect(line(['log'], orders(14_000))).toContain('[STALE ord 14s]')
  // The titles say how many there are.
  expect(line(['log'])).toContain('ord 1.1s')
})

test('open plans are counted before a round trip, a skew and what the account is worth have their room', () => {
  const state = deskState({ plans: somePlans(protectedPlan()), connection: { roundTripMs: 82, skewMs: 20 } })
  for (const width of [80, 120]) expect(header(state, width)).toMatch(/ {2}plans 1 /)
})

test('plans that are bare or held, whatever their number, leave room for the age of the book from 80 columns on', () => {
  const { list } = somePlans()
  const three = [...list, ...list.map((now) => ({ ...now, plan: { ...now.plan, planId: `${now.plan.planId}b` } }))]
  for (const kind of ['ARMED', 'HALTED', 'MONITOR'] as const) {
    for (const profileName of ['paper', 'practice', 'a long name of a profile']) {
      const state = deskState({
        ...{ mode: { kind }, venue: { kind: 'practice', profileName }, plans: { ...somePlans(), list: three } },
      } as Partial<DeskState>)
      for (let width = 80; width <= 130; width += 1) {
        const text = header(state, width)
        expect([width, text]).toEqual([width, expect.stringMatching(/ 2 (BARE|not protected).* (bk|book) 0\.4s/)])
      }
    }
  }
  const held = deskState({ plans: { ...somePlans(), list: three } })
  expect(header(held, 100)).toContain(' BTC-USD open  plans 4, 2 BARE since 12:03, 2 held  bk 0.4s ')
  expect(header(held, 80)).toContain(' BTC-USD open  plans 4, 2 BARE, 2 held  bk 0.4s ')
  const halt = { mode: { kind: 'HALTED' }, untakenHalts: [null] } as const
  const oneKey = { entry: { ...held.entry, confirmAboveUsd: new Decimal('123456.78') } }
  expect(header({ ...held, ...halt }, 80)).toMatch(/ plans .*2 BARE.* bk 0\.4s /)
  expect(header({ ...held, ...oneKey }, 80)).toMatch(/ONE-KEY.* plans .*2 BARE.* bk 0\.4s /)
})

test('drafts of orders are counted beside plans, before the ages after the third have their room', () => {
  const orderDrafts = [anOrderDraft({ draftId: 'a' })]
  const state = deskState({ orderDrafts, plans: somePlans(protectedPlan()) })
  expect(header(state, 120)).toMatch(/ {2}plans 1 {2}drafts 1 {2}/)
})

test('the queues of a ladder are old only where a ladder shows them', () => {
  const state = deskState()
  const queue = { value: null, atMs: deskNowMs - 71_000, failure: null }
  const ladder = { ...state.ladder, view: 'queues' as const }
  const old = { ...state, ladder, queues: new Map([[state.symbol, queue]]) }
  const withPanes = (visiblePanes: DeskState['screen']['visiblePanes']) =>
    rowText(headerRow({ ...old, screen: { ...old.screen, visiblePanes } }, 120))
  expect(withPanes(['ladder', 'orders'])).toContain('STALE l3 71s')
  expect(withPanes(['tickers', 'orders'])).not.toContain('STALE')
})

test('an exchange that fails is told of also where nothing of it is in view', () => {
  const state = deskState()
  const tickers = failed(state.tickers, 'connection refused', deskNowMs - 24_000)
  const seen = (visiblePanes: DeskState['screen']['visiblePanes'], width: number, fails = true) =>
    rowText(headerRow({ ...state, ...(fails ? { tickers } : {}), screen: { ...state.screen, visiblePanes } }, width))
  expect(seen(['log'], 120)).toContain('exchange failing 24s')
  expect(seen(['log'], 80)).toContain('failing 24s')
  expect(seen(['log'], 120, false)).not.toContain('failing')
  // Where it is in view its age says so.
  expect(seen(['tickers'], 120)).not.toContain('failing')
})

test('in an outage nothing that was measured before it stands there as if it were of now', () => {
  const failing = (atMs: number) => {
    const desk = deskState()
    const fails = <T>(feed: Feed<T>): Feed<T> => failed(feed, 'no answer', atMs)
    const books = new Map([...desk.books].map(([symbol, book]) => [symbol, fails(book)]))
    const lists = { orders: fails(desk.orders), fills: fails(desk.fills), balances: fails(desk.balances) }
    return deskState({ ...lists, books, tickers: fails(desk.tickers), fees: fails(desk.fees), nowMs: atMs + 2_000 })
  }
  expect(header(deskState(), 120)).toContain('82ms')
  expect(header(failing(deskNowMs), 120)).toContain('82ms')
  expect(header(failing(deskNowMs + 2_000), 120)).not.toContain('82ms')
  const limits = rowText(limitsRow(failing(deskNowMs + 20_000), 120))
  expect(limits).toMatch(/open 4!\/200 {2}day 5\.7k!\/50M USD/)
  expect(rowText(limitsRow(deskState(), 120))).toMatch(/open 4\/200 {2}day 5\.7k\/50M USD/)
})

test('a cap under which one key sends is told of at every width', () => {
  const entry = { confirmAboveUsd: new Decimal(500), sizes: new Map() }
  for (const width of [80, 120, 200])
    expect(rowText(headerRow(deskState({ entry }), width))).toContain(' ARMED  ONE-KEY <= 500 USD ')
  // Short of room its words go, and the name of a profile: mode, venue and symbol stay.
  const venue = { kind: 'live', profileName: 'a-name-of-a-profile' } as const
  for (const at of [deskState({ entry }), deskState({ entry, venue, symbol: 'DOGE-USD' })])
    for (const width of [40, 44, 60]) {
      const text = rowText(headerRow(at, width))
      expect(text).toMatch(/^ ARMED +(1|ONE)-KEY .*(PRACTICE|LIVE) /)
      expect(text).toContain(at.symbol)
    }
})

test('on a narrow screen the group gives way before the price of the chosen symbol or its change is cut', () => {
  for (let width = 40; width < 60; width += 1) {
    const ladder = { ...deskState().ladder, groupTicks: 1_000_000_000_000 }
    const line = rowText(tickersRow(deskState({ symbol: 'SHIB-USD', ladder }), width))
    expect(line).toContain('>SHIB 0.00002411 +0.5%')
  }
})
