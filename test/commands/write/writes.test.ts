import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import { setUpLock } from '../../fakes/desk-lock.ts'
import { type Exchange, failureIn, limitOrder, openExchange, openShell, quotes, type Shell } from '../harness.ts'

let exchange: Exchange
let shell: Shell

beforeEach(async () => {
  exchange = await openExchange()
  shell = openShell(exchange.environment(), exchange.clock)
})

test('a limit order is placed, found in the journal, and printed as the exchange reports it', async () => {
  await quotes(exchange)
  const { code, stdout, stderr } = await shell.run('order place buy 0.05 btc-usd --limit 59000 --yes')
  expect({ code, stderr }).toEqual({ code: 0, stderr: [] })
  const order = JSON.parse(stdout[0] ?? '')
  expect(order).toMatchObject({ ordStatus: 'OPEN', price: '59000', leavesQty: '0.05', side: 'BUY' })
  expect(await exchange.working()).toHaveLength(1)
  expect(shell.journalText()).toContain(order.clOrdId)
})

test('the XDG variables move the folders of configuration, state and events', async () => {
  await quotes(exchange)
  const elsewhere = join(shell.home, 'elsewhere')
  mkdirSync(join(elsewhere, 'config', 'pitdesk'), { recursive: true, mode: 0o700 })
  writeFileSync(join(elsewhere, 'config', 'pitdesk', 'config.toml'), 'default_profile = "moved"\n[profiles.moved]\n')
  const folders = ['config', 'state', 'data'].map((each) => [`XDG_${each.toUpperCase()}_HOME`, join(elsewhere, each)])
  Object.assign(shell.environment, Object.fromEntries(folders))
  expect((await shell.run('order place buy 0.05 BTC-USD --limit 59000 --yes')).code).toBe(0)
  await shell.run('inbox ls')
  const paths = shell.files().map(({ path }) => path)
  expect(paths.length).toBeGreaterThan(1)
  expect(paths.filter((path) => !path.startsWith(elsewhere))).toEqual([])
  expect(paths.some((path) => path.startsWith(join(elsewhere, 'state', 'pitdesk', 'accounts')))).toBe(true)
})

test('every field of an order goes out as it was asked for', async () => {
  await quotes(exchange)
  for (const [line, fields] of [
    ['buy 0.05 BTC-USD --market', { ordType: 'MARKET', ordStatus: 'FILLED' }],
    ['sell 0.05 BTC-USD --limit 59000 --tif ioc --min-quantity 0.01', { ordType: 'LIMIT', ordStatus: 'FILLED' }],
    ['buy 0.06 BTC-USD --limit 59000 --tif GTD --expire 20260108', { ordStatus: 'OPEN' }],
    ['buy 0.07 BTC-USD --limit 59000 --post-only', { ordStatus: 'OPEN' }],
    ['buy 0.05 BTC-USD --stop 62000', { ordType: 'STOP', ordStatus: 'PENDING' }],
    ['sell 0.05 BTC-USD --stop 58000 --limit 57500', { ordType: 'STOPLIMIT', ordStatus: 'PENDING' }],
  ] as const) {
    const { code, stdout, stderr } = await shell.run(`order place ${line} --yes`)
    expect({ line, code, stderr: stderr.filter((each) => !each.startsWith('Warning:')) }).toEqual({
      line,
      code: 0,
      stderr: [],
    })
    expect(JSON.parse(stdout[0] ?? '')).toMatchObject(fields)
  }
})

test('a stop of hours ago counts in the limits as what it was placed for, though the exchange reports no size of it', async () => {
  await quotes(exchange)
  const { stdout } = await shell.run('order place buy 0.05 BTC-USD --stop 62000 --yes')
  const { clOrdId } = JSON.parse(stdout[0] ?? '')
  const day = async () => {
    const ran = await shell.run('order place buy 0.01 BTC-USD --limit 59000 --dry-run --json')
    const { checks }: { checks: Array<{ rule: string; level: string; text: string }> } = JSON.parse(ran.stdout[0] ?? '')
    return checks.find(({ rule }) => rule === 'dayValue')
  }
  const before = await day()
  expect(before?.level).toBe('ok')
  await exchange.clock.advance(2 * 3_600_000)
  expect((await exchange.working()).map(({ clientOrderId }) => clientOrderId)).toEqual([clOrdId])
  expect(await day()).toEqual(before)
})

