import { beforeEach, describe, expect, test } from 'vitest'
import { answerWith, startServer } from '../../api/stub-server.ts'
import { type Exchange, failureIn, limitOrder as limit, openExchange, openShell, type Shell } from '../harness.ts'

let exchange: Exchange
let shell: Shell

beforeEach(async () => {
  exchange = await openExchange()
  shell = openShell(exchange.environment(), exchange.clock)
})

const json = async (line: string): Promise<unknown> => {
  const { code, stdout, stderr } = await shell.run(line)
  expect({ code, stderr }).toEqual({ code: 0, stderr: [] })
  expect(stdout).toHaveLength(1)
  return JSON.parse(stdout[0] ?? '')
}

test('every read gives one JSON value with the wire names and amounts as strings', async () => {
  const resting = await exchange.client('trader').placeOrder(limit('BUY', '0.05', '60000'))
  await exchange.client('counterparty').placeOrder(limit('SELL', '0.02', '60000'))
  expect(await json('orders')).toEqual([
    {
      exOrdId: Number(resting.orderId),
      clOrdId: resting.clientOrderId,
      ordType: 'LIMIT',
      ordStatus: 'PART_FILLED',
      side: 'BUY',
      price: '60000',
      symbol: 'BTC-USD',
      lastShares: '0.02',
      lastPx: '60000',
      leavesQty: '0.03',
      cumQty: '0.02',
      avgPx: '60000',
      timestamp: expect.any(Number),
      orderQty: '0.05',
    },
  ])
  expect(await json(`order show ${resting.orderId}`)).toMatchObject({ cumQty: '0.02' })
  expect(await json('fills --json')).toEqual([
    expect.objectContaining({
      side: 'BUY',
      price: '60000',
      qty: '0.02',
      fee: expect.any(String),
      execId: expect.any(Number),
    }),
  ])
  expect(await json('trades')).toEqual([expect.objectContaining({ exOrdId: Number(resting.orderId) })])
  expect(await json('book BTC-USD')).toEqual({
    symbol: 'BTC-USD',
    bids: [{ px: '60000', qty: '0.03', num: 1 }],
    asks: [],
  })
  expect(await json('book --symbol btc-usd --level 3')).toMatchObject({ bids: [{ num: Number(resting.orderId) }] })
  expect(await json('symbols')).toContainEqual(
    expect.objectContaining({
      symbol: 'BTC-USD',
      base_currency: 'BTC',
      min_price_increment: expect.any(Number),
      status: 'open',
    }),
  )
  expect(await json('symbols BTC-USD')).toMatchObject({ symbol: 'BTC-USD' })
  expect(await json('tickers btc-usd')).toMatchObject({ symbol: 'BTC-USD', last_trade_price: '60000' })
  expect(await json('tickers')).toContainEqual(expect.objectContaining({ symbol: 'BTC-USD' }))
  expect(await json('fees')).toEqual({
    makerRate: expect.any(String),
    takerRate: expect.any(String),
    volumeInUSD: expect.any(String),
  })
  expect(await json('balances')).toContainEqual(
    expect.objectContaining({
      account: 'primary',
      currency: 'BTC',
      balance: expect.any(String),
      rate: expect.any(String),
    }),
  )
  expect(await json('balances --currency btc')).toMatchObject({ account: 'primary', currency: 'BTC' })
  expect(await json('whitelist')).toContainEqual(expect.objectContaining({ whitelistId: expect.any(String) }))
  expect(await json('deposits')).toBeInstanceOf(Array)
  expect(await json('withdrawals')).toBeInstanceOf(Array)
})

test('an account that the exchange does not have is an error that names those it has, in every form', async () => {
  for (const form of ['', ' --json', ' --csv']) {
    const ran = await shell.run(`balances --account nope${form}`)
    expect([ran.code, ran.stdout.join('').startsWith('[')]).toEqual([4, false])
    expect(ran.stderr.join()).toContain('The exchange has no account nope. There are: primary')
  }
  expect(failureIn(await shell.run('balances --account nope --json')).kind).toBe('rejected')
  expect(await json('balances --account primary')).toContainEqual(expect.objectContaining({ account: 'primary' }))
})

