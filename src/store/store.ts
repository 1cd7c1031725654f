import { createStore } from 'zustand/vanilla'
import type { FeedEvent, WriteEvent } from '../domain/desk/events.ts'
import { type FeedName, isFeedName } from '../domain/desk/feeds.ts'
import type { AccountEvent } from './accounts.ts'
import type { AlertsEvent } from './alerts/alerts.ts'
import { withAlerts } from './alerts/reduce-alerts.ts'
import { reduceAnswer } from './answers.ts'
import { type BarsEvent, reduceBars } from './bars.ts'
import { type ChartEvent, reduceChart } from './chart.ts'
import type { CostsEvent } from './costs.ts'
import type { DeskEvent, DeskState, DeskStore, PersonEvent, StoreEvent } from './desk.ts'
import { reduceDuties } from './duties.ts'
import { type EquityEvent, reduceEquity } from './equity.ts'
import { inPresent, reduceView } from './frozen-view.ts'
import { type GatewayStoreEvent, reduceGateway } from './gateway/gateway.ts'
import { reduceFillHistory, reduceOrderHistory } from './history/history.ts'
import { reduceKeptSession } from './kept-session.ts'
import {
  activeLadder,
  centeredByHand,
  cursorMoved,
  cursorRemoved,
  groupChanged,
  ladderSymbol,
  pricesToggled,
  recenteredWhenIdle,
  scaleMoved,
  viewToggled,
  withCursorAt,
  withCursorsInView,
  withLadderInFocus,
  withSymbolInLadder,
} from './ladder/ladder.ts'
import { atSending, logged, marked, noted, notedAside } from './log.ts'
import { reduceLooks } from './looks.ts'
import { isMoveEvent, reduceMove } from './move/move.ts'
import { draftAfter, type OrderDraftsEvent, reduceOrderDrafts, waitingOrders } from './order-drafts/order-drafts.ts'
import { hasOrderForm, isWallShown } from './order-form.ts'
import { reduceWrite } from './orders/reduce-writes.ts'
import type { PaletteEvent } from './palette.ts'
import { type PlansEvent, reducePlans } from './plans/plans.ts'
import { type PositionsEvent, reducePositions } from './positions.ts'
import { reduceLock } from './reduce-lock.ts'
import { reduceSession } from './session.ts'
import { withRecentSymbol } from './symbols.ts'
import { reduceTables } from './tables/tables.ts'
import { reduceTerminal } from './terminal.ts'
import { type TicketEvent, ticketAfter } from './ticket/ticket.ts'
import { datedAnswer, withHub, withKeyPressed, withMode, withTimePassed } from './time.ts'
import { reduceDeposit } from './transfers/deposit-commands.ts'
import { withFollowed } from './transfers/followed-transfers.ts'
import type { DraftsEvent } from './transfers/transfers.ts'
import { atPaneBefore, paneBeginning } from './view/pane-before.ts'
import { withPassedOrders } from './writes/passed-orders.ts'
import { withSentOrder } from './writes/sent-orders.ts'
import { reduceOwnDrafts, withOwnSent } from './writes/writes.ts'

/** The events of slices with many, by name, so that each slice needs one line below. */
const otherFeedEventNames: Readonly<Record<Exclude<FeedEvent['type'], FeedName>, true>> = {
  orderEnded: true,
  feedFailed: true,
  answered: true,
  leftOut: true,
  orderDoubted: true,
  orderEndsAwaited: true,
}

const writeEventNames: Readonly<Record<WriteEvent['type'], true>> = {
  orderSent: true,
  orderNotSent: true,
  orderOutcome: true,
  cancelSent: true,
  cancelOutcome: true,
  cancelsSent: true,
  cancelsEnded: true,
  cancelAllSent: true,
  cancelAllOutcome: true,
  cancelNotSent: true,
  withdrawalSent: true,
  withdrawalNotSent: true,
  withdrawalOutcome: true,
  writeUnknown: true,
  writeQuestion: true,
  journalTrouble: true,
  journalKept: true,
  writeResolved: true,
  openElsewhere: true,
}

