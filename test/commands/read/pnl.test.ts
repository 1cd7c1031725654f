import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { Secret } from '../../../src/base/secret.ts'
import { accountOf } from '../../../src/desk/account/account-folder.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { unitsOf } from '../../domain/statement/books.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { accountFolder, opened } from '../../history/aids.ts'
import { type Exchange, limitOrder as limit, openExchange, openShell, type Shell } from '../harness.ts'

let exchange: Exchange
let shell: Shell

const dayMs = 86_400_000
/** The day after the account got its money, in UTC. */
const day = '2026-01-06'

beforeEach(async () => {
  exchange = await openExchange()
  shell = openShell(exchange.environment(), exchange.clock)
})

const trade = async (side: 'BUY' | 'SELL', quantity: string, price: string, symbol = 'BTC-USD') => {
  await exchange.client('trader').placeOrder(limit(side, quantity, price, symbol))
  await exchange.client('counterparty').placeOrder(limit(side === 'BUY' ? 'SELL' : 'BUY', quantity, price, symbol))
}

/** Bought twice, sold once in between the two lots' size; prices on both sides at the end. */
async function aDay(): Promise<void> {
  // At a stroke: a practice exchange looks around each second.
  exchange.clock.standStill(dayMs - 1_000)
  await exchange.clock.advance(1_000)
  await trade('BUY', '0.02', '60000')
  await exchange.clock.advance(60_000)
  await trade('BUY', '0.02', '61000')
  await exchange.clock.advance(60_000)
  await trade('SELL', '0.03', '62000')
  await exchange.client('counterparty').placeOrder(limit('BUY', '0.01', '61500'))
  await exchange.client('counterparty').placeOrder(limit('SELL', '0.01', '62500'))
}

/** What the account began with in BTC has no cost. */
const bitcoinOf = (stdout: readonly string[]) =>
  JSON.parse(stdout[0] ?? '').currencies.find((each: { currency: string }) => each.currency === 'BTC')

test('a file of the journal that cannot be read costs a report what only the journal knows, and nothing else', async () => {
  await aDay()
  const service = { kind: 'service', baseUrl: exchange.sandbox.exchangeUrl, token: null } as const
  const of = { profileName: 'environment', exchange: service }
  const { folder } = accountOf(of, new Secret(exchange.token('trader')), shell)
  mkdirSync(join(folder, 'journal/closed/20260105T140000000Z-1-a.0001.jsonl'), { recursive: true, mode: 0o700 })
  for (const report of ['pnl', 'statement']) {
    const { code, stdout } = await shell.run(`${report} --from ${day} --json`)
    expect([code, JSON.parse(stdout[0] ?? '').from]).toEqual([0, Date.parse(day)])
  }
})

test('by LIFO the newest are sold first: realized, fees and what is unrealized at the mid', async () => {
  await aDay()
  const { code, stdout, stderr } = await shell.run(`pnl --from ${day} --method lifo --json`)
  expect({ code, stderr }).toEqual({ code: 0, stderr: [] })
  const { method, total, symbols, missing } = JSON.parse(stdout[0] ?? '')
  // 0.02 at 61000 and 0.01 at 60000 went for 62000 each.
  expect({ method, realized: total.realizedUsd }).toEqual({ method: 'lifo', realized: '40' })
  const held = [{ currency: 'BTC', quantity: '0.01' }]
  expect(symbols).toEqual([
    expect.objectContaining({ symbol: 'BTC-USD', realizedUsd: '40', unknownCount: 0, held, unrealizedUsd: '20' }),
    // What the account began with came by no symbol, and at no known cost.
    expect.objectContaining({ held: expect.arrayContaining([{ currency: 'ETH', quantity: '5' }]) }),
  ])
  expect(symbols[1]).not.toHaveProperty('symbol')
  expect(symbols[1]).not.toHaveProperty('unrealizedUsd')
  expect(bitcoinOf(stdout)).toMatchObject({
    costUsd: '600',
    averageCostUsd: '60000',
    markUsd: '62000',
    markSource: 'mid of BTC-USD',
    unrealizedUsd: '20',
  })
  expect(missing.join()).toContain('BTC held at unknown cost')
  const at = async (mark: string) =>
    bitcoinOf((await shell.run(`pnl --from ${day} --method lifo --mark ${mark}`)).stdout).unrealizedUsd
  expect([await at('bid'), await at('ask')]).toEqual(['15', '25'])
})