test('CSV has the fields as columns, also without a row; a terminal gets a table', async () => {
  const empty = await shell.run('orders --csv')
  expect(empty.stdout).toEqual([
    'timestamp,exOrdId,clOrdId,symbol,side,ordType,ordStatus,price,leavesQty,cumQty,avgPx,lastShares,lastPx,text,stopPx,orderQty,timestampUtc,plan',
  ])
  const order = await exchange.client('trader').placeOrder(limit('BUY', '0.05', '60000.5'))
  const { stdout } = await shell.run('orders --csv')
  expect(stdout[1]).toBe(
    `${order.timestampMs},${order.orderId},${order.clientOrderId},BTC-USD,BUY,LIMIT,OPEN,60000.5,0.05,0,,,,,,0.05,2026-01-05T14:00:00.000Z,`,
  )
  const table = await shell.run('orders', { isTerminal: true })
  expect(table.stdout[0]).toMatch(/TIME \(UTC\) +ID +CLIENT ID +SYMBOL +SIDE/)
  expect(table.stdout[1]).toContain('2026-01-05 14:00:00.000')
  const narrow = await shell.run('orders', { isTerminal: true, columns: 60 })
  expect(Math.max(...narrow.stdout.map((line) => line.length))).toBeLessThanOrEqual(60)
  expect((await shell.run('fills', { isTerminal: true })).stdout).toEqual(['No fills.'])
})

describe('--all', () => {
  test('amounts of a column stand point below point in a table, with every digit', async () => {
    await exchange.client('trader').placeOrder(limit('BUY', '0.0123', '59000.5'))
    const { stdout } = await shell.run('balances', { isTerminal: true, columns: 200 })
    const [, ...rows] = stdout
    const points = rows.map((row) => /^\S+ +\S+ +\d+\./.exec(row)?.[0].length)
    expect(rows.length).toBeGreaterThan(5)
    expect(new Set(points).size).toBe(1)
    // Both amounts of a currency have the decimals of the finer one.
    const [, balance = '', available = ''] = /USD +25000\.(0+) +\d+\.(\d+) /.exec(rows[0] ?? '') ?? []
    expect(balance.length).toBeGreaterThan(2)
    expect(balance).toHaveLength(available.length)
    expect((await shell.run('balances --json')).stdout[0]).toContain(`.${available.replace(/0+$/, '')}`)
  })

  test('brings every order once, also where hundreds share one millisecond', async () => {
    const trader = exchange.client('trader')
    for (let count = 0; count < 230; count += 1) {
      // The clock stands still for the first 150 of them.
      if (count >= 150) await exchange.clock.advance(1)
      await trader.placeOrder(limit('BUY', '0.001', `${10_000 + count}`))
    }
    const all = (await json('orders --all')) as Array<{ clOrdId: string; price: string }>
    expect(all).toHaveLength(230)
    expect(new Set(all.map(({ clOrdId }) => clOrdId)).size).toBe(230)
    expect(all[0]?.price).toBe('10229')
    expect(await json('orders')).toHaveLength(230)
    expect(await json('orders --status OPEN')).toHaveLength(230)
    expect(await json('orders --limit 7')).toHaveLength(7)
    expect(await json('orders --limit 140')).toHaveLength(140)
    expect(await json('orders --engine --all')).toHaveLength(230)
    expect(await json('orders --all --status OPEN --symbol BTC-USD')).toHaveLength(230)
    expect(await json('orders --all --status FILLED')).toHaveLength(0)
  })

  test('a count brings the newest ones, also when all lie in one millisecond', async () => {
    const trader = exchange.client('trader')
    for (let count = 0; count < 250; count += 1) await trader.placeOrder(limit('BUY', '0.001', `${10_000 + count}`))
    const some = (await json('orders --limit 120')) as Array<{ price: string }>
    expect(some.map(({ price }) => price)).toEqual(Array.from({ length: 120 }, (_, index) => `${10_249 - index}`))
  })

  test('brings every fill and every trade once, the newest fill first', async () => {
    const [trader, counterparty] = [exchange.client('trader'), exchange.client('counterparty')]
    for (let count = 0; count < 130; count += 1) {
      await trader.placeOrder(limit('BUY', '0.001', '20000'))
      await counterparty.placeOrder(limit('SELL', '0.001', '20000'))
    }
    const fills = (await json('fills --all')) as Array<{ execId: number }>
    expect(new Set(fills.map(({ execId }) => execId)).size).toBe(130)
    expect(fills).toHaveLength(130)
    expect(fills).toEqual(fills.toSorted((one, other) => other.execId - one.execId))
    expect(await json('fills --limit 120')).toHaveLength(120)
    const more = 'Listed 100, and there may be more: --all lists every one, --limit COUNT as many as you say.'
    for (const line of ['fills', 'trades', 'orders --status FILLED', 'orders --engine']) {
      const { code, stdout, stderr } = await shell.run(line)
      expect([code, JSON.parse(stdout.join('')).length, stderr]).toEqual([0, 100, [more]])
    }
    expect((await shell.run('fills --limit 100')).stderr).toEqual([])
    expect(await json('trades --all')).toHaveLength(130)
    const tenth = fills[9]?.execId ?? 0
    expect(await json(`fills --all --from-exec ${tenth}`)).toHaveLength(10)
  })
})

