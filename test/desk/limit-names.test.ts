import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { blindNameWarnings, followLimitNames, limitNameWarnings } from '../../src/desk/limit-names.ts'
import type { Limits } from '../../src/domain/limits.ts'
import { initialState } from '../../src/store/desk.ts'
import { createDeskStore } from '../../src/store/store.ts'
import { type Exchange, openExchange, openShell, quotes, type Shell, told } from '../commands/harness.ts'
import { FakeClock } from '../fakes/fake-clock.ts'
import { anInstrument } from '../fakes/instruments.ts'
import { noLimits } from '../fakes/limits.ts'

const misspelled: Limits = {
  ...noLimits,
  perSymbol: new Map([
    ['EHT-USD', {}],
    ['ETH-USD', {}],
    ['QQQ-WWW', {}],
  ]),
  withdrawals: { ...noLimits.withdrawals, dayPerCurrency: new Map([['ETG', { soft: null, hard: null }]]) },
}
const symbols = new Map([['ETH-USD', anInstrument({ symbol: 'ETH-USD', base: 'ETH' })]])

const sentences = [
  'Limits in per_symbol.EHT-USD have no effect, no order goes: unknown symbol EHT-USD, did you mean "ETH-USD"?',
  'Limits in per_symbol.QQQ-WWW have no effect, no order goes: unknown symbol QQQ-WWW.',
  'Limits in withdrawal_day.ETG have no effect: no symbol with the currency ETG, did you mean "ETH"?',
]

const blindSentence =
  'cancel_when_blind cancels nothing in ETH after an outage: unknown symbol, did you mean "ETH-USD"?'

function writeProfile({ home }: Pick<Shell, 'home'>, { sandbox }: Pick<Exchange, 'sandbox'>, limits: string): void {
  mkdirSync(join(home, '.config', 'pitdesk'), { recursive: true, mode: 0o700 })
  const profile = `[profiles.p]\nkind = "practice"\nexchange_base_url = "${sandbox.exchangeUrl}"\n`
  writeFileSync(join(home, '.config', 'pitdesk', 'config.toml'), `${profile}[profiles.p.limits${limits}`)
}

test('limits for what the exchange does not have are told of; a symbol that is only unreadable is there', () => {
  expect(limitNameWarnings(misspelled, symbols)).toEqual(sentences)
  expect(limitNameWarnings(misspelled, symbols, new Set(['QQQ-WWW']))).toEqual([sentences[0], sentences[2]])
  expect(limitNameWarnings(noLimits, symbols)).toEqual([])
})

test('a desk tells of them once, as soon as it knows the symbols', () => {
  const venue = { profileName: 'practice', kind: 'practice' } as const
  const store = createDeskStore(initialState({ nowMs: 0, venue, mode: { kind: 'ARMED' }, symbol: 'ETH-USD' }))
  const said = () => store.getState().log.map(({ text }) => text)
  const blind = { cancelWhenBlindS: 60, cancelWhenBlind: ['ETH'] }
  followLimitNames(store, { limits: misspelled, ...blind }, new FakeClock(0))
  store.dispatch({ type: 'noted', level: 'info', text: 'opened', atMs: 0 })
  expect(said()).toEqual(['opened'])
  for (const atMs of [1, 2]) store.dispatch({ type: 'instruments', instruments: symbols, atMs })
  expect(said()).toEqual(['opened', ...sentences, blindSentence])
  expect(store.getState().notice?.text).toBe(blindSentence)
})

test('what an outage is to cancel is told of where the exchange does not list it, and the doctor fails', async () => {
  const warnings = (cancelWhenBlind: 'all' | string[], cancelWhenBlindS: number | null = 60) =>
    blindNameWarnings({ cancelWhenBlindS, cancelWhenBlind }, symbols)
  expect(warnings(['ETH', 'ETH-USD', 'NONE'])).toEqual([
    blindSentence,
    blindSentence.replace('ETH', 'NONE').replace(/, did.*/, '.'),
  ])
  expect([warnings('all'), warnings(['ETH-USD']), warnings(['ETH'], null)]).toEqual([[], [], []])
  const exchange = await openExchange()
  const doctor = async (scope: string) => {
    const blind = { PITDESK_CANCEL_WHEN_BLIND_S: '60', PITDESK_CANCEL_WHEN_BLIND: scope }
    const shell = openShell({ PITDESK_API_TOKEN: exchange.token('trader'), ...blind }, exchange.clock)
    writeProfile(shell, exchange, ']\n')
    const { code, stdout } = await shell.run('doctor --profile p')
    return [code, stdout.find((line) => line.includes('cancel_when_blind'))]
  }
  expect(await doctor('btc')).toEqual([1, expect.stringContaining('fail  settings       cancel_when_blind cancels')])
  expect(await doctor('btc-usd')).toEqual([0, undefined])
})

test('what sends an order refuses while such a limit is set, and a cancel goes out', async () => {
  const exchange = await openExchange()
  await quotes(exchange)
  const shell = openShell({ PITDESK_API_TOKEN: exchange.token('trader') }, exchange.clock)
  const config = (limits: string) => writeProfile(shell, exchange, limits)
  config('.per_symbol.BTC-USD]\norder_notional_usd = 6000000')
  const resting = await shell.run('order place buy 0.05 BTC-USD --limit 59000 --yes --profile p')
  expect(resting.code).toBe(0)
  config('.per_symbol.BTCUSD]\norder_notional_usd = 10')
  const why = 'limits in per_symbol.BTCUSD have no effect, unknown symbol (BTC-USD?): correct or remove them'
  const refused = await shell.run('order place buy 0.04 BTC-USD --limit 59000 --yes --profile p')
  expect(told(refused)).toMatchObject({ code: 3, message: `not sent: ${why}. Nothing was placed.` })
  const planned = await shell.run('plan add oco sell 0.01 btc stop 50000 target 70000 --dry-run --profile p')
  expect([planned.code, planned.stderr.join('\n')]).toEqual([3, expect.stringContaining(why)])
  expect(await exchange.working()).toHaveLength(1)
  expect((await shell.run('order cancel-all --every-symbol --yes --profile p')).code).toBe(0)
  expect(await exchange.working()).toHaveLength(0)
})

test('the doctor tells of them, and of a soft limit over its hard one', async () => {
  const exchange = await openExchange()
  const shell = openShell({ PITDESK_API_TOKEN: exchange.token('trader') }, exchange.clock)
  const config = (limits: string) => writeProfile(shell, exchange, limits)
  config('.per_symbol.EHT-USD]\nopen_orders = 3')
  const stopped = await shell.run('doctor --profile p')
  expect(stopped.code).toBe(1)
  expect(stopped.stdout.join('\n')).toContain(`fail  limits         ${sentences[0]}`)
  config('.withdrawal_day]\nBTX = 3')
  const warned = await shell.run('doctor --profile p')
  expect(warned.code).toBe(0)
  expect(warned.stdout.join('\n')).toContain('warn  limits         Limits in withdrawal_day.BTX have no effect')
  config(']\norder_notional_usd = { soft = 30000, hard = 25000 }')
  expect((await shell.run('doctor --profile p')).stdout.join('\n')).toMatch(
    /fail {2}configuration .*soft one never applies/,
  )
  config(']\norder_notional_usd = { soft = 3000000 }')
  const over = await shell.run('doctor --profile p')
  expect([over.code, over.stdout.join('\n')]).toEqual([
    1,
    expect.stringMatching(/fail {2}settings .*over the hard one/),
  ])
})
