import type { DeskState } from '../../../src/store/desk.ts'
import { themeNamesOf } from '../../../src/store/looks.ts'
import { pastedMs } from '../../../src/ui/keys/input-guard.ts'
import { quoteAndCenter } from '../journey.tsx'
import {
  becomes,
  emptiesSearch,
  hides,
  kind,
  ownOrder,
  pause,
  pressKey,
  query,
  selected,
  shows,
  type Walk,
  working,
} from './walk.ts'

const line = ({ overlay }: DeskState) => (overlay?.kind === 'palette' ? overlay.line : null)
const caret = ({ overlay }: DeskState) => (overlay?.kind === 'palette' ? overlay.caret : null)
const top = ({ overlay }: DeskState) => (overlay?.kind === 'help' ? overlay.top : null)
const page = ({ overlay }: DeskState) => (overlay?.kind === 'tour' ? overlay.page : null)

/** Another symbol by its letters, and back to the one before by Enter alone. */
export const symbolsWalk: Walk = async (start) => {
  const journey = await start({ columns: 80, rows: 24 })
  await quoteAndCenter(journey)
  await shows(journey, 'g', 'Choose a symbol', 'on the ladder')
  await becomes(journey, 'down', selected, 'SOL-USD')
  await becomes(journey, 'up', selected, 'ETH-USD')
  await becomes(journey, 'tab', selected, 'SOL-USD')
  await becomes(journey, 'shift+tab', selected, 'ETH-USD')
  await becomes(journey, 'e', query, 'E')
  await becomes(journey, 'backspace', query, '')
  await emptiesSearch(journey, query)
  await hides(journey, 'esc', 'Choose a symbol')
  await pressKey(journey, 'g')
  for (const key of 'ethu') await pressKey(journey, key)
  await becomes(journey, 'enter', (state) => state.symbol, 'ETH-USD')
  await journey.sees('Ladder ETH-USD')
  await shows(journey, 'g', 'shown lately')
  await becomes(journey, 'enter', (state) => state.symbol, 'BTC-USD')
}

/** The help scrolls, filters and closes; the tour goes forth and back. */
export const helpWalk: Walk = async (start) => {
  const journey = await start({ columns: 80, rows: 24 })
  await journey.sees('Ladder BTC-USD', '25,000.00')
  await shows(journey, '?', 'Type to filter', 'buy at cursor or bid')
  await becomes(journey, 'down', top, 1)
  await becomes(journey, 'up', top, 0)
  await pressKey(journey, 'pgdn')
  await journey.until(() => top(journey.store.getState()) !== 0)
  await becomes(journey, 'pgup', top, 0)
  await pressKey(journey, 'h')
  await hides(journey, 'a', 'level 3: the queues')
  for (const key of 'lt') await pressKey(journey, key)
  await journey.sees('halt, cancel (asks) !')
  await becomes(journey, 'backspace', query, 'hal')
  await becomes(journey, 'delete', query, 'ha')
  await becomes(journey, 'ctrl+u', query, '')
  await pressKey(journey, 'h')
  await becomes(journey, 'esc', query, '')
  await becomes(journey, 'esc', kind, null)
  await pressKey(journey, '?')
  await becomes(journey, 'enter', kind, null)
  await pressKey(journey, '?')
  await shows(journey, 'tab', 'Welcome to the desk (1 of 5)')
  for (const [key, wanted] of [
    ['enter', 1],
    ['right', 2],
    ['pgdn', 3],
    ['space', 4],
    ['backspace', 3],
    ['left', 2],
    ['pgup', 1],
  ] as const)
    await becomes(journey, key, page, wanted)
  await becomes(journey, '?', kind, 'help')
  await pressKey(journey, 'tab')
  await becomes(journey, 'esc', kind, null)
}

