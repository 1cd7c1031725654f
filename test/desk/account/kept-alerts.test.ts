import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readSettings } from '../../../src/config/settings.ts'
import { readDeskAlerts } from '../../../src/desk/account/kept-alerts.ts'
import type { Ticker } from '../../../src/domain/market/ticker.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { alertsPath } from '../../../src/state-files/alerts-file.ts'
import { type DeskStore, initialState, type StoreEvent } from '../../../src/store/desk.ts'
import { createDeskStore } from '../../../src/store/store.ts'
import { aFill } from '../../domain/alerts/fixtures.ts'
import { eventually, steadily } from '../../fakes/eventually.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'

let home = ''
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'pitdesk-desk-alerts-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const path = () => alertsPath(join(home, '.local/state/pitdesk'), 'practice')

/** A desk's alerts as one run has them. */
async function run(more: Readonly<Record<string, string>> = {}) {
  const environment = { HOME: home, TERM: 'xterm', ...more }
  const settings = readSettings(environment, {})
  if (!settings.ok) throw new Error(settings.error.sentence)
  const alerts = await readDeskAlerts(settings.value, environment)
  const venue = { profileName: 'practice', kind: 'practice' } as const
  const start = { nowMs: 0, venue, mode: { kind: 'ARMED' }, symbol: 'BTC-USD', alerts: alerts.start } as const
  const store = createDeskStore(initialState(start))
  const written: string[] = []
  const clock = new FakeClock(0)
  alerts.follow(store, clock, (bytes) => written.push(bytes))
  const switchOff = () =>
    store.dispatch({ type: 'alertsActed', act: { kind: 'standing', rule: 'fill', isOn: false }, atMs: 0 })
  return { store, alerts, clock, switchOff, said: () => store.getState().log.map(({ text }) => text) }
}

test('what changes is kept when the desk ends, and the next run begins with it', async () => {
  const first = await run()
  expect(first.store.getState().alerts.standing.fill).toBe(true)
  first.switchOff()
  await first.alerts.stop()
  const second = await run()
  expect(second.store.getState().alerts.standing.fill).toBe(false)
  await second.alerts.stop()
})

test('up to when fills were seen is kept: the next run tells what filled in between', async () => {
  const at = (timestampMs: number) => aFill({ timestampMs, execId: String(timestampMs) })
  const first = await run()
  first.store.dispatch({ type: 'fills', fills: [at(1_000)], atMs: 0 })
  await first.alerts.stop()
  const second = await run()
  second.store.dispatch({ type: 'fills', fills: [at(1_000), at(2_000)], atMs: 0 })
  expect(second.said().filter((text) => text.includes('Filled since the last look'))).toHaveLength(1)
  await second.alerts.stop()
  const third = await run()
  third.store.dispatch({ type: 'fills', fills: [at(1_000), at(2_000)], atMs: 0 })
  expect(third.said().filter((text) => text.includes('Filled since the last look'))).toEqual([])
  await third.alerts.stop()
})

test('each profile at an exchange has alerts of its own', async () => {
  const at = (url: string) => ({ PITDESK_EXCHANGE_BASE_URL: url })
  const first = await run(at('https://one.example/v3'))
  first.switchOff()
  await first.alerts.stop()
  const isOn = async (more: Readonly<Record<string, string>>) => {
    const { store, alerts } = await run(more)
    await alerts.stop()
    return store.getState().alerts.standing.fill
  }
  expect(await isOn({})).toBe(true)
  expect(await isOn(at('https://two.example/v3'))).toBe(true)
  expect(await isOn(at('https://one.example/v3'))).toBe(false)
  const folder = join(home, '.config/pitdesk')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'config.toml'), '[profiles.other]\nexchange_base_url = "https://one.example/v3"\n')
  expect(await isOn({ PITDESK_PROFILE: 'other' })).toBe(true)
})

