import { ExchangeError } from '../../api/errors.ts'
import type { CommandIo, CommandTools } from '../../base/command-io.ts'
import { plainText } from '../../base/plain-text.ts'
import { utcText } from '../../base/time-text.ts'
import type { Session } from '../../desk/profile.ts'
import type { Instruments } from '../../domain/balance.ts'
import { rawText } from '../../domain/listing.ts'
import { sameAmount } from '../../domain/money.ts'
import { hasSameTerms, isWorking, type Order, type OrderDraft } from '../../domain/orders/order.ts'
import { mismatchText, type NotSent, type OrderOutcome, orderMismatches } from '../../domain/orders/order-outcome.ts'
import { describeIntent } from '../../journal/describe-intent.ts'
import { isOpen, type JournalEntry, type WriteJournal } from '../../journal/entry.ts'
import { findOrders } from '../../services/orders/find-orders.ts'
import { mayHaveLeft } from '../../services/transfers/withdrawal-entry.ts'
import { describeEnd } from '../../store/orders/describe.ts'
import { fromOrder } from '../../wire/order.ts'
import type { Arguments } from '../cli/arguments.ts'
import { type Ending, type Fields, failure } from '../cli/exit-codes.ts'
import { formOf, one, printReading } from '../cli/output.ts'
import { orderColumns } from '../read/orders.ts'
import { ownPatienceMs, refusalText, refusedBefore, type Writing } from './writing.ts'

const nothing = 'Nothing was placed.'

type Telling = { given: Arguments; io: CommandIo; tools: CommandTools; session: Session; writing: Writing }

/** What became of an order that was sent just now. */
export async function tellOutcome(
  outcome: OrderOutcome | NotSent,
  telling: Telling,
  rules: Instruments,
): Promise<Ending> {
  const { writing } = telling
  switch (outcome.kind) {
    case 'accepted':
      return showOrder(outcome.order, telling, rules)
    case 'notSent':
      return writing.refused('notSent', `not sent: ${outcome.reason}. ${nothing}`)
    case 'rejected': {
      const { clientOrderId, reason } = outcome
      const what = `${refusalText(writing.lastFailure())}: ${reason}. ${nothing}`
      return writing.refused('rejected', what, { clientOrderId, ...newIdNeeded(telling) })
    }
    case 'unknown': {
      const { clientOrderId, reason } = outcome
      await writing.settle(ownPatienceMs)
      const order = writing.found(clientOrderId)
      return order === undefined ? unknownOrder(clientOrderId, reason) : showOrder(order, telling, rules)
    }
  }
}

const unknownOrder = (clientOrderId: string, reason: string): Ending =>
  failure('unknown', `the outcome of order ${clientOrderId} is unknown (${reason}): it may be live.`, {
    clientOrderId,
    todo: 'Do not resubmit: look at pitdesk orders and pitdesk journal --open. Duplicates are blocked until it is resolved.',
  })

/** A script's own id is used up by what was rejected: the same command would only tell of that. */
const newIdNeeded = ({ given }: Pick<Telling, 'given'>): Pick<Ending, 'todo'> =>
  given.value('client-order-id') === undefined ? {} : { todo: 'To send it again, use a new id: this one is used up.' }

/** Prints an order as the exchange reports it. */
export async function showOrder(order: Order, telling: Telling, rules: Instruments): Promise<Ending> {
  const { clientOrderId } = order
  if (order.status === 'REJECTED') {
    const reason = order.text ?? 'no reason given'
    const more = { clientOrderId, ...newIdNeeded(telling) }
    return failure('rejected', `the exchange rejected it: ${reason}. ${nothing}`, more)
  }
  const did = isWorking(order)
    ? `Order ${order.orderId ?? clientOrderId} is working: ${order.status}.`
    : describeEnd(order, rules)
  return await printOrder(fromOrder(order), did, telling)
}

