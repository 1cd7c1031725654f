import { hostname } from 'node:os'
import { memoizeReaderByName } from '../../api/caller.ts'
import { errorOfBody } from '../../api/errors.ts'
import type { CallReading, Transport, TransportOptions } from '../../api/transport.ts'
import { type Clock, limited, nextTurn, within } from '../../base/clock.ts'
import type { CommandIo, CommandTools } from '../../base/process/command-io.ts'
import { err } from '../../base/result.ts'
import type { Secret } from '../../base/secret.ts'
import type { Settings } from '../../config/settings.ts'
import type { FeedEvent, WriteEvent } from '../../domain/desk/events.ts'
import { isLowered } from '../../domain/hub/person-limits.ts'
import { may } from '../../domain/hub/roles.ts'
import type { Book } from '../../domain/market/book.ts'
import type { UsdPrices } from '../../domain/usd-worth.ts'
import type { Route } from '../../http-server/route.ts'
import { type Continuity, checkContinuity } from '../../hub/continuity.ts'
import { draftRoutes } from '../../hub/http/draft-routes.ts'
import type { Serving } from '../../hub/http/hub-server.ts'
import { ownRoutes } from '../../hub/http/own-routes.ts'
import { planRoutes } from '../../hub/http/plan-routes.ts'
import { hubTables } from '../../hub/open-hub-database.ts'
import { readAudit } from '../../hub/people/audit.ts'
import type { AuditEvent } from '../../hub/people/audit-events.ts'
import type { AuditNotes } from '../../hub/people/audit-notes.ts'
import type { Directory } from '../../hub/people/directory.ts'
import { setHalt } from '../../hub/people/halt.ts'
import { mayNow } from '../../hub/people/people.ts'
import { createSendLines } from '../../hub/people/send-lines.ts'
import type { HubPlanDesk } from '../../hub/plans/firm-plans.ts'
import { createSharedReads, type SharedReads, sharedTransport } from '../../hub/reads/shared-reads.ts'
import { createStreams } from '../../hub/reads/streams.ts'
import type { HubDatabase } from '../../hub/store/database.ts'
import type { Lead } from '../../hub/store/leader.ts'
import type { Deed, Guest, HubWritesContext } from '../../hub/writes/context.ts'
import { type HubJournal, openHubJournal } from '../../hub/writes/hub-journal.ts'
import { createHubWrites, type HubWrites } from '../../hub/writes/hub-writes.ts'
import { createQuietTime } from '../../hub/writes/quiet-time.ts'
import type { Recording } from '../../hub/writes/recording.ts'
import { noDrafts } from '../../services/draft-list.ts'
import { createDraftIds } from '../../services/trading.ts'
import { wallSkewMs } from '../../store/clock.ts'
import { checkContext } from '../../store/ticket/check-context.ts'
import { readBook } from '../../wire/book.ts'
import { venueOf } from '../account/opening-settings.ts'
import { composeDesk, type Desk } from '../desk.ts'
import { createInFlight } from '../in-flight.ts'
import { onLimitNames } from '../limit-names.ts'
import { hubMemory, keepRemembering, type Looked, startComparison } from './hub-continuity.ts'
import { dayValuesOf } from './hub-day-values.ts'
import { openFirmPlans } from './hub-plans.ts'
import { type FirmWithdrawals, openFirmWithdrawals } from './hub-withdrawals.ts'

/** The constants of a running hub: the account, and how to reach it. */
export type Firm = {
  /** Exchange and account, as journals name them. */
  account: string
  exchangeBaseUrl: string
  token: Secret
  transport: Pick<TransportOptions, 'caPem' | 'rate'>
}

/** A hub that leads. */
export type Led = {
  serving: Serving
  desk: Desk
  withdrawals: Pick<FirmWithdrawals, 'routes'>
  plans: HubPlanDesk
  rate(): CallReading
  stop(): Promise<void>
}

type LeadOptions = {
  settings: Settings
  firm: Firm
  database: HubDatabase
  directory: Directory
  /** True when the account's key was replaced. */
  isNewKey: boolean
  notes: Pick<AuditNotes, 'note'>
  recording: Pick<Recording, 'tried'>
  lead: Lead
  io: Pick<CommandIo, 'crash' | 'environment'>
  tools: CommandTools
  log: (line: string) => void
}

/** The journal's name for writes the hub starts itself. */
const hubItself = { person: 'hub', countedUsd: null }

/** Maximum age in ms of a book for the checks of an order: enough to tell its value. */
export const bookAgeMaxMs = 3_000

/**
 * Opens the account for all desks: one desk without a screen, which knows the firm's account and resolves unanswered
 * writes, and on top of it everyone's reads, streams and writes. Rejects with `JournalError` when the database is
 * unfit.
 */
