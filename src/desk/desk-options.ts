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
import type { Duty, DutyPlace } from './duties.ts'
import type { DeskGateway } from './gateway.ts'
import type { FirmPlans } from './plan-home.ts'
import type { PracticeAdmin } from './practice-admin.ts'

/** The account's history: what opens it. */
export type DeskHistory = Pick<RecorderOptions, 'open'>

/** What a desk is composed of: settings that were read, files that were opened, who is told. */
export type DeskOptions = {
  venue: Venue
  exchangeBaseUrl: string
  /** Further addresses of the hub there: see `TransportOptions`. */
  exchangeAlso?: readonly BaseAddress[]
  token: Secret
  /** Read only: the transport refuses every write. */
  isMonitor: boolean
  symbol: string
  /** Where exported lists go. */
  exportsFolder: string
  /** What the user stated of costs, kept of the account; nothing is kept unless given. */
  costs?: CostsFile
  /** Open already; the desk closes it when it stops. */
  journal: WriteJournal
  /** The drafts of withdrawals of the account. */
  drafts: WithdrawalDraftsKeeper
  /** The drafts of orders of the account; none are kept unless given. */
  orderDrafts?: OrderDraftsKeeper
  /** What withdrawals are held against besides what the exchange says: see `queueParts`. */
  withdrawalTerms?: WithdrawalTermsSource
  /** Told to whom money went, by the id on the whitelist. */
  onWithdrawn?: (whitelistId: string) => Promise<unknown>
  /** The defaults of the venue's kind unless given. */
  limits?: Limits
  /** When a desk that nobody touches becomes SAFE, and when it locks: what is not given is as usual. */
  idleRules?: Partial<IdleRules>
  /** Actions that have other keys than the usual ones, already held against the table of keys. */
  reboundKeys?: ReboundKeys
  /** What the settings say about connections: certificates to trust besides the usual ones, calls a second. */
  transport?: Pick<TransportOptions, 'caPem' | 'rate'>
  /** The way to the exchange as the desk is to take it, over its own; its own unless given. */
  transportOver?: (transport: Transport) => Transport
  /** Told of all that polls and writes report, as it comes. */
  observe?: (event: FeedEvent | WriteEvent) => void
  /** In a hub: whether it leads. Asked right before a write leaves, beside the desk's own rules. */
  isLeading?: () => boolean
  /** While it returns true no order and no withdrawal is sent, as while the desk is HALTED; never unless given. */
  isHalted?: () => boolean
  /** Pauses between polls on screen, for those feeds that are to have other than the usual ones. */
  pollMs?: Readonly<Partial<Record<FeedName, number | undefined>>>
  /** How it looks and speaks, where that is not as usual. */
  looks?: Partial<Looks>
  /** What an earlier run left of the alerts, and which are on without a word. */
  alerts?: AlertsStart
  /** What earlier runs saw of transfers in flight. */
  followed?: FollowedTransfers
  /** How sales are matched with lots; as usual unless given. */
  costMethod?: CostMethod
  /** The practice exchange of the desk's own, where it runs one: the palette offers what can be done with it. */
  practice?: PracticeAdmin
  /** What is kept of the account over time; nothing unless given. */
  history?: DeskHistory
  /** The payment gateway; none unless given. */
  gateway?: DeskGateway
  /** What a hang-up and a keyboard that is elsewhere mean, and what is wanted of the terminal; as usual else. */
  terminal?: Partial<Omit<TerminalState, 'keyboard' | 'backAtMs' | 'presence'>>
  /** How orders are written; as usual unless given. */
  entry?: EntryRules
  /** What opens the lock screen; Enter alone unless given. */
  lock?: DeskLock
  /** A console unless given: a watch polls what its duties need, and is never made SAFE, for it takes no keys. */
  role?: DutyRole
  /** Where the processes of a profile agree on who has its duties; a desk without has them alone. */
  dutyPlace?: DutyPlace
  /**
   * Where the account's plans are kept, and of which exchange they are; a desk without has none. `left`: what is to be
   * said, behind a hub, of plans that were kept on this machine before; null where there are none.
   */
  plans?: { folder: string; exchange: string; left?: () => string | null }
  /** The plans of a firm instead, in the desk of the hub that leads. */
  firmPlans?: FirmPlans
  /** Duties beside those that are made of the desk itself. */
  duties?: readonly Duty[]
  /** Orders that are taken back after an outage; none unless given. */
  blind?: BlindRules
  /**
   * Asks later, once for many writes, for what has changed by them; at once unless given. Whoever gives it reads the
   * state by `current`: what writes report is then not taken in before that, or the next beat.
   */
  afterWrites?: (look: () => void) => void
  /** Hands text to the terminal's clipboard; false where it cannot. */
  copy?: (text: string) => boolean
  clock: Clock
  random: () => number
  randomBytes: (count: number) => Uint8Array
  /** Called when the user quits. */
  onQuit: () => void
  /** Called when a loop ends by an error, which is always a bug. */
  onBug: (error: unknown) => void
}

/** The options that its first state is made of. */
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
 * The state a desk starts with: ARMED on a practice exchange and in a watch, SAFE on a live one until the user arms it,
 * and locked where a lock is set up.
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
  // Nobody presses keys at a watch: what it sends is what was confirmed before.
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
    // Whatever is passed in: a live exchange has no practice administration.
    practice: venue.kind === 'practice' && practice !== undefined ? practice : null,
    ...(terminal === undefined ? {} : { terminal: { ...usualTerminal, ...terminal } }),
    ...(limits === undefined ? {} : { limits }),
    ...(entry === undefined ? {} : { entry }),
  })
  // Else ending it, by whatever signal, would be a way around the lock.
  return lock.method === 'none' ? state : covered(state, 'A desk with a lock starts locked.', nowMs)
}

/** With a lock set up the screen locks after a while, also where the settings do not say so. */
function usualIdleRules({ kind }: Venue, lock: Pick<DeskLock, 'method'>): IdleRules {
  const rules = defaultIdleRules[kind]
  return lock.method === 'none' ? rules : { ...rules, lockAfterMs: lockAfterDefaultMs }
}
