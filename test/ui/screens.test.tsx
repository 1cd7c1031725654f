import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Decimal } from '../../src/domain/money.ts'
import { emptyTicket } from '../../src/domain/orders/ticket.ts'
import { type DeskState, initialState } from '../../src/store/desk.ts'
import { paletteWith } from '../../src/store/palette.ts'
import { paneTable } from '../../src/store/view/panes.ts'
import { bitcoin, chosenRow, deskNowMs, deskState, orderFrom } from '../fakes/desk-state.ts'
import { protectedPlan, somePlans } from '../fakes/plans.ts'
import { withoutStyles } from '../fakes/without-styles.ts'
import { plainScreen, renderScreen } from './render-screen.tsx'

const form = { ...emptyTicket(bitcoin, 'BUY'), quantityText: '0.0500', priceText: '64209.53' }
const start = initialState({
  nowMs: deskNowMs,
  venue: { kind: 'live', profileName: 'main' },
  mode: { kind: 'SAFE' },
  symbol: 'BTC-USD',
})

/** Desks in every state that draws something of its own. */
const desks: Record<string, DeskState> = {
  start,
  quiet: deskState(),
  stale: deskState({ nowMs: deskNowMs + 3_600_000 }),
  halted: deskState({ symbol: 'XLM-USD' }),
  editing: deskState({ ticket: { stage: 'edit', form, field: 'price' } }),
  reviewing: deskState({
    ticket: { stage: 'review', form, field: 'price', reviewedAtMs: deskNowMs, confirmed: [], retyped: '' },
  }),
  sending: deskState({ ticket: { stage: 'sending', form, field: 'price' } }),
  help: deskState({ overlay: { kind: 'help', query: '', top: 0 } }),
  symbols: deskState({ overlay: { kind: 'symbols', query: 'S', selected: 'SHIB-USD' } }),
  palette: deskState({ overlay: { ...paletteWith(''), selected: 40 } }),
  sentence: deskState({
    overlay: paletteWith('buy 0.05 btc-usd @ 64209.5 post'),
  }),
  tour: deskState({ overlay: { kind: 'tour', page: 2 } }),
  cancelling: deskState({ overlay: { kind: 'confirmCancel', target: { kind: 'all', symbol: null } } }),
  cancelAll: deskState({ overlay: { kind: 'halt', symbol: 'BTC-USD', typed: '' } }),
  haltAll: deskState({ overlay: { kind: 'halt', symbol: 'BTC-USD', typed: 'ALL' } }),
  covered: deskState({
    lock: { kind: 'covered', sentence: 'Wrong passphrase or code. Wait 4 s before the next try.' },
  }),
  lockTyping: deskState({ lock: { kind: 'typing', length: 400 }, lockMethod: 'passphrase' }),
  lockChecking: deskState({ lock: { kind: 'checking' }, lockMethod: 'code' }),
  lockedHalt: deskState({
    lock: { kind: 'covered', sentence: '' },
    overlay: { kind: 'halt', symbol: 'BTC-USD', typed: 'AL' },
  }),
  quitting: deskState({ overlay: { kind: 'confirmQuit', cancelSentAtMs: null } }),
  fills: deskState({ focus: 'fills' }),
  balances: deskState({ focus: 'balances' }),
  log: deskState({ focus: 'log' }),
  tickers: deskState({ focus: 'tickers' }),
  chart: deskState({
    focus: 'chart',
    priceHistory: new Map([
      [
        'BTC-USD',
        [64_190, 64_220, 64_205].map((price, index) => ({
          atMs: deskNowMs - 200_000 + index * 60_000,
          price: new Decimal(price),
        })),
      ],
    ]),
  }),
  hostile: deskState({
    symbol: '金\u001b[2J-USD\n',
    notice: { atMs: deskNowMs, level: 'bad', text: `\u001b]0;x\u0007${'👨‍👩‍👧'.repeat(80)}` },
    endedOrders: [orderFrom({ status: 'REJECTED', text: '\u202E全角文字\r\nK\u0000'.repeat(20) })],
  }),
}

