import { expect, test } from 'vitest'
import { changed, startRewritingProxy } from '../../fakes/rewriting-proxy.ts'
import { limitOrder, openExchange, openShell } from '../harness.ts'

type WireFill = { execId: number; tradeId: number; exOrdId: number; qty: number }

test('pnl and statement count no fill beyond what its order holds, as the desk does, in the same words', async () => {
  const exchange = await openExchange()
  const proxy = await startRewritingProxy(exchange.sandbox.exchangeUrl)
  const shell = openShell({ ...exchange.environment(), PITDESK_EXCHANGE_BASE_URL: proxy.url }, exchange.clock)
  await exchange.clock.advance(1_000)
  await exchange.client('counterparty').placeOrder(limitOrder('SELL', '1', '60000'))
  await exchange.client('trader').placeOrder(limitOrder('BUY', '0.02', '60000'))
  const quantity = (stdout: readonly string[]) =>
    JSON.parse(stdout[0] ?? '').currencies.find((each: { currency: string }) => each.currency === 'BTC').quantity
  const before = await shell.run('pnl --json')
  expect(before.code).toBe(0)
  proxy.rewrite = (asked, answer) =>
    asked.path.startsWith('/fills')
      ? changed(answer, (fills: readonly WireFill[]) =>
          fills.flatMap((fill) => [{ ...fill, execId: fill.execId + 900, tradeId: fill.tradeId + 900 }, fill]),
        )
      : answer
  for (const form of ['--json', '--csv']) {
    const ran = await shell.run(`statement ${form}`)
    expect(ran.code).toBe(1)
    expect([...ran.stdout, ...ran.stderr].join('\n')).toContain('A fill contradicts its order, not counted: execId 9')
    // The lines come to the balances: it is not among them.
    expect([...ran.stdout, ...ran.stderr].join('\n')).not.toContain('do not agree')
  }
  for (const line of ['pnl --json', 'pnl --json --lots']) {
    const ran = await shell.run(line)
    expect([ran.code, quantity(ran.stdout)]).toEqual([1, quantity(before.stdout)])
    const { missing } = JSON.parse(ran.stdout[0] ?? '')
    expect(missing.join(' ')).toMatch(
      /A fill contradicts its order, not counted: execId 9\d\d, exOrdId \d+, beyond order quantity 0\.02, side BUY, /,
    )
    expect(missing.join(' ')).toMatch(
      /\(the fills of order \d+ would sum to 0\.04 of 0\.02: one of the exchange's figures is wrong\)\./,
    )
  }
})