test('from and to take days, moments, and milliseconds that say so', async () => {
  const trader = exchange.client('trader')
  await trader.placeOrder(limit('BUY', '0.05', '60000'))
  await exchange.clock.advance(60_000)
  await trader.placeOrder(limit('BUY', '0.05', '60001'))
  expect(await json('orders --from 2026-01-05')).toHaveLength(2)
  expect(await json('orders --to 2026-01-05')).toHaveLength(2)
  expect(await json('orders --from 2026-01-06')).toHaveLength(0)
  expect(await json('orders --from 2026-01-05T14:00:30Z')).toHaveLength(1)
  expect(await json(`orders --to ${Date.UTC(2026, 0, 5, 14, 0, 0)}ms`)).toHaveLength(1)
})

test('it says which times were understood: above a table, and beside CSV where they were not written in whole', async () => {
  const table = await shell.run('fills --from yesterday --to 2026-01-05', { isTerminal: true })
  expect(table.stdout).toEqual(['From 2026-01-04 00:00:00 to 2026-01-05 23:59:59 UTC', 'No fills.'])
  expect((await shell.run('fills --from 20260104 --csv')).stderr).toEqual(['From 2026-01-04 00:00:00 UTC on.'])
  expect((await shell.run('fills --from 2026-01-04 --csv')).stderr).toEqual([])
})

test('a fill says which currency its fee is in, last in CSV so that no column moves', async () => {
  await exchange.client('trader').placeOrder(limit('BUY', '0.05', '60000'))
  await exchange.client('counterparty').placeOrder(limit('SELL', '0.05', '60000'))
  expect(await json('fills')).toMatchObject([{ symbol: 'BTC-USD', feeCurrency: 'USD' }])
  const { stdout } = await shell.run('fills --csv')
  expect(stdout[0]).toBe('timestamp,symbol,side,qty,price,fee,exOrdId,tradeId,execId,feeCurrency,timestampUtc')
  expect(stdout[1]).toMatch(/,USD,2026-01-05T14:00:00\.\d{3}Z$/)
})

test('columns without room are named below a table, and where nothing has room each row is a block', async () => {
  await exchange.client('trader').placeOrder(limit('BUY', '0.05', '60000'))
  const narrow = await shell.run('orders', { isTerminal: true, columns: 80 })
  expect(narrow.stdout.slice(2).join(' ')).toMatch(/^No room for .*CLIENT ID.*--csv and --json show them\.$/)
  const block = (await shell.run('orders', { isTerminal: true, columns: 30 })).stdout
  expect(block).toContain(' SYMBOL      BTC-USD')
  expect(Math.max(...block.map((line) => line.length))).toBeLessThanOrEqual(30)
})

test('a progress line comes only when it takes long', async () => {
  const trader = exchange.client('trader')
  for (let count = 0; count < 101; count += 1) await trader.placeOrder(limit('BUY', '0.001', `${10_000 + count}`))
  const quick = await shell.run('orders --all')
  expect(quick.progress.filter((line) => line !== null)).toEqual([])
  await exchange.admin('/fault/latency', { rate: 1, path: '/orders', ms: 1_500 })
  const slow = shell.start('orders --all')
  await slow.until(() => slow.ran.code !== -1)
  expect(slow.ran.progress).toContain('100 so far…')
  expect(slow.ran.progress.at(-1)).toBeNull()
})

