import { describe, expect, test } from 'vitest'
import { emptyTicket } from '../../src/domain/orders/ticket.ts'
import type { DeskState, Overlay } from '../../src/store/desk.ts'
import { paletteWith } from '../../src/store/palette.ts'
import { type PaneName, paneTitle } from '../../src/store/view/panes.ts'
import { depositOverlays } from '../fakes/deposit-overlays.ts'
import { deskNowMs, deskState, unknownOrder } from '../fakes/desk-state.ts'
import { lateEntry, ocoTerms, somePlans } from '../fakes/plans.ts'
import { withdrawData, withdrawOverlays } from '../fakes/withdraw-overlays.ts'
import { renderScreen } from './render-screen.tsx'

/** A terminal that shows characters and nothing else: no colour, no bold, no frame signs beyond ASCII. */
const dumb = { TERM: 'dumb' }
const plain = (state: DeskState, columns: number, rows: number): string => renderScreen(state, columns, rows, dumb)

const sizes = [
  [80, 24],
  [120, 40],
  [200, 60],
] as const

/** What a pane must tell in words, signs or places. */
const meanings: Readonly<Record<Exclude<PaneName, 'ladder2'>, readonly RegExp[]>> = {
  // Own orders by their letter on their side of the price, the cursor, the last price, the names of both sides.
  ladder: [/BID .*PRICE.* ASK/, />B\.?0?\.?05.* 64209\.50/, /64212\.50.*S\.?0?\.?02/, /64210\.50\*/],
  orders: [/BUY .*OPEN/, /SELL .*PART_FILLED|SELL .*PART/, /UNKNOWN/],
  fills: [/(BUY|B) .*64188\.00/, /(SELL|S) .*64212\.50/],
  balances: [/USD +12,?500.* 12,?004\.11/],
  tickers: [/BTC.* \+1\.2/, /ETH.* -0\.4/, /XLM.*H/],
  transfers: [/BTC .*cold-1 \(wl_8f2c\) .*PENDING/],
  gateway: [/\*ord_19 .*BUY +WITHDRAWING/, /ord_18 .*SELL +COMPLETED/, /unread 2/],
  log: [/[!x] ?Order rejected|x .*rejected|x May be live/],
  chart: [/Chart BTC-USD|8 Chart/],
  session: [/maker .*taker/],
  positions: [/Waiting for the fills and/],
  plans: [/No plan yet/],
  equity: [/equity .*USD/, /day P&L/],
}

/** Panes with several lists name the one in front. */
const titles: Readonly<Partial<Record<PaneName, string>>> = {
  transfers: '5 >?Withdrawals',
  gateway: '6 >?Gateway inbox',
}

const panes = Object.entries(meanings) as [Exclude<PaneName, 'ladder2'>, readonly RegExp[]][]