const alertsEventNames: Readonly<Record<AlertsEvent['type'], true>> = {
  alertsActed: true,
  planTold: true,
  toastsDismissed: true,
  alertsShared: true,
  gatewayOrderChanged: true,
  gatewayOrderStuck: true,
  gatewayEventsDiffer: true,
}

const gatewayEventNames: Readonly<Record<GatewayStoreEvent['type'], true>> = {
  eligibleCurrencies: true,
  eligibleRegions: true,
  eligiblePaymentMethods: true,
  eligibilityFailed: true,
  onlyBuyToggled: true,
  gatewayListChosen: true,
  deliveriesRead: true,
  inboxRead: true,
  inboxFailed: true,
  receiverChanged: true,
  stuckOrders: true,
  gatewayOrderOpened: true,
  gatewayOrderRead: true,
  gatewaySeen: true,
}

/** Events about the account's holdings, their value, and its plans. */
type WorthEvent = AccountEvent | EquityEvent | PositionsEvent | CostsEvent | PlansEvent
const worthEventNames: Readonly<Record<WorthEvent['type'], true>> = {
  accountShown: true,
  equityLoaded: true,
  equitySpanChanged: true,
  positionsReading: true,
  positionsReckoned: true,
  costsRead: true,
  positionsUnknown: true,
  positionsBasisToggled: true,
  positionsGroupingToggled: true,
  plans: true,
}

const isFeedEvent = (event: StoreEvent): event is FeedEvent =>
  isFeedName(event.type) || Object.hasOwn(otherFeedEventNames, event.type)
const isWriteEvent = (event: StoreEvent): event is WriteEvent => Object.hasOwn(writeEventNames, event.type)
const isAlertsEvent = (event: StoreEvent): event is AlertsEvent => Object.hasOwn(alertsEventNames, event.type)
const isGatewayEvent = (event: StoreEvent): event is GatewayStoreEvent => Object.hasOwn(gatewayEventNames, event.type)

const isWorthEvent = (event: StoreEvent): event is WorthEvent => Object.hasOwn(worthEventNames, event.type)

function reduceWorth(state: DeskState, event: WorthEvent): DeskState {
  switch (event.type) {
    case 'accountShown':
      return { ...state, shownAccount: event.account }
    case 'equityLoaded':
    case 'equitySpanChanged':
      return reduceEquity(state, event)
    case 'costsRead':
      return { ...state, statedCosts: event.costs }
    case 'plans':
      return { ...state, plans: reducePlans(event) }
    default:
      return reducePositions(state, event)
  }
}

/** A notice about a field is over once the field changes or is left. */
const withoutFieldNotice = (state: DeskState): DeskState =>
  state.notice?.isOfField === true ? { ...state, notice: null } : state

function withSymbol(state: DeskState, symbol: string, atMs: number): DeskState {
  const name = activeLadder(state)
  if (symbol === ladderSymbol(state, name)) return { ...state, overlay: null }
  const left = ladderSymbol(state, name)
  const recentSymbols = left === null ? state.recentSymbols : withRecentSymbol(state.recentSymbols, left)
  // What is on its way stays: a refused order's text is wanted again, and another one would be taken for it.
  const ticket = state.ticket?.stage === 'sending' ? state.ticket : null
  const move = state.move?.stage === 'sending' ? state.move : null
  const shown = withoutFieldNotice({ ...state, overlay: null, ticket, move, recentSymbols })
  return withSymbolInLadder(shown, name, symbol, atMs)
}

/** A gateway that is not set up is on screen from the user's first visit. */
const withPaneAskedFor = (state: DeskState): DeskState =>
  state.focus !== 'gateway' || state.gateway.isShown
    ? state
    : { ...state, gateway: { ...state.gateway, isShown: true } }

