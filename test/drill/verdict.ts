import type { ExchangeClient } from '../../src/api/exchange-client.ts'
import { isWorking, type Order } from '../../src/domain/orders/order.ts'
import type { WithdrawalDraft } from '../../src/domain/transfers/draft.ts'
import type { Withdrawal } from '../../src/domain/transfers/transfer.ts'
import type { JournalEntry } from '../../src/journal/entry.ts'
import { amountOf, isMoved, movedPriceOf, priceOf } from './setting.ts'
import { fateOf } from './work.ts'

export type Verdict = {
  figures: Record<string, number>
  /** Each a sentence; none when journal and exchange agree. */
  complaints: string[]
}

/** Every order of the account, from the matching engine. */
export async function allOrders(client: ExchangeClient): Promise<Order[]> {
  const orders: Order[] = []
  let orderId = '0'
  for (;;) {
    const page = await client.fetchOrderPage({ orderId, limit: 1_000 })
    orders.push(...page.orders)
    if (page.orders.length === 0) return orders
    orderId = page.nextOrderId
  }
}

/** Holds the journal against the exchange, both ways: everything in the one is in the other, and once. */
export function judge(
  entries: readonly JournalEntry[],
  orders: readonly Order[],
  money: { withdrawals: readonly Withdrawal[]; drafts: readonly WithdrawalDraft[] },
  counts: { orders: number; withdrawals: number },
): Verdict {
  const complaints: string[] = []
  const doubled: string[] = []
  const forgotten: string[] = []
  for (const { id, intent, outcome, settlement } of entries) {
    if (fateOf(intent, outcome, settlement).kind === 'open')
      forgotten.push(`entry ${id} (${intent.kind}) is open still`)
  }
  judgeOrders(entries, orders, counts.orders, { complaints, doubled, forgotten })
  judgeWithdrawals(entries, money.withdrawals, counts.withdrawals, { complaints, doubled, forgotten })
  judgeDrafts(entries, money.drafts, { complaints, doubled, forgotten })
  const kinds = (kind: string) => entries.filter(({ intent }) => intent.kind === kind)
  const settled = (by: string) => entries.filter(({ settlement }) => settlement?.by === by).length
  return {
    figures: {
      submits: kinds('order').length,
      cancels: kinds('cancel').length,
      moves: kinds('move').length,
      moved: kinds('move').filter((each) => fateOf(each.intent, each.outcome, each.settlement).kind === 'took').length,
      withdrawals: kinds('withdrawal').length,
      drafts: money.drafts.length,
      withoutAnswer: entries.filter(({ outcome }) => outcome?.kind === 'unknown').length,
      cutOffByKill: entries.filter(({ outcome }) => outcome?.kind === 'unknown' && /desk ended/.test(outcome.reason))
        .length,
      settledByExchange: settled('exchange'),
      settledByPerson: settled('person'),
      doubled: doubled.length,
      forgotten: forgotten.length,
      disagreements: complaints.length,
    },
    complaints: [...doubled, ...forgotten, ...complaints],
  }
}

type Faults = { complaints: string[]; doubled: string[]; forgotten: string[] }

function judgeOrders(entries: readonly JournalEntry[], orders: readonly Order[], count: number, faults: Faults): void {
  const byClientId = new Map<string, Order[]>()
  for (const order of orders) {
    byClientId.set(order.clientOrderId, [...(byClientId.get(order.clientOrderId) ?? []), order])
  }
  const byId = new Map(orders.map((order) => [order.orderId, order]))
  const known = new Set<string>()
  for (const entry of entries) {
    const { intent, outcome, settlement } = entry
    const fate = fateOf(intent, outcome, settlement)
    if (intent.kind === 'order' || intent.kind === 'move') {
      known.add(intent.clientOrderId)
      const placed = (byClientId.get(intent.clientOrderId) ?? []).filter(({ status }) => status !== 'REJECTED')
      if (placed.length > 1) faults.doubled.push(`order ${intent.clientOrderId} is there ${placed.length} times`)
      if (fate.kind === 'took' && placed.length === 0) faults.complaints.push(`${intent.clientOrderId} is not there`)
      if (fate.kind === 'tookNot' && placed.length > 0) faults.complaints.push(`${intent.clientOrderId} is there`)
    }
    if (intent.kind === 'move' && fate.kind === 'took') judgeMoveSteps(entry, byId.get(intent.orderId), faults)
    if (intent.kind === 'cancel' && fate.kind === 'took') {
      const order = byId.get(intent.orderId)
      if (order === undefined || isWorking(order)) faults.complaints.push(`order ${intent.orderId} is not cancelled`)
    }
  }
  for (const { clientOrderId } of orders) {
    if (!known.has(clientOrderId)) faults.forgotten.push(`the journal knows nothing of order ${clientOrderId}`)
  }
  for (let item = 0; item < count; item += 1) {
    const price = priceOf(item)
    const placed = orders.filter(({ limitPrice, status }) => status !== 'REJECTED' && limitPrice?.eq(price))
    if (placed.length > 1) {
      const ids = placed.map(({ orderId, clientOrderId, status }) => `${orderId} ${clientOrderId} ${status}`).join(', ')
      faults.doubled.push(`item ${item} at ${price.toFixed()} was placed ${placed.length} times: ${ids}`)
    }
    if (placed.length === 0) faults.forgotten.push(`item ${item} was never placed`)
    if (placed.some(isWorking)) faults.complaints.push(`item ${item} works still`)
    if (isMoved(item)) judgeMove(orders, item, faults)
  }
}

