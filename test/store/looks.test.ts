import { expect, test } from 'vitest'
import { createCommands } from '../../src/store/commands.ts'
import { keptSession } from '../../src/store/kept-session.ts'
import { shownTheme } from '../../src/store/looks.ts'
import { createDeskStore } from '../../src/store/store.ts'
import { usualTheme } from '../../src/themes/built-in.ts'
import { deskNowMs, deskState } from '../fakes/desk-state.ts'
import { quietPort } from '../fakes/quiet-port.ts'

function desk() {
  const store = createDeskStore(deskState())
  const commands = createCommands({ store, port: quietPort(deskNowMs), exit: () => undefined })
  return { store, commands, shown: () => shownTheme(store.getState()).name, used: () => store.getState().looks.theme }
}

test('t draws the marked theme, Enter keeps it', () => {
  const { commands, shown, used } = desk()
  commands.openThemes()
  commands.moveInThemes(1)
  commands.moveInThemes(1)
  expect([shown(), used()]).toEqual(['light', 'auto'])
  commands.keepTheme()
  expect([shown(), used()]).toEqual(['light', 'light'])
})

test('Esc goes back to the one in use, and the list goes round', () => {
  const { commands, shown } = desk()
  commands.openThemes()
  commands.moveInThemes(-1)
  expect(shown()).toBe('mono')
  commands.moveInThemes(1)
  expect(shown()).toBe('dark')
  commands.moveInThemes(1)
  commands.moveInThemes(1)
  expect(shown()).toBe('light')
  commands.closeOverlay()
  expect(shown()).toBe('dark')
})

test('a theme by its name, or a sentence with the names', () => {
  const { store, commands, used } = desk()
  commands.chooseTheme('mono')
  expect(used()).toBe('mono')
  commands.chooseTheme('drak')
  expect(used()).toBe('mono')
  expect(store.getState().notice?.text).toBe(
    'No theme "drak", did you mean "dark"? (there are auto, dark, light, high-contrast, colour-blind-safe, mono).',
  )
})

test('a theme in use that is edited is drawn as it is now; what is wrong is told and changes nothing', () => {
  const { store, commands } = desk()
  const mine = { ...usualTheme, name: 'mine' }
  store.dispatch({ type: 'themesRead', themes: [mine], complaints: [], atMs: deskNowMs })
  commands.chooseTheme('mine')
  expect(shownTheme(store.getState())).toBe(mine)
  const edited = { ...mine, tones: { ...mine.tones, bid: { fg: '#0000ff' } } }
  store.dispatch({ type: 'themesRead', themes: [edited], complaints: ['/t/b.json: is not JSON'], atMs: deskNowMs })
  expect(shownTheme(store.getState())).toBe(edited)
  expect(store.getState().notice).toMatchObject({ level: 'warn', text: '/t/b.json: is not JSON' })
})

test('a theme in use whose file is taken away gives way to the usual one', () => {
  const { store, shown } = desk()
  store.dispatch({ type: 'themesRead', themes: [{ ...usualTheme, name: 'mine' }], complaints: [], atMs: deskNowMs })
  store.dispatch({ type: 'themeChosen', name: 'mine' })
  store.dispatch({ type: 'themesRead', themes: [], complaints: [], atMs: deskNowMs })
  expect(shown()).toBe('dark')
})

test('without a choice the theme goes with the ground that is told; a choice stays until auto', () => {
  const { store, commands, shown, used } = desk()
  const ground = (color: string | null) => {
    store.dispatch({ type: 'groundTold', color })
    return shown()
  }
  expect(['#ffffff', '#fdf6e3', '#bbbbbb', null, '#000000', '#002b36', '#3c3c3c'].map(ground)).toEqual([
    ...['light', 'light', 'light', 'dark'],
    ...['dark', 'dark', 'dark'],
  ])
  expect(used()).toBe('auto')
  commands.chooseTheme('dark')
  expect([ground('#ffffff'), used()]).toEqual(['dark', 'dark'])
  commands.chooseTheme('auto')
  expect([shown(), used()]).toEqual(['light', 'auto'])
  expect(store.getState().notice?.text).toBe('Theme is auto: light here.')
})

test('a session keeps that nothing was chosen, never what the ground made of it', () => {
  const { store, shown } = desk()
  store.dispatch({ type: 'groundTold', color: '#ffffff' })
  const session = keptSession(store.getState())
  expect(session.theme).toBe('auto')
  const next = desk()
  next.store.dispatch({ type: 'themeChosen', name: 'mono' })
  next.store.dispatch({ type: 'sessionRestored', session })
  expect([shown(), next.shown()]).toEqual(['light', 'dark'])
})