test('no line is longer than the screen, no screen is longer than the terminal, at any size and in any state', () => {
  const names = Object.keys(desks)
  fc.assert(
    fc.property(
      fc.integer({ min: 40, max: 200 }),
      fc.integer({ min: 10, max: 60 }),
      fc.constantFrom(...names),
      (columns, rows, name) => {
        const screen = plainScreen(desks[name] ?? start, columns, rows)
        const lines = screen.split('\n')
        expect(lines.length).toBeLessThanOrEqual(rows)
        expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns)
        expect(screen).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e]/)
      },
    ),
    { numRuns: 150 },
  )
})

test('frames close: every left border has its right one in the last column', () => {
  for (const [columns, rows] of [
    [80, 24],
    [100, 30],
    [120, 40],
    [160, 50],
    [200, 60],
  ] as const) {
    const lines = plainScreen(deskState(), columns, rows).split('\n')
    const framed = lines.filter((line) => /^[│┃┌┏└┗]/.test(line))
    expect(framed.length).toBeGreaterThan(rows - 6)
    for (const line of framed) expect(line).toMatch(/[│┃┐┓┘┛]$/)
    for (const line of framed) expect(line).toHaveLength(columns)
  }
})

test('the first words are there before anything has answered, and every pane says what it waits for', () => {
  const screen = plainScreen(start, 120, 40)
  for (const words of [
    'SAFE',
    'LIVE main',
    'book wait',
    'Waiting for the symbols',
    'Waiting for your orders',
    'Waiting for prices',
  ])
    expect(screen).toContain(words)
})

test('every screen from 40x12 up is as large as the terminal, whatever is shown, and no frame is cut', () => {
  const focused = fc.constantFrom(...paneTable.map(({ pane }) => pane).filter((pane) => pane !== 'ladder2'))
  const opened = fc.constantFrom(undefined, desks.editing, desks.reviewing, desks.sending)
  fc.assert(
    fc.property(
      fc.tuple(fc.integer({ min: 40, max: 90 }), fc.integer({ min: 12, max: 30 })),
      focused,
      opened,
      ([columns, rows], focus, desk) => {
        const lines = plainScreen({ ...(desk ?? deskState()), focus }, columns, rows).split('\n')
        expect(lines).toHaveLength(rows)
        for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns)
        for (const line of lines.filter((each) => /^[│┃║┌┏╔└┗╚]/.test(each))) expect(line).toMatch(/[│┃║┐┓╗┘┛╝]$/)
      },
    ),
    { numRuns: 60 },
  )
})

test('the smallest desk names prices, ladder, market, orders and keys', () => {
  const screen = plainScreen(deskState(), 80, 24)
  for (const words of [
    '>BTC 64,210.50 +1.2%',
    '1 Ladder BTC-USD',
    'B.05',
    'S.02',
    'Market BTC-USD',
    '[2 Orders (4)]',
    '? keys',
  ])
    expect(screen).toContain(words)
})

test('under 40×12 a page says the size it needs and lists the working orders with the keys that cancel them', () => {
  const screen = plainScreen(deskState({ tables: chosenRow('orders', '9912017') }), 60, 11)
  expect(screen.split('\n')).toHaveLength(11)
  for (const words of ['60x11', '80x24', '>9912017 SELL 0.0200 BTC-USD @ 64212.50 PART_FILLED', 'x cancel', 'K halt'])
    expect(screen).toContain(words)
})

test('on the smallest page the question before cancelling all is asked, with its keys', () => {
  const screen = plainScreen(desks.cancelAll ?? start, 50, 10)
  expect(screen).toContain('all 2 working orders in BTC-USD?')
  expect(screen).toContain('Enter HALT + CANCEL')
})

