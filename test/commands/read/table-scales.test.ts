import { expect, test } from 'vitest'
import { amount, oneCurrency, scaled } from '../../../src/commands/cli/output.ts'
import { inScale } from '../../../src/commands/read/in-scale.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { answerWith, startServer } from '../../api/stub-server.ts'
import { anInstrument } from '../../fakes/instruments.ts'
import { limitOrder as limit, openExchange, openShell } from '../harness.ts'

const wide = { isTerminal: true, columns: 220 }
const cells = (line = ''): string[] => line.trim().split(/ {2,}/)

test('a table has the decimals of the symbol and the currency, JSON the digits of the wire', async () => {
  const exchange = await openExchange()
  const shell = openShell(exchange.environment(), exchange.clock)
  await exchange.client('trader').placeOrder(limit('BUY', '0.05', '60000'))
  await exchange.client('counterparty').placeOrder(limit('SELL', '0.02', '60000'))
  const table = async (line: string) => (await shell.run(line, wide)).stdout
  const named = async (line: string, row = 1) => {
    const lines = await table(line)
    const columns = cells(lines[0])
    return Object.fromEntries(columns.map((column, at) => [column, cells(lines[row])[at]]))
  }
  expect(await named('orders')).toMatchObject({
    ...{ PRICE: '60000.00', QUANTITY: '0.0500', LEFT: '0.0300', FILLED: '0.0200' },
    ...{ AVERAGE: '60000.00', 'LAST QTY': '0.0200', 'LAST PRICE': '60000.00' },
  })
  expect(await named('fills')).toMatchObject({
    QUANTITY: '0.0200',
    PRICE: '60000.00',
    FEE: expect.stringMatching(/\.\d\d+$/),
  })
  expect(await named('book BTC-USD')).toMatchObject({ SIDE: 'BID', PRICE: '60000.00', QUANTITY: '0.0300' })
  expect(await named('tickers BTC-USD')).toMatchObject({ LAST: '60000.00' })
  expect(await named('deposits')).toMatchObject({ AMOUNT: expect.stringMatching(/\.\d\d+$/) })
  const rules = await named('symbols BTC-USD')
  expect(rules).toMatchObject({ TICK: '0.50', LOT: '0.0001', MIN: '0.0001', MAX: '500.0000' })
  expect(rules).not.toHaveProperty('SCALE')
  const json = async (line: string) => (await shell.run(`${line} --json`)).stdout[0] ?? ''
  expect(await json('orders')).toContain('"price":"60000"')
  expect(await json('symbols BTC-USD')).toContain('"min_price_increment":50,"min_price_increment_scale":2')
  expect(await json('book BTC-USD')).toContain('{"px":"60000","qty":"0.03","num":1}')
})

test('where the rules of the symbols do not come, a table has every digit', async () => {
  const body = '{"symbol":"BTC-USD","bids":[{"px":60000,"qty":0.050,"num":1}],"asks":[]}'
  const { url } = await startServer(answerWith(200, body))
  const shell = openShell({ PITDESK_EXCHANGE_BASE_URL: url, PITDESK_API_TOKEN: 'key' })
  const { code, stdout, stderr } = await shell.run('book BTC-USD', wide)
  expect({ code, stderr, row: cells(stdout[1]) }).toEqual({ code: 0, stderr: [], row: ['BID', '60000', '0.05', '1'] })
})

const told = '"exOrdId":7,"clOrdId":"a","ordType":"LIMIT","side":"BUY","symbol":"BTC-USD","price":1'

test.each([
  ['CANCELED', '"leavesQty":0.03,"cumQty":0.02', '0'],
  ['EXPIRED', '"leavesQty":0.03,"cumQty":0.02', '0'],
  ['PART_FILLED', '"leavesQty":0.03,"cumQty":0.02', '0.03'],
  ['PART_FILLED', '"cumQty":0.02', '?'],
])('what is left of an order that is %s with %s is %s in a table, as in the desk', async (status, amounts, left) => {
  const { url } = await startServer(answerWith(200, `{${told},"ordStatus":"${status}",${amounts}}`))
  const shell = openShell({ PITDESK_EXCHANGE_BASE_URL: url, PITDESK_API_TOKEN: 'key' })
  const { stdout } = await shell.run('order show 7', wide)
  const at = /LEFT/.exec(stdout[0] ?? '')?.index ?? 0
  expect(stdout[1]?.slice(at).trim().split(/ +/)[0]).toBe(left)
  // JSON says what the wire says.
  const { leavesQty } = JSON.parse((await shell.run('order show 7')).stdout[0] ?? '')
  expect(leavesQty).toBe(amounts.includes('leavesQty') ? '0.03' : undefined)
})

test('amounts of a currency share their decimals as on the desk: two at least, fewer only where it has fewer', () => {
  const columns = oneCurrency([amount('balance', 'BALANCE'), amount('available', 'AVAILABLE')]).map((column) =>
    scaled('currency', column),
  )
  const whole = anInstrument({ symbol: 'BTC-JPY', counter: 'JPY', counterScale: 0 })
  const [balance] = inScale(columns, new Map([[whole.symbol, whole]]))
  const shown = (currency: string, held: string, free: string) => {
    const value = new Decimal(held)
    return balance?.shown?.(value, { currency, balance: value, available: new Decimal(free) })
  }
  expect(shown('JPY', '5000', '4000')).toBe('5000')
  expect(shown('BTC', '2', '1.5')).toBe('2.00')
  expect(shown('BTC', '2', '1.505')).toBe('2.000')
  // No digit is hidden.
  expect(shown('JPY', '5000', '4000.25')).toBe('5000.00')
  expect(shown('ABC', '7', '7')).toBe('7.00')
})