test('an unknown symbol is refused before anything is sent: not sent, with the one that may be meant', async () => {
  for (const flags of ['--yes', '--yes --client-order-id mine1', '--dry-run']) {
    const ran = await shell.run(`order place buy 0.05 EHT-USD --limit 59000 ${flags}`)
    expect({ code: ran.code, told: failureIn(ran) }).toEqual({
      code: 3,
      told: {
        kind: 'notSent',
        message: 'not sent: unknown symbol EHT-USD, did you mean "ETH-USD"? Nothing was placed.',
        todo: `Type pitdesk order place buy 0.05 ETH-USD --limit 59000 ${flags}. List them with pitdesk symbols.`,
      },
    })
  }
  const begun = failureIn(await shell.run('order place sell 0.01 btc --market --yes'))
  expect(begun.message).toMatch(/^not sent: unknown symbol BTC, did you mean "BTC-USD"( or "[A-Z]+-[A-Z]+")*\? Nothing/)
  // One that may be meant is not taken for it either.
  expect(begun.todo).toBe('Type pitdesk order place sell 0.01 BTC-USD --market --yes. List them with pitdesk symbols.')
  expect(await exchange.working()).toEqual([])
  const other = failureIn(await shell.run('order place buy 0.05 WXYZ-QQQ --limit 59000 --yes'))
  expect(other.message).toBe('not sent: unknown symbol WXYZ-QQQ. Nothing was placed.')
})

test('a market order larger than the book is judged as a whole', async () => {
  await quotes(exchange)
  const ran = await shell.run('order place buy 20 BTC-USD --market --yes --accept partial-fill')
  expect(ran.code).toBe(3)
  expect(failureIn(ran).message).toContain('at least 1,200,010.00 USD (the book seen holds less)')
})

test('a stop shows trigger and quantity, from the journal; one placed elsewhere shows ?, in JSON and CSV nothing, never 0', async () => {
  await quotes(exchange)
  await shell.run('order place buy 0.05 BTC-USD --stop 62000 --yes')
  await shell.run('order place sell 0.04 BTC-USD --stop 58000 --limit 57500 --yes --accept stop-price')
  const foreign = { ...limitOrder('SELL', '0.03', '1'), type: 'STOP', limitPrice: null } as const
  const { orderId } = await exchange.client('trader').placeOrder({ ...foreign, stopPrice: new Decimal('57000') })
  const wire: object[] = JSON.parse((await shell.run('orders')).stdout[0] ?? '')
  expect(wire[0]).not.toHaveProperty('leavesQty')
  expect(wire[0]).not.toHaveProperty('stopPx')
  expect(wire.slice(1)).toMatchObject([
    { stopPx: '58000', orderQty: '0.04', leavesQty: '0.04' },
    { stopPx: '62000', orderQty: '0.05', leavesQty: '0.05' },
  ])
  const [head = '', ...lines] = (await shell.run('orders --csv')).stdout
  const cells = (line: string, name: string) => line.split(',')[head.split(',').indexOf(name)]
  expect(lines.map((line) => ['stopPx', 'orderQty', 'leavesQty'].map((name) => cells(line, name)).join(' '))).toEqual([
    '  ',
    '58000 0.04 0.04',
    '62000 0.05 0.05',
  ])
  const told = async (line: string, columns: number) =>
    (await shell.run(line, { isTerminal: true, columns })).stdout.map((each) =>
      each.replace(/^.*(?=SIDE|BUY|SELL)/, ''),
    )
  expect(await told('orders', 130)).toEqual([
    'SIDE  TYPE       STATE       PRICE      STOP  QUANTITY    LEFT  FILLED',
    'SELL  STOP       PENDING                ?       ?       ?       0.0000',
    'SELL  STOPLIMIT  PENDING  57500.00  58000.00    0.0400  0.0400  0.0000',
    'BUY   STOP       PENDING            62000.00    0.0500  0.0500  0.0000',
  ])
  expect((await told('orders', 80))[2]).toMatch(/57500\.00 {2}58000\.00 .*0\.0400/)
  expect((await told(`order show ${orderId}`, 80))[1]).toMatch(/ \?( +\?)+ /)
})

test('a dry run shows the request and every check, and sends nothing', async () => {
  await quotes(exchange)
  const script = await shell.run('order place buy 0.05 BTC-USD --limit 59000 --dry-run')
  expect(script.code).toBe(0)
  expect(JSON.parse(script.stdout[0] ?? '')).toMatchObject({
    request: { ordType: 'LIMIT', symbol: 'BTC-USD', side: 'BUY', orderQty: '0.05', price: '59000', timeInForce: 'GTC' },
    checks: expect.arrayContaining([
      { rule: 'fields', level: 'ok', text: '' },
      { rule: 'tick', level: 'ok', text: '' },
      { rule: 'collar', level: 'ok', text: '' },
      { rule: 'funds', level: 'ok', text: '' },
    ]),
  })
  const person = await shell.run('order place buy 0.05 BTC-USD --limit 59000.13 --dry-run', { isTerminal: true })
  expect(person.code).toBe(3)
  expect(person.stdout[0]).toContain('Would send: BUY')
  expect(person.stdout.join('\n')).toMatch(/block {2}tick +price 59000.13 is off the tick 0.50: 59000.00 or 59000.50/)
  expect(person.stderr[0]).toContain('it would not be sent: price 59000.13 is off the tick')
  expect(await exchange.working()).toHaveLength(0)
  expect(shell.journalText()).not.toContain('BTC-USD')
})

