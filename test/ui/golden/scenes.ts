import type { LockState } from '../../../src/domain/desk/lock.ts'
import type { Mode } from '../../../src/domain/desk/mode.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { aged, type DraftedOrder } from '../../../src/domain/orders/drafted-order.ts'
import type { ChartState } from '../../../src/store/chart.ts'
import type { DeskState, Overlay } from '../../../src/store/desk.ts'
import { arrived } from '../../../src/store/feeds/feed.ts'
import type { MoveState } from '../../../src/store/move/move.ts'
import { paletteWith } from '../../../src/store/palette.ts'
import type { TicketState } from '../../../src/store/ticket/ticket.ts'
import { type GatewayList, gatewayLists } from '../../../src/store/view/lists.ts'
import type { PaneName } from '../../../src/store/view/panes.ts'
import { depositOverlays } from '../../fakes/deposit-overlays.ts'
import { chosenRow, deskNowMs, deskState, orderFrom, unknownOrder } from '../../fakes/desk-state.ts'
import { anOrderDraft } from '../../fakes/drafts.ts'
import { aMoveForm } from '../../fakes/moves.ts'
import { aDraft } from '../../fakes/orders.ts'
import { lateEntry, ocoTerms, protectedPlan, somePlans } from '../../fakes/plans.ts'
import { withdrawData, withdrawOverlays } from '../../fakes/withdraw-overlays.ts'
import { worthDesk } from '../../fakes/worth.ts'
import type { Part } from './cut-out.ts'
import {
  alertsDesk,
  auctionDesk,
  chartDesk,
  emptyDesk,
  form,
  queueDesk,
  sessionDesk,
  twoLadders,
  wallDesk,
  withStatus,
} from './desks.ts'

/**
 * A desk at one moment, the part of its screen that is kept, and the terminals it is drawn for unless the usual three.
 */
export type Scene = { state: DeskState; part: Part; sizes?: readonly (readonly [columns: number, rows: number])[] }

/** Too small for a desk, and large enough for a ladder or a ticket. */
const compactSizes = [
  [40, 12],
  [60, 16],
  [76, 30],
] as const

type Scenes<Key extends string> = Readonly<Record<Key, Scene>>

const inFocus = (pane: PaneName, more: Partial<DeskState> = {}): Scene => ({
  state: deskState({ focus: pane, ...more }),
  part: pane,
})

const panes: Scenes<PaneName> = {
  ladder: { state: deskState(), part: 'ladder' },
  // A narrow terminal has room for one ladder.
  ladder2: {
    state: twoLadders(),
    part: 'ladder2',
    sizes: [
      [120, 40],
      [200, 60],
    ],
  },
  orders: inFocus('orders', { tables: chosenRow('orders', '9912017') }),
  fills: { state: { ...sessionDesk(), focus: 'fills' }, part: 'fills' },
  balances: inFocus('balances'),
  transfers: inFocus('transfers', { tables: chosenRow('withdrawals', 'w-771') }),
  gateway: inFocus('gateway', { tables: chosenRow('inbox', 'ord_18') }),
  log: inFocus('log'),
  chart: { state: chartDesk(), part: 'chart' },
  tickers: { ...inFocus('tickers'), state: { ...chartDesk(), focus: 'tickers' } },
  session: { state: { ...sessionDesk(), focus: 'session' }, part: 'session' },
  plans: { state: deskState({ focus: 'plans', plans: somePlans() }), part: 'plans' },
  positions: { state: worthDesk({ focus: 'positions' }), part: 'positions' },
  equity: { state: worthDesk({ focus: 'equity' }), part: 'equity' },
}

/** The chart alone. */
function chartScene(look: Partial<ChartState>): Scene {
  const state = { ...chartDesk(look), view: { layout: 'trade', isZoomed: true } } as const
  return {
    state,
    part: 'chart',
    sizes: [
      [80, 24],
      [120, 40],
      [200, 60],
    ],
  }
}

