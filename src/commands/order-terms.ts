import { diskReason } from '../base/disk-error.ts'
import { plainText } from '../base/plain-text.ts'
import { draftsOf } from '../compose/own-drafts.ts'
import { type Order, openQuantity, orderQuantity } from '../domain/orders/order.ts'
import { type OwnDrafts, ownDraft } from '../domain/orders/own-draft.ts'
import { JournalError } from '../journal/entry.ts'
import { FolderReader } from '../journal/folder-reader.ts'
import { fromOrder } from '../wire/order.ts'
import { accountJournalFolder, accountOf } from './account-folder.ts'
import type { CommandIo } from './io.ts'
import type { Fields, Form } from './read-output.ts'
import type { Session } from './session.ts'

/** Orders as the rows of a command's list. */
export type OrderRows = (orders: readonly Order[]) => Promise<readonly Fields[]>

const isStop = ({ type }: Order): boolean => type === 'STOP' || type === 'STOPLIMIT'

/** The wire's fields with the terms that a table shows beside them; `?` for those that nothing here knows. */
function tableFields(order: Order, drafts: OwnDrafts): Fields {
  const draft = ownDraft(order, drafts)
  const quantity = orderQuantity(order) ?? draft?.orderQuantity ?? null
  const isWaiting = order.status === 'PENDING'
  return {
    ...fromOrder(order),
    stopPx: isStop(order) ? (draft?.stopPrice ?? '?') : null,
    orderQty: quantity,
    // Nothing of a stop that waits has traded, and it is reported with 0 left: all that was asked for is open.
    ...(isWaiting ? { leavesQty: openQuantity(order) ?? quantity } : {}),
  }
}

/**
 * Rows of orders for this form. JSON and CSV have the exchange's own fields. A table also has what the exchange does
 * not report, the trigger of a stop and the quantity of one that waits, from the journal of the session's account:
 * where that cannot be read it is told of, and they are unknown.
 */
export function orderRows(form: Form, session: Pick<Session, 'settings' | 'token'>, io: CommandIo): OrderRows {
  if (form !== 'table') return (orders) => Promise.resolve(orders.map(fromOrder))
  const reader = new FolderReader(accountJournalFolder(accountOf(session.settings, session.token, io)))
  let isTold = false
  const readDrafts = async (orders: readonly Order[]): Promise<OwnDrafts> => {
    const ids = orders.flatMap((order) =>
      isStop(order) || orderQuantity(order) === null ? [{ kind: 'order' as const, id: order.clientOrderId }] : [],
    )
    try {
      return ids.length === 0 ? new Map() : draftsOf((await reader.find(ids)).entries.all())
    } catch (error) {
      const reason = error instanceof JournalError ? error.message : diskReason(error)
      if (!isTold) io.complain(plainText(`Terms of own stops unknown, the journal cannot be read: ${reason}.`))
      isTold = true
      return new Map()
    }
  }
  return async (orders) => {
    const drafts = await readDrafts(orders)
    return orders.map((order) => tableFields(order, drafts))
  }
}