function reducePerson(state: DeskState, event: PersonEvent): DeskState {
  switch (event.type) {
    case 'paneFocused':
      // Sort letters on the column heads of a list without the focus would wait for a key that goes elsewhere.
      return withPaneAskedFor({
        ...state,
        focus: event.pane,
        // The wall has no place for a pane: the pane is shown alone, and the way back is the same as from any zoom.
        view: isWallShown(state) ? { ...state.view, isZoomed: true } : state.view,
        tables: reduceTables(state.tables, { type: 'sortChoosing', pane: null }),
      })
    case 'cursorMoved':
      return cursorMoved(state, event.rows, event.atMs)
    case 'cursorPut':
      return withCursorAt(state, event.ladder, event.price, event.atMs)
    case 'scaleMoved':
      return scaleMoved(state, event.ladder, event.rows, event.atMs)
    case 'cursorRemoved':
      return cursorRemoved(state, event.atMs)
    case 'ladderCentered':
      return { ...centeredByHand(state, event.atMs), notice: null }
    case 'groupChanged':
      return groupChanged(state, event.step, event.atMs)
    case 'ladderViewToggled':
      return viewToggled(state, event.atMs)
    case 'ladderPricesToggled':
      return pricesToggled(state, event.atMs)
    case 'ticketOpened':
    case 'ticketChanged':
    case 'ticketFieldChosen':
    case 'ticketReviewed':
    case 'ticketConfirmed':
    case 'ticketRetyped':
    case 'ticketScrolled':
    case 'ticketBackToEdit':
    case 'ticketSending':
    case 'ticketClosed':
      return reduceTicket(event.type === 'ticketSending' ? atSending(state) : withoutFieldNotice(state), event)
    case 'symbolRotated':
      // Only when the wall is unattended: anything opened meanwhile keeps its symbol.
      return isWallShown(state) && state.overlay === null && state.picture.kind === 'moving'
        ? withSymbolInLadder(state, 'ladder', event.symbol, event.atMs)
        : state
    case 'symbolChosen':
      return withSymbol(state, event.symbol, event.atMs)
    case 'overlayOpened':
      return { ...withoutFieldNotice(state), overlay: event.overlay }
    case 'overlayClosed':
      return { ...withoutFieldNotice(state), overlay: null }
    case 'modeChanged':
      return noted(
        { ...withMode(state, event.mode), untakenHalts: [] },
        'info',
        `Mode is ${event.mode.kind}.`,
        event.atMs,
      )
    case 'hubKnown':
      return withHub(state, event.person, event.atMs)
    case 'keyPressed':
      return withKeyPressed(state, { nowMs: event.atMs, wallMs: event.wallMs })
    case 'lockCovered':
    case 'lockFound':
    case 'lockTyped':
    case 'lockChecking':
      return reduceLock(state, event)
  }
}

/** A frozen screen keeps its scale until the user moves it. */
const recenteredUnlessFrozen = (state: DeskState): DeskState =>
  state.picture.kind === 'frozen' ? state : recenteredWhenIdle(state, state.ticket !== null || state.overlay !== null)

function reduceDesk(state: DeskState, event: DeskEvent): DeskState {
  switch (event.type) {
    case 'ticked':
      return recenteredUnlessFrozen({ ...withTimePassed(reduceSession(state, event), event), nowMs: event.nowMs })
    case 'resized':
      return withCursorsInView(withLadderInFocus({ ...state, screen: event.screen }), hasOrderForm(state))
    case 'lockAnswered':
      return reduceLock(state, event)
    case 'noted': {
      if (event.isPassing === true)
        return { ...state, notice: logged(state, event.level, event.text, event.atMs).log.at(-1) ?? null }
      const note = event.isAside === true ? notedAside : noted
      return marked(note(state, event.level, event.text, event.atMs, event.path), event)
    }
  }
}

const reduceChartOrBars = (state: DeskState, event: BarsEvent | ChartEvent): DeskState =>
  event.type === 'chartChanged' ? { ...state, chart: reduceChart(state.chart, event) } : reduceBars(state, event)