describe.each(sizes)('at %i by %i without any colour', (columns, rows) => {
  test.each(panes)('the %s pane tells what it means, and that it has the keys', (pane, expected) => {
    const screen = plain(deskState({ focus: pane }), columns, rows)
    expect(screen).not.toMatch(/\u001b/)
    for (const meaning of expected) expect(screen).toMatch(meaning)
    // One pane has the heavy frame, and it is this one.
    const title = titles[pane] ?? RegExp.escape(paneTitle(pane))
    expect(screen).toMatch(new RegExp(`# (\\[?${title}|[^#|]*\\[${title}[^\\]#|]*\\]).*#`))
    expect(screen.match(/=#/g)?.length ?? 0).toBeLessThanOrEqual(2)
  })

  test('the header tells mode, venue, symbol and its status', () => {
    for (const kind of ['MONITOR', 'SAFE', 'ARMED', 'HALTED'] as const) {
      for (const [venue, word] of [
        ['practice', 'PRACTICE'],
        ['live', 'LIVE'],
      ] as const) {
        const state = deskState({ mode: { kind }, venue: { profileName: 'main', kind: venue } })
        const [header = ''] = plain(state, columns, rows).split('\n')
        expect(header).toMatch(new RegExp(`${kind}.* ${word} .*BTC-USD open`))
      }
    }
    expect(plain(deskState({ symbol: 'XLM-USD' }), columns, rows)).toContain('XLM-USD HALT')
  })

  test('old data says so, in the header and in each pane that shows it', () => {
    const later = { nowMs: deskNowMs + 700_000 }
    for (const pane of ['ladder', 'orders', 'fills', 'balances', 'tickers'] as const) {
      const screen = plain(deskState({ ...later, focus: pane }), columns, rows)
      expect(screen.split('\n')[0]).toContain('[STALE ')
      expect(screen).toMatch(new RegExp(`${paneTitle(pane)}[^|]*STALE`))
    }
  })

  test('an order that ended says how, on the screens that have room for it', () => {
    if (rows >= 40) expect(plain(deskState({ focus: 'orders' }), columns, rows)).toMatch(/FILLED/)
    if (rows >= 60) expect(plain(deskState({ focus: 'orders' }), columns, rows)).toMatch(/REJECTED/)
    const log = deskState().log.slice(0, 1)
    expect(plain(deskState({ focus: 'log', log }), columns, rows)).toMatch(/x Order rejected/)
  })

  test('what has no known outcome stays in words', () => {
    expect(plain(deskState(), columns, rows)).toMatch(/UNKNOWN/)
  })

  test('the ticket tells its side, the field that takes the keys, and what blocks it', () => {
    const edit = (side: 'BUY' | 'SELL') =>
      plain(deskState({ ticket: { stage: 'edit', field: 'quantity', form: { ...form, side } } }), columns, rows)
    for (const side of ['BUY', 'SELL'] as const) {
      expect(edit(side)).toMatch(new RegExp(`Ticket ${side} LIMIT`))
      expect(edit(side)).toMatch(/>qty +999/)
      expect(edit(side)).toMatch(/BLOCK/)
    }
  })
})

const form = { ...emptyTicket({ symbol: 'BTC-USD' }, 'BUY'), quantityText: '999', priceText: '64209.50' }

type Shown = { overlay: Overlay; state?: Partial<DeskState>; expected: readonly RegExp[] }

const question = { evidence: 'No list has it.', verdicts: ['placed', 'notPlaced'] as const }

/** Every overlay with what it must tell; the compiler asks for a line when one is added. */
const overlays: { [Kind in Overlay['kind']]: Shown & { overlay: Extract<Overlay, { kind: Kind }> } } = {
  help: { overlay: { kind: 'help', query: '', top: 0 }, expected: [/LADDER/, /cancel .*!/] },
  tour: { overlay: { kind: 'tour', page: 0 }, expected: [/Esc/] },
  palette: {
    overlay: paletteWith(''),
    expected: [/>/],
  },
  confirmCancel: {
    overlay: { kind: 'confirmCancel', target: { kind: 'all', symbol: null } },
    expected: [/[Cc]ancel/],
  },
  symbols: { overlay: { kind: 'symbols', query: '', selected: 'SOL-USD' }, expected: [/> *[A-Z]+-USD/, /HALT|halt/] },
  halt: { overlay: { kind: 'halt', symbol: 'BTC-USD', typed: '' }, expected: [/HALT \+ CANCEL/, /SELL/, /BUY/] },
  unknownWrite: {
    overlay: { kind: 'unknownWrite', key: unknownOrder.key, match: null },
    state: { unknownWrites: [{ ...unknownOrder, question: { ...question, verdicts: [...question.verdicts] } }] },
    expected: [/not placed/, /No list has it/],
  },
  confirmQuit: { overlay: { kind: 'confirmQuit', cancelSentAtMs: null }, expected: [/Quit now\?/, /Esc stay/] },
  alerts: { overlay: { kind: 'alerts', selected: null }, expected: [/[Aa]lerts/] },
  columns: { overlay: { kind: 'columns', pane: 'orders', selected: 0 }, expected: [/>/, /SIDE|side/] },
  details: {
    overlay: { kind: 'details', pane: 'orders', key: '9912041', top: 0 },
    expected: [/BUY/, /OPEN/],
  },
  themes: { overlay: { kind: 'themes', selected: 'light' }, expected: [/> light/, /auto \(dark here\) +in use/] },
  depositChoose: { overlay: { kind: 'depositChoose', query: '', selected: null }, expected: [/>BTC/] },
  withdraw: {
    overlay: withdrawOverlays.beneficiary,
    state: withdrawData(),
    expected: [/> *to/, /hot-2 \(wl_77\) +NEW/, /RENAMED/],
  },
  withdrawReview: {
    overlay: withdrawOverlays.review,
    state: withdrawData(),
    expected: [/Withdraw 0\.05 BTC/, /cold-1 \(wl_8f2c\)/, /PRACTICE/, /ASK today/],
  },
  withdrawSecret: {
    overlay: withdrawOverlays.secret,
    state: withdrawData(),
    expected: [/Mona: approve this/, /cold-1 \(wl_8f2c\)/, /Wrong passphrase or code/],
  },
  planReview: {
    overlay: { kind: 'planReview', terms: ocoTerms, planId: null, openedAtMs: 0, confirmed: [] },
    expected: [/THIS SIDE ONLY/, /CONFIRM THE PLAN/],
  },
  planCancel: {
    overlay: { kind: 'planCancel', planId: 'p1', how: null },
    state: { plans: somePlans() },
    expected: [/End plan p1/, /END, CANCEL ORDERS/],
  },
  planResume: {
    overlay: { kind: 'planResume', planId: 'p3', openedAtMs: 0 },
    state: { plans: somePlans(lateEntry()) },
    expected: [/Resume plan p3\?/, /MARKET at once/, /RESUME, TRADE/],
  },
  deposit: { overlay: depositOverlays.tagged, expected: [/TAG, needed as well/, /4021/, /LOST/] },
}

test.each(Object.entries(overlays))('the %s overlay tells what it means without any colour', (_kind, shown) => {
  const screen = plain(deskState({ overlay: shown.overlay, ...shown.state }), 120, 40)
  expect(screen).not.toMatch(/\u001b/)
  for (const meaning of shown.expected) expect(screen).toMatch(meaning)
})
