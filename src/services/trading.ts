import { createRandomIds, lettersAndDigits } from '../base/random.ts'
import { ok } from '../base/result.ts'
import type { FeedEvent, WriteEvent } from '../domain/desk/events.ts'
import type { HubDraft } from '../domain/hub/draft.ts'
import { draftIdOf } from '../domain/orders/drafted-order.ts'
import type { WithdrawalDraft } from '../domain/transfers/draft.ts'
import type { Withdrawal, WithdrawalRequest } from '../domain/transfers/transfer.ts'
import { withdrawalKey } from '../domain/unknown-write.ts'
import type { WriteJournal } from '../journal/entry.ts'
import { noDrafts } from './draft-list.ts'
import type { OrderGuard } from './orders/limit-guard.ts'
import { createOrderEntry, type OrderEntry, type OrderEntryContext } from './orders/order-entry.ts'
import { createOrderQueue, type OrderQueue, type OrderQueueContext } from './orders/order-queue.ts'
import type { SendClient } from './orders/place-order.ts'
import type { LookClient } from './reconciliation/looks.ts'
import {
  createReconciliation,
  type Reconciliation,
  type ReconciliationContext,
} from './reconciliation/reconciliation.ts'
import { createFirmQueue, type FirmDrafts, type FirmDraftsClient, type FirmQueue } from './transfers/firm-queue.ts'
import {
  type SentWithdrawal,
  sendWithdrawal,
  type WithdrawalClient,
  type WithdrawalUnder,
} from './transfers/withdrawal-entry.ts'
import {
  createWithdrawalQueue,
  type WithdrawalQueue,
  type WithdrawalQueueContext,
} from './transfers/withdrawal-queue.ts'

export type TradingClient = SendClient & WithdrawalClient & LookClient
export type TradingContext = Omit<OrderEntryContext, 'onUnknown' | 'onRejected'> &
  Omit<WithdrawalQueueContext, 'onUnknown' | 'onRefused'> &
  ReconciliationContext & {
    /** Stored drafts of orders; none unless given. */
    orderDrafts?: OrderQueueContext['orderDrafts'] | undefined
    onOrderDrafts?: OrderQueueContext['onOrderDrafts'] | undefined
    draftSeen?: OrderQueueContext['draftSeen']
    /** The hub that stores the whole firm's drafts; without one they are stored on this machine. */
    firm?: FirmDrafts | undefined
    /** Called with promises of background work, so that a closing desk waits for them. */
    track: (work: Promise<unknown>) => void
  }

/** All ways to change something at the exchange, and the service that resolves unknown outcomes. */
export type Trading = {
  orders: OrderEntry
  withdrawals: WithdrawalQueue
  /** The queue of drafts at a hub, including an approver's actions; null without a hub. */
  firm: FirmQueue | null
  /** Drafts of orders on this machine, even if a hub stores those of withdrawals. */
  orderDrafts: OrderQueue
  reconciliation: Reconciliation
  /** Order entry with another guard, and another journal if given. */
  ordersUnder(guard: OrderGuard, journal?: WriteJournal): OrderEntry
  /** Sends a withdrawal that the caller has checked, outside the queue and with its own journal. */
  withdrawUnder(
    under: WithdrawalUnder,
    request: WithdrawalRequest,
    draft: Pick<WithdrawalDraft, 'draftId' | 'key'>,
  ): Promise<SentWithdrawal>
}

