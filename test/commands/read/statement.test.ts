import { beforeEach, expect, test } from 'vitest'
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

/** A fill, a deposit, one withdrawal that went and one that is on its way. */
async function aDay(): Promise<void> {
  // At a stroke: a practice exchange looks around each second.
  exchange.clock.standStill(dayMs - 1_000)
  await exchange.clock.advance(1_000)
  await exchange.client('trader').placeOrder(limit('BUY', '0.05', '60000'))
  await exchange.client('counterparty').placeOrder(limit('SELL', '0.0213', '60000'))
  await exchange.admin('/deposit/start', { account: 'trader', currency: 'BTC', amount: '0.12345678' })
  const [deposit] = (await exchange.client('trader').fetchDeposits({ fromMs: exchange.clock.now() - 1_000 })).entries
  await exchange.admin('/deposit/confirm', { depositId: deposit?.depositId })
  const entry = await exchange.bitcoinEntry()
  const beneficiary = entry.whitelistId ?? ''
  const trader = exchange.client('trader')
  const { withdrawalId } = await trader.createWithdrawal({ currency: 'BTC', beneficiary, amount: new Decimal('0.025') })
  await exchange.admin('/withdrawal/complete', { withdrawalId })
  await trader.createWithdrawal({ currency: 'BTC', beneficiary, amount: new Decimal('0.05') })
}

const balanceOf = async (currency: string): Promise<string> =>
  (await exchange.client('trader').fetchBalance('primary', currency)).balance.toFixed()

test('fills that were recorded are not asked for again, which is said, and every figure is the same', async () => {
  await aDay()
  const line = `statement --from ${day} --to ${day}`
  const run = async (form: string) => (await shell.run(`${line} ${form}`)).stdout.join('\n')
  const [json, csv, table] = [JSON.parse(await run('--json')), await run('--csv'), await run('')]
  expect(json.fills).toEqual({ count: 1, recordedCount: 0 })
  const { entries } = await exchange.client('trader').fetchFills({})
  const file = opened(accountFolder(exchange.environment(), shell.environment))
  file.addGap({ aboveMs: null, belowMs: null })
  file.putFills(entries, { id: 1, isClosed: true })
  const odd = ['7', '8'].map((execId) => ({ reason: 'field "side" is missing', atMs: null, fields: { execId } }))
  file.addUnreadable(odd)
  file.close()
  // Those of it that could not be read make it fail, as they do where they are listed now.
  expect((await shell.run(`${line} --json`)).code).toBe(1)
  const after = JSON.parse(await run('--json'))
  const unread = 'Unreadable entries among the fills when they were recorded, left out: 2 or fewer.'
  expect(after).toEqual({ ...json, fills: { count: 1, recordedCount: 1 }, missing: [unread] })
  expect(await run('--csv')).toBe(csv)
  const said = (await shell.run(line, { isTerminal: true })).stdout.join('\n')
  expect(said).toContain('Fills: 1 as recorded on this machine, 0 read from the exchange now.')
  expect(table).not.toContain('as recorded')
})

test('the JSON of a statement adds up to the balances of the exchange, to the last digit', async () => {
  const opening = await balanceOf('BTC')
  await aDay()
  const { code, stdout, stderr } = await shell.run(`statement --from ${day} --to ${day} --json`)
  expect({ code, stderr, count: stdout.length }).toEqual({ code: 0, stderr: [], count: 1 })
  const { currencies, movements, missing, from, to, soFar } = JSON.parse(stdout[0] ?? '')
  // The day asked for is not over.
  expect({ missing, from, to, soFar }).toEqual({
    missing: [],
    soFar: true,
    from: Date.parse(`${day}T00:00:00Z`),
    to: exchange.clock.now(),
  })
  const [bitcoin] = currencies.filter((each: { currency: string }) => each.currency === 'BTC')
  expect(bitcoin).toEqual({
    currency: 'BTC',
    opening,
    deposits: '0.12345678',
    withdrawals: '-0.025',
    withdrawalFees: expect.stringMatching(/^-0\.\d+$/),
    bought: '0.0213',
    sold: '0',
    tradeFees: '0',
    changes: expect.any(String),
    closing: await balanceOf('BTC'),
    inFlight: expect.stringMatching(/^0\.05\d*$/),
    after: '0',
    balance: await balanceOf('BTC'),
    check: 'agrees',
  })
  for (const { currency, changes, opening: start, closing } of currencies) {
    const lines = movements.filter((line: { currency: string }) => line.currency === currency)
    expect(lines.reduce((sum: bigint, { change }: { change: string }) => sum + unitsOf(change), 0n)).toBe(
      unitsOf(changes),
    )
    expect(unitsOf(start) + unitsOf(changes)).toBe(unitsOf(closing))
    expect(closing).toBe(await balanceOf(currency))
  }
})

test('as CSV every line is a row, between what each currency opened and closed with', async () => {
  await aDay()
  const { code, stdout, stderr } = await shell.run(`statement --from ${day} --csv`)
  expect({ code, stderr }).toEqual({ code: 0, stderr: [] })
  const rows = stdout.map((line) => line.split(','))
  expect(rows[0]).toEqual(['time', 'kind', 'id', 'currency', 'amount', 'change', 'state', 'symbol', 'price'])
  const kinds = rows.map(([, kind]) => kind)
  for (const kind of ['opening', 'deposit', 'withdrawal', 'withdrawalFee', 'bought', 'sold', 'tradeFee', 'closing'])
    expect(kinds).toContain(kind)
  const sum = rows
    .filter(([, , , currency]) => currency === 'BTC')
    .reduce((units, [, kind, , , amount = '', change = '']) => {
      if (kind === 'opening') return units + unitsOf(amount)
      return kind === 'closing' ? units : units + unitsOf(change)
    }, 0n)
  expect(sum).toBe(unitsOf(await balanceOf('BTC')))
})