/** The pane alone, as much of the list as there is. */
function gatewayScene(list: GatewayList): Scene {
  const desk = deskState({ focus: 'gateway', view: { layout: 'trade', isZoomed: true } })
  return {
    state: { ...desk, gateway: { ...desk.gateway, list } },
    part: 'gateway',
    sizes: [
      [80, 24],
      [160, 24],
    ],
  }
}

const zoomedIn = { view: { layout: 'trade', isZoomed: true } } as const
const privateLooks = { looks: { ...deskState().looks, isPrivate: true } }
const gone = (desk: DeskState): DeskState => {
  const [hedge] = desk.otherAccounts.values()
  const otherAccounts = new Map(desk.otherAccounts)
  if (hedge !== undefined) otherAccounts.set('hedge', { ...hedge, isMissing: true })
  return { ...desk, otherAccounts }
}
const worthScenes: Scenes<string> = {
  'balances-account': { state: worthDesk({ focus: 'balances', shownAccount: 'hedge' }), part: 'balances' },
  'balances-all': { state: worthDesk({ focus: 'balances', shownAccount: null }), part: 'balances' },
  'balances-gone': { state: gone(worthDesk({ focus: 'balances', shownAccount: 'hedge' })), part: 'balances' },
  'balances-private': { state: worthDesk({ focus: 'balances', ...privateLooks }), part: 'balances' },
  'equity-zoomed': { state: worthDesk({ focus: 'equity', ...zoomedIn }), part: 'equity' },
  'equity-unknown': { state: gone(worthDesk({ focus: 'equity', ...zoomedIn })), part: 'equity' },
  'equity-private': { state: worthDesk({ focus: 'equity', ...zoomedIn, ...privateLooks }), part: 'equity' },
  'positions-zoomed': { state: worthDesk({ focus: 'positions', ...zoomedIn }), part: 'positions' },
  'positions-private': { state: worthDesk({ focus: 'positions', ...zoomedIn, ...privateLooks }), part: 'positions' },
}

/** What an agent and a script have left, and what nobody sent in time. */
const someDrafts: readonly DraftedOrder[] = [
  anOrderDraft({ createdAtMs: deskNowMs - 90_000 }),
  anOrderDraft({
    ...{ draftId: 'stop34', by: 'script', reason: null, createdAtMs: deskNowMs - 600_000 },
    order: aDraft({ side: 'SELL', type: 'STOP', limitPrice: null, stopPrice: new Decimal('63000.00') }),
  }),
  aged(anOrderDraft({ draftId: 'past56', createdAtMs: deskNowMs - 4_000_000 }), deskNowMs),
]

const later = { nowMs: deskNowMs + 700_000 }
const paneStates: Scenes<string> = {
  'orders-sorting': {
    ...inFocus('orders', { tables: { ...chosenRow('orders', '9912017'), sorting: 'orders' } }),
  },
  'orders-drafts': inFocus('orders', { orderDrafts: someDrafts }),
  'ladder-queues': { state: queueDesk(), part: 'ladder' },
  'ladder-auction': { state: auctionDesk(), part: 'ladder' },
  'ladder-grouped': {
    state: { ...deskState(), ladder: { ...deskState().ladder, groupTicks: 5, cursorPrice: new Decimal('64207.50') } },
    part: 'ladder',
  },
  'ladder-stale': { state: deskState(later), part: 'ladder' },
  'orders-stale': inFocus('orders', later),
  'balances-stale': inFocus('balances', later),
  'orders-empty': { state: { ...emptyDesk, focus: 'orders' }, part: 'orders' },
  'orders-none': inFocus('orders', { orders: arrived([], deskNowMs), unknownWrites: [], endedOrders: [] }),
  'chart-depth': { state: chartDesk({ view: 'depth' }), part: 'chart' },
  'chart-line': { state: chartDesk({ style: 'line' }), part: 'chart' },
  'chart-wide': chartScene({ width: 4, markMs: Math.floor(deskNowMs / 60_000 - 4) * 60_000 }),
  'chart-blocks': chartScene({ dots: 'blocks', length: '5m', width: 2 }),
  market: { state: deskState(), part: 'ticket' },
  ...Object.fromEntries(gatewayLists.map((list) => [`gateway-${list}`, gatewayScene(list)])),
  'gateway-none': { state: { ...emptyDesk, focus: 'gateway' }, part: 'gateway', sizes: [[80, 24]] },
}

