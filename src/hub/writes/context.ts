import type { ExchangeClient } from '../../api/exchange-client.ts'
import type { Result } from '../../base/result.ts'
import type { PersonLimits } from '../../domain/hub/person-limits.ts'
import type { Act, Role } from '../../domain/hub/roles.ts'
import type { Book } from '../../domain/market/book.ts'
import type { CheckContext } from '../../domain/orders/checks/pre-trade.ts'
import type { WithdrawalDraft } from '../../domain/transfers/draft.ts'
import type { WithdrawalRequest } from '../../domain/transfers/transfer.ts'
import type { UsdPrices } from '../../domain/usd-worth.ts'
import type { Answer } from '../../http-server/route.ts'
import type { WriteJournal } from '../../journal/entry.ts'
import type { WriteContext } from '../../services/orders/journaled-write.ts'
import type { OrderGuard } from '../../services/orders/limit-guard.ts'
import type { OrderEntry } from '../../services/orders/order-entry.ts'
import type { SentWithdrawal, WithdrawalUnder } from '../../services/transfers/withdrawal-entry.ts'
import type { WithdrawalJudgement } from '../../services/transfers/withdrawal-guard.ts'
import type { SendLines } from '../people/send-lines.ts'
import type { DayValues } from './day-values.ts'
import type { HubJournal } from './hub-journal.ts'

/** The person who asks. */
export type Guest = {
  readonly name: string
  readonly role: Role
  readonly limits: PersonLimits
  readonly tokenDigest: string
  /** The public key of their token's approvals. */
  readonly approvalKey: string
}

/** A person's request about the account, for the audit list. */
export type Deed = {
  person: string
  act: 'placeOrder' | 'cancel' | 'cancelAll' | 'withdraw' | 'depositAddress'
  /** The request in one line: an order's terms or id. */
  what: string
  /** The draft of a withdrawal; null without one. */
  draftId: string | null
  /** Who made that draft; null when unknown. */
  madeBy: string | null
  /** The answer's status and its reason; null when accepted. */
  status: number
  reason: string | null
  /** True for an order that was on record already, with the same terms: it was answered, and nothing was sent. */
  isRepeat: boolean
}

/** A draft that may be sent; `version` is null for one that the hub does not store. */
export type SendableDraft = { draft: WithdrawalDraft; version: number | null }

export type HubWritesContext = WriteContext & {
  /** Where persons' writes wait for their turn. */
  lines: SendLines
  hubJournal: HubJournal
  client: ExchangeClient
  /** Order entry with one person's journal and this guard for their orders. */
  entryUnder: (guard: OrderGuard, journal: WriteJournal) => OrderEntry
  withdrawUnder: (
    under: WithdrawalUnder,
    request: WithdrawalRequest,
    draft: Pick<WithdrawalDraft, 'draftId' | 'key'>,
  ) => Promise<SentWithdrawal>
  /** The book of a symbol, at most a few seconds old. Rejects with `ExchangeError`. */
  bookOf: (symbol: string) => Promise<Book>
  /** The current data behind the firm's limits. */
  contextOf: (symbol: string) => CheckContext
  prices: () => UsdPrices
  /** What the firm's rules and approvals say of this withdrawal now, and what stops it as it begins. */
  judgementOf: (found: SendableDraft) => Promise<WithdrawalJudgement>
  /**
   * The draft of a withdrawal: the hub's own `draftId` with the approved terms and version; for null a new one,
   * recorded only in the journal. The error is the answer, or that the database does not say.
   */
  draftOf: (
    person: string,
    draftId: string | null,
    request: WithdrawalRequest,
  ) => Promise<Result<SendableDraft, Answer | 'unread'>>
  days: DayValues
  /** Why nothing new may be sent, as a clause; null when it may. */
  halted: () => string | null
  /**
   * Why a person may no longer do what they asked for a moment ago, as a clause; null when they may. `approvedBy`: who
   * approved the draft that they send, where somebody had to.
   */
  ended: (guest: Guest, act: Act, approvedBy?: string | null) => string | null
  /** Call when a write starts, and its result when the write is answered, since the account may have changed. */
  writing: () => () => void
  note: (deed: Deed) => void
}