async function printOrder(row: Fields, did: string, { given, io }: Telling): Promise<Ending> {
  const form = formOf(given, io.stdout)
  if (form === 'table') await io.print(plainText(did))
  else await printReading(one(row), orderColumns, form, io)
  return { code: 0, did }
}

const idPattern = /^[A-Za-z0-9]{1,20}$/
export const isClientOrderId = (text: string): boolean => idPattern.test(text)

/** The entry under this client order id that was sent or may have been; one that never left does not count. */
export async function sentUnder(
  journal: WriteJournal,
  id: string,
): Promise<{ entry?: JournalEntry; gap: string | null }> {
  const { entries, gap } = await journal.find({ kind: 'order', id })
  const entry = entries.findLast(mayHaveLeft)
  return entry === undefined ? { gap } : { entry, gap }
}

/** Whether both ask for the very same order. */
const isSameOrder = (left: OrderDraft, right: OrderDraft): boolean =>
  hasSameTerms(left, right) &&
  left.type === right.type &&
  sameAmount(left.minQuantity, right.minQuantity) &&
  left.timeInForce === right.timeInForce &&
  left.expireDate === right.expireDate &&
  left.postOnly === right.postOnly

type Asked = { draft: OrderDraft; clientOrderId: string }

/**
 * The outcome of the order this client order id was used for before, so that a repeat sends nothing; null when the id
 * is free. Throws `ExchangeError` where only the exchange could tell, and does not answer.
 */
export async function earlierOrder(asked: Asked, telling: Telling, rules: Instruments): Promise<Ending | null> {
  const { draft, clientOrderId } = asked
  const { io, writing } = telling
  const find = async () => (await sentUnder(writing.journal, clientOrderId)).entry
  const { entry, gap } = await sentUnder(writing.journal, clientOrderId)
  // A journal with a gap, or one that is new or was lost, does not tell that the id is free. The exchange does: its
  // lists have every order of the account.
  if (entry === undefined)
    return gap === null && !(await isEmpty(telling))
      ? null
      : await listedOrder(asked, telling, rules, notSentBecause(clientOrderId))
  const { intent } = entry
  if (intent.kind !== 'order' || !isSameOrder(intent.draft, draft))
    return usedForAnother(clientOrderId, describeIntent(intent))
  io.printError(plainText(`Order ${clientOrderId} was sent before, at ${utcText(entry.atMs)}: not sent again.`))
  const settled = isOpen(entry) ? await writing.settled(find, ownPatienceMs) : entry
  return await tellEntry(settled ?? entry, asked, telling, rules)
}

/** How far back there has to be something of this account in a journal that is believed to be whole. */
const emptySinceMs = 7 * 86_400_000

const isEmpty = async ({ tools, writing }: Telling): Promise<boolean> =>
  (await writing.journal.history(tools.clock.wallMs() - emptySinceMs)).length === 0

const notSentBecause =
  (clientOrderId: string) =>
  (why: string): Ending =>
    failure('notSent', `not sent: ${why}. ${nothing}`, { clientOrderId })

const usedForAnother = (clientOrderId: string, what: string): Ending =>
  failure('notSent', `not sent: client order id ${clientOrderId} was used for another ${what}. ${nothing}`, {
    clientOrderId,
    todo: 'Use a new id for a new order.',
  })

/** How an entry of the journal ended: `id` is the exchange's own. */
type EntryEnd =
  | { kind: 'placed'; id: string | null; status: string | null }
  | { kind: 'rejected' | 'unknown'; reason: string }
  /** A person has said that it was not. */
  | { kind: 'notPlaced' }

