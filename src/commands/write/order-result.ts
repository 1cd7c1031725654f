import type { CommandIo } from '../../base/process/command-io.ts'
import { plainText } from '../../base/text/plain-text.ts'
import { utcText } from '../../base/text/time-text.ts'
import { isHubToken } from '../../desk/wiring/behind-hub.ts'
import type { Instruments } from '../../domain/market/amounts.ts'
import { describeEnd } from '../../domain/orders/describe.ts'
import { draftIdOf } from '../../domain/orders/drafted-order.ts'
import { isSameOrder, isWorking, type Order, type OrderDraft } from '../../domain/orders/order.ts'
import { type OrderOutcome, orderMismatches, refusedButThereSentence } from '../../domain/orders/order-outcome.ts'
import { mismatchText, type NotSent, type Refusal } from '../../domain/write-outcome.ts'
import { type JournalEntry, mayHaveLeft, termsOf, type WriteJournal } from '../../journal/entry.ts'
import { findOrders, whyHidden } from '../../services/orders/find-orders.ts'
import type { OrderListClient } from '../../services/orders/order-pages.ts'
import { type Ending, type Fields, failure } from '../cli/exit-codes.ts'
import { formOf, one, printOutcome } from '../cli/output.ts'
import { orderColumns, orderFields } from '../read/order-rows.ts'
import { endOf, refusedEnding, reportedNow, resolvedBefore, vouchedUntilMs } from './earlier-write.ts'
import type { WriteScene } from './with-writing.ts'
import { isHubRefusal } from './writing.ts'

export const nothing = 'Nothing was placed.'
/** For a new order beside an existing one. */
const nothingNew = 'Nothing new was placed.'

/** Reports the outcome of an order sent just now. */
export async function tellOutcome(
  outcome: OrderOutcome | NotSent,
  telling: WriteScene & { draft: OrderDraft },
  rules: Instruments,
): Promise<Ending> {
  const { writing } = telling
  switch (outcome.kind) {
    case 'accepted':
      return showOrder(outcome.order, telling, rules)
    case 'notSent':
      return writing.refused('notSent', `not sent: ${outcome.reason}. ${nothing}`)
    case 'rejected':
      return rejectedNow(outcome.clientOrderId, outcome, telling)
    case 'unknown': {
      const { clientOrderId, reason } = outcome
      const find = async () => (await sentUnder(writing.journal, clientOrderId)).entry
      const entry = await writing.settled(find, writing.patienceMs())
      const order = writing.found(clientOrderId)
      if (order !== undefined) return showOrder(order, telling, rules)
      // A refusal that the lists could not bear out at first may be on record by now.
      const end = entry === undefined ? null : endOf(entry)
      return end?.kind === 'rejected' ? rejectedNow(clientOrderId, end, telling) : unknownOrder(clientOrderId, reason)
    }
  }
}

/** A refusal of an order sent just now. */
function rejectedNow(clientOrderId: string, refusal: Refusal, telling: WriteScene): Ending {
  const more = { clientOrderId, ...newIdNeeded(clientOrderId, telling) }
  return isHubRefusal(telling.writing.lastFailure())
    ? failure('rejected', `the hub refused it: ${refusal.reason}. ${nothing}`, more)
    : refusedEnding(refusal, nothing, more)
}

const unknownOrder = (clientOrderId: string, reason: string): Ending =>
  failure('unknown', `the outcome of order ${clientOrderId} is unknown (${reason}): it may be live.`, {
    clientOrderId,
    todo:
      'Do not resubmit: look at pitdesk orders and pitdesk journal --open. Duplicates are blocked until it is ' +
      'resolved.',
  })

type Given = Pick<WriteScene, 'given'>

const newDraft = 'To send it again, make a new draft.'

/** The draft behind an order's id, unless the user chose the id: a new order then needs a new draft. */
const draftOf = (clientOrderId: string, { given }: Given): string | null =>
  given.value('client-order-id') === undefined ? draftIdOf(clientOrderId) : null

/** A rejection uses up a script's own id, or a draft: the same command would only repeat the rejection. */
function newIdNeeded(clientOrderId: string, telling: Given): Pick<Ending, 'todo'> {
  if (draftOf(clientOrderId, telling) !== null) return { todo: newDraft }
  const isOwn = telling.given.value('client-order-id') !== undefined
  return isOwn ? { todo: 'To send it again, use a new id: this one is used up.' } : {}
}

/**
 * Prints an order as the exchange reports it, with terms of `draft` that it does not report; `rules` of its symbol, if
 * known, format amounts.
 */
