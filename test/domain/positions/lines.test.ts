import { expect, test } from 'vitest'
import type { Fill } from '../../../src/domain/orders/fills.ts'
import { compareIds } from '../../../src/domain/orders/order.ts'
import { Ledger } from '../../../src/domain/positions/ledger.ts'
import {
  enter,
  fillDecimals,
  fillLine,
  fitsIn,
  inLedgerOrder,
  type Line,
  lineKey,
  mergedLines,
  momentsOf,
  pairsOf,
  transferLines,
} from '../../../src/domain/positions/lines.ts'
import type { StatedCost } from '../../../src/domain/positions/position.ts'
import type { Deposit, Withdrawal } from '../../../src/domain/transfers/transfer.ts'
import { amount } from '../../fakes/amounts.ts'
import { worldRules } from './worlds.ts'

const fill = (execId: string, timestampMs: number, change: Partial<Fill> = {}): Fill => ({
  ...{ orderId: '1', tradeId: '1', execId, symbol: 'BTC-USD', side: 'BUY', timestampMs },
  ...{ quantity: amount('0.5'), price: amount('100.25'), fee: amount('0.125') },
  ...change,
})
const deposit = (depositId: string, timestampMs: number | null, state: Deposit['state'] = 'COMPLETED'): Deposit => ({
  ...{ depositId, timestampMs, state, amount: amount('2'), currency: 'BTC', address: '', txHash: null },
})
const withdrawal = (withdrawalId: string | null, timestampMs: number | null, change: Partial<Withdrawal> = {}) => ({
  ...{ withdrawalId, timestampMs, state: 'COMPLETED', amount: amount('1'), fee: amount('0.1'), currency: 'BTC' },
  ...{ beneficiary: '1' },
  ...change,
})
const stated = (atMs: number, usdEach = '90'): StatedCost => ({
  ...{ currency: 'BTC', quantity: amount('1'), usdEach: amount(usdEach), atMs },
})
const names = (lines: Iterable<Line>) =>
  [...lines].map((line) => ('stated' in line ? `cost ${line.stated.usdEach.toFixed()}` : line.id || '(no id)'))
const transfers = (deposits: readonly Deposit[], withdrawals: readonly ReturnType<typeof withdrawal>[] = []) =>
  transferLines({ deposits, withdrawals: withdrawals as readonly Withdrawal[] })

test('only transfers that moved the balance are lines, with their times and ids', () => {
  const lines = transfers(
    [deposit('d1', 1), deposit('d2', 2, 'UNCONFIRMED')],
    [withdrawal('w1', 3), withdrawal(null, null), withdrawal('w2', 4, { state: 'FAILED' })],
  )
  expect(lines).toMatchObject([
    { atMs: 1, id: 'd1', symbol: null, deposit: { depositId: 'd1' } },
    { atMs: 3, id: 'w1', symbol: null, withdrawal: { withdrawalId: 'w1' } },
    { atMs: null, id: '', symbol: null },
  ])
  expect(fillLine(fill('7', 5))).toMatchObject({ atMs: 5, id: '7', symbol: 'BTC-USD', fill: { execId: '7' } })
})

test('lines stand by time, what has none first, and costs behind all else of their moment in the order of stating', () => {
  const lines = [fillLine(fill('9', 5)), fillLine(fill('10', 5)), ...transfers([deposit('d', null), deposit('e', 7)])]
  expect(names(inLedgerOrder([...lines], []))).toEqual(['d', '9', '10', 'e'])
  expect(names(inLedgerOrder([...lines], [stated(5, '1'), stated(0, '2'), stated(5, '3')]))).toEqual([
    ...['d', 'cost 2', '9', '10', 'cost 1', 'cost 3', 'e'],
  ])
})

test('fills and other lines are merged into the order of the books', () => {
  const fills = [fill('9', 5), fill('10', 5), fill('11', 8)]
  const others = inLedgerOrder(transfers([deposit('d', null), deposit('8', 5), deposit('99', 5)], []), [
    ...[stated(5, '1'), stated(5, '2'), stated(8, '3'), stated(9, '4')],
  ])
  expect(names(mergedLines(fills, others))).toEqual([
    ...['d', '8', '9', '10', '99', 'cost 1', 'cost 2', '11', 'cost 3', 'cost 4'],
  ])
  expect(names(mergedLines([], others))).toEqual(['d', '8', '99', 'cost 1', 'cost 2', 'cost 3', 'cost 4'])
  expect(names(mergedLines(fills, []))).toEqual(['9', '10', '11'])
})

