import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import { emptyFillSums, type Fill, withFillSums } from '../../../src/domain/orders/fills.ts'
import type { DeskState } from '../../../src/store/desk.ts'
import { equityNow } from '../../../src/store/equity.ts'
import { arrived } from '../../../src/store/feeds/feed.ts'
import { balancesContent } from '../../../src/ui/panes/balances-pane.tsx'
import { fillsContent } from '../../../src/ui/panes/fills-pane.tsx'
import { positionsContent } from '../../../src/ui/panes/positions-pane.tsx'
import { balancesContext, shareOf } from '../../../src/ui/tables/balances-table.ts'
import { fillsSource } from '../../../src/ui/tables/fills-table.ts'
import { detailLines } from '../../../src/ui/tables/list-registry.ts'
import { rowText, rowWidth } from '../../../src/ui/text/row.ts'
import { deskNowMs, deskState } from '../../fakes/desk-state.ts'
import { anInstrument } from '../../fakes/instruments.ts'
import { aRealized, reckonedPositions, worthDesk } from '../../fakes/worth.ts'
import { texts } from '../rows.ts'

/** A desk with fills whose sums are counted, in a session that began an hour ago. */
function withSums(more: Partial<DeskState> = {}): DeskState {
  const state = deskState(more)
  const fillSums = withFillSums(emptyFillSums(deskNowMs - 3_600_000), state.fills.value ?? [], deskNowMs, 0)
  return { ...state, fillSums }
}

test('fills: below the list stand the sums of session and day, the symbol in view first, exact to the last digit', () => {
  const { rows, foot } = fillsContent(withSums(), 90, 14)
  expect(texts(rows)).toEqual([
    ' TIME     SIDE SYMBOL         QTY      PRICE NOTIONAL      FEE IN  ORDER   TRADE  EXEC',
    ' 14:01:58 SELL BTC-USD     0.0300 64212.50    1926.38 1.926375 USD 9912017 771203 88001',
    ' 13:58:02 BUY  BTC-USD     0.0500 64188.00    3209.40 6.4188   USD 9911002 771150 87990',
    ' 12:55:27 BUY  XLM-USD 12000          0.1101  1321.20 2.6424   USD 9910001 770002 87100',
    '',
    '',
    '',
    '',
    '',
    ' SUM 4/5 SYMBOL  SIDE FILLS    QTY  AVG PRICE  NOTIONAL     FEES IN',
    ' session BTC-USD BUY      1 0.0500 64188.0000 3,209.40  6.4188   USD',
    ' session BTC-USD SELL     1 0.0300 64212.5000 1,926.375 1.926375 USD',
    ' UTC day BTC-USD BUY      1 0.0500 64188.0000 3,209.40  6.4188   USD',
    ' UTC day BTC-USD SELL     1 0.0300 64212.5000 1,926.375 1.926375 USD',
  ])
  expect(rowText(foot ?? [])).toBe('session 2 fills, fees 8.345175 USD')
})

test('fills: short of lines the head of the sums says how many of them are seen', () => {
  const heads = [9, 14, 18].map((rowCount) =>
    texts(fillsContent(withSums(), 90, rowCount).rows).flatMap((text) => /SUM(?: \d+\/\d+)?/.exec(text)?.[0] ?? []),
  )
  expect(heads).toEqual([['SUM 2/5'], ['SUM 4/5'], ['SUM']])
})