export async function takeTheLead(options: LeadOptions): Promise<Led> {
  const { settings, firm, database, lead, io, tools, log, isNewKey, recording } = options
  const { clock, randomBytes } = tools
  const over = new AbortController()
  const writesRef: { current: HubWrites | null } = { current: null }
  const journal = await openHubJournal({
    ...{ pool: database.pool, lead, randomBytes, clock, account: firm.account, isNewKey, onRecording: recording.tried },
    onNotPlaced: (clientOrderId) => writesRef.current?.notPlaced(clientOrderId),
    onTurnedUp: (key, intent) => writesRef.current?.turnedUp(key, intent),
  })
  const own = journal.as(hubItself)
  const deskRef: { current: Desk | null } = { current: null }
  const skewMs = () => (deskRef.current === null ? null : wallSkewMs(deskRef.current.current()))
  const continuity = await continuityOf(options, skewMs)
  const { days, ofPlans } = await dayValuesOf({ database, clock, journal, continuity, skewMs })
  const quiet = createQuietTime(clock, over.signal)
  const lookAll = () => changed()
  const way = sharedWay(clock, () => quiet.add(lookAll))
  const withdrawalsRef: { current: FirmWithdrawals | null } = { current: null }
  const { track, ended } = createInFlight(io.crash)
  const looked = { isOver: false }
  const halted = () => haltedClause(options.directory, looked)
  const lines = createSendLines(clock)
  const plans = openFirmPlans({
    ...{ lines, database, journal, lead, clock, randomBytes, log, days, halted, counted: ofPlans },
    ...{ changed: lookAll, people: options.directory },
    bookOf: (symbol) => bookReader(way.now().reads)(symbol),
    prices: () => pricesOf(required(deskRef.current))(),
    note: (event) => track(noted(event, options.notes)),
  })
  const observe: DeskParts['observe'] = (event) => {
    observed(event, writesRef.current)
    withdrawalsRef.current?.observe(event)
  }
  const desk = deskOf(options, {
    ...{ journal: own, transportOver: way.over, observe, afterWrites: quiet.add, firmPlans: plans.plans },
  })
  deskRef.current = desk
  // The hub has no screen: its log is where the owner of the settings looks.
  onLimitNames(desk.store, settings, (text) => log(`ALARM ${text}`))
  const { reads, transport } = way.now()
  const streams = createStreams({
    ...{ reads, clock, signal: over.signal },
    newId: () => Buffer.from(randomBytes(16)).toString('base64url'),
    isWelcome: (digest) => options.directory.find(digest).kind === 'known',
  })
  const { changed, writing } = tellingOf({ reads, streams, quiet, desk })
  const withdrawals = openFirmWithdrawals({
    ...{ database, journal: own, client: desk.client, limits: settings.limits.withdrawals, clock, track, log },
    ...{ prices: pricesOf(desk), newDraftId: createDraftIds(randomBytes), signal: over.signal },
    ...{ changed: () => streams.hubChanged(), skewMs },
  })
  withdrawalsRef.current = withdrawals
  const writes = createHubWrites({
    ...writesContext({ desk, journal, reads, clock, log }),
    ...withdrawals.context,
    ...{ lines, halted, ended: endedClause(options.directory), days, writing },
    note(deed) {
      if (deed.act === 'withdraw') streams.hubChanged()
      track(noted(auditOf(deed), options.notes))
    },
  })
  writesRef.current = writes
  desk.start()
  withdrawals.begin()
  const comparison = startComparison({ client: desk.client, journal: own, continuity, skewMs, log }, looked)
  track(keepRemembering(continuity, comparison, clock, over.signal))
  // At most `knownWithinMs`: a slow exchange delays new writes, but no cancel.
  await Promise.all([waitUntilKnown(desk, clock), within(comparison.first, knownWithinMs, clock)])
  return {
    serving: { reads, streams, writes },
    desk,
    withdrawals,
    plans: plans.routes,
    rate: () => transport.rate(),
    async stop() {
      over.abort()
      await ended()
      await desk.stop()
    },
  }
}

type Telling = Pick<Serving, 'reads' | 'streams'> & { quiet: ReturnType<typeof createQuietTime>; desk: Desk }

/** Reports changes of the account to all desks: once for writes in quick succession. */
function tellingOf({ reads, streams, quiet, desk }: Telling) {
  const tellStreams = () => streams.accountChanged()
  const changed = () => {
    reads.forgetAccount()
    quiet.add(tellStreams)
    desk.lookAnew()
  }
  return {
    changed,
    writing() {
      const ended = quiet.begin()
      return () => {
        changed()
        ended()
        void nextTurn().then(desk.current)
      }
    },
  }
}

