import type { BaseAddress } from '../api/base-address.ts'
import type { Transport, TransportOptions } from '../api/transport.ts'
import type { Clock } from '../base/clock.ts'
import type { Secret } from '../base/secret.ts'
import type { DutyRole } from '../domain/desk/duties.ts'
import type { FeedEvent, WriteEvent } from '../domain/desk/events.ts'
import type { FeedName } from '../domain/desk/feeds.ts'
import { defaultIdleRules, type IdleRules, lockAfterDefaultMs } from '../domain/desk/mode.ts'
import { noReboundKeys, type ReboundKeys } from '../domain/desk/session.ts'
import type { EntryRules } from '../domain/entry-rules.ts'
import type { Limits } from '../domain/limits.ts'
import type { CostMethod } from '../domain/positions/position.ts'
import { type FollowedTransfers, nothingFollowed } from '../domain/transfers/followed.ts'
import type { WriteJournal } from '../journal/entry.ts'
import type { DeskLock } from '../lock/desk-lock.ts'
import type { BlindRules } from '../services/blind-switch.ts'
import type { RecorderOptions } from '../services/history/recorder.ts'
import type { OrderDraftsKeeper } from '../services/orders/order-queue.ts'
import type { WithdrawalDraftsKeeper } from '../services/transfers/withdrawal-drafts.ts'
import type { WithdrawalTermsSource } from '../services/transfers/withdrawal-guard.ts'
import type { CostsFile } from '../state-files/costs-file.ts'
import type { AlertsStart } from '../store/alerts/alerts.ts'
import { type DeskState, initialState } from '../store/desk.ts'
import type { GatewayStart } from '../store/gateway/gateway.ts'
import { type Looks, usualLooks } from '../store/looks.ts'
import type { Venue } from '../store/mode.ts'
import { covered } from '../store/reduce-lock.ts'
import { type TerminalState, usualTerminal } from '../store/terminal.ts'
import type { Duty } from './duties/duties.ts'
import type { DutyPlace } from './duties/duty-place.ts'
import type { DeskGateway } from './gateway/gateway.ts'
import type { FirmPlans } from './plans/plan-home.ts'
import type { PracticeAdmin } from './practice/practice-admin.ts'

/** Opens the account's history. */
export type DeskHistory = Pick<RecorderOptions, 'open'>

/** The parts of a desk: settings, opened files, and listeners. */
export type DeskOptions = {
  venue: Venue
  exchangeBaseUrl: string
  /** Further addresses of the hub there: see `TransportOptions`. */
  exchangeAlso?: readonly BaseAddress[]
  token: Secret
  /** Read only: the transport refuses every write. */
  isMonitor: boolean
  symbol: string
  /** The folder of exported lists. */
  exportsFolder: string
  /** The account's stated costs; nothing is saved unless given. */
  costs?: CostsFile
  /** Already open; the desk closes it when it stops. */
  journal: WriteJournal
  /** The account's drafts of withdrawals. */
  drafts: WithdrawalDraftsKeeper
  /** The account's drafts of orders; none unless given. */
  orderDrafts?: OrderDraftsKeeper
  /** The terms of withdrawals besides the exchange's data: see `queueParts`. */
  withdrawalTerms?: WithdrawalTermsSource
  /** Called after a withdrawal with its beneficiary's whitelist id. */
  onWithdrawn?: (whitelistId: string) => Promise<unknown>
  /** Limits; the defaults of the venue's kind unless given. */
  limits?: Limits
  /** When an idle desk becomes SAFE and when it locks; the usual times unless given. */
  idleRules?: Partial<IdleRules>
  /** Rebound keys, already checked against the table of keys. */
  reboundKeys?: ReboundKeys
  /** Settings of connections: further trusted certificates, calls per second. */
  transport?: Pick<TransportOptions, 'caPem' | 'rate'>
  /** Wraps the desk's own transport to the exchange; used as it is unless given. */
  transportOver?: (transport: Transport) => Transport
  /** Called with every event of polls and writes. */
  observe?: (event: FeedEvent | WriteEvent) => void
  /** In a hub: whether it leads. Asked right before a write is sent, besides the desk's own rules. */
  isLeading?: () => boolean
  /** While true no order and no withdrawal is sent, as on a HALTED desk; never unless given. */
  isHalted?: () => boolean
  /** Pauses in ms between polls on screen, for feeds with other than the usual ones. */
  pollMs?: Readonly<Partial<Record<FeedName, number | undefined>>>
  /** How it looks and speaks, if not as usual. */
  looks?: Partial<Looks>
  /** Alerts saved by an earlier run, and which ones are on by default. */
  alerts?: AlertsStart
  /** What earlier runs saw of transfers in flight. */
  followed?: FollowedTransfers
  /** How sales are matched with lots; the usual way unless given. */
  costMethod?: CostMethod
  /** The desk's own practice exchange, if it runs one, for the palette's verbs. */
  practice?: PracticeAdmin
  /** The account's history; none unless given. */
  history?: DeskHistory
  /** The payment gateway; none unless given. */
  gateway?: DeskGateway
  /** What a hang-up and a lost keyboard focus mean, and the terminal's settings; the usual ones unless given. */
  terminal?: Partial<Omit<TerminalState, 'keyboard' | 'backAtMs' | 'presence'>>
  /** Rules for entering orders; the usual ones unless given. */
  entry?: EntryRules
  /** The lock; Enter alone opens the lock screen unless given. */
  lock?: DeskLock
  /** A console unless given. A watch polls what its duties need, and never becomes SAFE, because it takes no keys. */
  role?: DutyRole
  /** Where the processes of a profile agree on who has its duties; a desk without it has them alone. */
  dutyPlace?: DutyPlace
  /**
   * The folder of the account's plans, and their exchange; without it a desk has none. `left`: behind a hub, the notice
   * about plans that were saved on this machine before; null for none.
   */
  plans?: { folder: string; exchange: string; left?: () => string | null }
  /** Instead the plans of a firm, in the desk of the leading hub. */
  firmPlans?: FirmPlans
  /** Duties besides the desk's own. */
  duties?: readonly Duty[]
  /** Rules for canceling orders after an outage; none unless given. */
  blind?: BlindRules
  /**
   * Polls changes made by writes later, once for many writes; at once unless given. A caller that sets it must read the
   * state by `current`, because reports of writes then enter the store only there or with the next beat.
   */
  afterWrites?: (look: () => void) => void
  /** Copies text to the terminal's clipboard; false when it cannot. */
  copy?: (text: string) => boolean
  clock: Clock
  random: () => number
  randomBytes: (count: number) => Uint8Array
  /** Called when the user quits. */
  onQuit: () => void
  /** Called when a loop ends with an error, which is always a bug. */
  onBug: (error: unknown) => void
}