test('lines of one moment come together', () => {
  const lines = [
    ...transfers([deposit('d', null), deposit('e', 0)]),
    ...['1', '2', '3'].map((id) => fillLine(fill(id, id === '1' ? 4 : 6))),
  ]
  const moments = [...momentsOf(lines)].length
  expect(moments).toBe(3)
  const told: string[][] = []
  for (const moment of momentsOf(lines)) told.push(names(moment))
  expect(told).toEqual([['d', 'e'], ['1'], ['2', '3']])
  expect([...momentsOf([])]).toEqual([])
  expect([...momentsOf([fillLine(fill('1', 4))])]).toHaveLength(1)
})

test('two lines are the same only where all that the books make of them is the same', () => {
  const lines: readonly Line[] = [
    fillLine(fill('1', 5)),
    fillLine(fill('2', 5)),
    fillLine(fill('1', 6)),
    fillLine(fill('1', 5, { symbol: 'ETH-USD' })),
    ...transfers(
      [deposit('1', 5), { ...deposit('1', 5), currency: 'ETH' }, { ...deposit('1', 5), amount: amount('3') }],
      [
        withdrawal('1', 5),
        withdrawal('1', 5, { fee: amount('0.2') }),
        withdrawal('1', 5, { amount: amount('9') }),
        withdrawal('1', 5, { currency: 'ETH' }),
      ],
    ),
    ...inLedgerOrder(
      [],
      [...[stated(5), stated(5, '91'), { ...stated(5), currency: 'ETH' }, { ...stated(5), quantity: amount('4') }]],
    ),
  ]
  expect(new Set(lines.map(lineKey)).size).toBe(lines.length)
  expect(lineKey(fillLine(fill('1', 5)))).toBe(lineKey(fillLine(fill('1', 5, { fee: amount('7') }))))
  expect(lineKey(fillLine(fill('1', 5)))).toBe('5 1 BTC-USD')
  expect(inLedgerOrder([], [stated(5)]).map(lineKey)).toEqual(['5  BTC 1 90'])
})

test('the decimals of a fill are those of its quantity, and of its notional or fee', () => {
  expect(fillDecimals(fill('1', 5))).toEqual([1, 3])
  expect(fillDecimals(fill('1', 5, { fee: amount('0.00001') }))).toEqual([1, 5])
  expect(fillDecimals(fill('1', 5, { quantity: amount('3'), fee: amount('0') }))).toEqual([0, 2])
  // At a glance, in whole limbs of seven digits.
  expect([fitsIn(fill('1', 5), 7, 14), fitsIn(fill('1', 5), 6, 14), fitsIn(fill('1', 5), 7, 13)]).toEqual([
    ...[true, false, false],
  ])
  const whole = fill('1', 5, { quantity: amount('3'), price: amount('4') })
  expect([fitsIn(whole, 0, 7), fitsIn(whole, 0, 6)]).toEqual([true, false])
})

test('a line is entered as what it is; a fill of currencies that are unknown is left out', () => {
  const ledger = new Ledger({ method: 'fifo', usdAt: () => null, usdScale: 8, scaleOf: () => 8 })
  const pairs = pairsOf(ledger, () => worldRules)
  expect(pairs.of('BTC-USD')).toBe(pairs.of('BTC-USD'))
  expect(pairs.of('BTC-USD')).toMatchObject({ base: { currency: 'BTC' }, counter: { currency: 'USD' } })
  expect([pairs.of('???'), pairs.of('???'), pairs.get('???')]).toEqual([null, null, null])
  const [into, out] = transfers([deposit('d', 1)], [withdrawal('w', 2)])
  const [cost] = inLedgerOrder([], [stated(3)])
  for (const line of [into, out, cost]) if (line !== undefined) enter(ledger, line, null)
  enter(ledger, fillLine(fill('1', 4)), pairs.of('BTC-USD'))
  enter(ledger, fillLine(fill('2', 5, { symbol: '???' })), null)
  expect(ledger.transfers.map(({ way }) => way)).toEqual(['deposit', 'withdrawal'])
  expect(ledger.stated.map(({ counted }) => counted.toFixed())).toEqual(['0.9'])
  expect(ledger.holding('BTC').quantity).toBe(140_000_000n)
  expect(ledger.fees.map(({ id }) => id).toSorted(compareIds)).toEqual(['1', 'w'])
})