export function endOf({ outcome, settlement }: JournalEntry): EntryEnd {
  const isPlaced = settlement === null ? outcome?.kind === 'accepted' : settlement.how === 'placed'
  if (isPlaced) {
    const accepted = outcome?.kind === 'accepted' ? outcome : null
    return { kind: 'placed', id: settlement?.id ?? accepted?.id ?? null, status: accepted?.status ?? null }
  }
  if (settlement?.how === 'notPlaced') return { kind: 'notPlaced' }
  const isRejected = settlement?.how === 'rejected' || outcome?.kind === 'rejected' || outcome?.kind === 'refused'
  const said = outcome !== null && 'reason' in outcome ? outcome.reason : 'no answer on record'
  return { kind: isRejected ? 'rejected' : 'unknown', reason: settlement?.evidence ?? said }
}

async function tellEntry(
  entry: JournalEntry,
  { draft, clientOrderId }: Asked,
  telling: Telling,
  rules: Instruments,
): Promise<Ending> {
  const end = endOf(entry)
  switch (end.kind) {
    case 'placed': {
      const { id, status } = end
      const order = id === null ? null : await currentOrder(id, telling)
      // The id that an answer gave may be another order's: ours is listed under the id that we gave it.
      if (order !== null && order.clientOrderId === clientOrderId) return await showOrder(order, telling, rules)
      const listed = order === null ? null : await listedOrder({ draft, clientOrderId }, telling, rules, () => null)
      if (listed !== null) return listed
      const row = recordedFields({ draft, clientOrderId, atMs: entry.atMs, id, status })
      return await printOrder(row, `Order ${id ?? clientOrderId} was placed.`, telling)
    }
    case 'notPlaced':
      return failure('notSent', `order ${clientOrderId} was resolved as not placed: its id is used up. ${nothing}`, {
        clientOrderId,
        todo: 'Use a new id.',
      })
    case 'rejected':
      // Seen to be nowhere when it was answered: by now lists that were behind then have it, if it is there.
      return (
        (await listedOrder({ draft, clientOrderId }, telling, rules, notSentBecause(clientOrderId))) ??
        refusedBefore(end.reason, nothing, { clientOrderId, ...newIdNeeded(telling) })
      )
    case 'unknown':
      return unknownOrder(clientOrderId, end.reason)
  }
}

/** The order as it is now; null where the exchange does not say: what the journal has of it is true all the same. */
async function currentOrder(orderId: string, { session, io }: Telling): Promise<Order | null> {
  try {
    return await session.client.fetchOrder(orderId, io.signal)
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error
    io.printError(`The exchange does not report order ${orderId} now: shown from the journal.`)
    return null
  }
}

type Recorded = Asked & { atMs: number; id: string | null; status: string | null }

/** An order as the journal has it, by the wire's names. */
const recordedFields = ({ draft, clientOrderId, atMs, id, status }: Recorded): Fields => ({
  exOrdId: id === null ? null : BigInt(id),
  clOrdId: clientOrderId,
  ordType: draft.type,
  ordStatus: status,
  side: draft.side,
  price: draft.limitPrice,
  symbol: draft.symbol,
  timestamp: atMs,
})

/**
 * The order that the exchange lists under this id, wherever it may; null when it knows none. Where it cannot be told,
 * because an entry that may be it is unreadable or a list did not come to its end, `inDoubt` decides.
 */
async function listedOrder(
  { draft, clientOrderId }: Asked,
  telling: Telling,
  rules: Instruments,
  inDoubt: (why: string) => Ending | null,
): Promise<Ending | null> {
  const { session, io } = telling
  const { orders, unreadable, isWhole } = await findOrders(session.client, new Set([clientOrderId]), 0, io.signal)
  const order = orders.get(clientOrderId)
  const odd = unreadable[0]
  if (order === undefined && odd !== undefined)
    return inDoubt(`an order listed is unreadable and may be it (${rawText(odd)})`)
  if (order === undefined && !isWhole) return inDoubt('a list of orders is incomplete: it may be in the missing part')
  if (order === undefined) return null
  const mismatches = orderMismatches({ ...draft, clientOrderId }, order)
  return mismatches.length === 0
    ? await showOrder(order, telling, rules)
    : usedForAnother(clientOrderId, `order (${mismatchText(mismatches)})`)
}