/** Checks that the database has every write that was sent, as far as it and this host can tell. */
const continuityOf = (
  { database, lead, io, log, tools }: LeadOptions,
  skewMs: () => number | null,
): Promise<Continuity> =>
  checkContinuity({
    skewMs,
    ...{ pool: database.pool, fence: lead.fence, clock: tools.clock, version: hubTables.migrations.length, log },
    ...{ memory: hubMemory(database, io.environment, log), by: `the hub on ${hostname()}` },
  })

function required<T>(of: T | null): T {
  if (of === null) throw new Error('the hub was asked before its desk was there')
  return of
}

/** The exchange connection shared by everyone's reads; `now` throws until a desk was composed over it. */
function sharedWay(clock: Clock, written: () => void) {
  let own: { reads: SharedReads; transport: Transport } | null = null
  return {
    over(transport: Transport): Transport {
      own = { reads: createSharedReads(transport, clock), transport }
      return sharedTransport(own.reads, transport, written)
    },
    now: () => required(own),
  }
}

/** The reason why no new write may be sent now, as a clause; null for none. */
function haltedClause(directory: Pick<Directory, 'halted'>, { isOver }: Looked): string | null {
  const reason = directory.halted()
  if (reason !== null) return `the hub is halted (${reason}), and only cancels go`
  return isOver
    ? null
    : 'the hub asks the exchange whether its database has every write, and until then only cancels go'
}

/**
 * The reason why a person's permission for a write has ended since the request, as a clause; null for none. Also asked
 * while the write waits in the call queue, after the database recorded its start. `approvedBy`: the approver of its
 * draft, if it needed one.
 */
const endedClause =
  (directory: Pick<Directory, 'find' | 'named'>): HubWritesContext['ended'] =>
  ({ tokenDigest, limits }, act, approvedBy = null) => {
    const found = directory.find(tokenDigest)
    if (found.kind !== 'known') return 'the token has ended'
    if (!may(found.person.role, act)) return `the role is ${found.person.role} now`
    // Limits do not apply to cancels and deposit addresses.
    const isLimited = act === 'placeOrder' || act === 'withdraw'
    if (isLimited && isLowered(limits, found.person.limits)) return 'your limits were lowered just now: send it again'
    const approver = approvedBy === null ? null : directory.named(approvedBy)
    return approvedBy === null || (approver !== null && may(approver.role, 'approve'))
      ? null
      : 'who approved the draft is not an approver now'
  }

/** The feeds that limits depend on; an order before they are loaded is refused. */
const neededFeeds = ['instruments', 'balances', 'orders', 'fills', 'tickers'] as const
const knownWithinMs = 3_000

/** Resolves when the account is known, or after `knownWithinMs`: writes that need it are refused until then. */
async function waitUntilKnown({ store }: Desk, clock: Clock): Promise<void> {
  const isKnown = () => neededFeeds.every((feed) => store.getState()[feed].value !== null)
  await limited(
    (late) =>
      new Promise<void>((resolve) => {
        const end = () => {
          leave()
          resolve()
        }
        const leave = store.subscribe(() => isKnown() && end())
        late.addEventListener('abort', end, { once: true })
        if (isKnown()) end()
      }),
    knownWithinMs,
    clock,
  )
}

type DeskParts = Pick<
  Parameters<typeof composeDesk>[0],
  'journal' | 'transportOver' | 'observe' | 'afterWrites' | 'firmPlans'
>

/** The firm's desk without a screen. Throws for unusable settings, which were checked before. */
function deskOf({ settings, firm, lead, directory, io, tools }: LeadOptions, parts: DeskParts): Desk {
  const desk = composeDesk({
    ...parts,
    venue: venueOf(settings),
    exchangeBaseUrl: firm.exchangeBaseUrl,
    token: firm.token,
    isMonitor: settings.isMonitor,
    isLeading: () => lead.isValid(),
    isHalted: () => directory.halted() !== null,
    symbol: settings.symbol,
    exportsFolder: '',
    limits: settings.limits,
    // Persons prepare withdrawals, not the hub's own desk.
    drafts: noDrafts,
    role: 'watch',
    transport: firm.transport,
    pollMs: settings.pollMs,
    ...tools,
    onQuit: () => undefined,
    onBug: io.crash,
  })
  if (!desk.ok) throw new Error(desk.error)
  return desk.value
}

/**
 * Passes on ended and accepted orders: one may count less towards limits than it was counted at first, or nothing. One
 * that was answered as rejected and is there counts again; the journal tells of withdrawals.
 */
