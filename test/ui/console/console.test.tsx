import { PassThrough } from 'node:stream'
import { render } from 'ink-testing-library'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import { createCommands } from '../../../src/store/commands.ts'
import type { DeskState } from '../../../src/store/desk.ts'
import { paletteWith } from '../../../src/store/palette.ts'
import { createDeskStore } from '../../../src/store/store.ts'
import { Console } from '../../../src/ui/console/console.tsx'
import { openConsole } from '../../../src/ui/console/open-console.tsx'
import { burstMs, patienceMs } from '../../../src/ui/terminal/key-reader.ts'
import { deskNowMs, deskState } from '../../fakes/desk-state.ts'
import { eventually } from '../../fakes/eventually.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { quietPort } from '../../fakes/quiet-port.ts'
import { createFakeTerminal } from '../../fakes/terminal.ts'
import { withoutStyles } from '../../fakes/without-styles.ts'

const env = { TERM: 'xterm-256color', COLORTERM: 'truecolor', LANG: 'C.UTF-8' }

function desk(state: DeskState = deskState({ unknownWrites: [] })) {
  const store = createDeskStore(state)
  const exits: string[] = []
  const port = quietPort(deskNowMs)
  let leave = () => {}
  const commands = createCommands({ store, port, exit: () => leave() })
  return {
    store,
    commands,
    exits,
    onLeave: (then: () => void) => {
      leave = then
    },
  }
}

/** The console on a terminal in memory. */
function opened(columns: number, rows: number, state?: DeskState, shellText = '') {
  const { store, commands, exits, onLeave } = desk(state)
  const terminal = createFakeTerminal(columns, rows)
  const { stdin, stdout } = terminal
  if (shellText !== '') stdout.write(shellText)
  const result = openConsole({
    store,
    commands,
    stdin,
    stdout,
    clock: systemClock,
    env,
    onExit: () => exits.push('exit'),
  })
  if (!result.ok) throw new Error(result.error)
  const { close, waitUntilExit, leave, sizeSet } = result.value
  onLeave(close)
  onTestFinished(close)
  const sees = (words: string) => eventually(() => expect(terminal.screen()).toContain(words))
  return { ...terminal, store, close, leave, sizeSet, waitUntilExit, exits, sees }
}

test('keys written to the input in one piece act one by one, and the picture follows', async () => {
  const { store, commands } = desk()
  const clock = new FakeClock(deskNowMs)
  const ui = render(<Console store={store} commands={commands} env={{ NO_COLOR: '1' }} clock={clock} />)
  onTestFinished(ui.unmount)
  const frame = () => withoutStyles(ui.lastFrame() ?? '')
  await eventually(() => expect(frame()).toContain('1 Ladder BTC-USD'))
  ui.stdin.write('jjb')
  expect(store.getState().ladder.cursorPrice?.toFixed(2)).toBe('64208.50')
  await eventually(() => expect(frame()).toContain('Ticket BUY LIMIT BTC-USD'))
  ui.stdin.write('\u001b[200~0.0300\r\u001b[201~')
  await eventually(() => expect(frame()).toContain('0.03_'))
  // A hand comes later than what was pasted, and an Esc is a key once nothing follows it.
  await clock.advance(burstMs)
  ui.stdin.write('\u001b')
  await clock.advance(patienceMs.escape)
  await eventually(() => expect(frame()).toContain('Market BTC-USD'))
})

test('no key is lost while the screen is drawn again and again', async () => {
  const { store, press, sees } = opened(120, 40)
  await sees('1 Ladder BTC-USD')
  for (let count = 0; count < 50; count += 1) {
    store.dispatch({ type: 'ticked', nowMs: deskNowMs + count * 100 })
    press('j')
  }
  await eventually(() => expect(store.getState().ladder.cursorPrice?.toFixed(2)).toBe('64184.50'))
})