/** The options for its first state. */
type StateOptions = Pick<
  DeskOptions,
  | 'clock'
  | 'isMonitor'
  | 'venue'
  | 'symbol'
  | 'limits'
  | 'idleRules'
  | 'looks'
  | 'alerts'
  | 'reboundKeys'
  | 'practice'
  | 'followed'
  | 'terminal'
  | 'entry'
  | 'role'
> & { gateway: GatewayStart }

/**
 * The first state of a desk: ARMED on a practice exchange and in a watch, SAFE on a live one until the user arms it,
 * and locked when a lock is set up.
 */
export function startState(
  {
    clock,
    isMonitor,
    venue,
    symbol,
    limits,
    idleRules,
    looks,
    alerts = {},
    reboundKeys = noReboundKeys,
    practice,
    followed = nothingFollowed,
    gateway,
    terminal,
    entry,
    role = 'console',
  }: StateOptions,
  lock: Pick<DeskLock, 'method'>,
): DeskState {
  // A watch takes no keys: what it sends was confirmed before.
  const isArmed = venue.kind === 'practice' || role === 'watch'
  const mode = isMonitor ? 'MONITOR' : isArmed ? 'ARMED' : 'SAFE'
  const nowMs = clock.now()
  const state = initialState({
    nowMs,
    wallMs: clock.wallMs(),
    venue,
    mode: { kind: mode },
    symbol,
    idleRules: { ...usualIdleRules(venue, lock), ...idleRules },
    lockMethod: lock.method,
    alerts,
    looks: { ...usualLooks, ...looks },
    reboundKeys,
    followed,
    gateway,
    role,
    // A live exchange has no practice administration, whatever is given.
    practice: venue.kind === 'practice' && practice !== undefined ? practice : null,
    ...(terminal === undefined ? {} : { terminal: { ...usualTerminal, ...terminal } }),
    ...(limits === undefined ? {} : { limits }),
    ...(entry === undefined ? {} : { entry }),
  })
  // Otherwise ending it would be a way around the lock.
  return lock.method === 'none' ? state : covered(state, 'A desk with a lock starts locked.', nowMs)
}

/** With a lock the screen locks after a while, even if the settings do not say so. */
function usualIdleRules({ kind }: Venue, lock: Pick<DeskLock, 'method'>): IdleRules {
  const rules = defaultIdleRules[kind]
  return lock.method === 'none' ? rules : { ...rules, lockAfterMs: lockAfterDefaultMs }
}