test.each([
  ['order place buy 0.05 BTC-USD --limit 59000.13 --yes', 'off the tick'],
  ['order place buy 0.0000001 BTC-USD --limit 59000 --yes', 'off the lot'],
  ['order place buy 9 BTC-USD --limit 60000 --yes', 'available'],
  ['order place buy 0.05 BTC-USD --limit 20000 --yes', 'mid'],
  ['order place buy 0.05 BTC-USD --market --tif GTC --yes', 'a MARKET order takes IOC, FOK'],
  ['order place buy 0.05 BTC-USD --limit 59000 --expire 20260230 --yes', 'not a valid date'],
  ['order place buy 0.05 BTC-USD --limit 59000 --expire 20251231 --yes', 'the expiry date is past: today is 20260105'],
  ['order place buy 0.05 BTC-USD --limit 59000 --min-quantity 0.01 --yes', 'a minimum fill goes with IOC only'],
  ['order place buy 0.05 BTC-USD --limit 61000 --post-only --yes', 'would match'],
  ['order place buy 0.05 BTC-USD --limit 59000 --tif FOK --post-only --yes', 'post-only needs LIMIT'],
])('%s is held back by a check', async (line, reason) => {
  await quotes(exchange)
  const ran = await shell.run(line)
  expect({ code: ran.code, ...failureIn(ran) }).toEqual({
    code: 3,
    kind: 'notSent',
    message: expect.stringMatching(/^not sent: .* Nothing was placed\.$/),
  })
  expect(ran.stderr).toEqual([expect.stringContaining(reason)])
  expect(await exchange.working()).toHaveLength(0)
})

test.each([
  ['order place buy 0.05', 'an order reads'],
  ['order place buy 0.05 BTC-USD --limit 64000 --expire tomorrow', '--expire is not a date: "tomorrow"; write it as'],
  ['order place buy 0.05 BTC-USD --limit 64000 --expire 31.12.2026 --dry-run', 'write it as 20261231 or 2026-12-31'],
  ['order place buy 0.05 BTC-USD --limit 64000 --expire 0x10 --dry-run', '--expire is not a date: "0x10"'],
  ['order place buy 0.05 BTC-USD --limit -5 --yes', '--limit must be above zero'],
  ['order place hold 0.05 BTC-USD --market', 'the side is buy or sell'],
  ['order place buy much BTC-USD --market', 'the quantity must be a plain number'],
  ['order place buy 1,000 BTC-USD --market', 'the quantity "1,000" can be read in two ways: write 1000 or 1'],
  ['order place buy 1 BTC-USD --limit 64,209', '--limit "64,209" can be read in two ways: write 64209 or 64.209'],
  ['order place sell $5 ETH-USD --market', '$5 is an amount of USD, not a quantity: type the quantity in ETH'],
  ['order place sell 5usd ETH-USD --market', '5usd is an amount of USD, not a quantity: type the quantity in ETH'],
  ['order place buy 1 BTC-USD --limit €60000', '€60000 is an amount of EUR: type the price in USD'],
  ['withdraw BTC $5 --to cold-1', '$5 is an amount of USD: type the amount in BTC'],
  ['withdraw BTC 0,01 --to cold-1', 'the amount "0,01" has a decimal comma: write 0.01'],
  ['order place buy 0,01 BTC-USD --market', 'the quantity "0,01" has a decimal comma: write 0.01'],
  ['withdraw BTC 1,000 --to cold-1', 'the amount "1,000" can be read in two ways: write 1000 or 1'],
  ['order place buy 0.05 BTC-USD', 'price missing'],
  ['order place buy 0.05 BTC-USD --market --limit 5', '--market takes neither'],
  ['order place buy 0.05 BTC-USD --limit x', '--limit must be a plain number'],
  ['order place buy 0.05 BTC-USD --limit 59000', 'add --yes'],
  ['order place buy 0.05 BTC-USD --limit 59000 --tif DAY', '--tif must be one of GTC, IOC, FOK, GTD'],
  ['order place buy 0.05 BTC-USD --limit 59000 --api-token hunter2', 'no flag takes a key'],
  ['order cancel', 'order ids missing'],
  ['order cancel --all', 'unknown flag --all, did you mean "pitdesk order cancel-all --every-symbol"?'],
  ['order cancel --symbol BTC-USD', 'unknown flag --symbol, did you mean "pitdesk order cancel-all --symbol"?'],
  ['order place buy 0.05 BTC-USD --size 3', 'did you mean "pitdesk order place SIDE QUANTITY SYMBOL"?'],
  ['order cancel 12 x', '"x" is not an order id, a whole number'],
  ['order cancel-all --yes', '--symbol SYMBOL, or --every-symbol'],
  ['order cancel-all --symbol BTC-USD', 'add --yes to cancel without'],
  ['withdraw BTC 0.5 --yes', 'a withdrawal reads'],
  ['withdraw BTC 0.5 --max --to x --yes', 'a withdrawal reads'],
  ['withdraw BTC all --to x --yes', 'a withdrawal reads: BTC 0.5 --to WHITELIST-ID, or BTC --max'],
  ['withdraw BTC half --to x --yes', 'a withdrawal reads'],
  ['withdraw 0.5 BTC --to x --yes', 'a withdrawal reads: BTC 0.5'],
  ['withdraw BTC 0.5x --to x --yes', 'the amount must be a plain number'],
])('%s is wrong usage', async (line, reason) => {
  const ran = await shell.run(line)
  expect({ code: ran.code, kind: failureIn(ran).kind }).toEqual({ code: 2, kind: 'usage' })
  expect(ran.stderr).toEqual([expect.stringContaining(reason)])
  expect([...ran.stdout, ...ran.stderr].join()).not.toContain('hunter2')
})

