import { type AmountScales, amountsIn, type WriteAmount } from '../domain/balance.ts'
import type { Decimal } from '../domain/money.ts'
import { draftText, type OrderDraft, scopeText } from '../domain/orders/order.ts'
import { type WithdrawalRequest, withdrawalText } from '../domain/transfers/transfer.ts'

/*
 * The journal: every write is on disk here before it leaves, and its outcome after. This file is what others see of it.
 *
 * A write is sent once: `begin` (on disk), send, `end`. To send at most once under an id that a person or a script
 * chose, in any desk, command or run of this account, look for the id and begin inside `alone`, which no other process
 * of the account comes between:
 *
 *   const write = await journal.alone(async () => {
 *     const { entries, gap } = await journal.find({ kind: 'order', id: clientOrderId })
 *     if (entries.length > 0) return …  // Begun before: `entries` says what became of it.
 *     if (gap !== null) return …        // Part of the journal cannot be read: finding nothing proves nothing.
 *     return await journal.begin(intent, clock.wallMs())
 *   })
 *
 * What the disk refuses rejects with `JournalError`, whose message is a clause for a person; nothing may be sent then.
 */

/**
 * The symbol's decimals when the order left, for whoever reads of it later; missing where they were not known, and in
 * older entries.
 */
type Shown = { scales?: AmountScales | undefined }

/**
 * The client order id of the order that is canceled: a report under another one is not about it. Missing where it was
 * not known, and in older entries.
 */
type Canceled = { ofClientOrderId?: string | undefined }

/** A write as it is about to leave. */
export type WriteIntent =
  | ({ kind: 'order'; clientOrderId: string; draft: OrderDraft } & Shown)
  | ({ kind: 'cancel'; orderId: string } & Canceled)
  /** All symbols when `symbol` is null. */
  | { kind: 'cancelAll'; symbol: string | null }
  /**
   * There is no amend: the order is canceled, and what it had not filled of `draft.orderQuantity` is placed as
   * `clientOrderId`.
   */
  | ({ kind: 'move'; orderId: string; clientOrderId: string; draft: OrderDraft } & Canceled & Shown)
  /**
   * `draftId` names the draft it was sent from; null in entries from before there were drafts. `key` is what whoever
   * asked for it calls it, so that it can be asked for again without being sent again; missing where nobody did. `seen`
   * are the ids of withdrawals to the same place that were listed right before: it is none of them. Missing where the
   * list was not read.
   */
  | {
      kind: 'withdrawal'
      request: WithdrawalRequest
      draftId: string | null
      key?: string | undefined
      seen?: string[] | undefined
    }

/**
 * What a write can be looked for by: the client order id of an order or of a move's new order, the draft or the key of
 * a withdrawal.
 */
export type WriteKey = { kind: 'order' | 'draft' | 'key'; id: string }

/** Everything that a write can be looked for by; a cancel takes effect as often as it likes and has none. */
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

/** What became of a write as far as its own answer told. `unknown` is the only one that leaves the entry open. */
export type JournalOutcome =
  /** `id` is the exchange's own, of the order or the withdrawal. */
  | { kind: 'accepted'; id: string | null; status: string | null }
  | { kind: 'canceled' }
  /** The service said no, and the write had no effect. */
  | { kind: 'rejected' | 'refused'; reason: string }
  | { kind: 'notSent'; reason: string }
  | { kind: 'unknown'; reason: string }

/**
 * How an entry without an answer was settled: by what the exchange reports, or by a person who was shown the evidence.
 */
export type Settlement = {
  how: 'placed' | 'rejected' | 'canceled' | 'notCanceled' | 'notPlaced'
  by: 'exchange' | 'person'
  /** The exchange's own id of what was found. */
  id: string | null
  evidence: string
}

/** What a move has done so far; `place` stands on record before the new order leaves. */
export type MoveStep = { step: 'canceled'; cumQuantity: Decimal } | { step: 'place'; quantity: Decimal }

/** What the new order of a move was placed with; null where it never got as far as leaving, and of other writes. */
export const placedQuantity = (steps: readonly MoveStep[]): Decimal | null =>
  steps.findLast((step) => step.step === 'place')?.quantity ?? null

/** One write with all that is known of it. */
export type JournalEntry = {
  /** Unique over all desks and machines. */
  id: string
  atMs: number
  intent: WriteIntent
  steps: readonly MoveStep[]
  outcome: JournalOutcome | null
  settlement: Settlement | null
}