function observed(event: FeedEvent | WriteEvent, writes: HubWrites | null): void {
  if (writes === null) return
  if (event.type === 'orderEnded') writes.seen(event.order)
  if (event.type === 'orderOutcome' && event.outcome.kind === 'accepted') writes.seen(event.outcome.order)
  if (event.type === 'writeResolved' && event.isFalseRefusal) writes.turnedUp({ kind: 'order', id: event.key })
}

/** The prices for values in USD, as the desk knows them now. */
const pricesOf =
  ({ current }: Desk): (() => UsdPrices) =>
  () => {
    const { instruments, tickers, balances } = current()
    return {
      instruments: instruments.value ?? new Map(),
      tickers: tickers.value ?? new Map(),
      balances: balances.value ?? [],
    }
  }

type ContextParts = {
  desk: Desk
  journal: HubJournal
  reads: SharedReads
  clock: Clock
  log: (line: string) => void
}

/** The context for the writes of persons. */
function writesContext({ desk, journal, reads, clock, log }: ContextParts) {
  const { current, trading, client } = desk
  return {
    clock,
    journal: journal.as(hubItself),
    // An unrecorded cancel is reported only in the log and the audit list.
    emit: (event: WriteEvent) => event.type === 'journalTrouble' && log(`ALARM ${event.sentence}`),
    onUnknown: () => trading.reconciliation.wake(),
    skewMs: () => wallSkewMs(current()),
    hubJournal: journal,
    client,
    entryUnder: trading.ordersUnder,
    withdrawUnder: trading.withdrawUnder,
    bookOf: bookReader(reads),
    contextOf: (symbol: string) => checkContext(current(), symbol, clock.now()),
    prices: pricesOf(desk),
  }
}

/** Reads books through the shared answers. Rejects with `ExchangeError`. */
function bookReader(reads: SharedReads): (symbol: string) => Promise<Book> {
  const bookOf = memoizeReaderByName(readBook)
  return async (symbol) => {
    const path = `/l2/${encodeURIComponent(symbol)}`
    const { body } = await reads.read(path, { ageMaxMs: bookAgeMaxMs, priority: 'person' })
    const book = bookOf(body, symbol)
    if (!book.ok)
      throw errorOfBody({ method: 'GET', path }, 'unreadableAnswer', `the book is unreadable: ${book.error}`)
    return book.value
  }
}

const auditKinds = {
  placeOrder: 'order',
  cancel: 'cancel',
  cancelAll: 'cancelAll',
  withdraw: 'withdrawal',
  depositAddress: 'depositAddress',
} as const

/** Adds an event to the audit list, after the person has the answer. */
async function noted(event: AuditEvent, notes: Pick<AuditNotes, 'note'>): Promise<void> {
  await nextTurn()
  await notes.note(event)
}

/** A write in the audit list's form. */
function auditOf({ person, act, what, draftId, madeBy, status, reason, isRepeat }: Deed): AuditEvent {
  const draft = { ...(draftId === null ? {} : { draftId }), ...(madeBy === null ? {} : { madeBy }) }
  const detail = { kind: auditKinds[act], terms: what, ...draft, ...(isRepeat ? { isRepeat } : {}) }
  if (status === 200)
    return { person, action: 'writeEnded', detail: { ...detail, outcome: 'accepted by the exchange' } }
  const why = reason ?? `answered with ${status}`
  return status === 504
    ? { person, action: 'writeEnded', detail: { ...detail, outcome: why } }
    : { person, action: 'writeRefused', detail: { ...detail, reason: why } }
}

type FirmPlace = {
  account: string
  database: HubDatabase
  directory: Pick<Directory, 'halted'>
  notes: Pick<AuditNotes, 'note'>
}

/** The hub's own routes beside the exchange's interface, served by the lead of the moment. */
export const firmRoutes = (
  led: () => Led | null,
  { account, database, directory, notes }: FirmPlace,
): readonly Route<Guest>[] => [
  ...ownRoutes({
    ...{ account, hub: database.id, halted: () => directory.halted() },
    setHalt: (reason, person, seen) => setHalt(database.pool, reason, { person, seen }, notes),
    maySettle: (guest) => mayNow(database.pool, guest, 'settle'),
    audit: (query) => readAudit(database.pool, query),
    unknownWrites: () => led()?.desk.current().unknownWrites ?? [],
    async decide(person, key, verdict, id, seen) {
      const decided =
        (await led()?.desk.trading.reconciliation.decide(key, verdict, id, seen)) ?? err('This hub stands by.')
      const detail = { writeId: key, verdict, ...(id === null ? {} : { withdrawalId: id }) }
      if (decided.ok) await notes.note({ person, action: 'settled', detail })
      return decided
    },
  }),
  ...draftRoutes(() => led()?.withdrawals.routes ?? null),
  ...planRoutes(() => led()?.plans ?? null),
]
