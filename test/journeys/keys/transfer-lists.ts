import type { DeskState } from '../../../src/store/desk.ts'
import { becomes, focus, pressKey, shows, type Walk } from './walk.ts'

const list = (state: DeskState) => state.transferList

/** The lists of the transfers pane: by arrows, and by the pane's own digit pressed again. */
export const transferListsWalk: Walk = async (start) => {
  const journey = await start({ columns: 80, rows: 24 })
  await becomes(journey, '5', focus, 'transfers')
  await shows(journey, 'right', '>Deposits')
  await becomes(journey, 'right', list, 'whitelist')
  await becomes(journey, 'right', list, 'withdrawals')
  await becomes(journey, 'left', list, 'whitelist')
  await becomes(journey, '5', list, 'withdrawals')
  await pressKey(journey, '2')
  await becomes(journey, '5', focus, 'transfers')
}
