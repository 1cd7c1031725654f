import { describe, expect, test } from 'vitest'
import { argumentsOf, verbName } from '../../../src/domain/desk/practice-verb.ts'
import { adminVerbs } from '../../../src/sandbox/admin/admin-server.ts'
import { adminTable } from '../../../src/sandbox/admin/verb-table.ts'
import { Exchange } from '../../../src/sandbox/core/exchange.ts'
import { createFaults } from '../../../src/sandbox/http/faults.ts'
import { createPracticeExchange } from '../../../src/sandbox/practice-exchange.ts'
import { createSimulatedClock } from '../../../src/sandbox/simulated-time.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { FakeGatewayWorld } from '../../fakes/fake-gateway-world.ts'
import { noWebhooks } from '../../fakes/no-webhooks.ts'
import { countingBytes, httpCall, noonMs } from '../../sandbox/http/harness.ts'
import { openAdministered, runAdmin } from './admin-command.ts'

/** Every verb of the server, without the server. */
function verbsOfServer() {
  const clock = createSimulatedClock(new FakeClock())
  const keys = { adminToken: 'a', partnerKey: 'p' }
  const life = { keys, advance: () => {}, reset: () => Promise.resolve() }
  const exchange = createPracticeExchange(new Exchange(), clock)
  return adminVerbs({
    ...{ webhooks: noWebhooks },
    ...{
      exchange,
      gateway: new FakeGatewayWorld(),
      clock,
      faults: createFaults(() => false),
      life,
      randomBytes: countingBytes(),
    },
  })
}

describe('the table of commands and the exchange’s own verbs', () => {
  test('every verb has a command, and every command a verb', () => {
    const verbs = verbsOfServer().map(({ noun, name }) => `${noun} ${name}`.trim())
    expect(new Set(adminTable.map(verbName))).toEqual(new Set(verbs))
    expect(adminTable).toHaveLength(verbs.length)
  })

  test.each(verbsOfServer())('$noun $name: every field has a flag, and every flag fields', ({ noun, name, fields }) => {
    const row = adminTable.find((each) => each.noun === noun && each.verb === name)
    const filled = row === undefined ? [] : argumentsOf(row).flatMap((flag) => flag.fields)
    expect(new Set(filled)).toEqual(new Set(fields))
    expect(filled).toHaveLength(fields.length)
  })

  test('what a command may leave out the exchange can do without, and nothing else', async () => {
    const { exchange } = await openAdministered()
    for (const row of adminTable) {
      const path = verbName(row).replace(' ', '/')
      const mustBeGiven = argumentsOf(row).some(({ isRequired }) => isRequired)
      const answer = await exchange.admin(path, {})
      expect([path, answer.status, answer.text.includes('is missing')]).toEqual(
        mustBeGiven ? [path, 400, true] : [path, 200, false],
      )
    }
  })
})

