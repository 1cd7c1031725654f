import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { createCommands } from '../../src/store/commands.ts'
import { createDeskStore } from '../../src/store/store.ts'
import { openConsole } from '../../src/ui/console/open-console.tsx'
import { deskNowMs, deskState } from '../fakes/desk-state.ts'
import { eventually } from '../fakes/eventually.ts'
import { quietPort } from '../fakes/quiet-port.ts'
import { createFakeTerminal } from '../fakes/terminal.ts'

/** A bid in the dark theme and in the light one, as 24-bit terminals are told. */
const darkBid = '38;2;95;215;143'
const lightBid = '38;2;17;107;51'

function opened() {
  const store = createDeskStore(deskState({ unknownWrites: [] }))
  const commands = createCommands({ store, port: quietPort(deskNowMs), exit: () => undefined })
  const terminal = createFakeTerminal(120, 40)
  const { stdin, stdout, press } = terminal
  const env = { TERM: 'xterm-256color', COLORTERM: 'truecolor', LANG: 'C.UTF-8' }
  const console = openConsole({ store, commands, stdin, stdout, clock: systemClock, env, onExit: () => undefined })
  if (!console.ok) throw new Error(console.error)
  onTestFinished(console.value.close)
  let from = 0
  /** Presses a key and hands over what the terminal was sent because of it, once that holds `words`. */
  const draws = async (key: string, words: string): Promise<string> => {
    press(key)
    await eventually(() => expect(stdout.written.slice(from)).toContain(words))
    const drawn = stdout.written.slice(from)
    from = stdout.written.length
    return drawn
  }
  return { ...terminal, store, draws }
}

test('t and a step draw the whole live screen in another theme, Esc in the one before, Enter keeps', async () => {
  const { draws, store, screen } = opened()
  await draws('', darkBid)
  await draws('t', 'Themes')
  await draws('j', '> dark')
  // What was on its way in the other theme comes before.
  const light = await draws('j', lightBid)
  expect(light.slice(light.indexOf(lightBid))).not.toContain(darkBid)
  // The emulator reads what it was sent a moment later.
  await eventually(() => expect(screen()).toContain('> light'))
  await draws('\u001b', darkBid)
  expect(store.getState().overlay).toBeNull()
  await draws('t', 'Themes')
  await draws('j', '> dark')
  await draws('j', lightBid)
  await draws('\r', 'Theme is light.')
  expect(store.getState().looks.theme).toBe('light')
})

test('a theme in use that is edited is on the screen at once', async () => {
  const { draws, store, press, stdout } = opened()
  await draws('', darkBid)
  const [dark] = store.getState().looks.themes
  if (dark === undefined) throw new Error('no theme')
  const mine = { ...dark, name: 'mine', tones: { ...dark.tones, bid: { fg: '#010203' } } }
  store.dispatch({ type: 'themesRead', themes: [mine], complaints: [], atMs: deskNowMs })
  store.dispatch({ type: 'themeChosen', name: 'mine' })
  await eventually(() => expect(stdout.written).toContain('38;2;1;2;3'))
  const edited = { ...mine, tones: { ...mine.tones, bid: { fg: '#040506' } } }
  store.dispatch({ type: 'themesRead', themes: [edited], complaints: [], atMs: deskNowMs })
  await eventually(() => expect(stdout.written).toContain('38;2;4;5;6'))
  press('q')
})