test('by FIFO what came first had no cost: that is said, and is neither a gain nor a loss', async () => {
  await aDay()
  const { stdout } = await shell.run(`pnl --from ${day}`)
  const { method, total, missing } = JSON.parse(stdout[0] ?? '')
  expect({ method, total }).toMatchObject({
    method: 'fifo',
    total: { unknownCostCount: 1, unknownCount: 0, proceedsOfUnknownCostUsd: '1860' },
  })
  // Nothing is known of it: that is no zero.
  expect(total).not.toHaveProperty('realizedUsd')
  const table = await shell.run(`pnl --from ${day}`, { isTerminal: true, columns: 160 })
  expect(table.stdout.find((line) => line.startsWith('Realized'))).toMatch(
    /^Realized \?, fees \d\.\d\d, net \?, unrealized \d+\.\d\d\? USD$/,
  )
  expect(table.stdout.join(' ')).toContain('? marks unknown amounts, excluded from all sums: 1 match of unknown cost, ')
  const rows = (await shell.run(`pnl --from ${day} --csv`)).stdout.map((line) => line.split(','))
  const at = rows[0]?.indexOf('realizedUsd') ?? -1
  expect(rows.find(([scope]) => scope === 'total')?.[at]).toBe('')
  expect(missing.join()).toContain('BTC of unknown cost went out for 1860 USD: neither a gain nor a loss is counted.')
})

test('no change is told between ends at which other currencies have a price', async () => {
  await aDay()
  // Nothing had a price before the first trade; at the end BTC has one.
  const { total } = JSON.parse((await shell.run(`pnl --from ${day} --method lifo`)).stdout[0] ?? '')
  expect(total).toMatchObject({ worthUsd: expect.anything(), startWorthUsd: expect.anything() })
  expect(total.startUnvaluedCount).toBeGreaterThan(total.unvaluedCount)
  expect(total).not.toHaveProperty('worthChangeUsd')
  expect(total).not.toHaveProperty('unrealizedChangeUsd')
  const { stdout } = await shell.run(`pnl --from ${day} --method lifo`, { isTerminal: true, columns: 160 })
  expect(stdout.find((line) => line.startsWith('Worth '))).toMatch(/\d\? before, [\d,.]+\? at the end: change \? USD$/)
  expect(stdout).toContain('Changes are unknown where a price is missing at one end only: BTC')
  // From the first price on the others lack one at both ends.
  const fromMs = exchange.clock.wallMs() - 60_000
  const later = JSON.parse((await shell.run(`pnl --from ${fromMs}ms --method lifo`)).stdout[0] ?? '')
  expect(later.total.startUnvaluedCount).toBe(later.total.unvaluedCount)
  expect(later.total).toHaveProperty('worthChangeUsd')
})

test('the setting says how sales meet lots, and a flag says otherwise', async () => {
  await aDay()
  const own = openShell({ ...exchange.environment(), PITDESK_COST_METHOD: 'average' }, exchange.clock)
  const methodOf = async (line: string) => JSON.parse((await own.run(line)).stdout[0] ?? '').method
  expect([await methodOf('pnl'), await methodOf('pnl --method lifo')]).toEqual(['average', 'lifo'])
})

test('with --lots the rows of the CSV add up to the sums without it, to the last digit', async () => {
  await aDay()
  await trade('SELL', '0.013', '61777.5')
  const sumsOf = async (line: string) => {
    const { code, stdout, stderr } = await shell.run(line)
    expect(code, stderr.join()).toBe(0)
    const [head = [], ...rows] = stdout.map((each) => each.split(','))
    const column = (name: string, of: (row: readonly string[]) => boolean) =>
      rows.filter(of).reduce((sum, row) => sum + unitsOf(row[head.indexOf(name)] || '0'), 0n)
    return column
  }
  const plain = await sumsOf(`pnl --from ${day} --method lifo --csv`)
  const lots = await sumsOf(`pnl --from ${day} --method lifo --lots --csv`)
  for (const name of ['realizedUsd', 'feesUsd', 'unrealizedUsd', 'costUsd']) {
    const total = plain(name, ([scope]) => scope === 'total')
    expect(plain(name, ([scope]) => scope === 'currency')).toBe(total)
    // USD has no lots, so that its own cost is of no symbol.
    if (name !== 'costUsd') expect(plain(name, ([scope]) => scope === 'symbol')).toBe(total)
  }
  expect(lots('realizedUsd', () => true)).toBe(plain('realizedUsd', ([scope]) => scope === 'total'))
  expect(lots('feeUsd', () => true)).toBe(plain('feesUsd', ([scope]) => scope === 'total'))
  const heldAs = (column: typeof lots, is: string) =>
    column('quantity', ([first, name]) => first === is && name === 'BTC')
  expect(heldAs(lots, 'lot')).toBe(heldAs(plain, 'currency'))
})

