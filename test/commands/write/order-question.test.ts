import { PassThrough } from 'node:stream'
import { beforeEach, expect, test } from 'vitest'
import type { CommandIo } from '../../../src/base/process/command-io.ts'
import { askLine, tellBeside } from '../../../src/commands/cli/prompt.ts'
import { type Exchange, openExchange, openShell, quotes, type Shell } from '../harness.ts'

let exchange: Exchange
let shell: Shell

beforeEach(async () => {
  exchange = await openExchange()
  await quotes(exchange)
  shell = openShell(exchange.environment(), exchange.clock)
})

const terminal = { isTerminal: true, typed: 'no\n' }

/** What stood on the terminal when `order place`, and `order send` of the same as a draft, asked. */
async function questions(order: string): Promise<string[]> {
  const draft = JSON.parse((await shell.run(`order place ${order} --draft`)).stdout[0] ?? '')
  const asked: string[] = []
  for (const line of [`order place ${order}`, `order send ${draft.draftId}`]) {
    const { code, stderr } = await shell.run(line, terminal)
    expect(code).toBe(3)
    asked.push(stderr.find((each) => each.includes('Type ')) ?? '')
  }
  return asked
}

test('the question of an order, and of a draft, comes with the best prices, what fills at once and what it costs', async () => {
  const [placed, sent] = await questions('buy 0.1 btc-usd --limit 61000')
  expect(placed?.split('\n')).toEqual([
    ' market best bid 59,999.50, best ask 60,000.50',
    expect.stringMatching(/^ cost {3}6,000\.05 USD {2}[\d.]+% of avail USD$/),
    expect.stringMatching(/^ most {3}6,1\d\d\.\d\d USD with fee, at the limit$/),
    ' fills  0.1000 now at 60,000.5000',
    expect.stringMatching(/^ left {3}.* USD$/),
    expect.stringMatching(/^ fee {4}.* maker \/ .* taker$/),
    expect.stringMatching(/^ dist {3}\+1\.6\d+% from mid \(limit\)$/),
    expect.stringMatching(/^BUY 0\.1000 BTC-USD LIMIT 61,000\.00 GTC on LIVE/),
    'Type yes to send it:',
  ])
  expect(sent).toBe(placed)
})

test('of a stop it says whether the last trade has set it off already', async () => {
  await exchange.client('trader').placeOrder({
    ...{ clientOrderId: 'trade', symbol: 'BTC-USD', side: 'BUY', type: 'MARKET', timeInForce: 'IOC' },
    ...{ limitPrice: null, stopPrice: null, expireDate: null, minQuantity: null, postOnly: false },
    orderQuantity: (await exchange.client('trader').fetchSymbol('BTC-USD')).lotSize,
  })
  const [placed, sent] = await questions('sell 0.01 btc-usd --stop 58000')
  expect(placed).toMatch(/ when {3}the last trade is 58,000\.00 or lower, -3\.3\d% from here\n then {3}brings about /)
  expect(sent).toBe(placed)
})

test('a script is asked nothing and told no prices', async () => {
  const { code, stderr } = await shell.run('order place buy 0.01 btc-usd --limit 59500 --yes')
  expect([code, stderr]).toEqual([0, []])
})

test('what there is to say of an earlier order without an answer comes before the question', async () => {
  await exchange.admin('/fault/drop', { rate: 1, path: 'POST /orders', when: 'before' })
  expect((await shell.runThrough('order place buy 0.02 btc-usd --limit 59000 --yes')).code).toBe(6)
  await exchange.admin('/fault/off', {})
  const asking = shell.start('order place buy 0.01 btc-usd --limit 59500', { isTerminal: true })
  await asking.until(() => asking.ran.stderr.some((line) => line.includes('Type yes')))
  expect(asking.ran.stderr.join('\n')).toMatch(/Resolve it in the desk.*Still unknown: .*Type yes to send it:$/s)
  asking.type('no\n')
  expect((await asking.ended).code).toBe(3)
})

test('what is told while a question is open is followed by its last line, and by nothing once it is answered', async () => {
  const lines: string[] = []
  const stdin = new PassThrough()
  const io = { stdin, printError: (line: string) => lines.push(line), signal: new AbortController().signal }
  // Only what a question uses of a command's terminal is there.
  const terminalIo = io as unknown as CommandIo
  const answer = askLine(terminalIo, 'BUY 1\nType yes to send it:')
  tellBeside(terminalIo, 'Found: order c1.')
  stdin.write('yes\n')
  expect(await answer).toBe('yes')
  tellBeside(terminalIo, 'Found: order c2.')
  expect(lines).toEqual([
    ...['BUY 1\nType yes to send it:', 'Found: order c1.', 'Type yes to send it:', 'Found: order c2.'],
  ])
})
