import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { csvLine } from '../../src/base/text/csv.ts'
import { dayMs, hourMs, minuteMs } from '../../src/base/text/time-text.ts'
import { readPeriodAsked } from '../../src/commands/read/report-period.ts'
import { Decimal } from '../../src/domain/money.ts'
import { type Fill, lateMs, newestFillFirst } from '../../src/domain/orders/fills.ts'
import { pnlFields, pnlHead, pnlRows } from '../../src/domain/positions/pnl-fields.ts'
import { costMethods } from '../../src/domain/positions/position.ts'
import { statementFields, statementRows } from '../../src/domain/statement/statement.ts'
import { recordedOf } from '../../src/services/history/recorded.ts'
import { fetchPnl } from '../../src/services/pnl.ts'
import { fetchStatement } from '../../src/services/statement.ts'
import { jsonLinePieces } from '../../src/wire/json-pieces.ts'
import { clientOfLists, type ListedExchange, type WireEntry } from '../fakes/listed-exchange.ts'
import { runs } from '../fakes/runs.ts'

// What a statement is by a model that knows nothing of the program: wire entries in, whole units of 10^-40 out.

const nowMs = Date.UTC(2026, 10, 2, 10)
const symbols = ['BTC-USD', 'ETH-BTC', 'ETH-USD', 'USD-EUR']
const currencies = ['BTC', 'ETH', 'EUR', 'USD']
const strange = 'BTCUSD'
const scale = 40