/** True while the outcome is unknown: no answer on record, or a recorded unknown. */
export const isOpen = ({ outcome, settlement }: JournalEntry): boolean =>
  settlement === null && (outcome === null || outcome.kind === 'unknown')

/** False for an entry that never left: its keys are free. */
export const mayHaveLeft = ({ outcome, settlement }: JournalEntry): boolean =>
  settlement !== null || outcome?.kind !== 'notSent'

/** What the whole journal of the account, every file of every run, holds of a key. */
export type Found = {
  /** The entries that were begun with it, oldest first: none or one, unless something else wrote to the files. */
  entries: readonly JournalEntry[]
  /**
   * Why finding none proves nothing, as a clause: something of the journal is damaged, torn or unknown. Null when all
   * of it was read.
   */
  gap: string | null
}

/** A write on record whose outcome is to follow. */
export type OpenWrite = {
  id: string
  /** Resolves when the step is on disk; rejects with `JournalError` when it could not be kept. */
  step(step: MoveStep, atMs: number): Promise<void>
  /**
   * Keeps the outcome. Never rejects: it is known all the same, and an outcome that the disk did not take is told of
   * and looked up again by the next desk.
   */
  end(outcome: JournalOutcome, atMs: number): Promise<void>
}

/** Where every write is recorded: the intent before anything is sent, the outcome after. */
export type WriteJournal = {
  /**
   * Resolves when the intent is on disk. Rejects with `JournalError` when it could not be kept: then nothing may be
   * sent. A cancel takes risk out and does no harm twice: it is begun all the same, and that it is on no record is
   * reported.
   */
  begin(intent: WriteIntent, atMs: number): Promise<OpenWrite>
  /** Closes an open entry; one that is closed already stays as it is. Never rejects, as `end`. */
  settle(id: string, settlement: Settlement, atMs: number): Promise<void>
  /**
   * Own entries that are open: writes in flight, those without an answer, and those taken over from desks that are
   * gone.
   */
  open(): readonly JournalEntry[]
  /**
   * Takes over the open entries of desks that are gone, and returns them. Never rejects: what cannot be taken over is
   * reported.
   */
  adopt(): Promise<readonly JournalEntry[]>
  /**
   * Open entries of other desks that work on the same account on this machine. Rejects with `JournalError` when they
   * cannot be read.
   */
  openElsewhere(): Promise<readonly JournalEntry[]>
  /**
   * Every entry begun since then, also those of other desks and of earlier ones; oldest first. Rejects with
   * `JournalError` when the journal cannot be read.
   */
  history(sinceMs: number): Promise<readonly JournalEntry[]>
  /** Looks a write up in the whole journal. Rejects with `JournalError` when the journal cannot be read. */
  find(key: WriteKey): Promise<Found>
  /** Looks up several keys at once: `entries` are those of any of them. */
  findAll(keys: readonly WriteKey[]): Promise<Found>
  /**
   * Runs while nothing else does so in any process of this account. Rejects with `JournalError`, and does not run, when
   * another one does and goes on doing so, or when the disk refuses. Not to be nested.
   */
  alone<T>(run: () => Promise<T>): Promise<T>
  /**
   * Tells of what a person should know but what stops nothing, in sentences without their stop; also of what happened
   * before anybody listened. `onKept` is told whenever that changes: false while the journal takes no write, so that
   * nothing but a cancel may be sent, true once it took one again.
   */
  listen(onTrouble: (sentence: string) => void, onKept?: (isKept: boolean) => void): void
  /**
   * Lets what is being written reach the disk, and gives the file up. A file whose writes are not all ended on record
   * stays where the next desk takes them up. Never rejects.
   */
  close(): Promise<void>
}

/**
 * The journal could not be opened, read or written; the message is a clause for a person. `isFinal` where trying again
 * cannot help: a newer program wrote to it.
 */
export class JournalError extends Error {
  override readonly name = 'JournalError'
  readonly isFinal: boolean
  /** The disk refused, not another desk or command. */
  readonly isOfDisk: boolean

  constructor(message: string, { isFinal = false, isOfDisk = false } = {}) {
    super(message)
    this.isFinal = isFinal
    this.isOfDisk = isOfDisk
  }
}

/** What was to be sent, in words; prices with commas unless `write` writes them otherwise. */
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

/** What was to be sent, where the id of an order has been said: `order: BUY 0.05 BTC-USD …`. */
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

/** The order in a line, with every digit where the symbol's decimals are not known. */
const textOf = ({ draft, scales }: Described, write: WriteAmount | undefined): string =>
  draftText(draft, amountsIn(scales, write))

/** What was to be sent in few words: enough to find it by. */
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