test('a point in an order is a decimal one, and where thousands may be meant it says what it read', async () => {
  await quotes(exchange)
  const warning = 'Warning: "59.000" is read as 59, its point as a decimal one. If 59000 is meant, write 59000.'
  const far = await shell.run('order place buy 0.05 BTC-USD --limit 59.000 --dry-run')
  expect(far).toMatchObject({ code: 3, stderr: [warning, expect.stringContaining('it would not be sent')] })
  const plain = await shell.run('order place buy 0.050 BTC-USD --limit 59000.000 --dry-run')
  expect(plain).toMatchObject({ code: 0, stderr: [] })
})

test('digits of an East Asian keyboard are read by every command that takes an amount', async () => {
  await quotes(exchange)
  const order = await shell.run('order place buy ０．０５ BTC-USD --limit ５９０００ --dry-run')
  expect(JSON.parse(order.stdout[0] ?? '')).toMatchObject({ request: { orderQty: '0.05', price: '59000' } })
  const plan = await shell.run('plan add oco sell ０．１ btc stop ５９０００ target 62000 --dry-run')
  expect(plan.stdout[0]).toContain('oco sell 0.1000 BTC-USD stop 59,000.00 target 62,000.00')
  // It is read: only its entry is missing.
  const withdrawal = await shell.run('withdraw BTC ０．０１ --to cold-1 --dry-run')
  expect(failureIn(withdrawal).message).toContain('the whitelist has no entry cold-1')
})

test('on a terminal it asks, and only yes sends', async () => {
  await quotes(exchange)
  const line = 'order place buy 0.05 BTC-USD --limit 59000'
  const no = await shell.run(`${line} --yes`, { isTerminal: true, typed: 'y\n' })
  expect(no.code).toBe(3)
  expect(no.stderr.join('\n')).toMatch(
    /BUY 0\.05\d* BTC-USD LIMIT 59,000\.00 GTC on LIVE environment\nType yes to send it:/,
  )
  expect(no.stderr.at(-1)).toContain('not confirmed: nothing was sent')
  expect(await exchange.working()).toHaveLength(0)
  const yes = await shell.run(line, { isTerminal: true, typed: 'yes\n' })
  expect(yes.code).toBe(0)
  expect(yes.stdout[0]).toMatch(/^Order \d+ is working: OPEN\.$/)
  expect(await exchange.working()).toHaveLength(1)
})

test('on a terminal the end of an order is told with the decimals of its symbol', async () => {
  await quotes(exchange)
  const { code, stdout } = await shell.run('order place buy 0.05 BTC-USD --market', {
    isTerminal: true,
    typed: 'yes\n',
  })
  expect(code).toBe(0)
  expect(stdout[0]).toMatch(/is FILLED, filled 0\.0500 at 6\d,\d{3}\.\d\d\.$/)
})

test('a signal at the question leaves everything as it is', async () => {
  await quotes(exchange)
  const asking = shell.start('order place buy 0.05 BTC-USD --limit 59000', { isTerminal: true })
  await asking.until(() => asking.ran.stderr.some((line) => line.includes('Type yes')))
  asking.signal('SIGINT')
  const { code, stderr } = await asking.ended
  expect(code).toBe(130)
  expect(stderr.at(-1)).toContain('nothing was sent')
  expect(await exchange.working()).toHaveLength(0)
})

