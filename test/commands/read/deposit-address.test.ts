import { beforeEach, expect, test } from 'vitest'
import { changed, startRewritingProxy } from '../../fakes/rewriting-proxy.ts'
import { type Exchange, failureIn, openExchange, openShell, type Shell } from '../harness.ts'

let exchange: Exchange
let shell: Shell

beforeEach(async () => {
  exchange = await openExchange()
  shell = openShell(exchange.environment(), exchange.clock)
})

test('the address is the one the exchange gives, the same again until it is used', async () => {
  const { stdout, stderr, code } = await shell.run('deposit-address btc')
  expect({ code, stderr }).toEqual({ code: 0, stderr: [] })
  const { address, type } = await exchange.client('trader').createDepositAddress('BTC')
  expect(JSON.parse(stdout[0] ?? '')).toEqual({ currency: 'BTC', type, address })
  expect((await shell.run('deposit-address BTC', { isTerminal: true })).stdout).toEqual([`Deposit BTC to: ${address}`])
})

test('a tag stands apart, and is said to be needed', async () => {
  const whole = (await exchange.client('trader').createDepositAddress('XLM')).address
  const [address, tag] = whole.split(':')
  expect(tag).toMatch(/./)
  expect(JSON.parse((await shell.run('deposit-address XLM --json')).stdout[0] ?? '')).toMatchObject({ address, tag })
  const { stdout } = await shell.run('deposit-address XLM', { isTerminal: true })
  expect(stdout).toEqual([`Deposit XLM to: ${address}`, `With the tag (without it the money is lost): ${tag}`])
  expect((await shell.run('deposit-address XLM --csv')).stdout).toEqual([
    'currency,type,address,tag',
    expect.stringContaining(`${address},${tag}`),
  ])
})

test.each([
  ['deposit-address USD', 4, 'rejected', 'not a crypto currency'],
  ['deposit-address NOPE', 4, 'rejected', 'NOPE'],
  ['deposit-address', 2, 'usage', 'currency missing'],
])('%s is refused in a sentence', async (line, code, kind, reason) => {
  const ran = await shell.run(line)
  expect({ code: ran.code, kind: failureIn(ran).kind }).toEqual({ code, kind })
  expect(ran.stderr.join()).toMatch(new RegExp(`${reason}|Unknown currency`))
})

test.each([
  '',
  ' ',
  'bc1q\u200bxyz',
  'bc1q\u202exyz',
  'bc1q\u0007xyz',
  'bc1q xyz',
  'bc1q\ufe0fxyz',
  'bc1q\u3164xyz',
  '\ud800',
  // A Cyrillic letter, and one of full width.
  'bс1qxyz',
  '\uff42c1qxyz',
  // Without its tag, without the address.
  'bc1qxyz:',
  ':12345',
  `bc1q${'x'.repeat(253)}`,
])(
  'an address that cannot be what it looks like, such as %j, is not printed: nobody is to pay to it',
  async (address) => {
    const proxy = await startRewritingProxy(exchange.environment().PITDESK_EXCHANGE_BASE_URL ?? '')
    const behind = openShell({ ...exchange.environment(), PITDESK_EXCHANGE_BASE_URL: proxy.url }, exchange.clock)
    proxy.rewrite = (asked, answer) =>
      asked.path === '/deposits/BTC' ? changed(answer, (said: object) => ({ ...said, address })) : answer
    for (const isTerminal of [true, false]) {
      const ran = await behind.run('deposit-address BTC', { isTerminal })
      expect([ran.code, ran.stdout.join('').includes('bc1q')]).toEqual([1, false])
      expect(ran.stderr.join()).toContain('"address" cannot be trusted: do not pay to it')
    }
  },
)
