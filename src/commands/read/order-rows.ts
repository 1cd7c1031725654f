import { ExchangeError } from '../../api/errors.ts'
import type { CommandIo } from '../../base/process/command-io.ts'
import { diskReason } from '../../base/text/error-text.ts'
import { plainText, withoutStop } from '../../base/text/plain-text.ts'
import { accountJournalFolder, accountOf } from '../../desk/account/account-folder.ts'
import type { Session } from '../../desk/account/profile.ts'
import { fetchPlansAtHub, isHubToken } from '../../desk/wiring/behind-hub.ts'
import { draftsOf } from '../../desk/wiring/own-drafts.ts'
import type { Decimal } from '../../domain/money.ts'
import { isPending, isStopType, isWorking, type Order, openQuantity, orderQuantity } from '../../domain/orders/order.ts'
import { type OwnDrafts, ownDraft } from '../../domain/orders/own-draft.ts'
import { draftsOf as draftsOfPlans, type Plan } from '../../domain/plans/plan.ts'
import { JournalError } from '../../journal/entry.ts'
import { FolderReader } from '../../journal/folder-reader.ts'
import { readPlans } from '../../journal/plan-file.ts'
import { failureSentence } from '../../services/failure-sentences.ts'
import { fromOrder } from '../../wire/order.ts'
import type { Fields } from '../cli/exit-codes.ts'
import { amount, type Column, due, type Form, late, own, scaled, text, time } from '../cli/output.ts'

/** The exchange's report of an order, with the terms known here. */
export const orderColumns: readonly Column[] = [
  time('timestamp', 'TIME (UTC)', 3),
  text('exOrdId', 'ID'),
  text('clOrdId', 'CLIENT ID', 7),
  text('symbol', 'SYMBOL'),
  text('side', 'SIDE'),
  text('ordType', 'TYPE', 2),
  text('ordStatus', 'STATE'),
  scaled('price', amount('price', 'PRICE')),
  own(scaled('price', amount('stopPx', 'STOP', 1))),
  own(due(scaled('quantity', amount('orderQty', 'QUANTITY', 2)))),
  due(scaled('quantity', amount('leavesQty', 'LEFT'))),
  due(scaled('quantity', amount('cumQty', 'FILLED', 1))),
  scaled('average', amount('avgPx', 'AVERAGE', 4)),
  scaled('quantity', amount('lastShares', 'LAST QTY', 6)),
  scaled('price', amount('lastPx', 'LAST PRICE', 6)),
  text('text', 'REASON', 5),
]

/** The same, with the order's plan, which no other program knows. */
export const listedOrderColumns: readonly Column[] = [...orderColumns, late(text('plan', 'PLAN', 5))]

/** Orders as the rows of a command's list. */
export type OrderRows = (orders: readonly Order[]) => Promise<readonly Fields[]>

/** No order has a quantity of 0: a report that implies it, such as FILLED with 0 filled, does not tell the quantity. */
function reportedQuantity(order: Order): Decimal | null {
  const quantity = orderQuantity(order)
  return quantity?.isZero() === true ? null : quantity
}

/** The wire's fields with terms that the exchange does not report, as far as known here. */
export function orderFields(order: Order, drafts: OwnDrafts, unknownStop: string | null = null): Fields {
  const draft = ownDraft(order, drafts)
  const quantity = reportedQuantity(order) ?? draft?.orderQuantity ?? null
  const isWaiting = isPending(order)
  return {
    ...fromOrder(order),
    stopPx: isStopType(order.type) ? (draft?.stopPrice ?? unknownStop) : null,
    orderQty: quantity,
    // A pending stop has not traded, and is reported with 0 left: its whole quantity is open.
    ...(isWaiting ? { leavesQty: openQuantity(order) ?? quantity } : {}),
  }
}

type Known = { drafts: OwnDrafts; planIds: ReadonlyMap<string, string> }

/** The orders of plans, and each one's plan by client order id. */
const knownOf = (plans: readonly Plan[]): Known => ({
  drafts: draftsOfPlans(plans),
  planIds: new Map(plans.flatMap(({ planId, orders }) => orders.map(({ clientOrderId }) => [clientOrderId, planId]))),
})