test('--watch streams what is new and what has changed until a signal', async () => {
  const trader = exchange.client('trader')
  const first = await trader.placeOrder(limit('BUY', '0.05', '60000'))
  const watch = shell.start('orders --watch')
  const states = () => watch.ran.stdout.map((line) => JSON.parse(line).ordStatus)
  await watch.until(() => states().length === 1)
  await exchange.client('counterparty').placeOrder(limit('SELL', '0.02', '60000'))
  await watch.until(() => states().length === 2)
  await trader.cancelOrder(first.orderId ?? '')
  await watch.until(() => states().length === 3)
  watch.signal('SIGINT')
  expect((await watch.ended).code).toBe(0)
  expect(states()).toEqual(['OPEN', 'PART_FILLED', 'CANCELED'])
})

test.each([
  ['orders --limit 0', '--limit must be a whole number'],
  ['orders --limit 5 --all', 'use --limit or --all, not both'],
  ['orders --from 22/11/2026', '--from must be a UTC time'],
  ['orders --from 1795402460', '--from is a bare number'],
  ['fills --to 2026', '--to is only a year'],
  ['orders --from 2026-02-30', '--from must be a UTC time'],
  ['orders --from 2026-01-06 --to 2026-01-05', '--from is after --to'],
  ['orders --status opened', '--status must be one of PENDING, OPEN'],
  ['orders --json --csv', 'use --json or --csv, not both'],
  ['orders --after 3', '--after needs --engine'],
  ['orders --watch --all', '--watch takes no --all'],
  ['orders now', 'it takes only flags; a symbol goes after --symbol'],
  ['book', 'symbol missing'],
  ['book BTC-USD --symbol ETH-USD', 'given twice'],
  ['book "../x"', 'a symbol is written like BTC-USD'],
  ['book BTC-USD --depth x', '--depth must be'],
  ['order show abc', 'the id must be a whole number'],
  ['order show 99999999999999999999', 'the id must be a whole number from 0 to 9223372036854775807'],
  ['fills --from-exec -3', '--from-exec'],
])('%s is wrong usage', async (line, sentence) => {
  const ran = await shell.run(line)
  expect({ code: ran.code, ...failureIn(ran) }).toMatchObject({
    code: 2,
    kind: 'usage',
    message: expect.stringContaining(sentence),
  })
  expect([ran.stdout.length, ran.stderr.length]).toEqual([1, 1])
})

const ofBtc = ['tickers btc', 'book btc', 'symbols btc', 'orders --symbol btc', 'fills --symbol btc']
test.each(ofBtc)('%s names the symbols that may be meant', async (line) => {
  const ran = await shell.run(line)
  expect({ code: ran.code, ...failureIn(ran) }).toMatchObject({
    ...{ code: 4, kind: 'rejected' },
    message: expect.stringMatching(/^unknown symbol BTC, did you mean "BTC-\w+"/),
  })
})

test.each([
  ['order show 999999', 'does not know'],
  ['book NO-SUCH', 'NO-SUCH'],
])('%s fails in one line', async (line, sentence) => {
  const ran = await shell.run(line)
  expect({ code: ran.code, ...failureIn(ran) }).toMatchObject({
    code: 4,
    kind: 'rejected',
    message: expect.stringContaining(sentence),
    todo: expect.stringContaining('Check the id or symbol'),
  })
  expect([ran.stdout.length, ran.stderr.length]).toEqual([1, 1])
})