test('fills: short of room a fee below the smallest unit is told as less than that, not as none, a rebate too', () => {
  const state = deskState()
  const [newest] = state.fills.value ?? []
  if (newest === undefined) throw new Error('the fake desk has no fills')
  const small = { ...newest, quantity: new Decimal('0.00005'), price: new Decimal(60) }
  const fills: readonly Fill[] = [
    { ...small, execId: '9', fee: new Decimal('0.0006') },
    { ...small, execId: '8', symbol: 'ETH-USD', fee: new Decimal('-0.0006') },
    { ...small, execId: '7', symbol: 'SOL-USD', fee: new Decimal(0) },
  ]
  const drawn = (width: number) =>
    texts(fillsContent(withSums({ fills: arrived(fills, deskNowMs) }), width, 18).rows).map((text) => text.trim())
  const narrow = drawn(36)
  expect(narrow.slice(1, 4).map((text) => text.split(/ +/)[4])).toEqual(['<0.01', '>-0.01', '0.00'])
  const sums = narrow.filter((text) => text.startsWith('session')).map((text) => text.split(/ +/)[4])
  expect(sums).toEqual(['<0.01', '>-0.01', '0.00'])
  expect(
    drawn(90)
      .slice(1, 4)
      .map((text) => text.split(/ +/).slice(5, 7)),
  ).toEqual([
    ['<0.01', '0.0006'],
    ['<0.01', '-0.0006'],
    ['<0.01', '0.00'],
  ])
  // The rules of a symbol that is not listed any more are not known.
  const gone = { ...small, execId: '6', symbol: 'OLD-USD', fee: new Decimal('0.41') }
  const sum = texts(fillsContent(withSums({ fills: arrived([gone], deskNowMs) }), 50, 18).rows)
  expect(
    sum
      .find((text) => text.includes('session'))
      ?.trim()
      .split(/ +/)
      .at(-1),
  ).toBe('0.41')
})

test('fills: in a low pane the list has all the room, and the keys know how many lines it has', () => {
  const { rows } = fillsContent(withSums(), 60, 5)
  expect(texts(rows).join('\n')).not.toContain('session')
  for (const rowCount of [3, 5, 8, 9, 12, 13, 17, 18, 40]) {
    const drawn = fillsContent(withSums(), 90, rowCount)
    expect(drawn.rows.length).toBeLessThanOrEqual(rowCount)
    expect(fillsSource.lineCount(rowCount)).toBeLessThanOrEqual(rowCount - 1)
  }
})

test('fills: what was scrolled to stands below what polls brought, each execution once, older days with their date', () => {
  const state = deskState()
  const [newest] = state.fills.value ?? []
  if (newest === undefined) throw new Error('the fake desk has no fills')
  const older: Fill = { ...newest, execId: '100', timestampMs: deskNowMs - 3 * 86_400_000 }
  const fillHistory = { fills: [newest, older], reach: 'all', call: { kind: 'resting' } } as const
  const { rows, foot } = fillsContent({ ...state, fillHistory }, 90, 8)
  expect(texts(rows).filter((text) => text.includes('64212.50'))).toHaveLength(2)
  expect(texts(rows)[4]).toMatch(/^ 11-17 14:02 SELL/)
  expect(rowText(foot ?? [])).toBe('all there are')
})

test('balances: the value is that of the direct symbol; without one it is a dash, not in the total, and said so', () => {
  const state = deskState()
  const [dollars] = state.balances.value ?? []
  if (dollars === undefined) throw new Error('the fake account is empty')
  const five = new Decimal(5)
  const strange = { ...dollars, currency: 'ZZZ', balance: five, available: five, rate: new Decimal(0) }
  const balances = arrived([...(state.balances.value ?? []), strange], deskNowMs)
  const { rows, foot } = balancesContent({ ...state, balances }, 78, 8)
  expect(texts(rows)).toEqual([
    ' CUR    BALANCE      AVAIL    HELD     VALUE         SHARE',
    ' USD 12,500.00  12,004.11  495.89  12,500.00 ██        25%',
    ' BTC      0.412      0.392   0.020 26,454.73 ████      53%',
    ' ETH      3.10       3.10    -      9,672.31 █▌        19%',
    ' XLM 12,000.00  12,000.00    -      1,322.40            3%',
    ' ZZZ      5.00       5.00    -             -             -',
    ' sum                                 ≥49,949           USD',
  ])
  expect(rowText(foot ?? [])).toBe('value in USD, no price for ZZZ')
})

test('balances: what is worth little is not worth nothing, and is part of the whole', () => {
  const state = deskState()
  const [dollars, ...others] = state.balances.value ?? []
  if (dollars === undefined) throw new Error('the fake account is empty')
  const balances = arrived(
    [{ ...dollars, balance: new Decimal('0.4'), available: new Decimal('0.4') }, ...others],
    deskNowMs,
  )
  const row = (width: number) =>
    texts(balancesContent({ ...state, balances }, width, 8).rows)[1]
      ?.trim()
      .split(/ +/)
  expect(row(78)?.slice(-2)).toEqual(['0.40', '<1%'])
  expect(row(40)?.at(-1)).toBe('<1')
})

