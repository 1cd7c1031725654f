import { expect, onTestFinished, test } from 'vitest'
import { readSettings } from '../../../src/config/settings.ts'
import { mayAskPerson, venueOf } from '../../../src/desk/account/opening-settings.ts'
import { openWaitingDesk } from '../../../src/desk/screen/on-screen.ts'
import { createCommands } from '../../../src/store/commands.ts'
import { usualLooks } from '../../../src/store/looks.ts'
import { createDeskStore } from '../../../src/store/store.ts'
import { openConsole } from '../../../src/ui/console/open-console.tsx'
import { deskNowMs, deskState } from '../../fakes/desk-state.ts'
import { eventually } from '../../fakes/eventually.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { quietPort } from '../../fakes/quiet-port.ts'
import { createFakeTerminal } from '../../fakes/terminal.ts'

const environment = { HOME: '/nowhere', TERM: 'xterm-256color', LANG: 'C.UTF-8' }

function settingsOf(variables: Record<string, string>) {
  const settings = readSettings({ ...environment, ...variables }, {})
  if (!settings.ok) throw new Error(settings.error.sentence)
  return settings.value
}

function waiting(variables: Record<string, string> = {}) {
  const clock = new FakeClock(deskNowMs)
  const quit = new AbortController()
  const settings = settingsOf(variables)
  const desk = openWaitingDesk({ settings, looks: usualLooks, reboundKeys: new Map(), quit, tools: { clock } })
  onTestFinished(desk.stop)
  return { desk, clock, quit }
}

/** A waiting desk on a terminal in memory. */
function onTerminal() {
  const parts = waiting()
  const { desk, clock, quit } = parts
  const terminal = createFakeTerminal(120, 40)
  const { stdin, stdout } = terminal
  const console = openConsole({
    ...{ store: desk.store, commands: desk.commands, stdin, stdout, clock, env: { ...environment, TERM: 'dumb' } },
    onExit: () => quit.abort(),
  })
  if (!console.ok) throw new Error(console.error)
  onTestFinished(console.value.close)
  const sees = (words: string) => eventually(() => expect(terminal.screen()).toContain(words))
  return { ...parts, ...terminal, console: console.value, sees }
}

test('the first screen is that of the desk that comes, says what it waits for, and its clock runs', async () => {
  const { desk, clock, sees, screen } = onTerminal()
  await sees('1 Ladder BTC-USD')
  expect(screen()).toContain('PRACTICE')
  expect(screen()).not.toContain('6 Gateway')
  expect(desk.store.getState().notice?.text).toBe('Opening the practice exchange…')
  await clock.advance(1_000)
  expect(desk.store.getState().nowMs).toBe(deskNowMs + 1_000)
})

test('no key reaches anything before the desk is there, and then each does', async () => {
  const { desk, press, sees, screen, console, quit, stdin } = onTerminal()
  await sees('1 Ladder BTC-USD')
  const before = desk.store.getState()
  press('bbsx\rjjK:')
  await eventually(() => expect(stdin.readableLength).toBe(0))
  expect(desk.store.getState()).toBe(before)
  const store = createDeskStore(deskState({ unknownWrites: [] }))
  console.show({ store, commands: createCommands({ store, port: quietPort(deskNowMs), exit: () => quit.abort() }) })
  await sees('64210.50')
  expect(screen()).not.toContain('Ticket')
  press('jb')
  await sees('Ticket BUY LIMIT BTC-USD')
  expect(quit.signal.aborted).toBe(false)
})

test.each(['q', '\u0003'])('a desk that is being opened can be left by %j', async (key) => {
  const { press, sees, quit } = onTerminal()
  await sees('1 Ladder BTC-USD')
  press(key)
  await eventually(() => expect(quit.signal.aborted).toBe(true))
})

test('a desk on somebody else waits under its own name and is not armed', () => {
  const service = { PITDESK_EXCHANGE_BASE_URL: 'https://exchange.example/v3', PITDESK_API_TOKEN: 'token' }
  const { desk } = waiting(service)
  const { venue, mode, notice } = desk.store.getState()
  expect({ venue, mode: mode.kind, notice: notice?.text }).toEqual({
    venue: { profileName: 'environment', kind: 'live' },
    mode: 'SAFE',
    notice: 'Opening the desk on environment…',
  })
  expect(venueOf(settingsOf({}))).toEqual({ profileName: 'practice', kind: 'practice' })
})

test('only programs that hand out keys may ask a person', () => {
  const address = { PITDESK_EXCHANGE_BASE_URL: 'https://exchange.example/v3' }
  const may = (variables: Record<string, string>) =>
    mayAskPerson(settingsOf(variables), { ...environment, ...variables })
  expect(may({})).toBe(false)
  expect(may({ ...address, PITDESK_API_TOKEN: 'token' })).toBe(false)
  expect(may({ ...address, PITDESK_API_TOKEN_FILE: '/run/key' })).toBe(false)
  expect(may({ ...address, PITDESK_API_TOKEN_COMMAND: 'pass show exchange' })).toBe(true)
  expect(may({ PITDESK_INBOX_STORE_COMMAND: 'pass show inbox' })).toBe(true)
})