test('an exchange that is not there, and a key that is none, are each one line without the key', async () => {
  const wrong = openShell({ ...exchange.environment(), PITDESK_API_TOKEN: 'hunter2hunter2' }, exchange.clock)
  const refused = await wrong.run('balances')
  expect({ code: refused.code, ...failureIn(refused) }).toMatchObject({ code: 4, kind: 'rejected' })
  expect(refused.stderr).toHaveLength(1)
  expect(refused.stderr[0]).not.toContain('hunter2')
  const gone = openShell({ ...exchange.environment(), PITDESK_EXCHANGE_BASE_URL: 'http://127.0.0.1:9/v3' })
  const lost = gone.start('balances')
  await lost.until(() => lost.ran.code !== -1)
  expect({ code: lost.ran.code, ...failureIn(lost.ran) }).toMatchObject({ code: 5, kind: 'unreachable' })
  expect(lost.ran.stderr).toHaveLength(1)
})

type Wire = { exOrdId: number; timestamp: number }

/**
 * An exchange with these orders, newest first, at most so many an answer whatever is asked for, and no way to ask for
 * them by id.
 */
async function withOrders(
  orders: readonly Wire[],
  pageMax: number,
  pagesMax = Number.MAX_SAFE_INTEGER,
): Promise<Shell> {
  let pageCount = 0
  const { url } = await startServer((response, request) => {
    const { pathname, searchParams } = new URL(request.url, 'http://localhost')
    const [fromMs, toMs] = [searchParams.get('from') ?? 0, searchParams.get('to') ?? Number.MAX_SAFE_INTEGER].map(
      Number,
    )
    const isIn = ({ timestamp }: Wire) => timestamp >= (fromMs ?? 0) && timestamp <= (toMs ?? 0)
    const limit = Math.min(pageMax, Number(searchParams.get('limit') ?? 100))
    const listed = pathname === '/orders' ? orders.filter(isIn).slice(0, limit) : null
    pageCount += 1
    if (pageCount > pagesMax) return void response.writeHead(500).end()
    response.writeHead(listed === null ? 404 : 200).end(listed === null ? '' : JSON.stringify(listed))
  })
  return openShell({ PITDESK_EXCHANGE_BASE_URL: url, PITDESK_API_TOKEN: 'key', PITDESK_RATE_PER_SECOND: '1000' })
}

const ended = (exOrdId: number, timestamp: number) => ({
  ...{ exOrdId, clOrdId: `c${exOrdId}`, ordType: 'LIMIT', ordStatus: 'CANCELED', side: 'BUY', symbol: 'BTC-USD' },
  ...{ price: '1', leavesQty: '0', cumQty: '0', timestamp },
})

async function readAll(shellOf: Shell, line: string) {
  const running = shellOf.start(line)
  await running.until(() => running.ran.code !== -1)
  return running.ended
}

test('pages that come shorter than asked do not end a list', async () => {
  const orders = Array.from({ length: 25 }, (_, index) => ended(25 - index, 1_000 + 25 - index))
  const { code, stdout } = await readAll(await withOrders(orders, 3), 'orders --status CANCELED --all')
  expect({ code, ids: JSON.parse(stdout[0] ?? '').map(({ exOrdId }: Wire) => exOrdId) }).toEqual({
    ...{ code: 0, ids: orders.map(({ exOrdId }) => exOrdId) },
  })
})

test('where more orders than a page share one millisecond and nothing leads past, the list is not passed off as whole', async () => {
  const orders = Array.from({ length: 12 }, (_, index) => ended(12 - index, index < 10 ? 5_000 : 4_000))
  const odd = await withOrders(orders, 5)
  const ran = await readAll(odd, 'orders --status CANCELED --all --json')
  expect(ran.code).toBe(1)
  expect(ran.stderr.at(-1)).toMatch(/^pitdesk orders: the list is not complete: /)
  const [list = '', failure = ''] = ran.stdout
  expect(() => JSON.parse(list)).toThrow()
  expect(JSON.parse(failure)).toMatchObject({ error: { kind: 'failed' } })
  const csv = await readAll(odd, 'orders --status CANCELED --all --csv')
  expect({ code: csv.code, stderr: csv.stderr.at(-1) }).toMatchObject({ code: 1, stderr: ran.stderr.at(-1) })
})