test('balances: a debt is drawn without a bar, and one without a price leaves neither a sum nor shares of it', () => {
  const state = deskState()
  const [dollars, bitcoins] = state.balances.value ?? []
  if (dollars === undefined || bitcoins === undefined) throw new Error('the fake account is empty')
  const owed = { ...dollars, balance: new Decimal(-10_000), available: new Decimal(-10_000) }
  const drawn = (list: readonly (typeof dollars)[]) =>
    texts(balancesContent({ ...state, balances: arrived(list, deskNowMs) }, 78, 5).rows)
  expect(drawn([owed, bitcoins])).toEqual([
    ' CUR     BALANCE       AVAIL  HELD      VALUE         SHARE',
    ' USD -10,000.00  -10,000.00  -     -10,000.00          -61%',
    ' BTC       0.412       0.392 0.020  26,454.73 ████████ 161%',
    ' sum                                   16,455           USD',
  ])
  const unpriced = { ...owed, currency: 'ZZZ', rate: new Decimal(0) }
  expect(drawn([unpriced, bitcoins])).toEqual([
    ' CUR     BALANCE       AVAIL  HELD     VALUE         SHARE',
    ' ZZZ -10,000.00  -10,000.00  -             -             -',
    ' BTC       0.412       0.392 0.020 26,454.73             -',
    ' sum                                       ?           USD',
  ])
})

test('balances: a sum without those that could not be read is told as at least so much, of any account', () => {
  const state = deskState()
  const entry = { reason: 'field "balance" is missing', atMs: null, fields: { currency: 'BTC' } }
  const told = (content: ReturnType<typeof balancesContent>) => [
    texts(content.rows).at(-1)?.trim().split(/ +/)[1],
    rowText(content.foot ?? []),
  ]
  const gaps = { entries: [entry], isWhole: true, toldKeys: [] }
  expect(told(balancesContent({ ...state, unreadable: { balances: gaps } }, 78, 7))).toEqual([
    '≥49,949',
    'value in USD, without 1 unreadable',
  ])
  const hedge = { balances: state.balances.value ?? [], unreadableCount: 2, isMissing: false }
  const other = { ...state, otherAccounts: new Map([['hedge', hedge]]), shownAccount: 'hedge' }
  expect(told(balancesContent(other, 78, 7))).toEqual(['≥49,949', 'value in USD, without 2 unreadable'])
  expect(told(balancesContent({ ...other, shownAccount: 'primary' }, 78, 7))).toEqual(['49,949', 'value in USD'])
})

test('balances: short of room what is held stays longer than its value, and what nothing is held of goes before', () => {
  const state = deskState()
  const of = (held: boolean) => {
    const all = (state.balances.value ?? []).map((each) => (held ? each : { ...each, available: each.balance }))
    return { ...state, balances: arrived(all, deskNowMs) }
  }
  for (let width = 30; width <= 78; width += 1) {
    const [head = ''] = texts(balancesContent(of(true), width, 8).rows)
    if (head.includes('VALUE')) expect([width, head]).toEqual([width, expect.stringContaining('HELD')])
    const [none = ''] = texts(balancesContent(of(false), width, 8).rows)
    if (none.includes('HELD')) expect([width, none]).toEqual([width, expect.stringContaining('VALUE')])
  }
})

test('balances: what is available and what is held come to the balance as shown, and nothing is shown as more', () => {
  const amount = fc.integer({ min: 0, max: 1_000_000_000 }).map((part) => new Decimal(part).div(100_000))
  fc.assert(
    fc.property(amount, amount, (one, other) => {
      const state = deskState()
      const [dollars] = state.balances.value ?? []
      if (dollars === undefined) throw new Error('the fake account is empty')
      const [available, balance] = [Decimal.min(one, other), Decimal.max(one, other)]
      const balances = arrived([{ ...dollars, balance, available }], deskNowMs)
      const row = texts(balancesContent({ ...state, balances }, 90, 8).rows)[1] ?? ''
      const [, whole = 0, free = 0, held = '0'] = row.trim().replaceAll(',', '').split(/ +/)
      expect(new Decimal(free).plus(held === '-' ? 0 : held)).toEqual(new Decimal(whole))
      expect(new Decimal(free).lte(available)).toBe(true)
    }),
    { numRuns: 60 },
  )
})