test('on a terminal it is a table of the sums, and what is in flight stands below', async () => {
  await aDay()
  const { code, stdout } = await shell.run(`statement --from ${day} --to ${day}`, { isTerminal: true, columns: 160 })
  expect(code).toBe(0)
  expect(stdout[0]).toBe('Statement from 2026-01-06 00:00:00 to 2026-01-06 14:00:00 UTC, so far, 8 lines')
  expect(stdout[1]).toMatch(/CURRENCY +OPENING +DEPOSITED +WITHDRAWN/)
  expect(stdout.find((line) => line.startsWith('BTC'))).toMatch(/agrees$/)
  expect(stdout.at(-1)).toMatch(/^In flight, and still in the balance: 0\.05\d* BTC$/)
})

test.each([80, 40])('at %i columns every figure of a currency is there, and adds up', async (columns) => {
  await aDay()
  const { stdout } = await shell.run(`statement --from ${day}`, { isTerminal: true, columns })
  expect(Math.max(...stdout.map((line) => line.length))).toBeLessThanOrEqual(columns)
  const from = stdout.indexOf('BTC') + 1
  const values = stdout.slice(from, from + 9).map((line) => line.trim().split(/ {2,}/))
  expect(values.map(([name]) => name)).toEqual([
    ...['OPENING', 'DEPOSITED', 'WITHDRAWN', 'WITHDRAWAL FEES', 'BOUGHT', 'SOLD', 'TRADE FEES', 'CLOSING', 'BALANCE'],
  ])
  const units = values.slice(0, 8).map(([, value = '']) => unitsOf(value))
  expect(units.slice(0, 7).reduce((sum, each) => sum + each, 0n)).toBe(units[7])
})

test('it ends with what the exchange knows, however slow the clock of this machine is', async () => {
  await aDay()
  const slow = openShell(exchange.environment(), new FakeClock(exchange.clock.now() - 2 * 3_600_000))
  const { stdout, stderr } = await slow.run('statement --csv')
  expect(stderr).toEqual([
    expect.stringMatching(
      /^\d+ entries are later than this machine's clock, which is behind the exchange's: they count/,
    ),
  ])
  const closing = stdout
    .map((line) => line.split(','))
    .find(([, kind, , currency]) => kind === 'closing' && currency === 'BTC')
  expect(closing?.[4]).toBe(await balanceOf('BTC'))
  // It is another day there.
  const early = openShell(exchange.environment(), new FakeClock(exchange.clock.now() - dayMs))
  expect((await early.run('statement --from today')).code).toBe(0)
  const { from } = JSON.parse((await early.run('statement --from today')).stdout[0] ?? '')
  expect(from).toBe(Date.parse(`${day}T00:00:00Z`))
})

test('where the end that was asked for is not over the statement says so far', async () => {
  await aDay()
  const soFar = async (times: string) =>
    JSON.parse((await shell.run(`statement ${times} --json`)).stdout[0] ?? '').soFar
  expect(await soFar(`--from ${day} --to ${day}`)).toBe(true)
  expect(await soFar('--from 2026-01-05 --to 2026-01-05')).toBeUndefined()
  const table = await shell.run(`statement --from ${day} --to ${day}`, { isTerminal: true })
  expect([...table.stdout, ...table.stderr].join('\n')).toContain('so far')
})

test('without an exchange of its own it says what does the same in the desk', async () => {
  const { code, stderr } = await openShell().run('statement --csv')
  expect(code).toBe(1)
  expect(stderr.join()).toContain('In that desk ": statement today" writes one')
})

test('without times it is everything from the first day until now', async () => {
  await aDay()
  const { stdout } = await shell.run('statement')
  const { currencies, from, to } = JSON.parse(stdout[0] ?? '')
  expect({ from, to }).toEqual({ from: 0, to: exchange.clock.now() })
  expect(currencies.map(({ opening }: { opening: string }) => opening)).toEqual(currencies.map(() => '0'))
})

test.each(['statement', 'pnl'])(
  '%s from yesterday is not after a day that this machine has behind it',
  async (command) => {
    const ahead = openShell(exchange.environment(), new FakeClock(exchange.clock.now() + 9 * dayMs))
    const { code, stdout } = await ahead.run(`${command} --from yesterday --to ${day}`)
    expect(code).toBe(0)
    expect(JSON.parse(stdout[0] ?? '').from).toBe(Date.UTC(2026, 0, 4))
  },
)

test.each([
  ['statement --from 2026-02-30', '--from must be a UTC time'],
  ['statement --from 2026-03-01 --to 2026-02-01', '--from is after --to'],
  ['statement --from 2027-01-01', '--from is in the future'],
  ['statement --from 20260230', 'no calendar has that day'],
  ['statement --from 1795402460', '--from is a bare number'],
  ['statement --json --csv', 'use --json or --csv, not both'],
])('%s is wrong usage', async (line, reason) => {
  const { code, stderr } = await shell.run(line)
  expect(code).toBe(2)
  expect(stderr.join()).toContain(reason)
})