test('on a terminal: a table by currency and by symbol, the matches, the open lots, and what is not known', async () => {
  await aDay()
  const { stdout } = await shell.run(`pnl --from ${day} --method lifo --lots`, { isTerminal: true, columns: 160 })
  expect(stdout[0]).toContain('P&L from 2026-01-06 00:00:00 to')
  expect(stdout[1]).toMatch(
    /CURRENCY +QUANTITY +COST UNKNOWN +AVERAGE +COST +MARK +UNREALIZED +BEFORE +CHANGE +REALIZED +FEES/,
  )
  // USD in cents, units with all digits; 0.5 of it at unknown cost.
  expect(
    stdout
      .find((line) => line.startsWith('BTC '))
      ?.split(/ +/)
      .slice(0, 7),
  ).toEqual([...['BTC', '0.51', '0.50', '60,000.00', '600.00?', '62,000.00', '20.00?']])
  expect(stdout).toEqual(expect.arrayContaining(['Matches', 'Fees', 'Deposits and withdrawals', 'Open lots']))
  expect(stdout.find((line) => line.startsWith('Realized 40.00, fees '))).toMatch(/unrealized 20\.00\? USD$/)
})

test('at average costs all that is held is of no symbol, and prices have eight digits', async () => {
  await aDay()
  await trade('BUY', '0.02', '61777.5')
  const { symbols, total } = JSON.parse((await shell.run('pnl --method average')).stdout[0] ?? '')
  const [traded, others] = symbols
  expect(traded).toMatchObject({ symbol: 'BTC-USD', held: [] })
  expect(others).toMatchObject({
    name: 'no symbol',
    held: expect.arrayContaining([{ currency: 'BTC', quantity: '0.53' }]),
  })
  // Without --from everything began with nothing.
  expect(total).toMatchObject({ startWorthUsd: '0', startUnrealizedUsd: '0' })
  const { stdout } = await shell.run('pnl --method average', { isTerminal: true, columns: 160 })
  // 3,655.55 USD for 0.06.
  expect(stdout.find((line) => line.startsWith('BTC '))?.split(/ +/)[3]).toBe('60,925.833')
})

test.each([80, 40])('at %i columns no figure is left out, and no word broken', async (columns) => {
  await aDay()
  const { stdout } = await shell.run(`pnl --from ${day} --method lifo`, { isTerminal: true, columns })
  expect(Math.max(...stdout.map((line) => line.length))).toBeLessThanOrEqual(columns)
  for (const name of ['QUANTITY', 'COST UNKNOWN', 'AVERAGE', 'COST', 'MARK', 'UNREALIZED', 'REALIZED', 'FEES'])
    expect(stdout.find((line) => line.startsWith(` ${name} `))).toMatch(/\d\.\d\d/)
  expect(stdout.join(' ')).toMatch(/cost btc [\d.]+ @ PRICE/)
})

test('without times it does not begin in 1970, and without trades there is no table of nothing', async () => {
  const { stdout } = await shell.run('pnl', { isTerminal: true, columns: 160 })
  expect(stdout[0]).toMatch(/^P&L up to 2026-01-05 14:00:00 UTC, fifo, in USD at mid$/)
  expect(stdout.join('\n')).not.toMatch(/^none$/m)
})

test.each(['pnl', 'statement'])(
  '%s fails where an entry is left out and a balance is off, and says so',
  async (command) => {
    await aDay()
    const { entries } = await exchange.client('trader').fetchFills({})
    const [newest, ...others] = entries
    if (newest === undefined) throw new Error('no fill')
    const file = opened(accountFolder(exchange.environment(), shell.environment))
    file.addGap({ aboveMs: null, belowMs: null })
    // Less than its order holds: one that is more would count nowhere.
    file.putFills([{ ...newest, quantity: newest.quantity.minus('0.01') }, ...others], { id: 1, isClosed: true })
    file.close()
    for (const form of ['--json', '--csv']) {
      const { code, stderr } = await shell.run(`${command} ${form}`)
      expect(code).toBe(1)
      expect(stderr.join('\n')).toMatch(/execution \d+ was told first as SELL .* which counts, and again as SELL /)
      expect(stderr.join('\n')).toMatch(/The balance of BTC and the lines do not agree: .*\b0\.01 BTC/)
    }
    const table = await shell.run(command, { isTerminal: true, columns: 200 })
    expect(table.stdout.join('\n')).toContain('was told first as')
    expect(table).toMatchObject({ code: 1, stderr: [expect.stringContaining('Some figures are unreliable')] })
  },
)

