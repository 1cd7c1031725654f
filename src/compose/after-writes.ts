import type { Clock } from '../base/clock.ts'
import type { FeedEvent } from '../domain/desk/events.ts'
import { isWorking, type Order } from '../domain/orders/order.ts'
import type { Account } from '../services/polling/account.ts'

type AfterWrites = { onWritten: (order: Order | null) => void; onFound: (order: Order) => void }

/** What a write changes is asked for at once, and the order that came of it is followed to its end. */
export function afterWrites(account: Account, emit: (event: FeedEvent) => void, clock: Clock): AfterWrites {
  const wakeAccount = () => {
    for (const poller of [account.orders, account.fills, account.balances]) poller.wake()
  }
  return {
    onWritten(order) {
      if (order !== null) account.watch(order)
      wakeAccount()
    },
    onFound(order) {
      if (isWorking(order)) account.watch(order)
      else emit({ type: 'orderEnded', order, atMs: clock.now() })
      wakeAccount()
    },
  }
}
