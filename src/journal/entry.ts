import { type AmountScales, amountsIn, type WriteAmount } from '../domain/market/amounts.ts'
import type { Decimal } from '../domain/money.ts'
import { draftText, type OrderDraft, scopeText } from '../domain/orders/order.ts'
import { type WithdrawalRequest, withdrawalText } from '../domain/transfers/transfer.ts'
import type { Refusal } from '../domain/write-outcome.ts'

/*
 * The interface of the journal: every write is on disk here before it is sent, and its outcome afterwards. A write is
 * sent once: `begin` (on disk), send, `end`.
 *
 * To send at most once under an id chosen by a user or a script, in any desk, command or run of this account, look up
 * the id and begin inside `alone`, which excludes all other processes of the account:
 *
 *   const write = await journal.alone(async () => {
 *     const { entries, gap } = await journal.find({ kind: 'order', id: clientOrderId })
 *     if (entries.length > 0) return …  // Sent before: `entries` has its outcome.
 *     if (gap !== null) return …        // Part of the journal is unreadable: finding nothing proves nothing.
 *     return await journal.begin(intent, clock.wallMs())
 *   })
 *
 * When the disk fails, calls reject with `JournalError`, whose message is a clause for the user; nothing may be sent
 * then.
 */

/** The symbol's decimals when the order was sent, for later display; missing when unknown, and in older entries. */
type Shown = { scales?: AmountScales | undefined }

/**
 * The client order id of the order to cancel: a report under another id is not about it. Missing when unknown, and in
 * older entries.
 */
type Canceled = { ofClientOrderId?: string | undefined }

/** A write that is about to be sent. */
export type WriteIntent =
  | ({ kind: 'order'; clientOrderId: string; draft: OrderDraft } & Shown)
  | ({ kind: 'cancel'; orderId: string } & Canceled)
  /** All symbols when `symbol` is null. */
  | { kind: 'cancelAll'; symbol: string | null }
  /**
   * The exchange has no amend: the order is canceled, and the unfilled part of `draft.orderQuantity` is placed as
   * `clientOrderId`.
   */
  | ({ kind: 'move'; orderId: string; clientOrderId: string; draft: OrderDraft } & Canceled & Shown)
  /**
   * `draftId` is the draft it was sent from; null in entries from before drafts existed. `key` is the caller's own name
   * for it, so that it can be requested again without being sent again; missing when none was given. `seen` are the ids
   * of withdrawals to the same beneficiary that were listed right before: it is none of them. Missing when the list was
   * not read.
   */
  | {
      kind: 'withdrawal'
      request: WithdrawalRequest
      draftId: string | null
      key?: string | undefined
      seen?: string[] | undefined
    }

/**
 * A key for looking up writes: the client order id of an order or of a move's new order, or the draft or key of a
 * withdrawal.
 */
export type WriteKey = { kind: 'order' | 'draft' | 'key'; id: string }

/** All keys of a write. Cancels have none, because repeating them is harmless. */
export function keysOf(intent: WriteIntent): WriteKey[] {
  switch (intent.kind) {
    case 'order':
    case 'move':
      return [{ kind: 'order', id: intent.clientOrderId }]
    case 'withdrawal': {
      const { draftId, key } = intent
      return [
        ...(draftId === null ? [] : [{ kind: 'draft' as const, id: draftId }]),
        ...(key === undefined ? [] : [{ kind: 'key' as const, id: key }]),
      ]
    }
    case 'cancel':
    case 'cancelAll':
      return []
  }
}

/** The outcome of a write according to its own answer. Only `unknown` leaves the entry open. */
export type JournalOutcome =
  /** `id` is the exchange's id of the order or withdrawal. */
  | { kind: 'accepted'; id: string | null; status: string | null }
  | { kind: 'canceled' }
  /** Refused by the service, without any effect. */
  | ({ kind: 'rejected' | 'refused' } & Refusal)
  | { kind: 'notSent'; reason: string }
  /** `isRefusal`: the answer refused the write, which no list of the exchange could confirm then. */
  | ({ kind: 'unknown'; isRefusal?: boolean | undefined } & Refusal)