describe('every command does what it says', () => {
  test('account add and show', async () => {
    const { does } = await openAdministered()
    expect(await does('account add alice --two-factor')).toEqual({ name: 'alice', twoFactor: true })
    expect(await does('account add --name bob')).toEqual({ name: 'bob', twoFactor: false })
    expect(await does('account show alice')).toMatchObject({ name: 'alice', twoFactor: true, keys: [] })
  })

  test('key add, verify and revoke: the token that is printed works in between', async () => {
    const { does, exchange } = await openAdministered()
    const { keyId, token } = (await does('key add trader')) as { keyId: number; token: string }
    const status = async () => {
      const headers = { 'X-API-Token': token }
      return (await httpCall(exchange.sandbox.exchangeUrl, { path: '/v3/fees', headers })).status
    }
    expect(await status()).toBe(401)
    expect(await does(`key verify ${keyId}`)).toEqual({ keyId, state: 'verified' })
    expect(await status()).toBe(200)
    expect(await does(`key revoke --key-id ${keyId}`)).toEqual({ keyId, state: 'revoked' })
    expect(await status()).toBe(401)
  })

  test('2fa off and on', async () => {
    const { does } = await openAdministered()
    expect(await does('2fa off trader')).toEqual({ account: 'trader', twoFactor: false })
    expect(await does('account show trader')).toMatchObject({ twoFactor: false })
    expect(await does('2fa on trader')).toEqual({ account: 'trader', twoFactor: true })
    expect(await does('account show trader')).toMatchObject({ twoFactor: true })
  })

  test('whitelist add and rm', async () => {
    const { does, exchange, environment } = await openAdministered()
    const ran = await runAdmin(['whitelist', 'add', 'trader', 'ltc', 'new wallet'], environment)
    const { whitelistId } = JSON.parse(ran.printed) as { whitelistId: string }
    const entry = { whitelistId, currency: 'LTC', name: 'new wallet' }
    expect((await exchange.get('/whitelist/LTC')).json).toEqual([entry])
    expect(await does(`whitelist rm trader ${whitelistId}`)).toEqual({ account: 'trader', whitelistId })
    expect((await exchange.get('/whitelist/LTC')).json).toEqual([])
  })

  test('deposit start, confirm and reject, to the last digit', async () => {
    const { does, exchange } = await openAdministered()
    const start = async (line: string) => ((await does(line)) as { depositId: string }).depositId
    const first = await start('deposit start trader btc 0.00000001 --tx-hash 0xabc')
    expect((await exchange.get(`/deposits/${first}`)).json).toMatchObject({ txHash: '0xabc', state: 'UNCONFIRMED' })
    expect(await does(`deposit confirm ${first}`)).toEqual({ depositId: first, state: 'COMPLETED' })
    expect(await does('account show trader')).toMatchObject({
      balances: expect.arrayContaining([{ currency: 'BTC', balance: '0.50000001', available: '0.50000001' }]),
    })
    const second = await start('deposit start --account trader --currency USD 100')
    expect(await does(`deposit reject ${second}`)).toEqual({ depositId: second, state: 'REJECTED' })
  })

  test.each([
    ['complete', 'COMPLETED'],
    ['fail', 'FAILED'],
    ['refund', 'REFUNDED'],
    ['reject', 'REJECTED'],
  ])('withdrawal %s', async (verb, state) => {
    const { does, exchange } = await openAdministered()
    const [entry] = (await exchange.get('/whitelist/BTC')).json as Array<{ whitelistId: string }>
    const body = { amount: 0.1, currency: 'BTC', beneficiary: entry?.whitelistId }
    const { withdrawalId } = (await exchange.call('trader', 'POST', '/withdrawals', body)).json as {
      withdrawalId: string
    }
    expect(await does(`withdrawal ${verb} ${withdrawalId}`)).toEqual({ withdrawalId, state })
    expect((await exchange.get(`/withdrawals/${withdrawalId}`)).json).toMatchObject({ state })
  })

  test('symbol status and auction', async () => {
    const { does, exchange } = await openAdministered()
    const shown = async () => (await exchange.get('/symbols/BTC-USD')).json
    expect(await does('symbol status btc-usd halt')).toEqual({ symbol: 'BTC-USD', status: 'halt' })
    expect(await does('symbol auction BTC-USD 14:30')).toEqual({ symbol: 'BTC-USD', time: '1430' })
    expect(await shown()).toMatchObject({ status: 'halt', auction_time: '1430' })
    expect(await does('symbol auction BTC-USD')).toEqual({ symbol: 'BTC-USD', time: '' })
    expect(await shown()).not.toHaveProperty('auction_time')
    expect(await does('symbol status --status open --symbol BTC-USD')).toMatchObject({ status: 'open' })
  })

  test('symbol add: sizes as decimals, with the scale as it is written', async () => {
    const { does, exchange } = await openAdministered()
    const sizes = '--min-price-increment 0.000050 --lot-size 0.1 --min-order-size 2 --max-order-size 1000.5'
    expect(await does(`symbol add sol-btc ${sizes} --status halt`)).toMatchObject({ symbol: 'SOL-BTC', status: 'halt' })
    expect((await exchange.get('/symbols/SOL-BTC')).json).toMatchObject({
      base_currency: 'SOL',
      counter_currency: 'BTC',
      min_price_increment: 50,
      min_price_increment_scale: 6,
      lot_size: 1,
      lot_size_scale: 1,
      min_order_size: 2,
      min_order_size_scale: 0,
      max_order_size: 10005,
      max_order_size_scale: 1,
    })
  })

  test('fault latency, drop, status, malformed, stall and off', async () => {
    const { does, exchange, environment } = await openAdministered()
    await does('fault latency 1.5s --rate 0 --path /l2/*')
    await runAdmin(['fault', 'drop', '--rate', '0.2', '--path', 'POST /orders', '--when', 'after'], environment)
    await does('fault status --path /fees')
    await does('fault malformed truncated --path /symbols')
    const all = await does('fault stall --rate 0.05 --path=/orders* --when before')
    expect(all).toEqual({
      faults: [
        { kind: 'latency', delayMs: 1500, rate: '0', path: '/l2/*' },
        { kind: 'drop', moment: 'after', rate: '0.2', path: 'POST /orders' },
        { kind: 'status', status: 503, moment: 'before', rate: '1', path: '/fees' },
        { kind: 'malformed', form: 'truncated', rate: '1', path: '/symbols' },
        { kind: 'stall', moment: 'before', rate: '0.05', path: '/orders*' },
      ],
    })
    expect((await exchange.get('/fees')).status).toBe(503)
    expect(await does('fault off status')).toMatchObject({ faults: { length: 4 } })
    expect((await exchange.get('/fees')).status).toBe(200)
    expect(await does('fault off')).toEqual({ faults: [] })
  })

  test.each([
    ['3600s', 3_600_000],
    ['1.5h', 5_400_000],
    ['2d', 172_800_000],
    ['15m', 900_000],
    ['250ms', 250],
    ['250', 250],
  ])('clock advance %s', async (time, ms) => {
    const { does } = await openAdministered()
    expect(await does(`clock advance ${time}`)).toEqual({ nowMs: noonMs + ms })
  })

  test('reset makes the world anew and leaves the keys', async () => {
    const { does, exchange } = await openAdministered()
    await exchange.place({})
    await does('account add alice')
    expect(await does('reset')).toEqual({ reset: true })
    expect((await exchange.get('/orders')).json).toEqual([])
    await expect(does('account show alice')).rejects.toThrow('no account alice')
  })
})