/** A moved item stands at its new price at most once. */
function judgeMove(orders: readonly Order[], item: number, faults: Faults): void {
  const moved = orders.filter(({ status, limitPrice }) => status !== 'REJECTED' && limitPrice?.eq(movedPriceOf(item)))
  if (moved.length > 1) faults.doubled.push(`item ${item} was moved ${moved.length} times`)
  if (moved.some(isWorking)) faults.complaints.push(`item ${item} works still where it was moved to`)
}

/** The new order of a move left only once it was on record that the old one was canceled, and the old one is. */
function judgeMoveSteps({ intent, steps }: JournalEntry, old: Order | undefined, faults: Faults): void {
  if (intent.kind !== 'move') return
  const order = steps.map(({ step }) => step).join(' ')
  if (order !== 'canceled place')
    faults.complaints.push(`${intent.clientOrderId} was placed after: ${order || 'nothing'}`)
  if (old === undefined || isWorking(old))
    faults.doubled.push(`order ${intent.orderId} works beside ${intent.clientOrderId}`)
}

function judgeWithdrawals(
  entries: readonly JournalEntry[],
  withdrawals: readonly Withdrawal[],
  count: number,
  faults: Faults,
): void {
  for (let item = 0; item < count; item += 1) {
    const amount = amountOf(item)
    const sent = withdrawals.filter((each) => each.amount.eq(amount)).length
    const said = entries.filter(
      ({ intent, outcome, settlement }) =>
        intent.kind === 'withdrawal' &&
        intent.request.amount !== 'max' &&
        intent.request.amount.eq(amount) &&
        fateOf(intent, outcome, settlement).kind === 'took',
    ).length
    if (sent > 1) faults.doubled.push(`withdrawal ${item} was made ${sent} times`)
    if (sent === 0) faults.forgotten.push(`withdrawal ${item} was never made`)
    if (sent !== said) faults.complaints.push(`withdrawal ${item} was made ${sent} times, the journal says ${said}`)
  }
}

/** Each draft has at most one entry in the journal, and says of itself what came of that entry. */
function judgeDrafts(entries: readonly JournalEntry[], drafts: readonly WithdrawalDraft[], faults: Faults): void {
  const fates = new Map<string, string>()
  for (const { id, intent, outcome, settlement } of entries) {
    if (intent.kind !== 'withdrawal') continue
    const { draftId } = intent
    if (draftId === null) faults.complaints.push(`entry ${id} names no draft`)
    else if (fates.has(draftId)) faults.doubled.push(`draft ${draftId} was sent more than once`)
    else fates.set(draftId, fateOf(intent, outcome, settlement).kind)
  }
  const states: Readonly<Record<string, string>> = { took: 'sent', tookNot: 'refused' }
  const known = new Map(drafts.map((draft) => [draft.draftId, draft.state.kind]))
  for (const [draftId, fate] of fates) {
    const state = known.get(draftId)
    if (state !== states[fate]) faults.complaints.push(`draft ${draftId} is ${state}, its entry ${fate}`)
  }
  for (const [draftId, state] of known) {
    if (!fates.has(draftId) && state !== 'draft')
      faults.complaints.push(`draft ${draftId} is ${state} without an entry`)
  }
}