const reviewed = { form, field: 'price', reviewedAtMs: deskNowMs - 500, confirmed: [], retyped: '' } as const
const stages: { readonly [Stage in TicketState['stage']]: Extract<TicketState, { stage: Stage }> } = {
  edit: { stage: 'edit', form, field: 'price' },
  review: { stage: 'review', ...reviewed },
  sending: { stage: 'sending', form, field: 'price' },
}
const ticketOf = (ticket: TicketState, more: Partial<DeskState> = {}): Scene => ({
  state: deskState({ ticket, ...more }),
  part: 'ticket',
})
const drafted = anOrderDraft({
  createdAtMs: deskNowMs - 90_000,
  reason: 'the spread is wide, and the book is thin below',
})
const tickets: Scenes<string> = {
  'ticket-edit': ticketOf(stages.edit),
  'ticket-review': ticketOf(stages.review),
  'ticket-draft': ticketOf({ ...stages.edit, drafted }, { orderDrafts: [drafted] }),
  'ticket-review-draft': ticketOf({ ...stages.review, drafted }, { orderDrafts: [drafted] }),
  'ticket-sending': ticketOf(stages.sending),
  'ticket-blocked': ticketOf({ ...stages.edit, form: { ...form, priceText: '64209.53', quantityText: '999' } }),
  'ticket-stop-limit': ticketOf({
    ...stages.edit,
    form: {
      ...form,
      side: 'SELL',
      type: 'STOPLIMIT',
      stopText: '64100.00',
      priceText: '64090.00',
      timeInForce: 'GTD',
    },
  }),
  'ticket-bracket': ticketOf({
    ...stages.edit,
    field: 'target',
    form: { ...form, isProtected: true, lossText: '63000', targetText: '66000' },
  }),
  'ticket-bracket-wrong': ticketOf({
    ...stages.edit,
    field: 'loss',
    form: { ...form, isProtected: true, lossText: '66000', targetText: '63000' },
  }),
  'ticket-stale': ticketOf(stages.edit, later),
}

const order = orderFrom({})
const price = new Decimal('64208.50')
const moves: { readonly [Stage in MoveState['stage']]: Extract<MoveState, { stage: Stage }> } = {
  choose: { stage: 'choose', ...aMoveForm(order, price) },
  review: { stage: 'review', ...aMoveForm(order, price), reviewedAtMs: deskNowMs - 500, confirmed: [] },
  sending: { stage: 'sending', ...aMoveForm(order, price) },
}
const moveScenes: Scenes<string> = Object.fromEntries(
  Object.values(moves).map((move): [string, Scene] => [
    `move-${move.stage}`,
    { state: deskState({ move }), part: 'ticket' },
  ]),
)