function units(text: unknown): bigint {
  const [, sign, whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(text)) ?? []
  if (sign === undefined) throw new Error(`no amount: ${text}`)
  const amount = BigInt(whole + fraction.padEnd(scale, '0'))
  return sign === '-' ? -amount : amount
}
const plain = (amount: bigint): string => {
  const digits = String(amount < 0n ? -amount : amount).padStart(scale + 1, '0')
  const fraction = digits.slice(-scale).replace(/0+$/, '')
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -scale)}${fraction === '' ? '' : `.${fraction}`}`
}

/** A change of a currency's balance. */
type Change = { atMs: number; kind: string; id: string; currency: string; units: bigint; isHeld: boolean }

function changesOfFill({ execId, timestamp, symbol, side, price, qty, fee }: WireEntry): Change[] {
  const [base = '', counter = ''] = String(symbol).split('-')
  const notional = (units(price) * units(qty)) / 10n ** BigInt(scale)
  const isBuy = side === 'BUY'
  const line = { atMs: Number(timestamp), id: String(execId), isHeld: false }
  return [
    { ...line, kind: isBuy ? 'bought' : 'sold', currency: base, units: isBuy ? units(qty) : -units(qty) },
    { ...line, kind: isBuy ? 'sold' : 'bought', currency: counter, units: isBuy ? -notional : notional },
    { ...line, kind: 'tradeFee', currency: counter, units: -units(fee) },
  ]
}

function changesOfDeposit({ depositId, timestamp, state, amount, currency }: WireEntry): Change[] {
  const line = { atMs: Number(timestamp ?? 0), id: String(depositId), currency: String(currency), isHeld: false }
  return [{ ...line, kind: 'deposit', units: state === 'COMPLETED' ? units(amount) : 0n }]
}

function changesOfWithdrawal({ withdrawalId, timestamp, state, amount, fee, currency }: WireEntry): Change[] {
  const line = { atMs: Number(timestamp ?? 0), id: String(withdrawalId ?? ''), currency: String(currency) }
  const part = (kind: string, of: unknown) => ({
    ...{ ...line, kind, isHeld: state === 'PENDING' },
    units: state === 'COMPLETED' || state === 'PENDING' ? -units(of) : 0n,
  })
  return [part('withdrawal', amount), ...(fee === undefined ? [] : [part('withdrawalFee', fee)])]
}

/** One entry of each id; a list may repeat one. */
const once = (entries: readonly WireEntry[], id: string): WireEntry[] => [
  ...new Map(entries.map((entry, at) => [entry[id] ?? `none ${at}`, entry])).values(),
]

type World = {
  deposits: WireEntry[]
  withdrawals: WireEntry[]
  fills: WireEntry[]
  /** Entries that nobody can read. */
  odd: WireEntry[]
  hidden: string
  pageMax: number
  /** The fills up to this moment are recorded on this machine. */
  recordedToMs: number | null
  /** The last of these but one came late, after they were recorded. */
  isLate: boolean
}

const changesIn = ({ deposits, withdrawals, fills }: World): Change[] => [
  ...once(deposits, 'depositId').flatMap(changesOfDeposit),
  ...once(withdrawals, 'withdrawalId').flatMap(changesOfWithdrawal),
  ...fills.filter(({ symbol }) => symbol !== strange).flatMap(changesOfFill),
]

const sumOf = (changes: readonly Change[]): bigint => changes.reduce((sum, each) => sum + each.units, 0n)

type Span = { fromMs: number; toMs: number }

/** What is to be told of each currency. */
function told(changes: readonly Change[], { fromMs, toMs }: Span) {
  return Object.fromEntries(
    currencies.map((currency) => {
      const own = changes.filter((each) => each.currency === currency)
      const booked = own.filter(({ isHeld }) => !isHeld)
      const within = booked.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs)
      const of = (kind: string) => sumOf(within.filter((each) => each.kind === kind))
      const opening = sumOf(booked.filter(({ atMs }) => atMs < fromMs))
      return [
        currency,
        {
          ...{ opening, deposits: of('deposit'), withdrawals: of('withdrawal'), withdrawalFees: of('withdrawalFee') },
          ...{ bought: of('bought'), sold: of('sold'), tradeFees: of('tradeFee'), changes: sumOf(within) },
          closing: opening + sumOf(within),
          inFlight: -sumOf(own.filter(({ isHeld }) => isHeld)),
          after: sumOf(booked.filter(({ atMs }) => atMs > toMs)),
        },
      ]
    }),
  )
}

const allFigures = [
  ...['opening', 'deposits', 'withdrawals', 'withdrawalFees', 'bought', 'sold', 'tradeFees', 'changes', 'closing'],
  ...['inFlight', 'after'],
]
const nothing = Object.fromEntries(allFigures.map((name) => [name, 0n]))

/** Moments around days that clocks were changed on, ends of months and of a leap year, and those beside them. */
const borders = [
  Date.UTC(2024, 1, 29),
  Date.UTC(2026, 1, 28),
  Date.UTC(2026, 2, 29, 1),
  Date.UTC(2026, 9, 25, 1),
  Date.UTC(2026, 9, 31),
  Date.UTC(2026, 10, 1),
  Date.UTC(2026, 10, 2),
]
const border = fc.constantFrom(...borders)
const moment = fc
  .tuple(border, fc.constantFrom(0, dayMs, -hourMs, hourMs), fc.constantFrom(-1, 0, 0, 0, 1))
  .map(([atMs, by, beside]) => atMs + by + beside)

const digits = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 12n }), fc.integer({ min: 0, max: 18 }))
  .map(([whole, decimals]) => plain(whole * 10n ** BigInt(scale - decimals)))

const deposit = fc.record(
  {
    ...{ amount: digits, currency: fc.constantFrom(...currencies), address: fc.constant('a'), timestamp: moment },
    state: fc.constantFrom('COMPLETED', 'COMPLETED', 'UNCONFIRMED', 'REJECTED'),
  },
  { requiredKeys: ['amount', 'currency', 'address', 'state'] },
)
const withdrawal = fc.record(
  {
    ...{ amount: digits, fee: digits, currency: fc.constantFrom(...currencies), beneficiary: fc.constant('b') },
    state: fc.constantFrom('COMPLETED', 'COMPLETED', 'PENDING', 'FAILED', 'REFUNDED', 'REJECTED'),
    timestamp: moment,
  },
  { requiredKeys: ['amount', 'currency', 'beneficiary'] },
)
/** Those of a symbol without two currencies are said, and in no sum. */
const fill = fc.record({
  ...{ exOrdId: fc.constant('7'), tradeId: fc.constant('9'), side: fc.constantFrom('BUY', 'SELL') },
  ...{ symbol: fc.constantFrom(...symbols, strange), price: digits, qty: digits, timestamp: moment },
  fee: fc.oneof(digits, fc.constant('0')),
})
/** Above what a double holds, of a symbol's own and of all, in no order of time. */
const ids = fc.uniqueArray(fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }), { minLength: 40, maxLength: 40 })

const world: fc.Arbitrary<World> = fc
  .record({
    ...{ deposits: fc.array(deposit, { maxLength: 8 }), withdrawals: fc.array(withdrawal, { maxLength: 8 }), ids },
    fills: fc.array(fill, { maxLength: 30 }),
    odd: fc.array(fc.record({ timestamp: moment, side: fc.constant('SHORT') }), { maxLength: 2 }),
    hidden: fc.oneof({ weight: 4, arbitrary: fc.constant('0') }, { weight: 1, arbitrary: digits }),
    pageMax: fc.constantFrom(2, 3, 5, 1_000),
    recordedToMs: fc.option(moment),
    isLate: fc.boolean(),
    isTwice: fc.boolean(),
  })
  .map(({ ids: [...free], isTwice, ...each }) => {
    const twice = <T>(entries: T[]): T[] => (isTwice ? [...entries, ...entries.slice(0, 2)] : entries)
    const next = () => ({ execId: String(free.pop()) })
    return {
      ...each,
      deposits: twice(each.deposits.map((entry, at) => ({ ...entry, depositId: `d${at}` }))),
      withdrawals: twice(each.withdrawals.map((entry, at) => ({ ...entry, withdrawalId: `w${at}` }))),
      fills: each.fills.map((entry) => ({ ...entry, ...next() })),
      odd: each.odd.map((entry) => ({ ...entry, ...next() })),
    }
  })

/** A written time, and what it means as the beginning and as the end of a period. */
type Written = { text: string; startMs: number; endMs: number }

const two = (value: number): string => String(value).padStart(2, '0')

const written: fc.Arbitrary<Written> = fc
  .tuple(moment, fc.constantFrom('day', 'compact', 'zone', 'utc', 'ms', 'yesterday'), fc.integer({ min: -52, max: 56 }))
  .map(([atMs, form, quarters]) => {
    const at = new Date(atMs)
    const day = [at.getUTCFullYear(), two(at.getUTCMonth() + 1), two(at.getUTCDate())]
    const startMs = Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate())
    const whole = { startMs, endMs: startMs + dayMs - 1 }
    const just = { startMs: atMs, endMs: atMs }
    switch (form) {
      case 'day':
        return { text: day.join('-'), ...whole }
      case 'compact':
        return { text: day.join(''), ...whole }
      case 'ms':
        return { text: `${atMs}ms`, ...just }
      case 'yesterday':
        return { text: form, startMs: Date.UTC(2026, 10, 1), endMs: Date.UTC(2026, 10, 2) - 1 }
      case 'utc':
        return { text: at.toISOString(), ...just }
      default: {
        const there = new Date(atMs + quarters * 15 * minuteMs)
        const offset = Math.abs(quarters * 15)
        const zone = `${quarters < 0 ? '-' : '+'}${two(Math.floor(offset / 60))}:${two(offset % 60)}`
        return { text: there.toISOString().replace('Z', zone), ...just }
      }
    }
  })

type Flags = { from: string | undefined; to: string | undefined }

/** With a beginning alone, which is wrong usage in the future, it is a period until now. */
const period = fc
  .tuple(fc.option(written), fc.option(written))
  .filter(([from, to]) => to !== null || from === null || from.startMs <= nowMs)
  .map(([one, other]): { flags: Flags; span: Span } => {
    const [from, to] = one !== null && other !== null && one.startMs > other.endMs ? [other, one] : [one, other]
    const span = { fromMs: from?.startMs ?? 0, toMs: to?.endMs ?? Number.MAX_SAFE_INTEGER }
    return { flags: { from: from?.text, to: to?.text }, span }
  })

/** What went out of a currency that nothing brought in, by the words of a report. */
const shortIn = (words: string, currency: string): bigint =>
  units(new RegExp(`([\\d.]+) ${currency} went out that no line`).exec(words)?.[1] ?? '0')

const signal = new AbortController().signal
const clock = { wallMs: () => nowMs }

const fillOf = (entry: WireEntry): Fill => ({
  ...{ execId: String(entry.execId), orderId: String(entry.exOrdId), tradeId: String(entry.tradeId) },
  ...{ symbol: String(entry.symbol), side: entry.side === 'BUY' ? 'BUY' : 'SELL' },
  ...{ price: new Decimal(String(entry.price)), quantity: new Decimal(String(entry.qty)) },
  ...{ fee: new Decimal(String(entry.fee)), timestampMs: Number(entry.timestamp) },
})

/** The account of a world at its exchange, and what is recorded of it here. */
function accountIn(made: World, fillsBy: ListedExchange['fillsBy'] = 'time') {
  const { deposits, withdrawals, fills, odd, hidden, pageMax, recordedToMs, isLate } = made
  const booked = changesIn(made).filter(({ isHeld }) => !isHeld)
  const balances = currencies.map((currency): [string, string] => {
    const sum = sumOf(booked.filter((each) => each.currency === currency))
    return [currency, plain(sum + (currency === 'BTC' ? units(hidden) : 0n))]
  })
  const lists = { symbols, balances: new Map(balances), deposits, withdrawals, fills: [...fills, ...odd] }
  const upTo = fills
    .filter(({ timestamp }) => recordedToMs !== null && Number(timestamp) <= recordedToMs)
    .map(fillOf)
    .toSorted((one, other) => newestFillFirst(other, one))
  const isWithout = (fill: Fill) => fill === upTo.at(-2) && fill.timestampMs > (upTo.at(-1)?.timestampMs ?? 0) - lateMs
  const recorded = recordedOf(upTo.filter((fill) => !isLate || !isWithout(fill)))
  return { ...clientOfLists({ lists, pageMax, fillsBy }), recorded }
}

/** The period of flags, as a command reads it. */
async function askedOf(flags: Flags, { client }: ReturnType<typeof accountIn>) {
  const given = { value: (name: string) => (name === 'from' || name === 'to' ? flags[name] : undefined) }
  const asked = await readPeriodAsked(given as never, { client, skewMs: () => 0 }, { clock, signal })
  if (!asked.ok) throw new Error(asked.error)
  return asked.value
}

const parsed = (value: Parameters<typeof jsonLinePieces>[0]) => JSON.parse([...jsonLinePieces(value)].join(''))

const unitsIn = (row: Readonly<Record<string, unknown>>, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, units(row[name])]))

const zoneBefore = process.env.TZ
beforeAll(() => {
  // Where clocks were changed on some of these days.
  process.env.TZ = 'Europe/Berlin'
})
afterAll(() => {
  if (zoneBefore === undefined) delete process.env.TZ
  else process.env.TZ = zoneBefore
})

type Row = Readonly<Record<string, unknown>> & { currency: string }

/** The sum of a field; where it is missing nothing is known. */
const totalOf = (rows: readonly Row[], name: string): bigint =>
  rows.reduce((sum, row) => sum + units(row[name] ?? '0'), 0n)

/** A line of a statement, whatever order its fields have. */
const lineText = (...[at, kind, id, currency, change]: [unknown, unknown, unknown, unknown, bigint]) =>
  [at, kind, id, currency, plain(change)].join(' ')

function expectFigures(printed: readonly Row[], made: World, span: Span): void {
  const expected = told(changesIn(made), span)
  for (const currency of currencies) {
    const row = printed.find((each) => each.currency === currency)
    const hidden = currency === 'BTC' ? units(made.hidden) : 0n
    const check = hidden === 0n ? 'agrees' : `off by ${plain(hidden)}`
    const read = row === undefined ? { check: 'agrees', ...nothing } : { check: row.check, ...unitsIn(row, allFigures) }
    expect({ currency, ...read }).toEqual({ currency, check, ...expected[currency] })
  }
}

function expectLines(printed: readonly Row[], made: World, { fromMs, toMs }: Span): void {
  const within = changesIn(made).filter(({ atMs }) => atMs >= fromMs && atMs <= toMs)
  const wanted = within.map(({ atMs, kind, id, currency, isHeld, units: change }) =>
    lineText(atMs, kind, id, currency, isHeld ? 0n : change),
  )
  const lines = printed.map(({ timestamp, kind, id, currency, change }) =>
    lineText(timestamp ?? 0, kind, id, currency, units(change)),
  )
  expect(lines.toSorted()).toEqual(wanted.toSorted())
  const times = printed.map(({ timestamp }) => Number(timestamp ?? 0))
  expect(times).toEqual(times.toSorted((one, other) => one - other))
}

function expectRows(rows: readonly (readonly string[])[], made: World, span: Span): void {
  const expected = told(changesIn(made), span)
  for (const currency of currencies) {
    const own = rows.filter((row) => row[3] === currency)
    const edge = (kind: string) => own.filter((row) => row[1] === kind).reduce((sum, row) => sum + units(row[4]), 0n)
    const moved = own.reduce((sum, row) => sum + (row[5] === '' ? 0n : units(row[5])), 0n)
    const { opening, changes, closing } = expected[currency] ?? nothing
    expect([currency, edge('opening'), moved, edge('closing')]).toEqual([currency, opening, changes, closing])
  }
}

const numRuns = runs(150, 3_000)

/** A list by id is one page: a longer one tells only now and then that it is none by time. */
const listed = fc.constantFrom<[ListedExchange['fillsBy'], number | null]>(
  ['time', null],
  ['time', null],
  ['id', 1_000],
)

test('every figure of a statement is what a plain reckoning of the wire comes to, as JSON and as CSV', async () => {
  await fc.assert(
    fc.asyncProperty(world, period, listed, async (made, { flags, span }, [by, pageMax]) => {
      const account = accountIn({ ...made, pageMax: pageMax ?? made.pageMax }, by)
      const context = { signal, recorded: account.recorded, nowMs: () => nowMs }
      const statement = await fetchStatement(account.client, await askedOf(flags, account), context)
      const json = parsed(statementFields(statement))
      expectFigures(json.currencies, made, span)
      expectLines(json.movements, made, span)
      expect(statement.lineCount).toBe(json.movements.length)
      expectRows(
        [...statementRows(statement)].map((row) => csvLine(row).split(',')),
        made,
        span,
      )
      // What is odd and older than what is recorded is not read again.
      const oldestMs = account.recorded.fillCount === 0 ? 0 : (made.recordedToMs ?? 0)
      const isOddListed = made.odd.some(({ timestamp }) => Number(timestamp) > oldestMs)
      if (isOddListed) expect(statement.faults.join()).toContain('Unreadable entry among the fills')
      if (made.odd.length === 0) expect(statement.faults).toHaveLength(made.hidden === '0' ? 0 : 1)
    }),
    { numRuns },
  )
})

test('holdings of a P&L are the closing of the statement, and its lots and matches come to its sums', async () => {
  await fc.assert(
    fc.asyncProperty(world, period, fc.constantFrom(...costMethods), async (made, { flags, span }, method) => {
      const account = accountIn({ ...made, odd: [] })
      const context = { signal, recorded: account.recorded, nowMs: () => nowMs }
      const asked = { method, mark: 'mid', statedCosts: [], hasLots: true } as const
      const period = await askedOf(flags, account)
      const { pnl, lots } = await fetchPnl(account.client, { ...asked, period }, context)
      const json = parsed(pnlFields(pnl, lots))
      const expected = told(changesIn(made), span)
      const results: Row[] = json.matches.filter(({ closedBy }: Row) => closedBy !== 'withdrawal')
      const of = (rows: readonly Row[], name: string) => rows.filter(({ currency }) => currency === name)
      for (const row of json.currencies as Row[]) {
        const { currency } = row
        const short = shortIn(json.missing.join(' '), currency)
        expect([currency, units(row.quantity) - short]).toEqual([currency, expected[currency]?.closing])
        if (currency === 'USD') continue
        const [own, matched] = [of(json.lots, currency), of(results, currency)]
        expect([currency, totalOf(own, 'quantity')]).toEqual([currency, units(row.quantity)])
        expect([currency, totalOf(own, 'costUsd')]).toEqual([currency, totalOf([row], 'costUsd')])
        expect([currency, totalOf(matched, 'realizedUsd')]).toEqual([currency, totalOf([row], 'realizedUsd')])
      }
      expect(totalOf(results, 'realizedUsd')).toBe(totalOf([json.total], 'realizedUsd'))
      expect(totalOf(json.fees, 'feeUsd')).toBe(totalOf([json.total], 'feesUsd'))
      const rows = [...pnlRows(pnl)].map((cells) => Object.fromEntries(cells.map((cell, at) => [pnlHead[at], cell])))
      for (const name of ['realizedUsd', 'feesUsd', 'proceedsOfUnknownCostUsd', 'unrealizedUsd', 'unknownFeeCount']) {
        const sumIn = (scope: string) => {
          const own = rows.filter((row) => row.scope === scope)
          return own.reduce((sum, row) => sum + units(row[name] || '0'), 0n)
        }
        expect([name, sumIn('currency'), sumIn('symbol')]).toEqual([name, sumIn('total'), sumIn('total')])
      }
      // Fees in USD are known to the last digit.
      const { withdrawalFees = 0n, tradeFees = 0n } = expected.USD ?? {}
      expect(-totalOf(of(json.fees, 'USD'), 'feeUsd')).toBe(withdrawalFees + tradeFees)
    }),
    { numRuns },
  )
})
