import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ok } from '../../src/base/result.ts'
import { Secret } from '../../src/base/secret.ts'
import { readSettings } from '../../src/config/settings.ts'
import { accountOf } from '../../src/desk/account/account-folder.ts'
import { type DeskNotify, notifyDuty, openDeskNotify, type TakeDuty } from '../../src/desk/notify.ts'
import type { FiredAlert } from '../../src/domain/alerts/news.ts'
import type { DeskEvent, DeskState } from '../../src/store/desk.ts'
import { createDeskStore } from '../../src/store/store.ts'
import { deskState } from '../fakes/desk-state.ts'
import { eventually, steadily } from '../fakes/eventually.ts'
import { FakeClock, settle } from '../fakes/fake-clock.ts'
import { quietIo } from '../fakes/quiet-io.ts'
import { temporaryFolder } from '../fakes/temporary-folder.ts'
import { listenHere } from '../services/notify/loopback.ts'

const secret = `whsec_${randomBytes(32).toString('base64')}`
const token = 'exchange-k3y-of-the-account'

/** The part of a store that telling follows: a test lets alerts fire, and reads what was noted. */
function aStore(more: Partial<DeskState> = {}) {
  let state = deskState(more)
  const listeners = new Set<(state: DeskState, before: DeskState) => void>()
  const noted: string[] = []
  return {
    noted,
    store: {
      subscribe(listener: (state: DeskState, before: DeskState) => void) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      dispatch: (event: DeskEvent) => {
        if (event.type === 'noted') noted.push(`${event.level}: ${event.text}`)
      },
    },
    fire(text: string, more: Partial<FiredAlert> = {}) {
      const seq = state.alerts.lastSeq + 1
      const fired = { kind: 'fill', level: 'good', text, seq, atMs: 0, isQuiet: false, ...more } as const
      const before = state
      state = { ...state, alerts: { ...state.alerts, lastSeq: seq, fired: [fired, ...state.alerts.fired] } }
      for (const listener of listeners) listener(state, before)
    },
  }
}

function aHome(variables: Record<string, string>) {
  const home = temporaryFolder('notify')
  const environment = { HOME: home, PATH: process.env.PATH ?? '', PITDESK_API_TOKEN: token, ...variables }
  const said: string[] = []
  const io = { ...quietIo(environment), printError: (line: string) => said.push(line) }
  const clock = new FakeClock(Date.now())
  const tools = { clock, random: () => 0.5, randomBytes, isOwnProcess: false }
  const settings = readSettings(environment, {})
  if (!settings.ok) throw new Error(settings.error.sentence)
  const account = accountOf(settings.value, new Secret(token), io)
  const open = async (takeDuty?: TakeDuty): Promise<DeskNotify> => {
    const notify = await openDeskNotify({
      ...{ settings: settings.value, account, io, tools },
      ...(takeDuty === undefined ? {} : { takeDuty }),
    })
    if (!notify.ok) throw new Error(notify.error)
    return notify.value
  }
  const files = () =>
    readdirSync(home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => ({ name, text: readFileSync(join(parentPath, name), 'utf8') }))
  return { home, clock, said, open, files }
}

/** Stops in any case, so that no process of a test is left. */
const stopping = (notify: DeskNotify) => {
  onTestFinished(() => notify.stop())
  return notify
}

test('tells alerts that are to be heard, and no secret is in an argument, a variable, a file or a word on screen', async () => {
  const { posts, url } = await listenHere((_posted, response) => void response.writeHead(200).end())
  const folder = temporaryFolder('notify-command')
  const script = join(folder, 'tell.sh')
  writeFileSync(
    script,
    `#!/bin/sh\nenv > ${folder}/env\ntr '\\0' ' ' < /proc/$$/cmdline > ${folder}/args\ncat > ${folder}/stdin\n` +
      `echo done > ${folder}/done\n`,
  )
  chmodSync(script, 0o700)
  const { open, files, said } = aHome({
    ...{ PITDESK_NOTIFY_URL: url.href, PITDESK_NOTIFY_SECRET: secret, PITDESK_NOTIFY_COMMAND: script },
    PITDESK_PARTNER_KEY: 'partner-k3y',
  })
  // A lock screen leaves nothing out.
  const { store, fire, noted } = aStore({ lock: { kind: 'covered', sentence: '' } })
  const notify = stopping(await open())
  notify.follow(store)
  fire('Snoozed.', { isQuiet: true })
  fire('Fill BUY 0.5 BTC-USD.')
  await eventually(() => readFileSync(join(folder, 'done'), 'utf8'))
  await eventually(() => expect(posts).toHaveLength(1))
  await eventually(() => expect(notify.status()?.targets.map(({ takenCount }) => takenCount)).toEqual([1, 1]))
  await notify.stop()
  expect(readFileSync(join(folder, 'stdin'), 'utf8')).toBe('pitdesk PRACTICE practice: Fill BUY 0.5 BTC-USD.\n')
  expect(JSON.parse(posts[0]?.body ?? '')).toMatchObject({ data: { messages: [{ kind: 'fill' }] } })
  expect(posts[0]?.headers['webhook-signature']).toMatch(/^v1,/)
  expect(readFileSync(join(folder, 'args'), 'utf8')).not.toContain('BTC')
  expect(readFileSync(join(folder, 'env'), 'utf8')).not.toContain('PITDESK')
  const everything = [
    ...['env', 'args', 'stdin'].map((name) => readFileSync(join(folder, name), 'utf8')),
    ...files().map(({ text }) => text),
    ...[...said, ...noted],
  ].join('\n')
  for (const key of [secret, secret.slice('whsec_'.length), token, 'partner-k3y', url.pathname])
    expect(everything).not.toContain(key)
})