test('the desk learns the size of the terminal, what is in view, and how far the ladder reaches', async () => {
  const { store, sees, resize, press } = opened(80, 24)
  await sees('[2 Orders')
  expect(store.getState().screen).toMatchObject({ columns: 80, rows: 24, ladderRowCount: 10 })
  // On the ladder 3 is level 3: the third pane is reached from any other.
  press('2')
  press('3')
  await eventually(() => expect(store.getState().screen.visiblePanes).toContain('fills'))
  resize(120, 40)
  await eventually(() => expect(store.getState().screen).toMatchObject({ columns: 120, rows: 40, ladderRowCount: 19 }))
})

test('after any resize the picture is the one a fresh start would draw', async () => {
  const state = deskState()
  // A cursor does not outlast a screen without its ladder.
  const bare = { ...state, ladder: { ...state.ladder, cursorPrice: null } }
  const { sees, resize, lines, screen } = opened(80, 24, bare)
  await sees('? keys')
  for (const [columns, rows] of [
    [120, 40],
    [60, 10],
    [60, 16],
    [100, 30],
    [121, 41],
    [80, 24],
  ] as const) {
    resize(columns, rows)
    await sees(rows < 12 ? `${columns}x${rows}` : '? keys')
    const fresh = opened(columns, rows, bare)
    await fresh.sees(rows < 12 ? `${columns}x${rows}` : '? keys')
    await eventually(() => expect(screen()).toBe(fresh.screen()))
    expect(lines()).toHaveLength(rows)
    fresh.close()
  }
})

test('a resize loses nothing that was typed', async () => {
  const { press, sees, resize } = opened(80, 24)
  await sees('? keys')
  press('b\u00150.0777')
  await sees('0.0777_')
  resize(60, 10)
  await sees('60x10')
  resize(40, 12)
  await sees('0.0777_')
  resize(120, 40)
  await sees('0.0777_')
})

test('q leaves, and the terminal is as it was: main screen, cooked input, cursor shown, paste marks off', async () => {
  const { press, sees, stdin, stdout, waitUntilExit, exits, isAlternateScreen } = opened(80, 24)
  await sees('? keys')
  expect(isAlternateScreen()).toBe(true)
  expect(stdin.isRaw).toBe(true)
  expect(stdout.written).toContain('\u001b[?2004h')
  press('q')
  await sees('Quit now?')
  press('\r')
  await waitUntilExit()
  await eventually(() => expect(exits).toEqual(['exit']))
  await eventually(() => expect(isAlternateScreen()).toBe(false))
  expect(stdin.isRaw).toBe(false)
  for (const [on, off] of [
    ['\u001b[?2004h', '\u001b[?2004l'],
    ['\u001b[?25l', '\u001b[?25h'],
  ] as const)
    expect(stdout.written.lastIndexOf(off)).toBeGreaterThan(stdout.written.lastIndexOf(on))
  expect(stdin.listenerCount('data')).toBe(0)
})

test('q leaves a terminal that has become one line as it was', async () => {
  const { press, sees, stdout, waitUntilExit, isAlternateScreen, resize } = opened(80, 24)
  await sees('? keys')
  resize(80, 1)
  press('q')
  press('\r')
  await waitUntilExit()
  for (const off of ['\u001b[?1049l', '\u001b[?2004l', '\u001b[?25h']) expect(stdout.written).toContain(off)
  await eventually(() => expect(isAlternateScreen()).toBe(false))
})

test('a resize while the shell has the terminal leaves the shell its screen', async () => {
  const { sees, leave, resize, stdout } = opened(80, 24, undefined, '$ make')
  await sees('? keys')
  await leave(async () => {
    await sees('$ make')
    const before = stdout.written
    resize(100, 30)
    expect(stdout.written).toBe(before)
  })
  await sees('? keys')
})

test('where what was done meanwhile fails the console has its terminal again, and can leave once more', async () => {
  const { sees, leave, resize, isAlternateScreen } = opened(80, 24)
  await sees('? keys')
  await expect(leave(() => Promise.reject(new Error('odd')))).rejects.toThrow('odd')
  expect(isAlternateScreen()).toBe(true)
  resize(60, 10)
  await sees('60x10')
  let isDone = false
  await leave(async () => {
    isDone = true
  })
  expect(isDone).toBe(true)
})