const asked = { ...unknownOrder, question: { evidence: 'No list has it.', verdicts: ['placed', 'notPlaced'] as const } }
const overlays: { readonly [Kind in Overlay['kind']]: Extract<Overlay, { kind: Kind }> } = {
  help: { kind: 'help', query: '', top: 0 },
  tour: { kind: 'tour', page: 2 },
  palette: { ...paletteWith(''), selected: 1 },
  confirmCancel: { kind: 'confirmCancel', target: { kind: 'all', symbol: null } },
  symbols: { kind: 'symbols', query: '', selected: 'SOL-USD' },
  halt: { kind: 'halt', symbol: 'BTC-USD', typed: '' },
  unknownWrite: { kind: 'unknownWrite', key: unknownOrder.key, match: null },
  confirmQuit: { kind: 'confirmQuit', cancelSentAtMs: null },
  alerts: { kind: 'alerts', selected: '2' },
  columns: { kind: 'columns', pane: 'orders', selected: 0 },
  details: { kind: 'details', pane: 'orders', key: '9912041', top: 0 },
  themes: { kind: 'themes', selected: 'light' },
  depositChoose: { kind: 'depositChoose', query: '', selected: 'ETH' },
  deposit: depositOverlays.tagged,
  withdraw: withdrawOverlays.beneficiary,
  withdrawReview: withdrawOverlays.review,
  withdrawSecret: withdrawOverlays.secret,
  planReview: { kind: 'planReview', terms: ocoTerms, planId: null, openedAtMs: 0, confirmed: [] },
  planCancel: { kind: 'planCancel', planId: 'p1', how: null },
  planResume: { kind: 'planResume', planId: 'p3', openedAtMs: 0 },
}
const under = (overlay: Overlay): DeskState => ({
  ...alertsDesk(),
  ...withdrawData(),
  plans:
    overlay.kind === 'planCancel' || overlay.kind === 'planResume'
      ? somePlans(protectedPlan(), lateEntry())
      : alertsDesk().plans,
  unknownWrites: [asked],
  overlay,
})
const overlayScenes: Scenes<string> = {
  ...Object.fromEntries(
    Object.values(overlays).map((overlay): [string, Scene] => [
      `overlay-${overlay.kind}`,
      { state: under(overlay), part: 'overlay' },
    ]),
  ),
  'overlay-help-filtered': { state: under({ ...overlays.help, query: 'cancel' }), part: 'overlay' },
  'overlay-palette-sentence': {
    state: under(paletteWith('buy 0.05 btc-usd @ 64209.5 post')),
    part: 'overlay',
  },
  'overlay-palette-wrong': {
    state: under(paletteWith('buy 0.05 btx-usd')),
    part: 'overlay',
  },
  'overlay-deposit-plain': { state: under(depositOverlays.plain), part: 'overlay' },
  'overlay-deposit-failed': { state: under(depositOverlays.failed), part: 'overlay' },
  'overlay-withdraw-currency': { state: under(withdrawOverlays.currency), part: 'overlay' },
  'overlay-withdraw-amount': { state: under(withdrawOverlays.amount), part: 'overlay' },
  'overlay-withdraw-blocked': { state: under(withdrawOverlays.blocked), part: 'overlay' },
  'overlay-withdraw-review-all': { state: under(withdrawOverlays.reviewAll), part: 'overlay' },
  'overlay-details-gateway': {
    state: under({ kind: 'details', pane: 'inbox', key: 'ord_17', top: 0 }),
    part: 'overlay',
  },
  'overlay-palette-gateway': {
    state: under(paletteWith('gateway sums')),
    part: 'overlay',
  },
  'overlay-halt-all': { state: under({ ...overlays.halt, typed: 'ALL' }), part: 'overlay' },
}

const top = (more: Partial<DeskState>): Scene => ({ state: deskState(more), part: 'top' })
const mode = (kind: Mode['kind']): Scene => top({ mode: { kind } })
const headers: Scenes<string> = {
  'header-monitor': mode('MONITOR'),
  'header-safe': mode('SAFE'),
  'header-armed': mode('ARMED'),
  'header-halted': mode('HALTED'),
  'header-live': top({ venue: { kind: 'live', profileName: 'main' } }),
  'header-countdown': top({ idleRules: { safeAfterMs: 300_000, lockAfterMs: null }, lastKeyAtMs: deskNowMs - 250_000 }),
  'header-stale': top(later),
  'header-plans': top({ plans: somePlans() }),
  'header-close': { state: withStatus('close'), part: 'top' },
  'header-suspend': { state: withStatus('suspend'), part: 'top' },
  'header-halt': { state: withStatus('halt'), part: 'top' },
  'header-halt-freeze': { state: withStatus('halt-freeze'), part: 'top' },
  'foot-alert': { state: alertsDesk(), part: 'foot' },
}

const locks: { readonly [Kind in LockState['kind']]: LockState & { kind: Kind } } = {
  open: { kind: 'open' },
  covered: { kind: 'covered', sentence: '' },
  typing: { kind: 'typing', length: 9 },
  checking: { kind: 'checking' },
}
const covers: Scenes<string> = {
  'lock-covered': { state: deskState({ lock: locks.covered }), part: 'screen' },
  'lock-typing': {
    state: deskState({ lock: locks.typing, lockMethod: 'passphrase' }),
    part: 'screen',
    sizes: [[80, 24]],
  },
  'lock-checking': {
    state: deskState({ lock: locks.checking, lockMethod: 'code' }),
    part: 'screen',
    sizes: [[80, 24]],
  },
}

