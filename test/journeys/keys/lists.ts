import type { DeskState } from '../../../src/store/desk.ts'
import { heldPlan, lateEntry, protectedPlan } from '../../fakes/plans.ts'
import { quoteAndCenter } from '../journey.tsx'
import { becomes, kind, ownOrder, pause, pressKey, say, shows, type Walk } from './walk.ts'

const orders = ({ tables }: DeskState) => tables.views.orders
const chosen = (state: DeskState) => orders(state).selectedKey
const filter = (state: DeskState) => orders(state).filter
const typing = ({ tables }: DeskState) => tables.typing
const overlay = ({ overlay: open }: DeskState) => open?.kind ?? null
const top = ({ overlay: open }: DeskState) => (open?.kind === 'details' ? open.top : null)
const column = ({ overlay: open }: DeskState) => (open?.kind === 'columns' ? open.selected : null)
const hidden = (state: DeskState) => orders(state).hiddenColumns.length

/** Rows are chosen by every key; a filter is typed, kept and dropped. */
export const rowsWalk: Walk = async (start) => {
  const journey = await start()
  await quoteAndCenter(journey)
  for (const [at, price] of ['64200.00', '64199.00', '64198.00'].entries()) await ownOrder(journey, `own${at}`, price)
  await pressKey(journey, '2')
  await pressKey(journey, 'home')
  const keys = (journey.store.getState().orders.value ?? []).map(({ orderId }) => orderId)
  await pressKey(journey, 'end')
  await becomes(journey, 'home', chosen, keys[0])
  await becomes(journey, 'end', chosen, keys[2])
  await becomes(journey, 'k', chosen, keys[1])
  await becomes(journey, 'j', chosen, keys[2])
  await becomes(journey, 'up', chosen, keys[1])
  await becomes(journey, 'down', chosen, keys[2])
  await becomes(journey, 'pgup', chosen, keys[0])
  await becomes(journey, 'pgdn', chosen, keys[2])

  await becomes(journey, 'esc', chosen, null)
  await becomes(journey, '/', typing, 'orders')
  await becomes(journey, '6', filter, '6')
  await becomes(journey, 'backspace', filter, '')
  await pressKey(journey, '7')
  await becomes(journey, 'delete', filter, '')
  await pressKey(journey, '8')
  await becomes(journey, 'ctrl+u', filter, '')
  for (const key of '64199') await pressKey(journey, key)
  await becomes(journey, 'enter', typing, null)
  if (journey.screen().includes('64198.00 ')) await journey.until((screen) => !screen.includes('64198.00 '))
  await becomes(journey, 'esc', filter, '')
  await pressKey(journey, '/')
  await pressKey(journey, '1')
  await becomes(journey, 'esc', typing, null)
}

/** Sorting, exporting, columns, and every field of a row. */
export const columnsWalk: Walk = async (start) => {
  const journey = await start({ columns: 80, rows: 24 })
  await quoteAndCenter(journey)
  await ownOrder(journey, 'own1', '64200.00')
  await pressKey(journey, '2')
  const sort = (state: DeskState) => orders(state).sort?.direction ?? null
  const sorting = ({ tables }: DeskState) => tables.sorting
  await becomes(journey, 'o', sorting, 'orders')
  await becomes(journey, 'p', sort, 'up')
  await becomes(journey, 'p', sort, 'down')
  await becomes(journey, 'backspace', sort, null)
  await pressKey(journey, 'p')
  await becomes(journey, 'delete', sort, null)
  await pressKey(journey, 'p')
  await becomes(journey, 'esc', sorting, null)
  await becomes(journey, 'O', sort, 'down')
  await pressKey(journey, 'o')
  await becomes(journey, 'enter', sorting, null)
  await shows(journey, 'e', '.csv')

  await becomes(journey, 'C', overlay, 'columns')
  await becomes(journey, 'j', column, 1)
  await becomes(journey, 'k', column, 0)
  await becomes(journey, 'down', column, 1)
  await becomes(journey, 'up', column, 0)
  await pressKey(journey, 'end')
  for (let rows = 0; rows < 3; rows += 1) await pressKey(journey, 'j')
  await becomes(journey, 'space', hidden, 1)
  await becomes(journey, 'enter', hidden, 0)
  for (const key of ['esc', 'C', 'q']) {
    await becomes(journey, key, overlay, null)
    if (key !== 'q') await pressKey(journey, 'C')
  }

  await pressKey(journey, 'j')
  await becomes(journey, 'enter', overlay, 'details')
  await becomes(journey, 'j', top, 1)
  await becomes(journey, 'k', top, 0)
  await becomes(journey, 'down', top, 1)
  await becomes(journey, 'up', top, 0)
  await pressKey(journey, 'pgdn')
  await journey.until(() => top(journey.store.getState()) !== 0)
  await becomes(journey, 'pgup', top, 0)
  for (const key of ['esc', 'enter', 'q']) {
    await becomes(journey, key, overlay, null)
    if (key !== 'q') await pressKey(journey, 'enter')
  }
}