test('in JSON the fees of withdrawals have a name too', async () => {
  await aDay()
  const entry = await exchange.bitcoinEntry()
  const asked = { currency: 'BTC', beneficiary: entry.whitelistId ?? '', amount: new Decimal('0.001') }
  const { withdrawalId } = await exchange.client('trader').createWithdrawal(asked)
  await exchange.admin('/withdrawal/complete', { withdrawalId })
  const { symbols } = JSON.parse((await shell.run('pnl')).stdout[0] ?? '')
  expect(symbols.map(({ name }: { name: string }) => name)).toEqual(['BTC-USD', 'no symbol'])
})

test('before now it is valued by own fills of the minute before, and without them the value is unknown', async () => {
  await aDay()
  const atMs = exchange.clock.wallMs()
  await exchange.clock.advance(60_000)
  const after = await shell.run(`pnl --to ${atMs}ms --method lifo --json`)
  expect(bitcoinOf(after.stdout)).toMatchObject({ markUsd: '62000', markSource: expect.stringMatching(/^fill \d+$/) })
  expect(JSON.parse(after.stdout[0] ?? '')).toMatchObject({ mark: 'last' })
  const table = await shell.run(`pnl --to ${atMs}ms --method lifo`, { isTerminal: true, columns: 160 })
  expect(table.stdout[0]).toContain('at last prices')
  const open = JSON.parse((await shell.run('pnl --to 2027-01-01 --method lifo')).stdout[0] ?? '')
  expect([open.soFar, JSON.parse(after.stdout[0] ?? '').soFar]).toEqual([true, undefined])
  // A bid of then is recorded nowhere, which is said.
  const bid = JSON.parse((await shell.run(`pnl --to ${atMs}ms --method lifo --mark bid`)).stdout[0] ?? '')
  expect(bid.missing.join()).toContain('What the bid was at the end of the period is not recorded')
  const before = await shell.run('pnl --to 2026-01-05 --method lifo --json')
  expect(bitcoinOf(before.stdout)).not.toHaveProperty('markUsd')
})

test('stated costs count, and a damaged file of them is said', async () => {
  await aDay()
  const { stdout } = await shell.run('pnl --json')
  const { quantityOfUnknownCost } = bitcoinOf(stdout)
  const { PITDESK_EXCHANGE_BASE_URL: baseUrl = '', PITDESK_API_TOKEN: token = '' } = exchange.environment()
  const named = { profileName: 'x', exchange: { kind: 'service' as const, baseUrl, token: null } }
  const { folder } = accountOf(named, new Secret(token), { environment: shell.environment })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const costs = [{ currency: 'BTC', quantity: quantityOfUnknownCost, usdEach: '50000', atMs: exchange.clock.wallMs() }]
  writeFileSync(`${folder}/costs.json`, JSON.stringify({ version: 1, costs }))
  const stated = await shell.run('pnl --json')
  expect(bitcoinOf(stated.stdout)).toMatchObject({ quantityOfUnknownCost: '0' })
  expect(JSON.parse(stated.stdout.join('')).stated).toEqual([
    expect.objectContaining({ currency: 'BTC', usdEach: '50000', counted: quantityOfUnknownCost }),
  ])
  writeFileSync(`${folder}/costs.json`, '{')
  const { code, stderr } = await shell.run('pnl --json')
  expect({ code, text: stderr.join() }).toEqual({ code: 1, text: expect.stringContaining('costs.json is damaged') })
})

test.each([
  ['pnl --from 2026-02-30', '--from must be a UTC time'],
  ['pnl --from 2027-01-01', '--from is in the future'],
  ['pnl --method best', '--method must be one of fifo, lifo, average'],
  ['pnl --json --csv', 'use --json or --csv, not both'],
])('%s is wrong usage', async (line, reason) => {
  const { code, stderr } = await shell.run(line)
  expect(code).toBe(2)
  expect(stderr.join()).toContain(reason)
})

test("today and now of a report are the exchange's, of a list this machine's", async () => {
  await aDay()
  const early = openShell(exchange.environment(), new FakeClock(exchange.clock.now() - dayMs))
  const { from } = JSON.parse((await early.run('pnl --from today --json')).stdout[0] ?? '')
  expect(from).toBe(Date.parse(`${day}T00:00:00Z`))
  expect((await early.run('fills --from today --csv')).stderr).toEqual(['From 2026-01-05 00:00:00 UTC on.'])
})