test('a list that the exchange stops answering ends with 5, its array open and the failure below', async () => {
  const orders = Array.from({ length: 6 }, (_, index) => ended(6 - index, 1_000 + 6 - index))
  const ran = await readAll(await withOrders(orders, 3, 1), 'orders --status CANCELED --all --json')
  expect(ran.code).toBe(5)
  const [list = '', failure = ''] = ran.stdout
  expect(list).toContain('"exOrdId":6')
  expect(() => JSON.parse(list)).toThrow()
  expect(JSON.parse(failure)).toMatchObject({ error: { kind: 'unreachable' } })
})

/** A shell whose exchange answers everything with this text. */
async function withAnswer(body: string): Promise<Shell> {
  const { url } = await startServer(answerWith(200, body))
  return openShell({ PITDESK_EXCHANGE_BASE_URL: url, PITDESK_API_TOKEN: 'key' })
}

const bigId = '9223372036854775807'
const rules = '"base_currency_scale":8,"counter_currency_scale":2,"status":"open"'

test('ids and counts keep every digit, and what does not come is unknown', async () => {
  const side = `[{"px":3,"qty":1,"num":${bigId}},{"px":2,"qty":1}]`
  const book = await withAnswer(`{"symbol":"BTC-USD","bids":${side},"asks":[]}`)
  for (const level of ['2', '3']) {
    const line = `book BTC-USD --level ${level}`
    expect((await book.run(line)).stdout).toEqual([
      `{"symbol":"BTC-USD","bids":[{"px":"3","qty":"1","num":${bigId}},{"px":"2","qty":"1"}],"asks":[]}`,
    ])
    expect((await book.run(`${line} --csv`)).stdout.slice(1)).toEqual([`BID,3,1,${bigId}`, 'BID,2,1,'])
    const table = (await book.run(line, { isTerminal: true })).stdout.slice(1)
    expect(table.map((row) => row.split(/ +/).at(-1))).toEqual([bigId, '?'])
  }
  const symbols = await withAnswer(`{"A-B":{${rules},"id":${bigId}},"C-B":{${rules}}}`)
  const printed = (await symbols.run('symbols --json')).stdout[0] ?? ''
  expect(printed).toContain(`"id":${bigId}`)
  expect(printed.match(/"id"/g)).toHaveLength(1)
  const [head = '', ...rows] = (await symbols.run('symbols --csv')).stdout
  const at = head.split(',').indexOf('id')
  expect(rows.map((row) => row.split(',')[at])).toEqual([bigId, ''])
})

test('quantities of an order that the exchange leaves out are unknown, not nothing', async () => {
  const told = `"exOrdId":${bigId},"clOrdId":"a","ordType":"LIMIT","side":"BUY","symbol":"BTC-USD","price":1`
  const odd = await withAnswer(`{${told},"ordStatus":"OPEN"}`)
  const line = `order show ${bigId}`
  const printed = (await odd.run(line)).stdout[0] ?? ''
  expect(printed).toContain(`"exOrdId":${bigId}`)
  expect(printed).not.toMatch(/Qty/)
  expect((await odd.run(`${line} --csv`)).stdout[1]).toBe(`,${bigId},a,BTC-USD,BUY,LIMIT,OPEN,1,,,,,,,,,,`)
  expect((await odd.run(line, { isTerminal: true, columns: 200 })).stdout[1]?.split(/ +/).slice(-2)).toEqual(['?', '?'])
})

test('a symbol that cannot be read is told of, and the others are there', async () => {
  const bad = rules.replace('"counter_currency_scale":2', '"counter_currency_scale":"many\\u001b[31m"')
  const odd = await withAnswer(`{"A-B":{${rules}},"C-B":{${bad}}}`)
  const { code, stdout, stderr } = await odd.run('symbols')
  // What is there is printed; that it is not all tells the exit code.
  expect(code).toBe(1)
  expect(JSON.parse(stdout[0] ?? '')).toEqual([expect.objectContaining({ symbol: 'A-B' })])
  expect(stderr).toEqual([expect.stringMatching(/^Left out: symbol C-B: .*counter_currency_scale/)])
  expect(stderr[0]).not.toContain('\u001b')
})

test('without an exchange every read says how to name one', async () => {
  const { code, stderr } = await openShell().run('orders')
  expect(code).toBe(1)
  expect(stderr).toEqual([expect.stringContaining('set PITDESK_EXCHANGE_BASE_URL and PITDESK_API_TOKEN')])
})
