import { createRandomIds, lettersAndDigits } from '../base/random.ts'
import { ok } from '../base/result.ts'
import type { WriteEvent } from '../domain/desk/events.ts'
import type { HubDraft } from '../domain/hub/draft.ts'
import { draftIdOf } from '../domain/orders/drafted-order.ts'
import { withdrawalKey } from '../domain/orders/unknown-write.ts'
import type { WithdrawalDraft } from '../domain/transfers/draft.ts'
import type { WithdrawalRequest } from '../domain/transfers/transfer.ts'
import type { WriteJournal } from '../journal/entry.ts'
import { noDrafts } from './draft-list.ts'
import type { OrderGuard } from './orders/limit-guard.ts'
import { createOrderEntry, type OrderEntry, type OrderEntryContext } from './orders/order-entry.ts'
import { createOrderQueue, type OrderQueue, type OrderQueueContext } from './orders/order-queue.ts'
import type { SendClient } from './orders/place-order.ts'
import {
  createReconciliation,
  type LookClient,
  type Reconciliation,
  type ReconciliationContext,
} from './reconciliation/reconciliation.ts'
import { createFirmQueue, type FirmDrafts, type FirmDraftsClient, type FirmQueue } from './transfers/firm-queue.ts'
import {
  type SentWithdrawal,
  sendWithdrawal,
  type WithdrawalClient,
  type WithdrawalContext,
} from './transfers/withdrawal-entry.ts'
import {
  createWithdrawalQueue,
  type WithdrawalQueue,
  type WithdrawalQueueContext,
} from './transfers/withdrawal-queue.ts'

export type TradingClient = SendClient & WithdrawalClient & LookClient
export type TradingContext = Omit<OrderEntryContext, 'onUnknown' | 'onRejected'> &
  Omit<WithdrawalQueueContext, 'onUnknown'> &
  ReconciliationContext & {
    /** Where orders are kept as drafts; none are unless given. */
    orderDrafts?: OrderQueueContext['orderDrafts'] | undefined
    onOrderDrafts?: OrderQueueContext['onOrderDrafts'] | undefined
    /** The hub that keeps the drafts of the whole firm; without one they are kept on this machine. */
    firm?: FirmDrafts | undefined
    /** Given the promises of what goes on beside, so that the desk does not end before they do. */
    track: (work: Promise<unknown>) => void
  }

/** Every way to change something at the exchange, and the one that finds out what became of it. */
export type Trading = {
  orders: OrderEntry
  withdrawals: WithdrawalQueue
  /** The queue where a hub keeps the drafts, with what an approver does; null without a hub. */
  firm: FirmQueue | null
  /** Orders that wait as drafts on this machine, also where a hub keeps those of withdrawals. */
  orderDrafts: OrderQueue
  reconciliation: Reconciliation
  /** Order entry whose orders another guard is asked about; over the same journal unless another one is given. */
  ordersUnder(guard: OrderGuard, journal?: WriteJournal): OrderEntry
  /** Sends a withdrawal that was checked by whoever asks, beside the queue, over a journal of that one's own. */
  withdrawUnder(
    under: Required<Pick<WithdrawalContext, 'journal' | 'stoppedNow'>>,
    request: WithdrawalRequest,
    draft: Pick<WithdrawalDraft, 'draftId' | 'key'>,
  ): Promise<SentWithdrawal>
}

/** Order entry and withdrawals over one journal; what they leave unknown is looked for as soon as it is. */
export function createTrading(client: TradingClient, context: TradingContext): Trading {
  const { track, firm: hub } = context
  const emit = (event: WriteEvent) => {
    context.emit(event)
    // Its draft has to learn of it. An entry that was taken over is of a desk that is gone, and so is the sender of its
    // draft.
    const queue = isOfWithdrawal(event) ? withdrawals : isOfOrderDraft(event) ? orderDrafts : null
    if (queue !== null) track(event.type === 'settled' ? queue.refresh() : queue.takeUp())
  }
  const draftAtHub = hub === undefined ? {} : { hubDraft: hubDraftOf(hub.client) }
  const reconciliation = createReconciliation(client, { ...context, ...draftAtHub, emit })
  const onRejected = (clientOrderId: string) => reconciliation.doubt(clientOrderId)
  const writes = { ...context, onRejected, onUnknown: () => reconciliation.wake() }
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

/** A draft as the hub has it now; null where it lists none with that id. Throws `ExchangeError`. */
const hubDraftOf =
  (client: FirmDraftsClient) =>
  async (draftId: string, signal: AbortSignal): Promise<HubDraft | null> => {
    const { drafts } = await client.fetchHubDrafts(signal)
    return drafts.find((draft) => draft.draftId === draftId) ?? null
  }

const isOfWithdrawal = (event: WriteEvent): event is Extract<WriteEvent, { type: 'settled' | 'unsettled' }> =>
  (event.type === 'unsettled' && event.write.kind === 'withdrawal') ||
  (event.type === 'settled' && event.key.startsWith(withdrawalKey('')))

const isOfOrderDraft = (event: WriteEvent): event is Extract<WriteEvent, { type: 'settled' | 'unsettled' }> =>
  draftIdOf(event.type === 'unsettled' ? event.write.key : event.type === 'settled' ? event.key : '') !== null

/**
 * Makes client order ids: 20 characters of 0-9A-Za-z, the most the service takes, over 119 bits of chance.
 * `randomBytes` must be cryptographic, so that ids of desks on other machines never meet.
 */
export const createClientOrderIds = (randomBytes: (count: number) => Uint8Array): (() => string) =>
  createRandomIds(lettersAndDigits, 20, randomBytes)

/** Letters and digits that a person can read out and type without mistaking one for another. */
const draftIdAlphabet = '23456789abcdefghjkmnpqrstuvwxyz'

/**
 * Makes the ids of drafts: 12 characters, over 59 bits of chance. Should two ever meet, the second is held back,
 * because the journal knows the first: no money is sent for it.
 */
export const createDraftIds = (randomBytes: (count: number) => Uint8Array): (() => string) =>
  createRandomIds(draftIdAlphabet, 12, randomBytes)