test('who thinks for long is held to the market as it is by then', async () => {
  await quotes(exchange)
  const asking = shell.start('order place buy 0.05 BTC-USD --limit 59000', { isTerminal: true })
  await asking.until(() => asking.ran.stderr.some((line) => line.includes('Type yes')))
  await exchange.client('counterparty').cancelAllOrders(null)
  await exchange.clock.advance(6_000)
  asking.type('yes\n')
  const { code, stderr } = await asking.ended
  expect(code).toBe(3)
  expect(stderr.at(-1)).toMatch(/not sent, recheck failed: .*a side of the book is empty/)
  expect(await exchange.working()).toHaveLength(0)
})

test('limits of the profile and the memory of the journal hold for commands too', async () => {
  await quotes(exchange)
  mkdirSync(join(shell.home, '.config', 'pitdesk'), { recursive: true })
  writeFileSync(
    join(shell.home, '.config', 'pitdesk', 'config.toml'),
    '[profiles.small]\nkind = "practice"\n[profiles.small.limits]\norder_notional_usd = { soft = 1000, hard = 4000 }\nopen_orders = 2\n',
  )
  const place = (text: string) => shell.run(`order place ${text} --profile small --yes`)
  const accepting = (text: string) => place(`${text} --accept soft-limit,unusual-size`)
  expect((await place('buy 0.1 BTC-USD --limit 59000')).stderr[0]).toMatch(/hard limit 4,000\.00 USD/)
  const soft = await accepting('buy 0.05 BTC-USD --limit 59000')
  expect(soft.code).toBe(0)
  expect(soft.stderr[0]).toMatch(/^Warning: .*soft limit 1,000\.00 USD/)
  expect((await accepting('buy 0.05 BTC-USD --limit 59000')).stderr[0]).toContain('the same order went out')
  expect((await accepting('buy 0.01 BTC-USD --limit 59000')).code).toBe(0)
  expect((await place('buy 0.01 BTC-USD --limit 58000')).stderr[0]).toContain('over the hard limit 2')
  expect(await exchange.working()).toHaveLength(2)
})

test.each([
  ['open_orders = 1', '2 open orders with this one are over the hard limit 1'],
  ['day_notional_usd = 5000', 'day 5,310.00 USD with this order is over the hard limit 5,000.00 USD'],
])(
  'a hard limit counts what another command placed after the lists of this one were read: %s',
  async (limit, message) => {
    await quotes(exchange)
    mkdirSync(join(shell.home, '.config', 'pitdesk'), { recursive: true })
    writeFileSync(
      join(shell.home, '.config', 'pitdesk', 'config.toml'),
      `[profiles.small]\nkind = "practice"\n[profiles.small.limits]\n${limit}\n`,
    )
    const line = 'order place buy 0.05 BTC-USD --limit 59000 --profile small'
    const asking = shell.start(line, { isTerminal: true })
    await asking.until(() => asking.ran.stderr.some((line) => line.includes('Type yes')))
    const other = 'order place buy 0.04 BTC-USD --limit 59000 --profile small --yes --accept unusual-size'
    expect((await shell.run(other)).code).toBe(0)
    asking.type('yes\n')
    const { code, stderr } = await asking.ended
    expect({ code, told: stderr.at(-1) }).toEqual({ code: 3, told: expect.stringContaining(message) })
    expect(await exchange.working()).toHaveLength(1)
  },
)

test('a wall clock that is set neither lets the same order through at once nor keeps it back for long', async () => {
  await quotes(exchange)
  const again = () => shell.run('order place buy 0.05 BTC-USD --limit 59000 --yes')
  expect((await again()).code).toBe(0)
  shell.clock.setWall(10 * 60_000)
  expect((await again()).stderr[0]).toMatch(/the same order went out \d s ago, within the limit 5 s/)
  shell.clock.setWall(-20 * 60_000)
  expect((await again()).stderr[0]).toMatch(/the same order went out \d s ago, within the limit 5 s/)
  await shell.clock.advance(6_000)
  expect((await again()).code).toBe(0)
  expect(await exchange.working()).toHaveLength(2)
})

