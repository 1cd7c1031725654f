import { mkdirSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { Secret } from '../../src/base/secret.ts'
import { accountOf } from '../../src/desk/account/account-folder.ts'
import { claimWatch, dutyPlace } from '../../src/desk/duties/duty-place.ts'
import type { WatchStatus } from '../../src/domain/desk/duties.ts'
import { Decimal } from '../../src/domain/money.ts'
import { beatNote } from '../../src/journal/pid-note.ts'
import { createWatchFile } from '../../src/state-files/watch-file.ts'
import { atRest } from '../fakes/at-rest.ts'
import { eventually, steadily } from '../fakes/eventually.ts'
import { aDraft } from '../fakes/orders.ts'
import { listenHere } from '../services/notify/loopback.ts'
import { failureIn, openExchange, openShell, type Running, startMs, twice } from './harness.ts'

/** A shell on an exchange, and a watch of it that says of itself what a test has it say. */
async function aPlace() {
  const exchange = await openExchange()
  const shell = openShell(exchange.environment(), exchange.clock)
  const service = { kind: 'service', baseUrl: exchange.sandbox.exchangeUrl, token: null } as const
  const account = accountOf(
    { profileName: 'environment', exchange: service },
    new Secret(exchange.token('trader')),
    shell,
  )
  const place = dutyPlace(account)
  const says = async (more: Partial<WatchStatus> = {}) => {
    const status = { pid: 4711, sinceMs: startMs - 60_000, beatMs: startMs, hasDuties: true, does: ['alerts', 'plans'] }
    const well = { troubles: [], isExchangeSilent: false, unsaid: 0 }
    await createWatchFile(place.statusFile).write({ ...status, ...well, ...more })
  }
  const begin = () => {
    const lock = claimWatch(place)
    if (!lock.ok || lock.value === null) throw new Error('not claimed')
    onTestFinished(() => lock.value?.release())
  }
  return { exchange, shell, begin, says, place }
}

/** What was told elsewhere. */
const textsOf = (posts: readonly { body: string }[]): string[] =>
  posts.flatMap(({ body }) => JSON.parse(body).data.messages.map(({ text }: { text: string }) => text))

test('a watch that cannot be looked for is not said to be missing: another one may be at work', async () => {
  const { shell, place } = await aPlace()
  mkdirSync(place.watchLock, { recursive: true, mode: 0o700 })
  const unseen = `whether a watch of environment runs cannot be seen: ${place.watchLock}: not a plain file (EFTYPE)`
  const status = await shell.run('watch --status --json')
  expect([status.code, failureIn(status).message]).toEqual([1, unseen])
  expect(status.stdout.join()).not.toContain('isRunning')
})

test('the status of a watch: since when, what it does, what is not well, and by the exit code how it is', async () => {
  const { shell, begin, says, place } = await aPlace()
  const status = () => shell.run('watch --status')
  expect(await status()).toMatchObject({ code: 1, stderr: [expect.stringContaining('no watch of environment runs')] })
  begin()
  await says()
  const { code, stdout } = await status()
  expect([code, stdout]).toEqual([
    0,
    [
      expect.stringMatching(/^watch of environment: up (1 min|6\d s), pid 4711, since 2026-01-05 13:59:00 UTC$/),
      expect.stringMatching(/^last beat \d s ago$/),
      'does: alerts, plans',
    ],
  ])
  expect(JSON.parse((await shell.run('watch --status --json')).stdout[0] ?? '')).toMatchObject({
    ...{
      isRunning: true,
      pid: 4711,
      since: startMs - 60_000,
      hasDuties: true,
      does: ['alerts', 'plans'],
      troubles: [],
    },
  })
  await says({ troubles: ['orders: no answer for 20 s'], isExchangeSilent: true })
  const silent = await status()
  expect([silent.code, silent.stdout.at(-1)]).toEqual([5, 'not well: orders: no answer for 20 s'])
  await says({ troubles: ['orders: no answer for 20 s', 'notifications: the disk is full'] })
  expect((await status()).code).toBe(1)
  await says({ troubles: ['writes: the outcome of a write is not known'], unsaid: 1 })
  expect(await status()).toMatchObject({
    code: 1,
    stderr: [expect.stringContaining('outcome of a write is not known')],
  })
  // Stopped, or stuck: it runs, and works no more.
  await says({ beatMs: startMs - 120_000 })
  const stopped = 'Let it go on (fg, or kill -CONT 4711), or end it (kill -9 4711).'
  expect(await status()).toMatchObject({
    code: 1,
    stderr: [expect.stringMatching(/has done nothing for 2 min/)],
  })
  expect((await status()).stderr.join()).toContain(stopped)
  // As on a full disk: it moves, and cannot say what it does.
  await says({ pid: process.pid, beatMs: startMs - 120_000 })
  beatNote(place.duties.note, startMs)
  const full = await status()
  expect([full.code, full.stderr.join()]).toEqual([
    1,
    expect.stringContaining('could not write what it does for 2 min'),
  ])
  expect(full.stderr.join()).not.toContain('kill')
})

test('what only a watch that begins takes is refused beside --status, and not passed over', async () => {
  const { shell } = await aPlace()
  for (const flag of ['--listen 127.0.0.1:9464', '--allow-remote', '--monitor']) {
    const ran = await shell.run(`watch --status ${flag} --json`)
    const name = flag.split(' ')[0]
    const message = `--status shows the watch that runs, and begins none: it takes no ${name}`
    expect([ran.code, failureIn(ran)]).toEqual([2, { kind: 'usage', message }])
  }
})

test('a watch begins where a lock is set up, and tells that it has begun and that it ends', async () => {
  const { posts, url } = await listenHere((_posted, response) => void response.writeHead(200).end())
  const { shell } = await aPlace()
  Object.assign(shell.environment, { PITDESK_NOTIFY_URL: url.href })
  const typed = twice('correct horse battery')
  expect((await shell.run('lock setup', { isTerminal: true, typed })).code).toBe(0)
  const watch = shell.start('watch')
  await watch.until(() => watch.ran.stdout.some((line) => JSON.parse(line).event === 'start'))
  await watch.until(() => watch.ran.stdout.some((line) => JSON.parse(line).text === 'This desk has the duties now.'))
  await watch.until(() => textsOf(posts).includes('The watch has begun.'))
  watch.signal('SIGTERM')
  await eventually(() => expect(textsOf(posts)).toContain('The watch ends.'))
  await watch.until(() => watch.ran.code >= 0)
  expect(watch.ran.code).toBe(0)
})

test('how long a watch has run is the time that passed, and not what the wall clock was set to meanwhile', async () => {
  const { exchange, shell, place } = await aPlace()
  const watch = shell.start('watch')
  const status = async () => await createWatchFile(place.statusFile).read()
  const upMs = async () => {
    const { beatMs = 0, sinceMs = 0 } = (await status()) ?? {}
    return beatMs - sinceMs
  }
  await watch.until(() => watch.ran.stdout.some((line) => JSON.parse(line).event === 'start'))
  await steadily(async () => expect(await status()).not.toBeNull())
  const before = await status()
  for (const byMs of [3 * 86_400_000, -5 * 86_400_000]) {
    const wallMs = exchange.clock.wallMs()
    exchange.clock.setWall(byMs)
    await steadily(async () => {
      await exchange.clock.advance(1_000)
      expect(Math.abs(((await status())?.beatMs ?? 0) - wallMs - byMs)).toBeLessThan(3_600_000)
    })
    expect(await upMs()).toBeGreaterThanOrEqual(0)
    expect(await upMs()).toBeLessThan(3_600_000)
  }
  expect((await status())?.sinceMs).not.toBe(before?.sinceMs)
  watch.signal('SIGTERM')
  await watch.until(() => watch.ran.code >= 0)
})

test('a second signal ends it at once, with a write under way; the next one checks what became of that', async () => {
  const { posts, url } = await listenHere((_posted, response) => void response.writeHead(200).end())
  const { exchange, shell } = await aPlace()
  Object.assign(shell.environment, { PITDESK_CANCEL_WHEN_BLIND_S: '30', PITDESK_NOTIFY_URL: url.href })
  await exchange.client('trader').placeOrder({ ...aDraft({ limitPrice: new Decimal('50000') }), clientOrderId: 'mine' })
  const said = (watch: Running, text: string) => watch.ran.stdout.some((line) => JSON.parse(line).text.includes(text))
  const first = shell.start('watch')
  await first.until(() => said(first, 'This desk has the duties now.'))
  await exchange.admin('/fault/stall', { rate: 1, path: 'DELETE /orders*' })
  exchange.clock.standStill(31_000)
  await first.until(() => shell.journalText().includes('cancelAll'))
  await first.until(() => textsOf(posts).some((text) => text.startsWith('No answer for 3')))
  first.signal('SIGTERM')
  await exchange.clock.advance(500)
  expect([first.ran.code, said(first, 'Ending on SIGTERM')]).toEqual([-1, true])
  first.signal('SIGTERM')
  expect((await first.ended).code).toBe(143)
  expect(said(first, 'Ended by a second signal: writes under way are checked at the next start.')).toBe(true)
  await exchange.admin('/fault/off', {})
  const next = shell.start('watch')
  await steadily(async () => {
    await exchange.clock.advance(200)
    await atRest()
    expect(shell.journalText()).toContain('"settled"')
  })
  next.signal('SIGTERM')
  await next.until(() => next.ran.code >= 0)
})