test('an order that was answered as rejected and is there is told elsewhere, without amounts where none are to be told', async () => {
  const { posts, url } = await listenHere((_posted, response) => void response.writeHead(200).end())
  const { open } = aHome({ PITDESK_NOTIFY_URL: url.href, PITDESK_NOTIFY_AMOUNTS: 'false' })
  const store = createDeskStore(deskState())
  const notify = stopping(await open())
  notify.follow(store)
  const sentence = 'Order c1 was answered as rejected, but order 8 is filled, 0.04 so far.'
  const found = { type: 'writeResolved', key: 'c1', id: '8', sentence, atMs: 0 } as const
  store.dispatch({ ...found, key: 'c0', level: 'good' })
  store.dispatch({ ...found, level: 'bad', isFalseRefusal: true })
  await eventually(() => expect(posts).toHaveLength(1))
  const text = 'Counted as not placed, but there: c1.'
  expect(JSON.parse(posts[0]?.body ?? '').data.messages).toMatchObject([{ kind: 'refusal', level: 'bad', text }])
  expect(store.getState().alerts.toasts.map((toast) => toast.text)).toContain(sentence)
  expect(store.getState().log.filter((line) => line.text.endsWith(sentence))).toHaveLength(2)
})

test('one desk of an account tells; another says so, and goes on with what is left when the first ends', async () => {
  const answers = { status: 503 }
  const { posts, url } = await listenHere((_posted, response) => void response.writeHead(answers.status).end())
  const { open, clock } = aHome({ PITDESK_NOTIFY_URL: url.href, PITDESK_HEARTBEAT_URL: new URL('/beat', url).href })
  const [one, other] = [aStore(), aStore()]
  const [first, second] = [stopping(await open()), stopping(await open())]
  first.follow(one.store)
  second.follow(other.store)
  await eventually(() => expect(other.noted).toHaveLength(1))
  expect(other.noted).toEqual(['info: Messages and heartbeat: another desk or watch of this account sends them.'])
  expect([first.status() === null, second.status() === null]).toEqual([false, true])
  // Both see it, and one tells.
  one.fire('Fill one.')
  other.fire('Fill one.')
  const hooks = () => posts.filter(({ path }) => path.startsWith('/hook'))
  const beats = () => posts.filter(({ path }) => path === '/beat').length
  await eventually(() => expect([hooks().length, beats()]).toEqual([1, 1]))
  await eventually(() => expect(first.status()?.targets[0]?.failedCount).toBe(1))
  await first.stop()
  answers.status = 200
  await clock.advance(10_000)
  await eventually(() => expect(second.status()?.targets[0]?.takenCount).toBe(1))
  expect(new Set(hooks().map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  expect(hooks()).toHaveLength(2)
  await eventually(() => expect(beats()).toBe(2))
  await second.stop()
  expect(one.noted).toEqual([
    expect.stringMatching(/^warn: (notify_url: delivery|heartbeat_url: call) failed, the answer was 503/),
    expect.stringMatching(/^warn: (notify_url: delivery|heartbeat_url: call) failed, the answer was 503/),
  ])
})

test('whoever owns such duties decides who tells, and other news is told the same way', async () => {
  const { posts, url } = await listenHere((_posted, response) => void response.writeHead(200).end())
  const { open, clock, files } = aHome({ PITDESK_NOTIFY_URL: url.href, PITDESK_NOTIFY_AMOUNTS: 'false' })
  const duty = { isOurs: false }
  const { store, fire } = aStore()
  const notify = stopping(await open(() => ok(duty.isOurs ? { release: () => undefined } : null)))
  notify.follow(store)
  fire('Fill, while somebody else tells.')
  notify.tell({ kind: 'watch', level: 'info', text: 'Not told.', bareText: 'Not told.' })
  duty.isOurs = true
  await clock.reached(10_000)
  await clock.advance(10_000)
  await eventually(() => expect(notify.status()).not.toBeNull())
  fire('Fill BUY 0.5 BTC-USD.', { bareText: 'Fill BUY BTC-USD.' })
  notify.tell({ kind: 'plan', level: 'warn', text: 'Plan 1 stopped at 64,000.', bareText: 'Plan 1 stopped.' })
  await eventually(() => expect(posts).toHaveLength(2))
  const texts = posts.map(({ body }) => JSON.parse(body).data.messages[0].text)
  expect(texts).toEqual(['Fill BUY BTC-USD.', 'Plan 1 stopped.'])
  await notify.stop()
  expect(files().filter(({ name }) => name === 'notify.lock')).toEqual([])
})

test('a secret file that is open to others is told, nothing leaves unsigned, and once it is right all of it goes', async () => {
  const { posts, url } = await listenHere((_posted, response) => void response.writeHead(200).end())
  const path = join(temporaryFolder('notify-secret'), 'secret')
  writeFileSync(path, secret, { mode: 0o644 })
  const { open, clock } = aHome({ PITDESK_NOTIFY_URL: url.href, PITDESK_NOTIFY_SECRET_FILE: path })
  const { store, fire, noted } = aStore()
  const notify = stopping(await open())
  notify.follow(store)
  await settle()
  fire('Fill one.')
  await eventually(() => expect(noted).toHaveLength(1))
  expect(noted[0]).toMatch(
    /^warn: notify_url: delivery failed, PITDESK_NOTIFY_SECRET_FILE: .* has mode 0644.*chmod 600/,
  )
  expect(posts).toEqual([])
  chmodSync(path, 0o600)
  await clock.reached(1_000)
  await clock.advance(1_000)
  await eventually(() => expect(posts).toHaveLength(1))
  expect(posts[0]?.headers['webhook-signature']).toMatch(/^v1,/)
})

test('a folder that takes no lock and no file keeps no message from going out', async () => {
  const { posts, url } = await listenHere((_posted, response) => void response.writeHead(200).end())
  const { open, home } = aHome({ PITDESK_NOTIFY_URL: url.href })
  mkdirSync(join(home, '.local/state/pitdesk'), { recursive: true })
  writeFileSync(join(home, '.local/state/pitdesk/accounts'), 'a file in the place of the folder')
  const { store, fire, noted } = aStore()
  const notify = stopping(await open())
  notify.follow(store)
  fire('Fill one.')
  await eventually(() => expect(posts).toHaveLength(1))
  expect(noted[0]).toMatch(/^warn: Whether another desk sends messages is not known: .* This one sends them\.$/)
  expect(noted[1]).toMatch(/waiting messages|cannot be read/)
})

test('as a duty it tells while the duties are here, and again when they have come back', async () => {
  const { posts, url } = await listenHere((_posted, response) => void response.writeHead(200).end())
  const { open, clock } = aHome({ PITDESK_NOTIFY_URL: url.href })
  const { store, fire } = aStore()
  const duty = notifyDuty(await open(), async () => ok(await open()))
  onTestFinished(() => duty.stop())
  const news = (text: string) => ({ kind: 'watch', level: 'info', text, bareText: text }) as const
  const told = () => posts.map(({ body }) => JSON.parse(body).data.messages.map(({ text }: { text: string }) => text))
  duty.tell?.(news('before'))
  duty.start(store)
  duty.tell?.(news('begun'))
  await eventually(() => expect(told()).toEqual([['begun']]))
  await duty.stop()
  fire('Nobody here tells of it.')
  duty.start(store)
  await steadily(async () => {
    // An attempt that fails on a busy machine is made again by this clock.
    if (duty.trouble() !== null) await clock.advance(10_000)
    duty.tell?.(news('again'))
    expect(told().flat()).toContain('again')
    expect(duty.trouble()).toBeNull()
  })
  expect(told().flat()).not.toContain('before')
  expect(told().flat()).not.toContain('Nobody here tells of it.')
  expect(duty.holds()).toBe('messages')
})