/** How an unknown outcome was resolved: by the exchange's reports, or by a user who was shown the evidence. */
export type Settlement = {
  how: 'placed' | 'rejected' | 'canceled' | 'notCanceled' | 'notPlaced'
  by: 'exchange' | 'person'
  /** The exchange's id of what was found. */
  id: string | null
  evidence: string
}

/** The progress of a move; `place` is on record before the new order is sent. */
export type MoveStep = { step: 'canceled'; cumQuantity: Decimal } | { step: 'place'; quantity: Decimal }

/** The quantity of a move's new order; null when it was never about to be sent, and for other writes. */
export const placedQuantity = (steps: readonly MoveStep[]): Decimal | null =>
  steps.findLast((step) => step.step === 'place')?.quantity ?? null

/** A write with everything known about it. */
export type JournalEntry = {
  /** Unique over all desks and machines. */
  id: string
  atMs: number
  /** How long the machine had been up by then; missing where that is not on record. */
  upMs?: number | undefined
  intent: WriteIntent
  steps: readonly MoveStep[]
  outcome: JournalOutcome | null
  settlement: Settlement | null
  /** When the last that is known of it came on record, if that is later than `atMs`. */
  endedAtMs?: number | undefined
}

/** True while the outcome is unknown: no answer on record, or a recorded unknown. */
export const isOpen = ({ outcome, settlement }: JournalEntry): boolean =>
  settlement === null && (outcome === null || outcome.kind === 'unknown')

/**
 * The exchange's id of an order that was placed, null where that is not on record; undefined where none is known to
 * have been: it was refused, or nobody knows.
 */
export function placedId({ outcome, settlement }: JournalEntry): string | null | undefined {
  if (settlement !== null) return settlement.how === 'placed' ? settlement.id : undefined
  return outcome?.kind === 'accepted' ? outcome.id : undefined
}

/** False for an entry that was certainly not sent, whose keys are free again. */
export const mayHaveLeft = ({ outcome, settlement }: JournalEntry): boolean =>
  settlement !== null || outcome?.kind !== 'notSent'

/** The result of looking up a key in the whole journal of the account: every file of every run. */
export type Found = {
  /** Entries started with the key, oldest first: none or one, unless something else wrote to the files. */
  entries: readonly JournalEntry[]
  /**
   * Why finding none proves nothing, as a clause: part of the journal is damaged, torn or unknown. Null when all of it
   * was read.
   */
  gap: string | null
}

/** A recorded write whose outcome is pending. */
export type OpenWrite = {
  id: string
  /** Resolves when the step is on disk; rejects with `JournalError` when it could not be stored. */
  step(step: MoveStep, atMs: number): Promise<void>
  /**
   * Records the outcome. Never rejects, because the outcome is known anyway; one the disk failed to store is reported,
   * and the next desk looks it up again.
   */
  end(outcome: JournalOutcome, atMs: number): Promise<void>
}