/** The part of a session that identifies the account, and asks a hub for plans. */
type OrderSession = Pick<Session, 'token'> & {
  settings: Pick<Session['settings'], 'profileName' | 'exchange'>
  client: Pick<Session['client'], 'fetchHubPlans'>
}

/** The source of plans: the account's folder, or a hub. */
type PlanPlace = { folder: string; isWatched: boolean; session: OrderSession; io: CommandIo }

/**
 * The terms and plans of orders with these client order ids: of the account's own plans from their record on this
 * machine, or of a hub's. Requested once for a list, whose pages show one moment, and once for each id while orders are
 * watched: ids it does not know belong to no plan.
 */
function createPlanLookup(
  { folder, isWatched, session, io }: PlanPlace,
  tell: (sentence: string) => void,
): (ids: readonly string[]) => Promise<Known> {
  const { client, token } = session
  const asked = new Set<string>()
  let atHub: readonly Plan[] = []
  let known = knownOf([])
  return async (ids) => {
    const isKnown = isWatched ? ids.every((id) => asked.has(id)) : asked.size > 0
    if (isKnown || ids.length === 0) return known
    const kept = readPlans(folder)
    if (!kept.ok) tell(`Plans of orders unknown: ${withoutStop(kept.error)}.`)
    try {
      if (isHubToken(token)) atHub = await fetchPlansAtHub(client, io.signal)
      for (const id of ids) asked.add(id)
    } catch (error) {
      // The exchange's report is shown anyway; terms it leaves out stay as they were, and are requested again.
      if (!(error instanceof ExchangeError)) throw error
      tell(`Plans of orders unknown: ${failureSentence(error)}.`)
    }
    known = knownOf([...(kept.ok ? kept.value.plans.values() : []), ...atHub])
    return known
  }
}

/**
 * Rows of orders for this form: the exchange's fields, and from the account's journal or plans the unreported ones: a
 * stop's trigger, a pending stop's quantity, and the plan. If these cannot be read that is reported, and they are
 * unknown: never zero, which a script would take for an order that is done.
 */
export function orderRows(form: Form, session: OrderSession, io: CommandIo, isWatched = false): OrderRows {
  const account = accountOf(session.settings, session.token, io)
  const folder = accountJournalFolder(account)
  const reader = new FolderReader(folder)
  const told = new Set<string>()
  const tell = (sentence: string) => {
    if (!told.has(sentence)) io.printError(plainText(sentence))
    told.add(sentence)
  }
  const plansOf = createPlanLookup({ folder: account.folder, isWatched, session, io }, tell)
  const readDrafts = async (orders: readonly Order[]): Promise<OwnDrafts> => {
    const ids = orders.flatMap((order) =>
      isStopType(order.type) || reportedQuantity(order) === null
        ? [{ kind: 'order' as const, id: order.clientOrderId }]
        : [],
    )
    if (ids.length === 0) return new Map()
    try {
      return draftsOf((await reader.find(ids)).entries.all())
    } catch (error) {
      const reason = error instanceof JournalError ? error.message : diskReason(error)
      tell(`Terms of own stops unknown, the journal in ${folder} cannot be read: ${reason}.`)
      return new Map()
    }
  }
  return async (orders) => {
    const known = await plansOf(orders.map(({ clientOrderId }) => clientOrderId))
    const drafts = new Map([...known.drafts, ...(await readDrafts(orders))])
    return orders.map((order) => {
      const row = { ...orderFields(order, drafts, form === 'table' ? '?' : null), ...planOf(order, known) }
      // As in the desk: an ended order has nothing left, although the wire reports what was open before.
      return form !== 'table' || isWorking(order) ? row : { ...row, leavesQty: openQuantity(order) }
    })
  }
}

/** The plan of an order, if any; otherwise JSON has no such field. */
const planOf = ({ clientOrderId }: Order, { planIds }: Known): Fields => {
  const planId = planIds.get(clientOrderId)
  return planId === undefined ? {} : { plan: planId }
}