/** Actions and sentences by the palette, its history, and the question that takes orders back. */
export const paletteWalk: Walk = async (start) => {
  const journey = await start()
  await quoteAndCenter(journey)
  await ownOrder(journey, 'own1', '64200.00')
  await ownOrder(journey, 'own2', '3000.00', 'ETH-USD')
  await shows(journey, ':', 'What to do', 'fills the ticket')
  await becomes(journey, 'down', selected, 1)
  await becomes(journey, 'up', selected, 0)
  await becomes(journey, 'pgdn', selected, 8)
  await becomes(journey, 'pgup', selected, 0)
  await becomes(journey, 'c', line, 'c')
  await becomes(journey, 'backspace', line, '')
  await pressKey(journey, 'x')
  await becomes(journey, 'ctrl+u', line, '')
  await journey.press('buy 2 btc')
  for (const [key, wanted] of [
    ['left', 8],
    ['right', 9],
    ['ctrl+left', 6],
    ['home', 0],
    ['ctrl+right', 3],
    ['ctrl+a', 0],
    ['end', 9],
    ['home', 0],
    ['ctrl+e', 9],
  ] as const)
    await becomes(journey, key, caret, wanted)
  await becomes(journey, 'ctrl+w', line, 'buy 2 ')
  await pressKey(journey, 'home')
  await journey.sees(': _buy 2')
  await becomes(journey, 'delete', line, 'uy 2 ')
  await becomes(journey, 'ctrl+k', line, '')
  for (const key of 'can') await pressKey(journey, key)
  await becomes(journey, 'tab', line, 'cancel ')
  await becomes(journey, 'esc', kind, null)

  // An action by its name: the ladder's grouping.
  await pressKey(journey, ':')
  await journey.press('group coarser')
  await becomes(journey, 'enter', ({ ladder }) => ladder.groupTicks, 2)
  // Pasted text is text, also with an Enter in it.
  await pressKey(journey, ':')
  await journey.press('\u001b[200~cancel all eth-usd\r\u001b[201~')
  await journey.sees('Cancel every order of ETH-USD', 'asks once more')
  await becomes(journey, 'enter', kind, 'confirmCancel')
  await becomes(journey, 'esc', kind, null)
  await pressKey(journey, ':')
  await becomes(journey, 'up', line, 'cancel all eth-usd')
  await pressKey(journey, 'enter')
  await pause(journey, pastedMs)
  await shows(journey, 'x', '1 of 1 canceled.')
  const left = await working(journey)
  if (left.join() !== '64200.00') throw new Error(`left: ${left.join()}`)
}

/** Themes are looked at, kept, and left as they were. */
export const themesWalk: Walk = async (start) => {
  const journey = await start({ columns: 80, rows: 24 })
  await journey.sees('BTC-USD open')
  await becomes(journey, 't', kind, 'themes')
  const names = themeNamesOf(journey.store.getState().looks)
  const looked = ({ overlay }: DeskState) => (overlay?.kind === 'themes' ? overlay.selected : null)
  const at = names.indexOf(String(looked(journey.store.getState())))
  const next = names[(at + 1) % names.length]
  const here = names[at]
  for (const [down, up] of [
    ['down', 'up'],
    ['j', 'k'],
    ['tab', 'shift+tab'],
  ] as const) {
    await becomes(journey, down, looked, next)
    await becomes(journey, up, looked, here)
  }
  await becomes(journey, 't', looked, next)
  await becomes(journey, 'esc', kind, null)
  await pressKey(journey, 't')
  await becomes(journey, 'q', kind, null)
  await pressKey(journey, 't')
  await pressKey(journey, 'j')
  await becomes(journey, 'enter', ({ looks }) => looks.theme, next)
}

/** The list of alerts by its keys; Esc takes one off the screen. */
export const alertsWalk: Walk = async (start) => {
  const journey = await start()
  await quoteAndCenter(journey)
  await shows(journey, 'A', 'Alerts')
  await becomes(journey, 'n', kind, 'palette')
  await pressKey(journey, 'ctrl+u')
  await journey.press('alert btc-usd > 70000')
  await pressKey(journey, 'enter')
  await journey.sees('Alert 1 is armed')
  await pressKey(journey, 'A')
  await becomes(journey, ':', kind, 'palette')
  await pressKey(journey, 'esc')
  await pressKey(journey, 'A')
  await becomes(journey, 'j', selected, 'fill')
  await becomes(journey, 'k', selected, '1')
  await becomes(journey, 'down', selected, 'fill')
  await becomes(journey, 'up', selected, '1')
  await pressKey(journey, 's')
  await journey.until(() => journey.store.getState().alerts.snoozedUntilMs !== null)
  await pressKey(journey, 's')
  const switched = () =>
    JSON.stringify(journey.store.getState().alerts.watches) + JSON.stringify(journey.store.getState().alerts.standing)
  const before = switched()
  await pressKey(journey, 'j')
  await pressKey(journey, 'enter')
  await journey.until(() => switched() !== before)
  await pressKey(journey, 'k')
  const watches = ({ alerts }: DeskState) => alerts.watches.length
  await becomes(journey, 'd', watches, 0)
  for (const key of ['esc', 'q', 'A']) {
    await becomes(journey, key, kind, null)
    await pressKey(journey, 'A')
  }
  await pressKey(journey, 'esc')
  await pressKey(journey, ':')
  await journey.press('alert eth-usd > 70000')
  await pressKey(journey, 'enter')
  await pressKey(journey, 'A')
  await becomes(journey, 'delete', watches, 0)
  await pressKey(journey, 'esc')
  await pressKey(journey, 'esc')
  if (journey.store.getState().alerts.toasts.length > 0) throw new Error('an alert is still on the screen')
}
