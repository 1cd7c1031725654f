import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { KeptAlerts } from '../../src/domain/alerts/news.ts'
import { Decimal } from '../../src/domain/money.ts'
import { alertsPath, createAlertsFile } from '../../src/state-files/alerts-file.ts'
import { aWatch } from '../domain/alerts/fixtures.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pitdesk-alerts-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const kept: KeptAlerts = {
  nextId: 5,
  watches: [
    aWatch({ level: new Decimal('0.00000012'), priceScale: 8 }),
    aWatch({ id: 4, state: { kind: 'fired', atMs: 7, price: new Decimal('70010.000000001') } }),
  ],
  chosen: { fill: false },
  snoozedUntilMs: 99,
  fired: [{ seq: 3, atMs: 7, isQuiet: false, kind: 'watch', level: 'warn', text: 'BTC-USD' }],
}

test('what is kept comes back, every digit of it', async () => {
  const path = alertsPath(folder, 'practice')
  expect(await createAlertsFile(path).read()).toEqual({ ok: true, value: null })
  expect(await createAlertsFile(path).write(kept)).toEqual({ ok: true, value: null })
  expect(await createAlertsFile(path).read()).toEqual({ ok: true, value: kept })
})

test('what earlier looks saw and told of comes back', async () => {
  const path = alertsPath(folder, 'practice')
  const seen = { ...kept, fillsSeenMs: 70, endsTold: ['9912017', '8'] }
  await createAlertsFile(path).write(seen)
  expect(await createAlertsFile(path).read()).toEqual({ ok: true, value: seen })
})

test.each(['A$B-USD', `${'X'.repeat(64)}-USD`, 'ß/é-USD', 'btc usd'])('an alert of %s comes back', async (symbol) => {
  const path = alertsPath(folder, 'practice')
  const watches = [...kept.watches, aWatch({ id: 5, symbol })]
  await createAlertsFile(path).write({ ...kept, watches })
  expect(await createAlertsFile(path).read()).toEqual({ ok: true, value: { ...kept, watches } })
})

test.each([
  ['not JSON', '{'],
  ['a level that is no amount', JSON.stringify({ version: 1, ...kept, watches: [{ ...kept.watches[0], level: 'x' }] })],
  [
    'a symbol that steers a terminal',
    JSON.stringify({ version: 1, ...kept, watches: [aWatch({ symbol: '\u001b[2J' })] }),
  ],
  ['no version of ours', JSON.stringify({ ...kept, version: 0 })],
])('a damaged file (%s) is told of, and kept whole when it is written over', async (_, text) => {
  const path = alertsPath(folder, 'practice')
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  const file = createAlertsFile(path)
  const read = await file.read()
  expect(read.ok ? '' : read.error).toContain('is damaged: the alerts cannot be read')
  expect(readdirSync(dirname(path))).toEqual(['practice.json'])
  await file.write(kept)
  expect(readFileSync(`${path}.damaged-1`, 'utf8')).toBe(text)
})

test('a sentence longer than will be read is cut as it is written, and the alerts come back', async () => {
  const path = alertsPath(folder, 'practice')
  const [first = expect.fail()] = kept.fired
  const text = `Withdrawal ${'w'.repeat(5_000)} of 0.1 BTC is COMPLETED.`
  await createAlertsFile(path).write({ ...kept, fired: [{ ...first, text }, first] })
  const read = await createAlertsFile(path).read()
  const cut = { ...first, text: `${text.slice(0, 999)}…` }
  expect(read).toEqual({ ok: true, value: { ...kept, fired: [cut, first] } })
})

test('what fired and cannot be read costs itself, and none of the alerts that watch', async () => {
  const path = alertsPath(folder, 'practice')
  mkdirSync(dirname(path), { recursive: true })
  const fired = [{ ...kept.fired[0], text: 'w'.repeat(5_191) }, 'nothing', kept.fired[0]]
  writeFileSync(path, JSON.stringify({ version: 1, ...kept, fired }))
  expect(await createAlertsFile(path).read()).toEqual({ ok: true, value: kept })
})

test('what fired of kinds that came later is where an older pitdesk does not look, so it reads its alerts', async () => {
  const path = alertsPath(folder, 'practice')
  const [first = expect.fail()] = kept.fired
  const plan = { ...first, seq: 5, kind: 'plan' } as const
  const fired = [{ ...first, seq: 6 }, plan, { ...first, seq: 4, kind: 'falseRefusal' } as const, first]
  await createAlertsFile(path).write({ ...kept, fired })
  const onDisk: { fired: { kind: string }[] } = JSON.parse(readFileSync(path, 'utf8'))
  expect(onDisk.fired.map(({ kind }) => kind)).toEqual(['watch', 'watch'])
  expect(await createAlertsFile(path).read()).toEqual({ ok: true, value: { ...kept, fired } })
})

test('control characters in a kept sentence do not come back', async () => {
  const path = alertsPath(folder, 'a')
  await createAlertsFile(path).write({
    ...kept,
    fired: kept.fired.map((each) => ({ ...each, text: 'a\u001b]0;b\u0007' })),
  })
  const read = await createAlertsFile(path).read()
  expect(read.ok && read.value?.fired[0]?.text).toBe('a]0;b')
})

test('a profile’s name never leads out of the folder', () => {
  expect(alertsPath('/state', '../../x')).toMatch(/^\/state\/alerts\/______x\.[0-9a-f]{8}\.json$/)
})