async function showOrder(
  order: Order,
  telling: WriteScene & { draft: OrderDraft },
  rules: Instruments = null,
): Promise<Ending> {
  const { clientOrderId } = order
  if (order.status === 'REJECTED') {
    const reason = order.text ?? 'no reason given'
    const more = { clientOrderId, ...newIdNeeded(clientOrderId, telling) }
    return failure('rejected', `the exchange rejected it: ${reason}. ${nothing}`, more)
  }
  const did = isWorking(order)
    ? `Order ${order.orderId ?? clientOrderId} is working: ${order.status}.`
    : describeEnd(order, rules)
  return await printOrder(orderFields(order, new Map([[clientOrderId, telling.draft]])), did, telling)
}

async function printOrder(row: Fields, did: string, { given, io }: WriteScene): Promise<Ending> {
  const form = formOf(given, io.stdout)
  if (form === 'table') await io.print(plainText(did))
  else await printOutcome(one(row), orderColumns, form, io)
  return { code: 0, did }
}

const idPattern = /^[A-Za-z0-9]{1,20}$/
export const isClientOrderId = (text: string): boolean => idPattern.test(text)

/** The entry under this client order id that was or may have been sent; one that certainly was not does not count. */
export async function sentUnder(
  journal: WriteJournal,
  id: string,
): Promise<{ entry?: JournalEntry; gap: string | null }> {
  const { entries, gap } = await journal.find({ kind: 'order', id })
  const entry = entries.findLast(mayHaveLeft)
  return entry === undefined ? { gap } : { entry, gap }
}

type Asked = { draft: OrderDraft; clientOrderId: string }

/**
 * The outcome of the earlier order under this client order id, so that a repeat sends nothing; null when the id is
 * free. Throws `ExchangeError` when only the exchange could tell, and does not answer.
 */
export async function earlierOrder(asked: Asked, telling: WriteScene): Promise<Ending | null> {
  const { draft, clientOrderId } = asked
  const { writing } = telling
  const find = async () => (await sentUnder(writing.journal, clientOrderId)).entry
  const { entry, gap } = await sentUnder(writing.journal, clientOrderId)
  // A hub records every order and its owner: a repeat gets the same answer, and only about the person's own orders.
  if (entry === undefined && isHubToken(telling.session.token)) return null
  // A journal cannot prove that the id is free: it may have a gap, be new, or be an older copy from a backup. The
  // exchange can: its lists have every order of the account.
  if (entry === undefined)
    return await listedOrder(
      asked,
      telling,
      notSentBecause(clientOrderId),
      gap === null ? await vouchedUntilMs(telling) : 0,
    )
  const { intent } = entry
  if (intent.kind !== 'order' || !isSameOrder(intent.draft, draft))
    return usedForAnother(clientOrderId, termsOf(intent), telling)
  const resolved = await resolvedBefore(`Order ${clientOrderId} was sent`, entry, find, telling)
  return await tellEntry(resolved, asked, telling)
}

/** Why a dry run's order would not be sent under its id, by the journal alone; null while the id is free there. */
export async function usedBefore(
  { draft, clientOrderId }: Asked,
  telling: Given & { writing: Pick<WriteScene['writing'], 'journal'> },
): Promise<Ending | null> {
  const { entry } = await sentUnder(telling.writing.journal, clientOrderId)
  if (entry === undefined) return null
  const { intent, atMs } = entry
  if (intent.kind !== 'order' || !isSameOrder(intent.draft, draft))
    return usedForAnother(clientOrderId, termsOf(intent), telling)
  return failure('notSent', `it would not be sent: order ${clientOrderId} was sent at ${utcText(atMs)}`, {
    clientOrderId,
    todo: 'Without --dry-run its outcome is told.',
  })
}

const notSentBecause =
  (clientOrderId: string) =>
  (why: string): Ending =>
    failure('notSent', `not sent: ${why}. ${nothing}`, { clientOrderId })

const usedForAnother = (clientOrderId: string, what: string, telling: Given): Ending =>
  failure('notSent', `not sent: client order id ${clientOrderId} was used for another ${what}. ${nothingNew}`, {
    clientOrderId,
    todo: draftOf(clientOrderId, telling) === null ? 'Use a new id for a new order.' : newDraft,
  })