/** Events by the user or the desk itself, and all events with a part of the state of their own. */
function reduceOwn(state: DeskState, event: Exclude<StoreEvent, FeedEvent | WriteEvent>): DeskState {
  if (isGatewayEvent(event)) return withGateway(state, event)
  if (isWorthEvent(event)) return reduceWorth(state, event)
  if (isDraftsEvent(event)) return withDrafts(state, event)
  if (isMoveEvent(event))
    return reduceMove(event.type === 'moveSending' ? atSending(state) : withoutFieldNotice(state), event)
  // Their effects belong to the alerts: see `withAlerts`.
  if (isAlertsEvent(event)) return state
  switch (event.type) {
    case 'ticked':
    case 'resized':
    case 'lockAnswered':
    case 'noted':
      return reduceDesk(state, event)
    case 'layoutChosen':
    case 'zoomToggled':
    case 'pictureFrozen':
    case 'pictureWentOn':
      return reduceView(state, event)
    case 'sessionRestored':
    case 'sessionReset':
      return reduceKeptSession(state, event)
    case 'barsLoaded':
    case 'olderBarsRead':
    case 'chartChanged':
      return reduceChartOrBars(state, event)
    case 'themeChosen':
    case 'groundTold':
    case 'themesRead':
      return reduceLooks(state, event)
    case 'tableChanged':
    case 'filterTyping':
    case 'sortChoosing':
      return { ...state, tables: reduceTables(state.tables, event) }
    case 'orderHistoryAsked':
    case 'orderHistory':
    case 'orderHistoryFailed':
      return { ...state, orderHistory: reduceOrderHistory(state.orderHistory, event) }
    case 'fillHistoryAsked':
    case 'fillHistory':
    case 'fillHistoryFailed':
      return { ...state, fillHistory: reduceFillHistory(state.fillHistory, event) }
    case 'withdrawalRulesChanged':
      return { ...state, withdrawalRules: { ...state.withdrawalRules, ...event.rules } }
    case 'depositAddressAnswered':
      return reduceDeposit(state, event)
    case 'ownDraftsRead':
      return reduceOwnDrafts(state, event)
    case 'transferListChosen':
      return { ...state, transferList: event.list }
    case 'keyboardMoved':
    case 'clicked':
    case 'redrawAsked':
    case 'leavingAsked':
    case 'cameBack':
      return reduceTerminal(state, event)
    case 'sentenceTaken':
      return reducePalette(state, event)
    case 'dutiesChanged':
      return reduceDuties(state, event)
    default:
      return reducePerson(state, event)
  }
}

const isDraftsEvent = (event: StoreEvent): event is DraftsEvent | OrderDraftsEvent =>
  event.type === 'draftsChanged' || event.type === 'orderDraftsChanged'

const withDrafts = (state: DeskState, event: DraftsEvent | OrderDraftsEvent): DeskState =>
  event.type === 'draftsChanged' ? { ...state, drafts: event.drafts } : reduceOrderDrafts(state, event)

/** The state after an event, without its effects on other parts. */
function reduceEach(before: DeskState, event: StoreEvent): DeskState {
  const state = inPresent(before, event)
  if (isFeedEvent(event)) return reduceAnswer(state, datedAnswer(event, state))
  if (!isWriteEvent(event)) return reduceOwn(state, event)
  const sent = { ...reduceSession(state, event), sentOrders: withSentOrder(state.sentOrders, event) }
  const passed = withPassedOrders(sent, event)
  return reduceWrite(event.type === 'orderSent' ? withOwnSent(passed, event) : passed, event)
}

/** The one place where state changes: pure, total and deterministic. */
export function reduce(state: DeskState, event: StoreEvent): DeskState {
  const next = withPaneBefore(state, reduceEach(state, event))
  if (isFeedEvent(event) || isWriteEvent(event)) return withAlerts(state, withFollowed(state, next, event), event)
  return isAlertsEvent(event) || event.type === 'ticked' ? withAlerts(state, next, event) : next
}