test('balances: values rest on prices, and old prices make them dim and said to be old', () => {
  const tickers = arrived(deskState().tickers.value ?? new Map(), deskNowMs - 60_000)
  const { rows, foot, isStale } = balancesContent(deskState({ tickers }), 78, 8)
  expect(isStale).toBe(false)
  expect(rowText(foot ?? [])).toBe('value in USD, prices STALE')
  // Short of room the warning stays whole.
  const narrow = balancesContent(deskState({ tickers }), 38, 5)
  expect(rowText(narrow.foot ?? [])).toBe('1 more below  USD, prices STALE')
  const toneOf = (text: string) => rows[1]?.find((each) => each.text.trim() === text)?.tone
  expect(toneOf('12,500.00')).toBe('text')
  expect(rows[2]?.find((each) => each.text.trim() === '26,454.73')?.tone).toBe('dim')
  const sumTone = (list: typeof rows) => list.at(-1)?.find((each) => /^\d/.test(each.text.trim()))?.tone
  expect(rowText(rows.at(-1) ?? [])).toContain('sum')
  expect(sumTone(rows)).toBe('dim')
  expect(sumTone(balancesContent(deskState(), 78, 8).rows)).toBe('title')
})

test('balances: the shares of all currencies come to one', () => {
  const amount = fc.integer({ min: 0, max: 10_000_000 }).map((cents) => new Decimal(cents).div(100))
  fc.assert(
    fc.property(fc.tuple(amount, amount, amount), fc.integer({ min: 20, max: 120 }), (amounts, width) => {
      const state = deskState()
      const value = (state.balances.value ?? []).slice(0, 3).map((balance, index) => {
        const held = amounts[index] ?? new Decimal(0)
        return { ...balance, balance: held, available: held }
      })
      const next = { ...state, balances: arrived(value, deskNowMs) }
      const context = balancesContext(next)
      const shares = value.map((balance) => shareOf(balance, context) ?? new Decimal(0))
      const sum = shares.reduce((left, right) => left.plus(right), new Decimal(0))
      expect(
        sum
          .minus(context.total.isZero() ? 0 : 1)
          .abs()
          .lt('1e-30'),
      ).toBe(true)
      if (width >= 40)
        for (const row of balancesContent(next, width, 8).rows) expect(rowWidth(row)).toBeLessThanOrEqual(width)
    }),
    { numRuns: 60 },
  )
})

test('balances: a currency whose symbol is not listed any more is worth what the figure of equity says, or unknown in both', () => {
  const state = deskState()
  const instruments = new Map([...(state.instruments.value ?? [])].filter(([name]) => !name.startsWith('BTC-')))
  const rated = (rate: string) => ({
    ...state,
    instruments: { ...state.instruments, value: instruments },
    balances: arrived(
      (state.balances.value ?? []).map((each) => ({
        ...each,
        rate: new Decimal(each.currency === 'BTC' ? rate : each.currency === 'USD' ? '1' : '0'),
      })),
      deskNowMs,
    ),
  })
  const sums = (of: DeskState) => {
    const { total, unpriced, doubtful } = balancesContext(of)
    const { knownUsd, equityUsd } = equityNow(of).worth
    expect(total.eq(knownUsd)).toBe(true)
    expect(unpriced.length + doubtful.length === 0).toBe(equityUsd !== null)
    return { unpriced, doubtful, foot: rowText(balancesContent(of, 78, 8).foot ?? []) }
  }
  const valued = balancesContext(rated('60000')).values.get('BTC')
  expect(valued?.eq(balancesContext(rated('30000')).values.get('BTC')?.times(2) ?? 0)).toBe(true)
  expect(sums(rated('60000')).unpriced).not.toContain('BTC')
  expect(sums(rated('0'))).toMatchObject({ unpriced: ['BTC'], foot: expect.stringContaining('no price for BTC') })
  expect(sums(rated('1'))).toMatchObject({ unpriced: ['BTC'] })
  const apart = { ...rated('1000'), instruments: state.instruments }
  expect(sums(apart)).toMatchObject({ doubtful: ['BTC'], foot: expect.stringContaining('no certain price for BTC') })
})

