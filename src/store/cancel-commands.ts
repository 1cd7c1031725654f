import { mayCancel } from '../domain/desk/mode.ts'
import { rowKeysOf } from '../domain/desk/session.ts'
import type { Order } from '../domain/orders/order.ts'
import type { CommandContext } from './command-context.ts'
import type { Commands } from './commands.ts'
import { ordersAtCursor } from './ladder/own-in-row.ts'
import { workingOrder } from './selectors.ts'

type CancelCommands = Pick<Commands, 'cancelSelectedOrder' | 'cancelAtCursor'>

/** For so long a cancel may have been meant for the order that the cursor stood on before. */
const cameMs = 1_000

/** Commands that take orders back. They are allowed before arming: a cancel only lowers risk. */
export function createCancelCommands({ store, port }: CommandContext): CancelCommands {
  const say = (text: string) => store.dispatch({ type: 'noted', level: 'warn', text, atMs: port.now() })
  const isAllowed = () => {
    if (mayCancel(store.getState().mode)) return true
    say('MONITOR is read only: start without --monitor.')
    return false
  }
  const cancel = (order: Order) => {
    if (order.orderId === null)
      return say(`Order ${order.clientOrderId}: exchange id unknown. Cancel all ${order.symbol} removes it.`)
    port.cancelOrder(order.orderId)
  }
  return {
    cancelSelectedOrder() {
      if (!isAllowed()) return
      const state = store.getState()
      const key = state.tables.views.orders.selectedKey ?? ''
      const order = workingOrder(state, key)
      // A key that is held, or pressed twice, was meant for the order that stood here before.
      const { cursorCame } = state
      const atMs = port.now()
      if (cursorCame?.key === key && atMs - cursorCame.atMs < cameMs) {
        store.dispatch({ type: 'cursorCame', key, atMs })
        return say('Not done: the cursor has just come to this order. Wait a second, then press again.')
      }
      if (order !== undefined) return cancel(order)
      const isUnknown = state.unsettled.some((entry) => entry.key === key)
      say(
        isUnknown
          ? 'The outcome of this one is not known yet: it is being looked up.'
          : `No working order is selected: ${rowKeysOf(state.reboundKeys)} choose one.`,
      )
    },
    cancelAtCursor() {
      if (!isAllowed()) return
      const orders = ordersAtCursor(store.getState())
      if (orders.length === 0) return say('You have no resting order in this row.')
      for (const order of orders) cancel(order)
    },
  }
}
