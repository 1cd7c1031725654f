import { expect, test } from 'vitest'
import { ladderRows } from '../../../src/domain/ladder/ladder.ts'
import { amount } from '../../fakes/amounts.ts'
import { bitcoin } from '../../fakes/desk-state.ts'

test('a stop that waits stands in the row of its stop price and rests in no book', () => {
  const stop = { symbol: 'BTC-USD', side: 'BUY', stopPrice: amount('101'), quantity: amount('0.05') } as const
  const rows = ladderRows({
    book: null,
    instrument: bitcoin,
    groupTicks: 1,
    centerPrice: amount('100'),
    rowCount: 6,
    orders: [],
    stops: [stop, stop, { ...stop, symbol: 'ETH-USD' }],
    lastPrice: null,
    ownAveragePrice: null,
    auctionPrice: null,
  })
  expect(
    rows.flatMap(({ price, stopBuy }) => (stopBuy === null ? [] : `${price} ${stopBuy.quantity}x${stopBuy.count}`)),
  ).toEqual(['101 0.1x2'])
  for (const row of rows)
    expect([row.bidQuantity, row.bidDepth, row.ownBuy, row.stopSell]).toEqual([null, null, null, null])
})