const before = deskState()
const screens: Scenes<string> = {
  'screen-start': { state: emptyDesk, part: 'screen' },
  'screen-desk': { state: before, part: 'screen' },
  'screen-stale': { state: deskState(later), part: 'screen', sizes: [[80, 24]] },
  'screen-halted': { state: { ...auctionDesk(), mode: { kind: 'HALTED' } }, part: 'screen', sizes: [[120, 40]] },
  'screen-ticket': { state: deskState({ ticket: stages.edit }), part: 'screen', sizes: [[80, 24]] },
  'screen-zoomed': {
    state: deskState({ focus: 'orders', view: { layout: 'trade', isZoomed: true } }),
    part: 'screen',
    sizes: [
      [80, 24],
      [120, 40],
    ],
  },
  'screen-frozen': {
    state: deskState({ nowMs: deskNowMs + 8_000, picture: { kind: 'frozen', sinceMs: deskNowMs, shown: before } }),
    part: 'screen',
    sizes: [
      [80, 24],
      [120, 40],
    ],
  },
  'compact-ladder': { state: deskState(), part: 'screen', sizes: compactSizes },
  'compact-orders': {
    ...inFocus('orders', { tables: chosenRow('orders', '9912017') }),
    part: 'screen',
    sizes: compactSizes,
  },
  'compact-ticket': { ...ticketOf(stages.edit), part: 'screen', sizes: compactSizes },
  'compact-review': { ...ticketOf(stages.review), part: 'screen', sizes: compactSizes },
  'compact-halt': {
    state: deskState({ overlay: { kind: 'halt', symbol: 'BTC-USD', typed: '' } }),
    part: 'screen',
    sizes: compactSizes,
  },
  'too-small': {
    state: before,
    part: 'screen',
    sizes: [
      [60, 11],
      [39, 30],
    ],
  },
}

const calmWall = wallDesk()
const toldOf = { kind: 'watch', level: 'warn', text: 'BTC-USD last 64,210.50 is above 64,000.00 (alert 1).' } as const
const walls: Scenes<string> = Object.fromEntries(
  Object.entries<DeskState>({
    'wall-calm': calmWall,
    'wall-unknown': wallDesk({ unknownWrites: [unknownOrder] }),
    'wall-stale': wallDesk(later),
    'wall-halted': wallDesk({ mode: { kind: 'HALTED' }, symbol: 'XLM-USD', unknownWrites: [unknownOrder] }),
    'wall-frozen': wallDesk({
      nowMs: deskNowMs + 8_000,
      picture: { kind: 'frozen', sinceMs: deskNowMs, shown: calmWall },
    }),
    'wall-private': wallDesk({
      unknownWrites: [unknownOrder],
      looks: { ...calmWall.looks, isPrivate: true },
      alerts: { ...calmWall.alerts, toasts: [{ ...toldOf, atMs: deskNowMs, seq: 1, isQuiet: false }] },
    }),
    'wall-start': { ...emptyDesk, view: { layout: 'monitor', isZoomed: false } },
  }).map(([name, state]): [string, Scene] => [name, { state, part: 'screen' }]),
)

/** Every scene by the name of the file that keeps it. */
export const scenes: Scenes<string> = {
  ...Object.fromEntries(Object.entries(panes).map(([name, scene]) => [`pane-${name}`, scene])),
  ...Object.fromEntries(Object.entries(paneStates).map(([name, scene]) => [`pane-${name}`, scene])),
  ...Object.fromEntries(Object.entries(worthScenes).map(([name, scene]) => [`pane-${name}`, scene])),
  ...tickets,
  ...moveScenes,
  ...overlayScenes,
  ...headers,
  ...covers,
  ...screens,
  ...walls,
}