test('closing twice is closing once', async () => {
  const { close, waitUntilExit, sees, exits } = opened(80, 24)
  await sees('? keys')
  close()
  close()
  await waitUntilExit()
  await eventually(() => expect(exits).toEqual(['exit']))
})

test('an old picture says its age in words', async () => {
  const { store, sees } = opened(80, 24)
  await sees('? keys')
  store.dispatch({ type: 'ticked', nowMs: deskNowMs + 60_000 })
  await sees('1 Ladder BTC-USD  STALE 60s')
})

test.each(['cells', 'lines'] as const)(
  'a terminal that was smaller for a moment is drawn again, by %s',
  async (kind) => {
    const state = deskState({ unknownWrites: [] })
    const shown = opened(80, 24, { ...state, looks: { ...state.looks, screenOutput: kind } })
    await shown.sees('? keys')
    // Without the header, whose ages are of what is polled: that is settled after the first picture.
    const lines = () =>
      shown
        .lines()
        .slice(1)
        .map((line) => line.trimEnd())
    const before = lines()
    // What it does with its lines is its own: it may lose them, and tell nothing of it.
    await eventually(() => {
      // Again, where what it answers at the start has drawn everything in between.
      shown.stdout.write('\u001b[H\u001b[J 64,271.00')
      expect(lines()[19]).toBe('')
    })
    shown.sizeSet()
    await eventually(() => expect(lines()).toEqual(before))
  },
)

/** What a desk may be in when something else writes on its screen. */
const disturbedDesks: Readonly<Record<string, Partial<DeskState>>> = {
  'its panes': {},
  'a question': { overlay: { kind: 'halt', symbol: 'BTC-USD', typed: '' } },
  'a line of the palette': { overlay: paletteWith('buy') },
  'a lock that only a secret opens': { lock: { kind: 'covered', sentence: '' }, lockMethod: 'passphrase' },
  'the field of the lock': { lock: { kind: 'typing', length: 3 }, lockMethod: 'passphrase' },
}

test.each(
  (['cells', 'lines'] as const).flatMap((kind) => Object.keys(disturbedDesks).map((name) => [kind, name] as const)),
)('Ctrl-L draws again what another program wrote over, by %s: %s', async (kind, name) => {
  const state = deskState({ unknownWrites: [], ...disturbedDesks[name] })
  const shown = opened(80, 24, { ...state, looks: { ...state.looks, screenOutput: kind } })
  await eventually(() => expect(shown.screen().trim()).not.toBe(''))
  // What is answered at the start may draw everything in between.
  await eventually(() => {
    shown.stdout.write('\u001b[2;9r\u001b[4h\u001b[8;1Hwall: the building closes at six\n\n\n')
    expect(shown.screen()).toContain('closes at six')
  })
  shown.press('\u000c')
  const fresh = opened(80, 24, { ...state, looks: { ...state.looks, screenOutput: kind } })
  const below = ({ lines }: typeof shown) =>
    lines()
      .slice(1)
      .map((line) => line.trimEnd())
  await eventually(() => expect(below(shown)).toEqual(below(fresh)))
})

test.each([
  ['output', 'the output is not one'],
  ['input', 'the input is not a terminal'],
] as const)('when the %s is no terminal the console says so and draws nothing', (end, words) => {
  const { store, commands } = desk()
  const { stdin, stdout } = createFakeTerminal(80, 24)
  const pipe = new PassThrough()
  const ends = end === 'output' ? { stdin, stdout: pipe } : { stdin: pipe, stdout }
  const result = openConsole({ store, commands, ...ends, clock: systemClock, env, onExit: () => undefined })
  expect(result).toMatchObject({ ok: false, error: expect.stringContaining(words) })
  expect(stdout.written).toBe('')
})