async function tellEntry(entry: JournalEntry, { draft, clientOrderId }: Asked, telling: WriteScene): Promise<Ending> {
  const end = endOf(entry)
  switch (end.kind) {
    case 'placed': {
      const { id, status } = end
      const { session, io } = telling
      const fetch = (orderId: string) => () => session.client.fetchOrder(orderId, io.signal)
      const order = id === null ? null : await reportedNow(`order ${id}`, fetch(id), io)
      // An answer may have named another order's id: the own order is listed under the client order id.
      if (order !== null && order.clientOrderId === clientOrderId) return await showOrder(order, { ...telling, draft })
      const listed = order === null ? null : await listedOrder({ draft, clientOrderId }, telling, () => null)
      if (listed !== null) return listed
      const row = recordedFields({ draft, clientOrderId, atMs: entry.atMs, id, status })
      return await printOrder(row, `Order ${id ?? clientOrderId} was placed.`, telling)
    }
    case 'notPlaced': {
      const draftId = draftOf(clientOrderId, telling)
      const what = draftId === null ? `order ${clientOrderId}` : `draft ${draftId}`
      const spent = draftId === null ? 'its id' : 'it'
      return failure('notSent', `${what} was resolved as not placed: ${spent} is used up. ${nothing}`, {
        clientOrderId,
        todo: draftId === null ? 'Use a new id.' : newDraft,
      })
    }
    case 'rejected':
      // It was not found when rejected: lists that were behind then have it by now, if it exists. Behind a hub, which
      // has looked itself, they contain everyone's orders.
      return (
        (isHubToken(telling.session.token)
          ? null
          : await listedOrder(
              { draft, clientOrderId },
              { ...telling, refusal: end.reason },
              notSentBecause(clientOrderId),
            )) ?? refusedEnding(end, nothing, { clientOrderId, ...newIdNeeded(clientOrderId, telling) })
      )
    case 'unknown':
      return unknownOrder(clientOrderId, end.reason)
  }
}

type Recorded = Asked & { atMs: number; id: string | null; status: string | null }

/** An order from the journal, by the wire's names. */
const recordedFields = ({ draft, clientOrderId, atMs, id, status }: Recorded): Fields => ({
  exOrdId: id === null ? null : BigInt(id),
  clOrdId: clientOrderId,
  ordType: draft.type,
  ordStatus: status,
  side: draft.side,
  price: draft.limitPrice,
  stopPx: draft.stopPrice,
  orderQty: draft.orderQuantity,
  symbol: draft.symbol,
  timestamp: atMs,
})

/**
 * The order that the exchange lists under this id, wherever it may; null when it knows none. Where it cannot be told,
 * because an entry that may be it is unreadable or a list did not come to its end, `inDoubt` decides. Not further back
 * than `sinceMs` of exchange time. `refusal`: what its answer said, where that refused it.
 */
async function listedOrder(
  { draft, clientOrderId }: Asked,
  telling: WriteScene & { refusal?: string },
  inDoubt: (why: string) => Ending | null,
  sinceMs = 0,
): Promise<Ending | null> {
  const { session, io } = telling
  const ids = new Set([clientOrderId])
  // This key may lack access to the engine's list: the others suffice for a standing order.
  const among = sinceMs === 0 ? 'all' : 'standing'
  const client = tellingPages(session.client, clientOrderId, io)
  const found = await findOrders(client, ids, sinceMs, io.signal, among)
  const order = found.orders.get(clientOrderId)
  if (order === undefined) {
    const hidden = whyHidden(found)
    return hidden === null ? null : inDoubt(hidden)
  }
  const mismatches = orderMismatches({ ...draft, clientOrderId }, order)
  if (mismatches.length > 0) return usedForAnother(clientOrderId, `order (${mismatchText(mismatches)})`, telling)
  const { refusal } = telling
  if (refusal !== undefined && order.status !== 'REJECTED')
    io.printError(plainText(refusedButThereSentence(order, refusal)))
  return await showOrder(order, { ...telling, draft })
}

/** Pages of orders after which a search is told of, and again after as many: each takes a few seconds at least. */
const toldPages = 100

/** Says on stderr how far a search in long lists has come: in silence a command would seem to hang. */
function tellingPages(client: OrderListClient, id: string, { printError }: Pick<CommandIo, 'printError'>) {
  let pages = 0
  const counted = <T>(page: Promise<T>): Promise<T> => {
    pages += 1
    if (pages % toldPages === 0)
      printError(`Looking for order ${id} in the exchange's lists: ${pages} pages so far. Nothing is sent meanwhile.`)
    return page
  }
  return {
    fetchOrders: (...asked: Parameters<OrderListClient['fetchOrders']>) => counted(client.fetchOrders(...asked)),
    fetchOrderPage: (...asked: Parameters<OrderListClient['fetchOrderPage']>) =>
      counted(client.fetchOrderPage(...asked)),
  }
}
