import { rowKeysOf } from '../../domain/desk/session.ts'
import { isTooSmall } from '../layout.ts'
import { focusedList } from '../tables/list-panes.ts'
import { type ActionInput, type Actions, type Binding, inScope } from './binding.ts'
import type { DeskAction } from './desk.ts'

/** Acts on the chosen order. A filter may have taken its row off the screen: nobody acts on what he does not see. */
function onChosen({ commands, state }: ActionInput, act: () => void): void {
  const chosen = state.tables.views.orders.selectedKey
  const listed = isTooSmall(state.screen) ? null : focusedList(state)
  const isSeen = listed === null || (chosen !== null && listed.source.keys(state).keys.includes(chosen))
  if (isSeen) act()
  else commands.explain(`The chosen order is not in the list: ${rowKeysOf(state.reboundKeys)} choose one that is.`)
}

/**
 * What the keys do in the list of orders, and about a write that is not settled: every action as what it asks of the
 * desk.
 */
export const ordersActions = {
  cancelSelected: (input) => onChosen(input, () => input.commands.cancelSelectedOrder()),
  moveSelected: (input) => {
    if (isTooSmall(input.state.screen))
      return input.commands.explain('A move needs a larger terminal: it is checked there.')
    onChosen(input, () => input.commands.moveSelectedOrder())
  },
  unsettledUp: ({ commands }) => commands.moveInUnsettled(-1),
  unsettledDown: ({ commands }) => commands.moveInUnsettled(1),
  sayNotPlaced: ({ commands }) => commands.sayUnsettled('notPlaced'),
  sayPlaced: ({ commands }) => commands.sayUnsettled('placed'),
} satisfies Actions
export type OrdersAction = keyof typeof ordersActions

const orders = inScope<OrdersAction | DeskAction>('orders')
const unsettled = inScope<OrdersAction | DeskAction>('unsettled')

export const ordersKeys: readonly Binding<OrdersAction | DeskAction>[] = [
  orders(['x'], 'cancelSelected', 'cancel the chosen one', { foot: 'cancel', danger: true }),
  orders(['m'], 'moveSelected', 'move the chosen one', { foot: 'move' }),
  unsettled(['k', 'up'], 'unsettledUp', 'choose which to settle', { foot: 'choose' }),
  unsettled(['j', 'down'], 'unsettledDown', 'choose which to settle', { foot: 'choose' }),
  unsettled(['n'], 'sayNotPlaced', 'settle an unknown one', { foot: 'it was not placed', danger: true }),
  unsettled(['p'], 'sayPlaced', 'settle an unknown one', { foot: 'it was placed' }),
  unsettled(['esc'], 'closeOverlay', 'settle an unknown one', { foot: 'not yet' }),
]