test('a stop whose trigger is reached is over the limits that a market order is over', async () => {
  await quotes(exchange)
  mkdirSync(join(shell.home, '.config', 'pitdesk'), { recursive: true })
  writeFileSync(
    join(shell.home, '.config', 'pitdesk', 'config.toml'),
    '[profiles.small]\nkind = "practice"\n[profiles.small.limits]\norder_notional_usd = { hard = 1000 }\n',
  )
  const place = (text: string) =>
    shell.run(`order place ${text} --profile small --yes --accept stop-price,unusual-size`)
  const traded = await place('buy 0.01 BTC-USD --limit 61000')
  expect(traded.code).toBe(0)
  for (const text of ['buy 0.05 BTC-USD --market', 'buy 0.05 BTC-USD --stop 100', 'sell 0.05 BTC-USD --stop 99000']) {
    const { code, stderr } = await place(text)
    expect({ text, code, line: stderr.at(-1) }).toEqual({
      ...{ text, code: 3 },
      line: expect.stringMatching(/notional .* USD is over the hard limit 1,000\.00 USD/),
    })
  }
  expect(await exchange.working()).toHaveLength(0)
})

test('an order whose answer is lost is looked for, and printed when it is found', async () => {
  await quotes(exchange)
  await exchange.admin('/fault/drop', { rate: 1, path: 'POST /orders', when: 'after' })
  const { code, stdout, stderr } = await shell.runThrough('order place buy 0.05 BTC-USD --limit 59000 --yes')
  expect(stderr).toEqual([
    expect.stringMatching(/^May be live: no answer for order \w{20}\./),
    expect.stringContaining('was placed and is working'),
  ])
  expect(code).toBe(0)
  expect(JSON.parse(stdout[0] ?? '')).toMatchObject({ ordStatus: 'OPEN', price: '59000' })
  expect(await exchange.working()).toHaveLength(1)
})

test('an order that no answer and no report tells of stays in the journal and holds a like one back', async () => {
  await quotes(exchange)
  await exchange.admin('/fault/drop', { rate: 1, path: 'POST /orders', when: 'before' })
  const line = 'order place buy 0.05 BTC-USD --limit 59000 --yes'
  const lost = await shell.runThrough(line)
  expect({ code: lost.code, ...failureIn(lost) }).toEqual({
    code: 6,
    kind: 'unknown',
    message: expect.stringMatching(/^the outcome of order \w{20} is unknown .*: it may be live\.$/),
    clientOrderId: expect.stringMatching(/^\w{20}$/),
    todo: expect.stringContaining('Do not resubmit: look at pitdesk orders'),
  })
  await exchange.admin('/fault/off', {})
  const again = await shell.runThrough(line)
  expect({ code: again.code, kind: failureIn(again).kind }).toEqual({ code: 3, kind: 'notSent' })
  expect(again.stderr.at(-1)).toMatch(/not sent: .*(possible duplicate|the same order)/)
  expect(await exchange.working()).toHaveLength(0)
})

test('a lost outcome is looked for thirty seconds, and no longer', async () => {
  await quotes(exchange)
  await exchange.admin('/fault/drop', { rate: 1, path: 'POST /orders', when: 'before' })
  const running = shell.start('order place buy 0.05 BTC-USD --limit 59000 --yes')
  await running.until(() => running.ran.stderr.some((line) => line.startsWith('May be live: no answer')))
  const fromMs = shell.clock.now()
  await exchange.admin('/fault/status', { rate: 1, path: 'GET *', status: 503 })
  await running.until(() => running.ran.code !== -1)
  expect(Math.round((shell.clock.now() - fromMs) / 1_000)).toBe(30)
  expect(running.ran.code).toBe(6)
})

test('cancels: one, several, all of a symbol, all', async () => {
  await quotes(exchange)
  const ids: string[] = []
  for (const price of [59000, 58999, 58998, 58997]) {
    const { stdout } = await shell.run(`order place buy 0.01 BTC-USD --limit ${price} --yes`)
    ids.push(String(JSON.parse(stdout[0] ?? '').exOrdId))
  }
  const some = await shell.run(`order cancel ${ids[0]} ${ids[1]}`)
  expect(some.code).toBe(0)
  expect(JSON.parse(some.stdout[0] ?? '')).toEqual([
    { exOrdId: Number(ids[0]), outcome: 'canceled' },
    { exOrdId: Number(ids[1]), outcome: 'canceled' },
  ])
  // What was canceled before is canceled: a script may ask for it again.
  expect((await shell.run(`order cancel ${ids[0]}`)).code).toBe(0)
  expect((await shell.run('order cancel-all --symbol ETH-USD --yes')).code).toBe(0)
  expect(await exchange.working()).toHaveLength(2)
  const asked = await shell.run('order cancel-all --symbol BTC-USD', { isTerminal: true, typed: 'yes\n' })
  expect(asked.stderr[0]).toContain('Cancel all 2 working orders in BTC-USD on LIVE environment')
  expect(asked.code).toBe(0)
  expect(await exchange.working()).toHaveLength(0)
  const dry = 'order cancel-all --every-symbol --dry-run'
  expect((await shell.run(dry, { isTerminal: true })).stdout).toEqual([
    'Would cancel 0 working orders in every symbol.',
  ])
  expect((await shell.run(dry)).stdout).toEqual(['{"count":0}'])
})