/** Creates order entry and withdrawals with one journal; unknown outcomes are looked up at once. */
export function createTrading(client: TradingClient, context: TradingContext): Trading {
  const { track, firm: hub } = context
  const emit = (event: WriteEvent) => {
    context.emit(event)
    // The draft must be updated. A taken-over entry is from a desk that is gone, and so is the draft's sender.
    const queue = isOfWithdrawal(event) ? withdrawals : isOfOrderDraft(event) ? orderDrafts : null
    if (queue !== null) track(event.type === 'writeResolved' ? queue.refresh() : queue.takeUp())
  }
  const draftAtHub = hub === undefined ? {} : { hubDraft: hubDraftOf(hub.client) }
  const reconciliation = createReconciliation(client, { ...context, ...draftAtHub, emit })
  const onRejected: OrderEntryContext['onRejected'] = (clientOrderId, orderId) =>
    reconciliation.doubt(clientOrderId, orderId)
  // Behind a hub the hub sends, and doubts what it is told.
  const onRefused = (entryId: string) => (hub === undefined ? reconciliation.doubtWithdrawal(entryId) : undefined)
  const writes = { ...context, onRejected, onRefused, onUnknown: () => reconciliation.wake() }
  const firm = hub === undefined ? null : createFirmQueue(client, { ...writes, firm: hub })
  const withdrawals = firm ?? createWithdrawalQueue(client, writes)
  const orders = createOrderEntry(client, writes)
  const { orderDrafts: keeper = noDrafts, onOrderDrafts = () => undefined } = context
  const orderDrafts = createOrderQueue(orders, { ...writes, orderDrafts: keeper, onOrderDrafts })
  return {
    orders,
    withdrawals,
    firm,
    orderDrafts,
    reconciliation,
    ordersUnder: (guard, journal = context.journal) => createOrderEntry(client, { ...writes, guard, journal }),
    withdrawUnder: (under, request, draft) =>
      sendWithdrawal(client, { ...writes, ...under }, { request, draft, onBegun: () => Promise.resolve(ok(null)) }),
  }
}

/** Shows reconciliation what a feed has brought: what is sought, or was refused, may be among it. */
export function observedBy(
  reconciliation: Pick<Reconciliation, 'observe' | 'observeFills' | 'observeFeed'>,
  event: FeedEvent,
): void {
  if (event.type === 'orders') reconciliation.observe(event.orders)
  if (event.type === 'orderEnded') reconciliation.observe([event.order])
  if (event.type === 'fills') reconciliation.observeFills(event.fills)
  // Last: what it has shown by itself needs no look any more.
  reconciliation.observeFeed(event)
}

/**
 * Looks through listed withdrawals: a refused one may be among them; and at the drafts, since another desk or a command
 * may have saved some.
 */
export const lookedThrough = (
  { withdrawals, reconciliation }: Pick<Trading, 'withdrawals' | 'reconciliation'>,
  listed: readonly Withdrawal[],
): Promise<unknown> => Promise.all([withdrawals.look(), reconciliation.observeWithdrawals(listed)])

/** A draft as the hub has it now; null when not listed. Throws `ExchangeError`. */
const hubDraftOf =
  (client: FirmDraftsClient) =>
  async (draftId: string, signal: AbortSignal): Promise<HubDraft | null> => {
    const { drafts } = await client.fetchHubDrafts(signal)
    return drafts.find((draft) => draft.draftId === draftId) ?? null
  }

const isOfWithdrawal = (event: WriteEvent): event is Extract<WriteEvent, { type: 'writeResolved' | 'writeUnknown' }> =>
  (event.type === 'writeUnknown' && event.write.kind === 'withdrawal') ||
  (event.type === 'writeResolved' && event.key.startsWith(withdrawalKey('')))

const isOfOrderDraft = (event: WriteEvent): event is Extract<WriteEvent, { type: 'writeResolved' | 'writeUnknown' }> =>
  draftIdOf(event.type === 'writeUnknown' ? event.write.key : event.type === 'writeResolved' ? event.key : '') !== null

/**
 * Creates client order ids of 20 characters 0-9A-Za-z, the maximum of the service, with over 119 bits of randomness.
 * `randomBytes` must be cryptographic, so that ids from other machines never collide.
 */
export const createClientOrderIds = (randomBytes: (count: number) => Uint8Array): (() => string) =>
  createRandomIds(lettersAndDigits, 20, randomBytes)

/** Letters and digits that are not mistaken for one another when read out or typed. */
const draftIdAlphabet = '23456789abcdefghjkmnpqrstuvwxyz'

/**
 * Creates draft ids of 12 characters, with over 59 bits of randomness. If two ever collide, the second draft is not
 * sent, because the journal knows the first.
 */
export const createDraftIds = (randomBytes: (count: number) => Uint8Array): (() => string) =>
  createRandomIds(draftIdAlphabet, 12, randomBytes)