/** Accounts, positions and equity: what they are of, and how they are looked at. */
export const worthWalk: Walk = async (start) => {
  const journey = await start()
  await quoteAndCenter(journey)
  await pressKey(journey, '4')
  await shows(journey, 'a', 'one account')
  const focused = ({ focus }: DeskState) => focus
  await becomes(journey, 'P', focused, 'positions')
  await becomes(journey, 'd', ({ positions }) => positions.basis, 'touch')
  await becomes(journey, 'r', ({ positions }) => positions.grouping, 'symbol')
  await becomes(journey, '$', focused, 'equity')
  const span = ({ equitySpan }: DeskState) => equitySpan
  await becomes(journey, '+', span, 'week')
  await becomes(journey, '=', span, 'month')
  await becomes(journey, '-', span, 'week')
}

/** Plans: asked about, changed, resumed, reviewed. No record is open here: what is asked for is answered so. */
export const plansWalk: Walk = async (start) => {
  const journey = await start()
  await quoteAndCenter(journey)
  journey.store.dispatch({ type: 'plans', owner: 'desk', plans: [protectedPlan(), heldPlan()] })
  await becomes(journey, 'T', ({ focus }) => focus, 'plans')
  await journey.sees('carried out here')
  await becomes(journey, 'j', ({ tables }) => tables.views.plans.selectedKey, 'p2')
  await pause(journey, 2_000)
  await pressKey(journey, 'h')
  await pause(journey, 2_000)
  await journey.until(() => journey.store.getState().log.some(({ text }) => text.includes('lans are not open')))
  await shows(journey, 'x', 'LEAVE ORDERS')
  await becomes(journey, 'esc', kind, null)
  await becomes(journey, 'x', kind, 'planCancel')
  await becomes(journey, 'd', kind, null)
  await becomes(journey, 'x', kind, 'planCancel')
  await becomes(journey, 'x', kind, null)
  await becomes(journey, 'm', kind, 'palette')
  await becomes(journey, 'esc', kind, null)
  journey.store.dispatch({ type: 'plans', owner: 'desk', plans: [protectedPlan(), heldPlan(), lateEntry()] })
  await becomes(journey, 'k', ({ tables }) => tables.views.plans.selectedKey, 'p3')
  await pause(journey, 2_000)
  await becomes(journey, 'h', kind, 'planResume')
  await journey.sees('RESUME, TRADE')
  await becomes(journey, 'esc', kind, null)
  await pause(journey, 2_000)
  await becomes(journey, 'h', kind, 'planResume')
  await pause(journey, 2_000)
  await pressKey(journey, 'enter')
  await pause(journey, 2_000)
  await journey.until(() => kind(journey.store.getState()) === null)
  for (const key of ['Y', 'y', 'enter']) {
    await say(journey, 'trail sell 0.1 btc by 500', 'THE PLAN EXISTS ON THIS SIDE ONLY')
    await journey.sees('CONFIRM THE PLAN')
    for (const scroll of ['down', 'pgdn', 'up', 'pgup']) await pressKey(journey, scroll)
    await pause(journey, 2_000)
    await pressKey(journey, key)
    await pause(journey, 2_000)
    if (key !== 'enter') await becomes(journey, 'esc', kind, null)
  }
  await journey.until(() => kind(journey.store.getState()) === null)
}