test('without colours nothing but bold, dim, underline and reverse is written, on a dumb terminal nothing at all', () => {
  const codes = (env: Record<string, string>) =>
    new Set(
      [...renderScreen(deskState(), 120, 40, env).matchAll(/\u001b\[([0-9;]*)m/g)].flatMap((match) =>
        match[1]?.split(';'),
      ),
    )
  for (const code of codes({ TERM: 'xterm-256color', NO_COLOR: '1' }))
    expect(['0', '1', '2', '4', '7', '22', '24', '27']).toContain(code)
  expect(codes({ TERM: 'dumb' })).toEqual(new Set())
})

test('colours change nothing in the text, and a plain console draws frames of ASCII', () => {
  // Depth alone is a ground where there are colors, and signs where there are none.
  const plain = plainScreen(deskState(), 120, 40)
  const colored = withoutStyles(renderScreen(deskState(), 120, 40, { TERM: 'xterm', COLORTERM: 'truecolor' }))
  expect(colored.replace(/[▁▂▃▄▅▆▇█]/g, ' ')).toBe(plain.replace(/[▁▂▃▄▅▆▇█]/g, ' '))
  const ascii = withoutStyles(
    renderScreen(deskState({ overlay: { kind: 'help', query: '', top: 0 } }), 80, 24, { TERM: 'linux' }),
  )
  expect(ascii).toMatch(/^[\u0020-\u007e\n]+$/)
})

test('the help shows the first keys, says how many more there are, and filters', () => {
  const screen = plainScreen(desks.help ?? start, 80, 24)
  for (const words of ['LADDER', 'ORDERS', 'LISTS', 'cancel own in the row !', 'more below', 'Tab tour'])
    expect(screen).toContain(words)
  const filtered = plainScreen(deskState({ overlay: { kind: 'help', query: 'review', top: 0 } }), 80, 24)
  for (const words of ['Filter: review_', 'TICKET', 'in review: SEND !']) expect(filtered).toContain(words)
  expect(filtered).not.toContain('LADDER')
})

test('the lock screen covers all but mode, venue, ages and the number of orders, at every size', () => {
  for (const name of ['covered', 'lockTyping', 'lockChecking', 'lockedHalt'] as const) {
    for (const [columns, rows] of [
      [50, 12],
      [80, 24],
      [200, 60],
    ] as const) {
      const screen = plainScreen(desks[name] ?? start, columns, rows)
      for (const words of ['ARMED', 'PRACTICE', 'LOCKED', 'Working orders: 3', 'UNKNOWN: 1'])
        expect(screen).toContain(words)
      for (const hidden of ['BTC', '64209', '12,004', '9912041', 'Fill']) expect(screen).not.toContain(hidden)
    }
  }
})

test('short of lines the lock screen keeps the word that halts, and what is typed', () => {
  for (const [columns, rows] of [
    [40, 12],
    [40, 9],
    [30, 9],
  ] as const) {
    const halt = plainScreen({ ...(desks.lockedHalt ?? start), plans: somePlans() }, columns, rows)
    expect(halt.replace(/\s+/g, ' ')).toContain('The desk is locked: type ALL, then Enter. AL_')
    expect(plainScreen(desks.lockTyping ?? start, columns, rows)).toContain('Passphrase: ••')
  }
  expect(plainScreen(desks.lockedHalt ?? start, 30, 4)).toContain(' AL_')
  expect(plainScreen(desks.lockTyping ?? start, 20, 3)).toContain('Passphrase: •')
})

test('the lock screen says how many plans are open, bare and held, and of whom or what nothing', () => {
  const lock = { kind: 'covered', sentence: '' } as const
  const screen = plainScreen(deskState({ lock, plans: somePlans() }), 80, 24)
  expect(screen).toContain('Plans: 2, 1 not protected, 1 held')
  for (const hidden of ['BTC', '63,000', 'p1', 'p2']) expect(screen).not.toContain(hidden)
  expect(plainScreen(deskState({ lock, plans: somePlans(protectedPlan()) }), 40, 12)).toMatch(/Plans: 1 *$/m)
  expect(plainScreen(deskState({ lock }), 80, 24)).not.toContain('Plans:')
})

test('what is typed at the lock screen shows as dots that do not tell how long it is for ever', () => {
  const screen = plainScreen(desks.lockTyping ?? start, 80, 24)
  expect(screen).toContain(`Passphrase: ${'•'.repeat(32)}_`)
  expect(screen).not.toContain('•'.repeat(33))
})

test('the header counts down only in the last minute', () => {
  const armed = (idleMs: number) =>
    plainScreen(
      deskState({ idleRules: { safeAfterMs: 300_000, lockAfterMs: null }, lastKeyAtMs: deskNowMs - idleMs }),
      80,
      24,
    ).split('\n')[0]
  expect(armed(239_000)).toMatch(/^ ARMED {2}/)
  expect(armed(240_000)).toMatch(/^ ARMED 60s /)
  expect(armed(299_500)).toMatch(/^ ARMED 1s /)
})
