import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hidden, hiddenForms, withoutUnseen } from '../../fakes/hidden-key.ts'
import { startRewritingProxy } from '../../fakes/rewriting-proxy.ts'
import { openExchange, openShell, type Ran } from '../harness.ts'

// An exchange that sends the key back in a form that only its reader puts together.

/** A desk whose exchange accepts any key, and answers each question with `bodies` by the beginning of its path. */
async function openEchoing(key: string) {
  const exchange = await openExchange()
  const proxy = await startRewritingProxy(exchange.sandbox.exchangeUrl)
  let echo = ''
  const whitelist = () =>
    `[{"id":"wl-1","currency":"BTC","name":"to ${echo}","wallet":"bc1q","status":"active"},{"name":"${echo}"}]`
  const ticker = () => `{"symbol":"${echo}","price_24h":"1","volume_24h":"2","last_trade_price":"3"}`
  proxy.rewrite = ({ path }) => {
    if (path.startsWith('/whitelist')) return { status: 200, body: whitelist() }
    if (path.startsWith('/tickers')) return { status: 200, body: `[${ticker()},{"symbol":7,"why":"${echo}"}]` }
    if (path.startsWith('/symbols'))
      return { status: 200, body: `{"${echo}":{"status":"open"},"BTC-USD":{"status":"${echo}"}}` }
    return { status: 400, body: `{"error":"no such key ${echo}"}` }
  }
  const environment = { PITDESK_EXCHANGE_BASE_URL: proxy.url, PITDESK_API_TOKEN: key }
  const shell = openShell(environment, exchange.clock)
  return {
    async outOf(line: string, form: string): Promise<string> {
      echo = form
      const { stdout, stderr }: Ran = await shell.runThrough(line)
      return [...stdout, ...stderr].join('\n')
    },
  }
}

const commands = ['whitelist', 'whitelist --json', 'tickers', 'tickers --csv', 'symbols', 'fees']

test.each(['rB4x/Kq+93=mZpW7tYu', 'rB4x"Kq\\93"mZ\\pW7tYu'])(
  'no form of the key %s comes out of a command',
  async (key) => {
    const { outOf } = await openEchoing(key)
    for (const [form, echo] of hiddenForms(key))
      for (const line of commands) {
        const out = await outOf(line, echo)
        expect([form, line, out]).toEqual([form, line, expect.stringContaining('•••')])
        expect([form, line, withoutUnseen(out)]).toEqual([form, line, expect.not.stringContaining(key)])
        expect(out).not.toContain(JSON.stringify(key).slice(1, -1))
      }
  },
  30_000,
)

test('nor do any others that JSON has', async () => {
  const key = 'rB4x/Kq+93=mZpW7tYu'
  const { outOf } = await openEchoing(key)
  await fc.assert(
    fc.asyncProperty(hidden(key), fc.constantFrom(...commands), async (echo, line) => {
      const out = await outOf(line, echo)
      expect(out).toContain('•••')
      expect(withoutUnseen(out)).not.toContain(key)
    }),
    { numRuns: 40 },
  )
})