test('positions: the title says what units are valued at and how old last prices are, a column which of each', () => {
  const state = { ...worthDesk(), nowMs: (deskState().tickers.atMs ?? 0) + 4_000 }
  const { note, rows } = positionsContent(state, 120, 12)
  expect(rowText(note)).toContain('FIFO, at mid, else last price 4s old')
  const [head = '', ...lines] = texts(rows)
  const at = (name: string) => lines.find((line) => line.startsWith(` ${name} `))?.slice(head.indexOf(' AT ') + 1)
  expect(at('BTC')).toMatch(/^mid /)
  expect(at('ETH')).toMatch(/^last /)
  expect(at('USD')).toMatch(/^USD /)
})

test('positions: an average cost has the decimals of the symbol traded for USD, whichever symbol is listed last', () => {
  const desk = worthDesk()
  const [first] = reckonedPositions.positions
  if (first === undefined) throw new Error('the fake desk has no positions')
  const averageCostUsd = new Decimal('0.00000812')
  const positions = [{ ...first, currency: 'SHIB', averageCostUsd }]
  const inUsd = anInstrument({ symbol: 'SHIB-USD', base: 'SHIB', counter: 'USD', priceScale: 8 })
  const inYen = anInstrument({ symbol: 'SHIB-JPY', base: 'SHIB', counter: 'JPY', priceScale: 4 })
  for (const listed of [
    [inUsd, inYen],
    [inYen, inUsd],
  ]) {
    const instruments = arrived(new Map(listed.map((each) => [each.symbol, each])), deskNowMs)
    const reckoned = { ...reckonedPositions, positions }
    const { rows } = positionsContent({ ...desk, instruments, positions: { ...desk.positions, reckoned } }, 120, 12)
    expect(texts(rows).find((row) => row.includes('SHIB'))).toContain(' 0.0000081200')
  }
})

test('positions: what was realized and nobody knows is ?, never 0.00?, as in pitdesk pnl', () => {
  const desk = worthDesk()
  const nothingKnown = { knownCount: 0, knownFeeCount: 0, unknownCostCount: 2, unknownFeeCount: 1 }
  const all = (currency: ReadonlyMap<string, ReturnType<typeof aRealized>>): DeskState => {
    const realized = { ...reckonedPositions.realized, all: { currency, symbol: new Map() } }
    return { ...desk, positions: { ...desk.positions, reckoned: { ...reckonedPositions, realized } } }
  }
  const ends = (state: DeskState) => {
    const rows = texts(positionsContent(state, 120, 12).rows)
    return ['ETH', 'sum'].map((name) =>
      rows
        .find((row) => row.startsWith(` ${name} `))
        ?.trim()
        .split(/ +/)
        .slice(-2),
    )
  }
  const unknown = ['ETH', aRealized('0', '0', nothingKnown)] as const
  expect(ends(all(new Map([unknown])))).toEqual([
    ['?', '?'],
    ['?', '?'],
  ])
  // Of the sum a part is known.
  expect(ends(all(new Map([unknown, ['BTC', aRealized('7', '2')]])))).toEqual([
    ['?', '?'],
    ['+7.00?', '2.00?'],
  ])
})

test('details: every name is whole and stands apart from its value', () => {
  for (const key of ['BTC', 'ETH']) {
    const lines = texts(detailLines(worthDesk(), { pane: 'positions', key }))
    expect(lines).toContain(` units of unknown cost   ${key === 'BTC' ? 'none' : '1.10'}`)
    expect(lines.some((line) => /^ all time, value unknown no units went out/.test(line))).toBe(true)
    expect(lines.join('\n')).not.toContain('…')
  }
})

test('where nothing was filled that is said in whole, however narrow the list is', () => {
  const none = { ...deskState(), fillSums: emptyFillSums(deskNowMs) }
  expect(
    texts(fillsContent(none, 44, 16).rows)
      .join(' ')
      .replaceAll(/ +/g, ' '),
  ).toContain('Nothing filled in this session or on this day.')
})