test('a damaged file is told of in the log and put aside, and the desk keeps a new one', async () => {
  mkdirSync(dirname(path()), { recursive: true })
  writeFileSync(path(), '{"version":1,')
  const { alerts, said, switchOff } = await run()
  expect(said()).toEqual([expect.stringContaining('is damaged: the alerts cannot be read')])
  switchOff()
  await alerts.stop()
  expect(readFileSync(`${path()}.damaged-1`, 'utf8')).toBe('{"version":1,')
  expect(JSON.parse(readFileSync(path(), 'utf8'))).toMatchObject({ chosen: { fill: false } })
})

test('a folder that cannot be written to is told of once', async () => {
  mkdirSync(dirname(dirname(path())), { recursive: true })
  writeFileSync(dirname(path()), 'a file in the place of the folder')
  const { alerts, said, switchOff, store } = await run()
  switchOff()
  store.dispatch({ type: 'alertsActed', act: { kind: 'snooze', forMs: 60_000 }, atMs: 0 })
  await alerts.stop()
  expect(said().filter((text) => text.includes('alerts'))).not.toEqual([])
  expect(said().filter((text) => /^Not kept\b.*\bthe alerts\b/.test(text))).toHaveLength(1)
})

const price = (level: string, atMs = 0, isAtOnce = false): StoreEvent => ({
  type: 'alertsActed',
  act: {
    kind: 'watch',
    watch: {
      ...{ symbol: 'BTC-USD', price: 'last', comparison: '>', priceScale: 2, isAtOnce, repeats: false },
      level: new Decimal(level),
    },
  },
  atMs,
})

test('each alert that is armed while a newer file lies there is told not to be kept, and nothing else is', async () => {
  mkdirSync(dirname(path()), { recursive: true })
  writeFileSync(path(), '{"version":2}')
  const { alerts, said, switchOff, store } = await run()
  const notKept = () => said().filter((text) => /^Not kept\b.*\bnewer pitdesk\b/.test(text)).length
  expect([said().length, notKept()]).toEqual([1, 0])
  store.dispatch(price('70000'))
  await eventually(() => expect(notKept()).toBe(1))
  store.dispatch(price('71000'))
  await eventually(() => expect(notKept()).toBe(2))
  switchOff()
  await alerts.stop()
  expect(notKept()).toBe(2)
})

const lastOf = (last: string): ReadonlyMap<string, Ticker> =>
  new Map([['BTC-USD', { symbol: 'BTC-USD', lastPrice: new Decimal(last), price24h: null, volume24h: null }]])

test('a snooze ends by the wall clock, also in a desk that began before the wall clock was set', async () => {
  const [console, watch] = [await run(), await run()]
  // An hour behind as it began: its own time goes on from there.
  watch.store.dispatch({ type: 'ticked', nowMs: 0, wallMs: 3_600_000 })
  const snoozed = ({ store }: typeof watch) => store.getState().alerts.snoozedUntilMs
  const snooze = (forMs: number, atMs: number) =>
    ({ type: 'alertsActed', act: { kind: 'snooze', forMs }, atMs }) as const
  console.store.dispatch(snooze(60_000, 3_600_000))
  await eventually(() => expect(JSON.parse(readFileSync(path(), 'utf8')).snoozedUntilMs).toBe(3_660_000))
  await watch.clock.advance(2_000)
  await eventually(() => expect(snoozed(watch)).toBe(60_000))
  watch.store.dispatch(snooze(120_000, 0))
  await eventually(() => expect(JSON.parse(readFileSync(path(), 'utf8')).snoozedUntilMs).toBe(3_720_000))
  await console.clock.advance(2_000)
  await eventually(() => expect(snoozed(console)).toBe(3_720_000))
  watch.store.dispatch(snooze(0, 0))
  await eventually(() => expect(JSON.parse(readFileSync(path(), 'utf8')).snoozedUntilMs).toBe(null))
  await console.clock.advance(2_000)
  await eventually(() => expect(snoozed(console)).toBe(null))
  await Promise.all([console.alerts.stop(), watch.alerts.stop()])
})