test('a withdrawal goes to an entry of the whitelist, after the amount was typed again', async () => {
  const entry = await exchange.bitcoinEntry()
  const line = `withdraw btc 0.01 --to ${entry.whitelistId}`
  const wrong = await shell.run(line, { isTerminal: true, typed: '0.1\n' })
  expect(wrong.code).toBe(3)
  expect(wrong.stderr.join()).toContain(`Withdraw 0.01 BTC to ${entry.name} (${entry.whitelistId}) on LIVE environment`)
  const dry = await shell.run(`${line} --dry-run`)
  expect(JSON.parse(dry.stdout[0] ?? '')).toMatchObject({
    request: { currency: 'BTC', amount: '0.01', beneficiary: entry.whitelistId },
  })
  expect(await exchange.withdrawn()).toHaveLength(0)
  const sent = await shell.run(line, { isTerminal: true, typed: '0.010\n' })
  expect(sent.stderr).toEqual([
    expect.stringContaining('Warning: the fee for BTC is unknown before the first withdrawal'),
    expect.stringContaining('Type the amount once more'),
  ])
  expect(sent.code).toBe(0)
  expect(sent.stdout[0]).toMatch(/^Withdrawal \S+ is PENDING\.$/)
  const [withdrawal] = await exchange.withdrawn()
  expect(withdrawal?.amount.toFixed()).toBe('0.01')
  expect(shell.journalText()).toContain('withdrawal')
})

test('a dry run of a withdrawal has every check, and sends and keeps nothing', async () => {
  const { whitelistId } = await exchange.bitcoinEntry()
  const { code, stdout } = await shell.run(`withdraw BTC 0.01 --to ${whitelistId} --dry-run`)
  const { checks, accept }: { checks: Array<{ level: string }>; accept: string[] } = JSON.parse(stdout[0] ?? '')
  expect({ code, accept }).toEqual({ code: 0, accept: ['fee'] })
  expect(checks.length).toBeGreaterThan(5)
  expect(JSON.parse((await shell.run('withdrawals --drafts')).stdout[0] ?? '')).toEqual([])
  expect(await exchange.withdrawn()).toEqual([])
})

test('where a lock is set up a withdrawal opens it first, and a script cannot', async () => {
  const entry = await exchange.bitcoinEntry()
  await setUpLock(shell.home, 'correct horse')
  const line = `withdraw BTC 0.01 --to ${entry.whitelistId}`
  const script = await shell.run(`${line} --yes --accept fee`)
  expect(script.code).toBe(3)
  expect(script.stderr.at(-1)).toContain('the desk is locked: open it in a terminal')
  const wrong = await shell.run(line, { isTerminal: true, answers: { 'Desk lock': 'wrong horse\r' } })
  expect(wrong.code).toBe(3)
  expect(wrong.stderr.at(-1)).toContain('wrong passphrase or code')
  expect(await exchange.withdrawn()).toHaveLength(0)
  const opening = { 'Desk lock': 'correct horse\r', 'the amount once more': '0.01\n' }
  expect((await shell.run(line, { isTerminal: true, answers: opening })).code).toBe(0)
  expect(await exchange.withdrawn()).toHaveLength(1)
})

test('where a lock is set up an order opens it first, a script is refused, and a cancel passes', async () => {
  await quotes(exchange)
  const line = 'order place buy 0.05 BTC-USD --limit 59000'
  await shell.run(`${line} --yes`)
  await setUpLock(shell.home, 'correct horse')
  const script = await shell.run('order place buy 0.06 BTC-USD --limit 59000 --yes')
  expect(script.code).toBe(3)
  expect(script.stderr).toEqual([
    expect.stringMatching(/the desk is locked: open it in a terminal, or set lock_commands.* Nothing was placed\.$/),
  ])
  const wrong = await shell.run('order place buy 0.06 BTC-USD --limit 59000 --yes', {
    isTerminal: true,
    answers: { 'Desk lock': 'wrong horse\r' },
  })
  expect({ code: wrong.code, said: wrong.stderr.at(-1) }).toEqual({
    code: 3,
    said: expect.stringContaining('wrong passphrase or code'),
  })
  expect((await shell.run('order place buy 0.06 BTC-USD --limit 59000 --dry-run')).code).toBe(0)
  expect(await exchange.working()).toHaveLength(1)
  expect((await shell.run('order cancel-all --every-symbol --yes')).code).toBe(0)
  expect(await exchange.working()).toHaveLength(0)
  const opening = { 'Desk lock': 'correct horse\r', 'Type yes': 'yes\n' }
  const opened = await shell.run('order place buy 0.06 BTC-USD --limit 59000', { isTerminal: true, answers: opening })
  expect(opened.code).toBe(0)
  expect(await exchange.working()).toHaveLength(1)
})

