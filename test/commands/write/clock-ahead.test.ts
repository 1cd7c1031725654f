import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dayMs, hourMs } from '../../../src/base/text/time-text.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { type Asked, startRewritingProxy } from '../../fakes/rewriting-proxy.ts'
import { openExchange, openShell, quotes, told } from '../harness.ts'

/**
 * A shell on a machine whose clock is so far ahead of the exchange's, with these limits. `dated`: what the dates of
 * answers say.
 */
async function aShell(aheadMs: number, limits: string, dated?: (asked: Asked, nowMs: number) => number) {
  const exchange = await openExchange()
  await quotes(exchange)
  const clock = new FakeClock(exchange.clock.wallMs() + aheadMs)
  const shell = openShell({ PITDESK_API_TOKEN: exchange.token('trader') }, clock)
  mkdirSync(join(shell.home, '.config', 'pitdesk'), { recursive: true, mode: 0o700 })
  const between = dated === undefined ? null : await startRewritingProxy(exchange.sandbox.exchangeUrl)
  if (between !== null && dated !== undefined)
    between.rewrite = (asked, answer) => ({
      ...answer,
      date: new Date(dated(asked, exchange.clock.wallMs())).toUTCString(),
    })
  const url = between?.url ?? exchange.sandbox.exchangeUrl
  const profile = `[profiles.p]\nkind = "practice"\nexchange_base_url = "${url}"\n`
  writeFileSync(join(shell.home, '.config', 'pitdesk', 'config.toml'), `${profile}[profiles.p.limits]\n${limits}\n`)
  return { exchange, clock, run: (line: string) => shell.run(`${line} --profile p`) }
}

const offsets = [dayMs, -dayMs]

test.each(offsets)('a clock %i ms ahead of the exchange makes no other day of what has traded', async (aheadMs) => {
  const { run } = await aShell(aheadMs, 'day_notional_usd = { hard = 5000 }')
  const buy = (quantity: string) => run(`order place buy ${quantity} BTC-USD --limit 60000.50 --yes`)
  expect((await buy('0.05')).code).toBe(0)
  expect(told(await buy('0.04'))).toMatchObject({
    code: 3,
    message: expect.stringContaining('day 5,400.04 USD with this order is over the hard limit 5,000.00 USD'),
  })
})

test.each(offsets)('nor of what was withdrawn, with a clock %i ms ahead', async (aheadMs) => {
  const { exchange, run } = await aShell(aheadMs, 'withdrawal_day_usd = { hard = 1000 }')
  const { whitelistId } = await exchange.bitcoinEntry()
  const withdraw = (amount: string) => run(`withdraw BTC ${amount} --to ${whitelistId} --yes --accept fee`)
  expect((await withdraw('0.01')).code).toBe(0)
  expect(told(await withdraw('0.008'))).toMatchObject({ code: 3, message: expect.stringContaining('hard limit') })
  expect(await exchange.withdrawn()).toHaveLength(1)
})

const misdated: readonly [string, (asked: Asked, nowMs: number) => number][] = [
  ['all are dated tomorrow', (_asked, nowMs) => nowMs + dayMs],
  ['all are dated yesterday', (_asked, nowMs) => nowMs - dayMs],
  // As a cache gives what it kept since then, without its age.
  ['the first is dated yesterday', ({ path }, nowMs) => nowMs - (path.startsWith('/symbols/') ? dayMs : 0)],
]

test.each(misdated)('answers that lie of their date make no new day either: %s', async (_name, dated) => {
  const { run } = await aShell(0, 'day_notional_usd = { hard = 5000 }', dated)
  const buy = (quantity: string) => run(`order place buy ${quantity} BTC-USD --limit 60000.50 --yes`)
  expect((await buy('0.05')).code).toBe(0)
  expect(told(await buy('0.04'))).toMatchObject({
    code: 3,
    message: expect.stringContaining('day 5,400.04 USD with this order is over the hard limit 5,000.00 USD'),
  })
})

test('a clock that is put forward by hours does not make the same order another one', async () => {
  const { run, clock, exchange } = await aShell(0, 'duplicate_within_ms = 60000')
  const line = 'order place buy 0.05 BTC-USD --limit 59900 --yes'
  expect((await run(line)).code).toBe(0)
  clock.setWall(3 * hourMs)
  expect(told(await run(line))).toMatchObject({ code: 3, message: expect.stringContaining('the same order went out') })
  expect(await exchange.working()).toHaveLength(1)
})
