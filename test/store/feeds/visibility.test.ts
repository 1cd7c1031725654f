import { expect, test } from 'vitest'
import { feedsOnScreen } from '../../../src/store/feed-needs.ts'
import { aDesk } from '../desk.ts'

test('an open ticket keeps everything its checks rest on fresh, also what no pane shows', () => {
  const { store, commands } = aDesk()
  store.dispatch({ type: 'resized', screen: { ...store.getState().screen, visiblePanes: ['log'] } })
  expect([...feedsOnScreen(store.getState())]).toEqual([])
  commands.openTicket('BUY')
  expect(feedsOnScreen(store.getState())).toEqual(new Set(['book', 'balances', 'fees', 'orders', 'fills']))
})
