import { ExchangeError } from '../../api/errors.ts'
import type { CommandIo } from '../../base/command-io.ts'
import { diskReason } from '../../base/error-text.ts'
import { plainText } from '../../base/plain-text.ts'
import { accountJournalFolder, accountOf } from '../../desk/account-folder.ts'
import { fetchPlansAtHub, isHubToken } from '../../desk/behind-hub.ts'
import { draftsOf } from '../../desk/own-drafts.ts'
import type { Session } from '../../desk/profile.ts'
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

/** What the exchange tells of an order, with the terms that are known here. */
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

/** The same, with the plan that an order is of: nothing outside tells that. */
export const listedOrderColumns: readonly Column[] = [...orderColumns, late(text('plan', 'PLAN', 5))]

/** Orders as the rows of a command's list. */
export type OrderRows = (orders: readonly Order[]) => Promise<readonly Fields[]>

/** No order is for nothing: a report that comes to that, such as FILLED with 0 filled, does not tell the quantity. */
function reportedQuantity(order: Order): Decimal | null {
  const quantity = orderQuantity(order)
  return quantity?.isZero() === true ? null : quantity
}

/** The wire's fields with the terms that the exchange does not report, as far as they are known here. */
export function orderFields(order: Order, drafts: OwnDrafts, unknownStop: string | null = null): Fields {
  const draft = ownDraft(order, drafts)
  const quantity = reportedQuantity(order) ?? draft?.orderQuantity ?? null
  const isWaiting = isPending(order)
  return {
    ...fromOrder(order),
    stopPx: isStopType(order.type) ? (draft?.stopPrice ?? unknownStop) : null,
    orderQty: quantity,
    // Nothing of a stop that waits has traded, and it is reported with 0 left: all that was asked for is open.
    ...(isWaiting ? { leavesQty: openQuantity(order) ?? quantity } : {}),
  }
}

type Known = { drafts: OwnDrafts; planIds: ReadonlyMap<string, string> }

/** What plans have asked for, and of which plan each of their orders is, by its id of the client. */
const knownOf = (plans: readonly Plan[]): Known => ({
  drafts: draftsOfPlans(plans),
  planIds: new Map(plans.flatMap(({ planId, orders }) => orders.map(({ clientOrderId }) => [clientOrderId, planId]))),
})

/** What of a session tells whose orders they are, and asks a hub for plans. */
type OrderSession = Pick<Session, 'token'> & {
  settings: Pick<Session['settings'], 'profileName' | 'exchange'>
  client: Pick<Session['client'], 'fetchHubPlans'>
}

/** Where plans are kept: in the account's folder, or at a hub. */
type PlanPlace = { folder: string; isWatched: boolean; session: OrderSession; io: CommandIo }

/**
 * What is known of plans that have asked for orders with these ids of the client: of the account's own plans, as their
 * record on this machine has them, or of those of a hub. Either is asked once for a list, whose pages are of one
 * moment, and while orders are watched once for each id: those it does not know are of nobody's plan.
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
    if (!kept.ok) tell(`Plans of orders unknown: ${kept.error}.`)
    try {
      if (isHubToken(token)) atHub = await fetchPlansAtHub(client, io.signal)
      for (const id of ids) asked.add(id)
    } catch (error) {
      // The exchange's report stands for itself; what it leaves out stays as it was, and is asked for again.
      if (!(error instanceof ExchangeError)) throw error
      tell(`Plans of orders unknown: ${failureSentence(error)}.`)
    }
    known = knownOf([...(kept.ok ? kept.value.plans.values() : []), ...atHub])
    return known
  }
}

/**
 * Rows of orders for this form: the exchange's own fields, and from the journal of the session's account, or from its
 * plans, what it does not report: the trigger of a stop, the quantity of one that waits, and the plan. Where that
 * cannot be read it is reported, and they are unknown: never zero, for a script would take it for an order that is
 * done.
 */
export function orderRows(form: Form, session: OrderSession, io: CommandIo, isWatched = false): OrderRows {
  const account = accountOf(session.settings, session.token, io)
  const reader = new FolderReader(accountJournalFolder(account))
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
      tell(`Terms of own stops unknown, the journal cannot be read: ${reason}.`)
      return new Map()
    }
  }
  return async (orders) => {
    const known = await plansOf(orders.map(({ clientOrderId }) => clientOrderId))
    const drafts = new Map([...known.drafts, ...(await readDrafts(orders))])
    return orders.map((order) => {
      const row = { ...orderFields(order, drafts, form === 'table' ? '?' : null), ...planOf(order, known) }
      // As in the desk: nothing is left of an order that has ended, though the wire says what was open before.
      return form !== 'table' || isWorking(order) ? row : { ...row, leavesQty: openQuantity(order) }
    })
  }
}

/** The plan of an order, where it is of one; JSON has no such field otherwise. */
const planOf = ({ clientOrderId }: Order, { planIds }: Known): Fields => {
  const planId = planIds.get(clientOrderId)
  return planId === undefined ? {} : { plan: planId }
}