test('when an alert fired is kept by the wall clock, also in a desk that began before the wall clock was set', async () => {
  const { store, alerts } = await run()
  store.dispatch({ type: 'ticked', nowMs: 1_000, wallMs: 3_601_000 })
  store.dispatch(price('70000', 1_000))
  for (const last of ['69000', '71000']) store.dispatch({ type: 'tickers', tickers: lastOf(last), atMs: 1_000 })
  await eventually(() => {
    const { fired, firedLater, watches } = JSON.parse(readFileSync(path(), 'utf8'))
    expect([...fired, ...firedLater].map(({ atMs }) => atMs)).toEqual([3_601_000])
    expect(watches).toMatchObject([{ state: { kind: 'fired', atMs: 3_601_000 } }])
  })
  expect(store.getState().alerts.watches[0]?.state).toMatchObject({ kind: 'fired', atMs: 1_000 })
  await alerts.stop()
  const next = await run()
  expect(next.store.getState().alerts.fired.map(({ atMs }) => atMs)).toEqual([3_601_000])
  await next.alerts.stop()
})

test('what one desk of the profile makes, switches and deletes, another one has within seconds, and the file too', async () => {
  const [console, watch] = [await run(), await run()]
  const levels = ({ store }: typeof watch) => store.getState().alerts.watches.map(({ id, level }) => `${id} ${level}`)
  console.store.dispatch(price('70000'))
  console.store.dispatch(price('71000'))
  console.switchOff()
  await eventually(() => expect(JSON.parse(readFileSync(path(), 'utf8')).watches).toHaveLength(2))
  await watch.clock.advance(2_000)
  await eventually(() => expect(levels(watch)).toEqual(['1 70000', '2 71000']))
  expect(watch.store.getState().alerts.standing.fill).toBe(false)
  // Both change at once: nothing of either is lost, and no number is given twice.
  watch.store.dispatch(price('60000'))
  console.store.dispatch({ type: 'alertsActed', act: { kind: 'remove', id: 1 }, atMs: 0 })
  console.store.dispatch(price('72000'))
  for (let round = 0; round < 3; round += 1) {
    for (const each of [console, watch]) await each.clock.advance(2_000)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await steadily(async () => {
    for (const each of [console, watch]) await each.clock.advance(2_000)
    expect(
      levels(console)
        .map((each) => each.split(' ')[1])
        .sort(),
    ).toEqual(['60000', '71000', '72000'])
    expect(levels(console).sort()).toEqual(levels(watch).sort())
  })
  for (const each of [console, watch]) await each.alerts.stop()
  const kept = JSON.parse(readFileSync(path(), 'utf8'))
  expect(kept.watches.map(({ level }: { level: string }) => level).sort()).toEqual(['60000', '71000', '72000'])
  expect(new Set(kept.watches.map(({ id }: { id: number }) => id)).size).toBe(3)
})

test('what fires in a console as it is armed, and one that is armed again there, fire in the watch beside it too', async () => {
  const [console, watch] = [await run(), await run()]
  console.store.dispatch({ type: 'dutiesChanged', duties: { where: 'elsewhere' } })
  const last = (text: string) => {
    for (const { store } of [console, watch]) store.dispatch({ type: 'tickers', tickers: lastOf(text), atMs: 0 })
  }
  const firedAt = (text: string) => {
    last(text)
    return watch.said().filter((each) => each.includes('(alert 1)') && each.startsWith('Alert:')).length
  }
  const look = async (times: number) => {
    await watch.clock.advance(2_000)
    await eventually(() => expect(watch.store.getState().alerts.watches[0]?.armedCount ?? 0).toBe(times))
  }
  last('71000')
  console.store.dispatch(price('70000', 0, true))
  await eventually(() => expect(JSON.parse(readFileSync(path(), 'utf8')).watches).toHaveLength(1))
  await watch.clock.advance(2_000)
  await eventually(() => expect(watch.store.getState().alerts.watches).toHaveLength(1))
  expect(firedAt('71000')).toBe(1)
  for (const times of [1, 2]) {
    console.store.dispatch({ type: 'alertsActed', act: { kind: 'rearm', id: 1 }, atMs: 0 })
    await eventually(() => expect(JSON.parse(readFileSync(path(), 'utf8')).watches[0].armedCount).toBe(times))
    await look(times)
    expect(firedAt('71000')).toBe(1 + times)
  }
  for (const each of [console, watch]) await each.alerts.stop()
})

test('a folder that cannot be looked into keeps no alerts and says so: neither at the start nor later does it end a desk', async () => {
  const folder = dirname(path())
  const circle = () => {
    mkdirSync(dirname(folder), { recursive: true })
    symlinkSync('alerts', folder)
  }
  circle()
  const first = await run()
  expect(first.said()).toEqual([expect.stringMatching(/cannot be read: links that lead in a circle/)])
  await first.alerts.stop()
  rmSync(folder)
  const second = await run()
  second.switchOff()
  await eventually(() => expect(readFileSync(path(), 'utf8')).toContain('fill'))
  renameSync(folder, `${folder}.away`)
  circle()
  second.switchOff()
  await second.clock.advance(2_000)
  await eventually(() =>
    expect(second.said().join()).toMatch(/Not kept: the alerts, for .* cannot be read: links that lead in a circle/),
  )
  await second.alerts.stop()
})

/** The levels of a desk's alerts, and of those in the file. */
const levelsOf = (store: DeskStore) => store.getState().alerts.watches.map(({ level }) => level.toFixed())
const levelsKept = () =>
  JSON.parse(readFileSync(path(), 'utf8'))
    .watches.map(({ level }: { level: string }) => level)
    .sort()

test('an alert that a full disk did not keep stays armed, and is kept as soon as the disk takes it', async () => {
  const { store, alerts, clock, said } = await run()
  store.dispatch(price('70000'))
  await eventually(() => expect(levelsKept()).toEqual(['70000']))
  // The new file cannot be written beside the old one.
  const draft = `${path()}.${process.pid}.new`
  mkdirSync(draft)
  store.dispatch(price('71000'))
  store.dispatch({ type: 'alertsActed', act: { kind: 'remove', id: 1 }, atMs: 0 })
  await eventually(() => expect(said().join()).toMatch(/Not kept, .*: the alerts in /))
  expect(levelsKept()).toEqual(['70000'])
  rmSync(draft, { recursive: true })
  // Nobody changes anything: the next look keeps them.
  await steadily(async () => {
    await clock.advance(2_000)
    expect(levelsKept()).toEqual(['71000'])
  })
  expect(levelsOf(store)).toEqual(['71000'])
  store.dispatch(price('72000'))
  await alerts.stop()
  expect([levelsOf(store), levelsKept()]).toEqual([
    ['71000', '72000'],
    ['71000', '72000'],
  ])
  expect(said().filter((text) => text.startsWith('Not kept'))).toHaveLength(1)
})

test('where no lock can be had alerts are kept all the same, each once, and none of another desk is lost', async () => {
  const [console, watch] = [await run(), await run()]
  mkdirSync(`${path()}.lock`, { recursive: true })
  console.store.dispatch(price('70000'))
  await eventually(() => expect(levelsKept()).toEqual(['70000']))
  watch.store.dispatch(price('71000'))
  await eventually(() => expect(levelsKept()).toContain('71000'))
  rmSync(`${path()}.lock`, { recursive: true })
  await steadily(async () => {
    for (const each of [console, watch]) await each.clock.advance(2_000)
    for (const { store } of [console, watch]) expect(levelsOf(store).sort()).toEqual(['70000', '71000'])
  })
  for (const each of [console, watch]) await each.alerts.stop()
  expect(levelsKept()).toEqual(['70000', '71000'])
})

test('two desks that make an alert of the same number say which one has another by now', async () => {
  const [first, second] = [await run(), await run()]
  first.store.dispatch(price('70000'))
  await eventually(() => expect(levelsKept()).toEqual(['70000']))
  second.store.dispatch(price('71000'))
  await eventually(() => expect(levelsKept()).toEqual(['70000', '71000']))
  expect(second.said().at(-1)).toMatch(/^Alert 1 is alert 2 now: .*71,000/)
  expect(first.said().join()).not.toContain('now:')
  for (const { alerts } of [first, second]) await alerts.stop()
})