/** The record of every write: the intent before anything is sent, the outcome afterwards. */
export type WriteJournal = {
  /**
   * Resolves when the intent is on disk. Rejects with `JournalError` when it could not be stored; nothing may be sent
   * then. A cancel reduces risk and is harmless when repeated, so it begins even without a record, which is reported.
   */
  begin(intent: WriteIntent, atMs: number): Promise<OpenWrite>
  /**
   * Closes an open entry; a closed one is unchanged, unless it is given as `refused`: answered as rejected, by any
   * desk, and seen to be there all the same. Never rejects, like `end`.
   */
  settle(id: string, settlement: Settlement, atMs: number, refused?: JournalEntry): Promise<void>
  /** Own open entries: writes in flight or with an unknown outcome, and those taken over from desks that have ended. */
  open(): readonly JournalEntry[]
  /** Takes over the open entries of desks that have ended, and returns them. Never rejects; failures are reported. */
  adopt(): Promise<readonly JournalEntry[]>
  /**
   * While nothing can be stored, tries whether it can again, with no write that asks for it: whoever waits for the
   * journal before asking would wait for ever. Resolves to true when that has ended by this. Never rejects.
   */
  retry(): Promise<boolean>
  /** Open entries of other desks on this machine with the same account. Rejects with `JournalError` when unreadable. */
  openElsewhere(): Promise<readonly JournalEntry[]>
  /**
   * Every entry since a time, also of other and earlier desks, oldest first. Rejects with `JournalError` when
   * unreadable.
   */
  history(sinceMs: number): Promise<readonly JournalEntry[]>
  /** Looks up a key in the whole journal. Rejects with `JournalError` when unreadable. */
  find(key: WriteKey): Promise<Found>
  /** Looks up several keys at once; `entries` are those under any of them. */
  findAll(keys: readonly WriteKey[]): Promise<Found>
  /**
   * Runs while no other process of this account runs under `alone`. Rejects with `JournalError`, without running, when
   * another one does for too long or the disk fails. Must not be nested.
   */
  alone<T>(run: () => Promise<T>): Promise<T>
  /**
   * Reports trouble that stops nothing, as sentences without their period, including trouble from before the call.
   * `onKept` is called on changes: with false while the journal cannot store writes, so that only cancels may be sent,
   * and with true once it can again.
   */
  listen(onTrouble: (sentence: string) => void, onKept?: (isKept: boolean) => void): void
  /**
   * Waits for pending writes and closes the file. A file with entries that have no recorded end stays where the next
   * desk finds it. Never rejects.
   */
  close(): Promise<void>
}

/**
 * The journal could not be opened, read or written; the message is a clause for the user. `isFinal` when retrying
 * cannot help, because a newer program wrote to it.
 */
export class JournalError extends Error {
  override readonly name = 'JournalError'
  readonly isFinal: boolean
  /** True when the disk failed, instead of another desk or command being busy. */
  readonly isOfDisk: boolean

  constructor(message: string, { isFinal = false, isOfDisk = false } = {}) {
    super(message)
    this.isFinal = isFinal
    this.isOfDisk = isOfDisk
  }
}

/** Describes a write; prices with commas unless `write` formats them otherwise. */
export function describeIntent(intent: WriteIntent, write?: WriteAmount): string {
  switch (intent.kind) {
    case 'order':
      return `order ${textOf(intent, write)} as ${intent.clientOrderId}`
    case 'move':
      return `move of order ${intent.orderId} to ${textOf(intent, write)} as ${intent.clientOrderId}`
    case 'cancel':
      return `cancel of order ${intent.orderId}`
    case 'cancelAll':
      return `cancel of all orders in ${scopeText(intent.symbol)}`
    case 'withdrawal':
      return `withdrawal of ${withdrawalText(intent.request)}`
  }
}

/** Describes a write after its order id was named: `order: BUY 0.05 BTC-USD …`. */
export function termsOf(intent: WriteIntent): string {
  switch (intent.kind) {
    case 'order':
      return `order: ${textOf(intent, undefined)}`
    case 'move':
      return `move of order ${intent.orderId}: ${textOf(intent, undefined)}`
    default:
      return describeIntent(intent)
  }
}

type Described = { draft: OrderDraft; scales?: AmountScales | undefined }

/** Describes an order on one line, with all digits when the symbol's decimals are unknown. */
const textOf = ({ draft, scales }: Described, write: WriteAmount | undefined): string =>
  draftText(draft, amountsIn(scales, write))

/** Describes a write in a few words, enough to recognize it. */
export function nameIntent(intent: WriteIntent): string {
  switch (intent.kind) {
    case 'order':
      return `order ${intent.clientOrderId}`
    case 'move':
      return `move of order ${intent.orderId} as ${intent.clientOrderId}`
    default:
      return describeIntent(intent)
  }
}
