import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import { Decimal } from '../../../src/domain/money.ts'
import type { Deposit } from '../../../src/domain/transfers/transfer.ts'
import { createCommands } from '../../../src/store/commands.ts'
import { initialState } from '../../../src/store/desk.ts'
import { usualLooks } from '../../../src/store/looks.ts'
import { createDeskStore } from '../../../src/store/store.ts'
import { openConsole } from '../../../src/ui/console/open-console.tsx'
import { bellPauseMs, followSignals, notification, type SignalSettings } from '../../../src/ui/terminal/signals.ts'
import { alertText } from '../../../src/ui/text/privacy.ts'
import { eventually } from '../../fakes/eventually.ts'
import { quietPort } from '../../fakes/quiet-port.ts'
import { createFakeTerminal } from '../../fakes/terminal.ts'

const env = { TERM: 'xterm-256color' }

/** An id that would steer a terminal. */
const steering = 'x\u0007\u001b\\\u001b]52;c;aGk=\u0007\u009d\n'

function scene(settings: Partial<SignalSettings> = {}, isSpoken = false, isPrivate = false) {
  const venue = { profileName: 'practice', kind: 'practice' } as const
  const looks = { ...usualLooks, isSpoken, isPrivate }
  const store = createDeskStore(initialState({ nowMs: 0, venue, mode: { kind: 'ARMED' }, symbol: 'BTC-USD', looks }))
  const written: string[] = []
  const end = followSignals({
    store,
    write: (bytes) => written.push(bytes),
    settings: { bell: null, notify: null, ...settings },
    env,
    wordsOf: alertText,
  })
  const confirmed = new Set<string>()
  const list = (atMs: number) => {
    const deposits = ['d-1', 'd-2', 'd-3', 'd-4', steering].map((depositId): Deposit => {
      const state = confirmed.has(depositId) ? 'COMPLETED' : 'UNCONFIRMED'
      return { depositId, amount: new Decimal(1), currency: 'BTC', address: 'a', txHash: null, state, timestampMs: 0 }
    })
    store.dispatch({ type: 'deposits', deposits, atMs })
  }
  list(0)
  const fire = (id: string, atMs: number) => {
    confirmed.add(id)
    list(atMs)
  }
  const tick = (nowMs: number) => store.dispatch({ type: 'ticked', nowMs })
  return { store, written, fire, tick, end }
}

test('an alert rings once and is one notification, told in one write', () => {
  const { written, fire, tick } = scene()
  fire('d-1', 0)
  tick(500)
  tick(20_000)
  expect(written).toEqual(['\u0007\u001b]9;pitdesk: Deposit d-1 of 1 BTC is COMPLETED (was UNCONFIRMED).\u001b\\'])
})

test('in privacy mode a notification has no amount of the account, as the screen has none', () => {
  const { written, fire } = scene({}, false, true)
  fire('d-1', 0)
  expect(written).toEqual([expect.stringContaining(' of * BTC is COMPLETED ')])
})

test('many in a short time ring once, and those that came meanwhile once more, together', () => {
  const { written, fire, tick } = scene()
  expect(bellPauseMs).toBe(5_000)
  fire('d-1', 0)
  for (const id of ['d-2', 'd-3', 'd-4']) fire(id, 1_000)
  tick(bellPauseMs - 1)
  expect(written).toHaveLength(1)
  tick(bellPauseMs)
  expect(written).toHaveLength(2)
  expect(written[1]).toContain('Deposit d-2 of 1 BTC is COMPLETED (was UNCONFIRMED). (+2 more)')
  tick(bellPauseMs * 3)
  expect(written.join('').split('\u0007')).toHaveLength(3)
})

test('what steers a terminal never gets into a notification', () => {
  const { written, fire } = scene()
  fire(steering, 0)
  expect(written).toEqual([
    '\u0007\u001b]9;pitdesk: Deposit x\\]52;c;aGk=  of 1 BTC is COMPLETED (was UNCONFIRMED).\u001b\\',
  ])
})

test('bell and notification are switched off one by one', () => {
  const silent = scene({ notify: false })
  silent.fire('d-1', 0)
  expect(silent.written).toEqual(['\u0007'])
  const quiet = scene({ bell: false, notify: false })
  quiet.fire('d-1', 0)
  expect(quiet.written).toEqual([])
})

test('with a screen reader there is neither, unless it was set', () => {
  const usual = scene({}, true)
  usual.fire('d-1', 0)
  expect(usual.written).toEqual([])
  const wished = scene({ bell: true }, true)
  wished.fire('d-1', 0)
  expect(wished.written).toEqual(['\u0007'])
})

test('snoozed there is neither; behind the lock screen no word of what it was', () => {
  const { store, written, fire } = scene()
  store.dispatch({ type: 'alertsActed', act: { kind: 'snooze', forMs: 60_000 }, atMs: 0 })
  fire('d-1', 1_000)
  expect(written).toEqual([])
  store.dispatch({ type: 'alertsActed', act: { kind: 'snooze', forMs: 0 }, atMs: 2_000 })
  store.dispatch({ type: 'lockCovered', sentence: 'Locked.', atMs: 2_000 })
  fire('d-2', 3_000)
  expect(written).toEqual(['\u0007\u001b]9;pitdesk: an alert behind the lock screen\u001b\\'])
})

test('after its end nothing is written', () => {
  const { written, fire, end } = scene()
  end()
  fire('d-1', 0)
  expect(written).toEqual([])
})

test('a terminal that would print the sequence gets none, tmux gets it wrapped', () => {
  expect(notification('a', { TERM: 'linux' })).toBeNull()
  expect(notification('a', {})).toBeNull()
  expect(notification('a', { TERM: 'tmux-256color', TMUX: '/tmp/x' })).toBe(
    '\u001bPtmux;\u001b\u001b]9;pitdesk: a\u001b\u001b\\\u001b\\',
  )
  expect(notification('x'.repeat(900), env)?.length).toBeLessThan(230)
})

test('written to the terminal that the console draws on, it leaves every cell of the picture where it is', async () => {
  const { store, written, fire } = scene()
  const port = quietPort(0)
  const commands = createCommands({ store, port, exit: () => undefined })
  const terminal = createFakeTerminal(80, 24)
  const { stdin, stdout } = terminal
  const console = openConsole({ store, commands, stdin, stdout, clock: systemClock, env, onExit: () => undefined })
  if (!console.ok) throw new Error(console.error)
  onTestFinished(console.value.close)
  followSignals({
    store,
    write: (bytes) => stdout.write(bytes),
    settings: { bell: null, notify: null },
    env,
    wordsOf: alertText,
  })
  await eventually(() => expect(terminal.screen()).toContain('Ladder BTC-USD'))
  // Whether blanks at the end of a line were written or left is nobody's cell.
  const cells = () => terminal.lines().map((line) => line.trimEnd())
  const before = cells()
  fire('d-1', 0)
  await eventually(() => expect(terminal.screen()).toContain('ALERT'))
  expect(stdout.written.split(written[0] ?? 'nothing was written')).toHaveLength(2)
  const changed = cells().flatMap((line, row) => (line === before[row] ? [] : [row]))
  // Beside the header with its ages, the line of notices; the log has a pane of its own on larger screens.
  expect(changed.filter((row) => row !== 0)).toEqual([22])
})