test('a lock that cannot be read lets no order pass, and one that the profile opens to commands lets scripts', async () => {
  await quotes(exchange)
  await setUpLock(shell.home, 'correct horse')
  mkdirSync(join(shell.home, '.config', 'pitdesk'), { recursive: true })
  writeFileSync(
    join(shell.home, '.config', 'pitdesk', 'config.toml'),
    '[profiles.robot]\nkind = "practice"\nlock_commands = "allow"\n',
  )
  const line = 'order place buy 0.05 BTC-USD --limit 59000 --yes'
  expect((await shell.run(`${line} --profile robot`)).code).toBe(0)
  expect(await exchange.working()).toHaveLength(1)
  writeFileSync(join(shell.home, '.local', 'state', 'pitdesk', 'lock.json'), '{')
  const broken = await shell.run('order place buy 0.06 BTC-USD --limit 59000 --yes')
  expect({ code: broken.code, said: broken.stderr.at(-1) }).toEqual({
    code: 3,
    said: expect.stringContaining('lock.json'),
  })
  expect(await exchange.working()).toHaveLength(1)
})

test.each([
  ['withdraw BTC 0.01 --to nobody --yes', 'the whitelist has no entry nobody'],
  ['withdraw BTC 1000000 --to ID --yes', 'more than the available'],
  ['withdraw BTC 0.0000000001 --to ID --yes', 'BTC has 8 decimals'],
  ['withdraw BTC 0 --to ID --yes', 'the amount must be above zero'],
  ['withdraw ETH 1 --to ID --yes', 'is for BTC'],
])('%s is held back', async (line, reason) => {
  const entry = await exchange.bitcoinEntry()
  const ran = await shell.run(line.replace('ID', entry.whitelistId ?? ''))
  expect({ code: ran.code, kind: failureIn(ran).kind }).toEqual({ code: 3, kind: 'notSent' })
  expect(ran.stderr).toEqual([expect.stringContaining(reason)])
  expect(await exchange.withdrawn()).toHaveLength(0)
})

test('the refusal for an account without 2FA is shown', async () => {
  const no2fa = openShell(exchange.environment('no2fa'), exchange.clock)
  const { entries } = await exchange.client('no2fa').fetchWhitelist()
  const entry = entries[0]
  const balances = await exchange.client('no2fa').fetchAccounts()
  const held = balances
    .get('primary')
    ?.entries.find(({ currency, available }) => currency === entry?.currency && available.gt(0))
  expect(held).toBeDefined()
  const ran = await no2fa.run(`withdraw ${entry?.currency} 0.001 --to ${entry?.whitelistId} --yes --accept fee`)
  expect({ code: ran.code, kind: failureIn(ran).kind }).toEqual({ code: 4, kind: 'rejected' })
  expect(ran.stderr.at(-1)).toMatch(/rejected.*(2FA|two-factor)/i)
})

test('a desk that only watches writes nothing, whatever the command', async () => {
  const watching = openShell({ ...exchange.environment(), PITDESK_MONITOR: 'true' }, exchange.clock)
  for (const line of [
    'order place buy 0.05 BTC-USD --limit 59000 --yes',
    'order cancel 1',
    'order cancel-all --every-symbol --yes',
  ]) {
    const ran = await watching.run(line)
    expect({ code: ran.code, kind: failureIn(ran).kind }).toEqual({ code: 3, kind: 'notSent' })
    expect(ran.stderr).toEqual([expect.stringContaining('is read only (MONITOR): nothing was sent')])
  }
})

test('nothing that is written anywhere holds the key', async () => {
  await quotes(exchange)
  await shell.run('order place buy 0.05 BTC-USD --limit 59000 --yes')
  const runs = [
    await shell.run('doctor'),
    await shell.run('orders'),
    await shell.run('order place buy 9 BTC-USD --limit 1 --yes'),
  ]
  const token = exchange.token('trader')
  expect(token.length).toBeGreaterThan(10)
  for (const { stdout, stderr } of runs) expect([...stdout, ...stderr].join('\n')).not.toContain(token)
  const files = shell.files()
  expect(files.length).toBeGreaterThan(0)
  for (const { path, text } of files) {
    expect(path.startsWith(join(shell.home, '.local', 'state', 'pitdesk'))).toBe(true)
    expect(text).not.toContain(token)
  }
})
