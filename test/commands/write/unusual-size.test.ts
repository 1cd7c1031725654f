import { expect, test } from 'vitest'
import { openExchange, openShell, quotes } from '../harness.ts'

test('an order over half of the hard limit is sent only once its quantity is typed', async () => {
  const exchange = await openExchange()
  const shell = openShell(exchange.environment(), exchange.clock)
  await quotes(exchange)
  const answered = (typed: string) =>
    shell.run('order place buy 0.25 BTC-USD --limit 59000', { isTerminal: true, typed: `${typed}\n` })

  const refused = await answered('yes')
  expect(refused.code).toBe(3)
  expect(refused.stderr.join('\n')).toMatch(
    /Warning: notional 14,750.00 USD is over half of the hard limit 25,000.00 USD/,
  )
  expect(refused.stderr.join('\n')).toContain('Type the quantity, 0.25, to send it:')
  expect((await answered('0.2')).code).toBe(3)
  expect(await exchange.working()).toEqual([])

  expect((await answered('0.250')).code).toBe(0)
  expect(await exchange.working()).toHaveLength(1)
})