function reduceTicket(before: DeskState, event: TicketEvent): DeskState {
  const ticket = ticketAfter(before.ticket, event)
  if (ticket === before.ticket) return before
  const sized = ticket === null ? before : withLastSize(before, ticket.form.symbol, event)
  const left = before.ticket?.drafted
  const own = left !== undefined && event.type === 'ticketChanged' ? withChangedNote(sized, left.draftId) : sized
  const state = settlesReview.has(event.type) ? { ...own, isReviewDue: false } : own
  if (event.type !== 'ticketOpened' || ticket === null) {
    const isOver = ticket === null || ticket.stage === 'sending'
    // A ticket that ends after it was sent moves no focus.
    const backTo = isOver && before.ticket?.stage !== 'sending' ? before.ticket?.paneBefore : undefined
    return atPaneBefore({ ...state, ticket }, backTo)
  }
  const opener = before.ticket === null ? paneBeginning(before) : before.ticket.paneBefore
  const paneBefore = event.takenFrom === undefined ? opener : undefined
  return {
    ...state,
    ticket: paneBefore === undefined ? ticket : { ...ticket, paneBefore },
    isOpenedTaking: event.isTaking === true,
    move: state.move?.stage === 'sending' ? state.move : null,
    focus: activeLadder(state),
    notice: null,
  }
}

/**
 * Returns the focus to the pane of the draft once its ticket is gone: there the next keys act on drafts; on a ladder
 * they would act on working orders.
 */
function withPaneBefore({ ticket }: DeskState, state: DeskState): DeskState {
  if (ticket?.takenFrom === undefined || state.ticket !== null || state.focus !== activeLadder(state)) return state
  const { pane, draftId } = ticket.takenFrom
  const { orderDrafts, nowMs } = state
  const isWaiting = waitingOrders(orderDrafts).some((draft) => draft.draftId === draftId)
  const selectedKey = isWaiting ? draftId : draftAfter(orderDrafts, draftId)
  const change = { selectedKey, touchedAtMs: nowMs }
  return { ...state, focus: pane, tables: reduceTables(state.tables, { type: 'tableChanged', pane: 'orders', change }) }
}

/** An order changed by the user is their own. */
const withChangedNote = (state: DeskState, draftId: string): DeskState =>
  noted(
    state,
    'info',
    `Changed: an order of your own now. Draft ${draftId} stays as it was: x discards it.`,
    state.nowMs,
  )

/** A ticket that is new, gone or under review has no further review due. */
const settlesReview: ReadonlySet<TicketEvent['type']> = new Set(['ticketOpened', 'ticketReviewed', 'ticketClosed'])

/** The size sent is the first size of the symbol's next ticket. */
const withLastSize = (state: DeskState, symbol: string, event: TicketEvent): DeskState =>
  event.type === 'ticketSending' && event.sizeText !== undefined
    ? { ...state, lastSizes: new Map(state.lastSizes).set(symbol, event.sizeText) }
    : state

/** The state after an event of the gateway. */
function withGateway(state: DeskState, event: GatewayStoreEvent): DeskState {
  const gateway = reduceGateway(state.gateway, event)
  return gateway === state.gateway ? state : { ...state, gateway }
}

const historyMax = 50

/** The history with the line at its end; a repeated line moves there. */
function reducePalette(state: DeskState, { line }: PaletteEvent): DeskState {
  const others = state.sentences.filter((each) => each !== line)
  return { ...state, sentences: [...others, line].slice(-historyMax) }
}

/** Creates a store with the state `initial`. A batch of events is one change for subscribers. */
export function createDeskStore(initial: DeskState): DeskStore {
  const store = createStore<DeskState>()(() => initial)
  const dispatchAll = (events: readonly StoreEvent[]) => {
    if (events.length > 0) store.setState((state) => events.reduce(reduce, state), true)
  }
  return {
    getState: store.getState,
    getInitialState: store.getInitialState,
    subscribe: store.subscribe,
    dispatch: (event) => dispatchAll([event]),
    dispatchAll,
  }
}