describe('what is printed', () => {
  test('where stdout is no terminal, one line of JSON; on a terminal with --json too', async () => {
    const { environment } = await openAdministered()
    const json = '{"account":"trader","twoFactor":true}'
    expect((await runAdmin(['2fa', 'on', 'trader'], environment)).printed).toBe(json)
    const onTerminal = await runAdmin(['--json', '2fa', 'on', 'trader'], environment, { isTerminal: true })
    expect(onTerminal.printed).toBe(json)
  })

  test('an account on a terminal: its values, then its lists as tables with aligned amounts', async () => {
    const { environment } = await openAdministered()
    const { printed } = await runAdmin(['account', 'show', 'no2fa'], environment, { isTerminal: true })
    expect(printed.split('\n')).toEqual([
      'name        no2fa',
      'two factor  no',
      '',
      'keys',
      '  key id  state',
      '       3  verified',
      '',
      'balances',
      '  currency  balance  available',
      '  USD       10000      10000',
      '  BTC           0.1        0.1',
      '  ETH           1          1',
      ...['SOL ', 'XLM ', 'USDC', 'DOGE', 'PEPE', 'LTC '].map((currency) => `  ${currency}          0          0`),
      '',
      'whitelist',
      '  whitelist id  currency  name',
      '  wl-13         BTC       cold storage',
      '  wl-14         BTC       hot wallet',
      '  wl-15         ETH       cold storage',
      '  wl-16         USDC      operations',
      '  wl-17         XLM       other exchange',
      '  wl-18         USD       bank account',
    ])
  })

  test('a new key on a terminal comes with what to know of it', async () => {
    const { environment } = await openAdministered()
    const { printed } = await runAdmin(['key', 'add', 'trader'], environment, { isTerminal: true })
    expect(printed).toMatch(/^key id {2}5\ntoken {3}[\w-]{32}\nstate {3}unverified\n\nThe token is shown this once/)
  })

  test('faults of different kinds share one table, times have their unit', async () => {
    const { environment, does } = await openAdministered()
    await does('fault latency 700ms --path /l2/*')
    const two = await runAdmin(['fault', 'drop', '--rate', '0.25'], environment, { isTerminal: true })
    expect(two.printed.split('\n')).toEqual([
      'faults',
      '  kind     moment  delay   rate  path',
      '  latency          700 ms  1     /l2/*',
      '  drop     before          0.25  *',
    ])
    expect((await runAdmin(['fault', 'off'], environment, { isTerminal: true })).printed).toBe('faults: none')
    const time = await runAdmin(['clock', 'advance', '1s'], environment, { isTerminal: true })
    expect(time.printed).toBe('now  2026-03-10 12:00:01.000 UTC')
  })
})

describe('a refusal is the exchange’s sentence and exit code 1', () => {
  test.each([
    ['account show nobody', 'no account nobody'],
    ['account add trader', 'An account of this name exists'],
    ['deposit confirm d-999', 'Unknown deposit'],
    ['fault drop --path orders', '--path must be a path such as /orders* or POST /orders'],
    ['clock advance 1000d', 'TIME (--ms) must be a whole number from 0 to 31622400000'],
    ['symbol status NO-PE halt', 'Unknown symbol'],
  ])('%s', async (line, sentence) => {
    const { environment } = await openAdministered()
    const ran = await runAdmin(line.split(' '), environment)
    const printed = JSON.stringify({ error: { kind: 'failed', message: sentence } })
    expect(ran).toEqual({ exitCode: 1, printed, complained: `pitdesk sandbox admin: ${sentence}` })
  })
})
