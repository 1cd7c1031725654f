import type { LockMethod, LockState } from '../../src/domain/desk/lock.ts'
import { type EntryRules, usualEntry } from '../../src/domain/entry-rules.ts'
import { Decimal } from '../../src/domain/money.ts'
import { emptyTicket } from '../../src/domain/orders/ticket.ts'
import type { Overlay } from '../../src/store/desk.ts'
import type { MoveState } from '../../src/store/move/move.ts'
import { paletteWith } from '../../src/store/palette.ts'
import { listInFocus } from '../../src/store/tables/table-commands.ts'
import { emptyTables, plainView, type TableView } from '../../src/store/tables/tables.ts'
import type { TicketState } from '../../src/store/ticket/ticket.ts'
import { gatewayLists, transferLists } from '../../src/store/view/lists.ts'
import type { PaneName } from '../../src/store/view/panes.ts'
import { activeScopes, type Scope } from '../../src/ui/tables/key-scopes.ts'
import { alertsDesk } from '../ui/golden/desks.ts'
import { depositOverlays } from './deposit-overlays.ts'
import { deskState } from './desk-state.ts'
import { aMoveForm } from './moves.ts'
import { anOrder } from './orders.ts'
import { ocoTerms } from './plans.ts'
import { withdrawOverlays } from './withdraw-overlays.ts'

// One of each kind. What is added to a type does not compile until it stands here too.
type OneOfEach<Union, By extends keyof Union> = {
  readonly [Word in Union[By] & string]: Extract<Union, { [Key in By]: Word }>
}
type Names<Name extends string> = { readonly [Each in Name]: Each }

const paneNames: Names<PaneName> = {
  ladder: 'ladder',
  ladder2: 'ladder2',
  orders: 'orders',
  fills: 'fills',
  balances: 'balances',
  transfers: 'transfers',
  gateway: 'gateway',
  tickers: 'tickers',
  log: 'log',
  chart: 'chart',
  session: 'session',
  positions: 'positions',
  equity: 'equity',
  plans: 'plans',
}
export const everyPane: readonly PaneName[] = Object.values(paneNames)

const overlayKinds: OneOfEach<Overlay, 'kind'> = {
  help: { kind: 'help', query: '', top: 0 },
  tour: { kind: 'tour', page: 0 },
  palette: paletteWith(''),
  confirmCancel: { kind: 'confirmCancel', target: { kind: 'all', symbol: null } },
  symbols: { kind: 'symbols', query: '', selected: null },
  halt: { kind: 'halt', symbol: 'BTC-USD', typed: '' },
  unknownWrite: { kind: 'unknownWrite', key: 'own1', match: null },
  confirmQuit: { kind: 'confirmQuit', cancelSentAtMs: null },
  alerts: { kind: 'alerts', selected: null },
  depositChoose: { kind: 'depositChoose', query: '', selected: null },
  deposit: depositOverlays.plain,
  withdraw: withdrawOverlays.amount,
  withdrawReview: withdrawOverlays.review,
  withdrawSecret: withdrawOverlays.secret,
  columns: { kind: 'columns', pane: 'orders', selected: 0 },
  details: { kind: 'details', pane: 'orders', key: '9912041', top: 0 },
  themes: { kind: 'themes', selected: 'dark' },
  planReview: { kind: 'planReview', terms: ocoTerms, planId: null, openedAtMs: 0, confirmed: [] },
  planCancel: { kind: 'planCancel', planId: 'p1', how: null },
  planResume: { kind: 'planResume', planId: 'p2', openedAtMs: 0 },
}
export const everyOverlay: readonly (Overlay | null)[] = [null, ...Object.values<Overlay>(overlayKinds)]

const form = { ...emptyTicket({ symbol: 'BTC-USD' }, 'BUY'), quantityText: '0.05', priceText: '64209.50' }
const ticketStages: OneOfEach<TicketState, 'stage'> = {
  edit: { stage: 'edit', form, field: 'quantity' },
  review: { stage: 'review', form, field: 'quantity', reviewedAtMs: 0, confirmed: [], retyped: '' },
  sending: { stage: 'sending', form, field: 'quantity' },
}
export const everyTicket: readonly (TicketState | null)[] = [null, ...Object.values<TicketState>(ticketStages)]

const order = anOrder()
const price = new Decimal('64209.50')
const moveStages: OneOfEach<MoveState, 'stage'> = {
  choose: { stage: 'choose', ...aMoveForm(order, price) },
  review: { stage: 'review', ...aMoveForm(order, price), reviewedAtMs: 0, confirmed: [] },
  sending: { stage: 'sending', ...aMoveForm(order, price) },
}
const everyMove: readonly (MoveState | null)[] = [null, ...Object.values<MoveState>(moveStages)]

const lockKinds: OneOfEach<LockState, 'kind'> = {
  open: { kind: 'open' },
  covered: { kind: 'covered', sentence: '' },
  typing: { kind: 'typing', length: 3 },
  checking: { kind: 'checking' },
}
export const everyLock: readonly LockState[] = Object.values<LockState>(lockKinds)

const methodNames: Names<LockMethod> = { none: 'none', passphrase: 'passphrase', code: 'code' }
export const everyLockMethod: readonly LockMethod[] = Object.values(methodNames)

type Situation = Parameters<typeof activeScopes>[0]
type Desk = Pick<
  Situation,
  'focus' | 'transferList' | 'gateway' | 'chart' | 'tables' | 'alerts' | 'ticket' | 'move' | 'entry'
>

const bare = deskState({ unknownWrites: [] })
const noToast = { ...bare.alerts, toasts: [] }
const { alerts: aToast } = alertsDesk()

/** A cap under which orders go without a review, and none. */
const everyEntry: readonly EntryRules[] = [usualEntry, { ...usualEntry, confirmAboveUsd: new Decimal('1000000') }]

type Front = Pick<Desk, 'focus' | 'transferList' | 'gateway' | 'chart'>
/** A pane with each of its lists in front, or with and without its crosshair. */
function frontsOf(focus: PaneName): Front[] {
  const { transferList, gateway, chart } = bare
  if (focus === 'transfers') return transferLists.map((list) => ({ focus, transferList: list, gateway, chart }))
  if (focus === 'gateway')
    return gatewayLists.map((list) => ({ focus, transferList, chart, gateway: { ...gateway, list } }))
  if (focus === 'chart')
    return [null, 0].map((markMs) => ({ focus, transferList, gateway, chart: { ...chart, markMs } }))
  return [{ focus, transferList, gateway, chart }]
}
const everyFront: readonly Front[] = everyPane.flatMap(frontsOf)

const everyView: readonly TableView[] = [
  plainView,
  { ...plainView, filter: 'btc' },
  { ...plainView, selectedKey: '1' },
  { ...plainView, top: { key: '1', at: 3 } },
  { ...plainView, filter: 'btc', selectedKey: '1' },
]

/** Every list as a person may look at it, also while it is filtered or sorted, with an alert on the screen or not. */
const everyListDesk: readonly Desk[] = everyFront.flatMap((front) =>
  everyView.flatMap((view) =>
    ([null, 'typing', 'sorting'] as const).flatMap((mode) =>
      [noToast, aToast].map((alerts) => {
        const list = listInFocus(front)
        const views = list === null ? emptyTables.views : { ...emptyTables.views, [list]: view }
        const tables = { views, typing: mode === 'typing' ? list : null, sorting: mode === 'sorting' ? list : null }
        return { ...front, tables, alerts, ticket: null, move: null, entry: usualEntry }
      }),
    ),
  ),
)

/** Every stage of a ticket beside every stage of a move, over each pane. */
const everyWritingDesk: readonly Desk[] = everyFront.flatMap((front) =>
  everyTicket.flatMap((ticket) =>
    everyMove.flatMap((move) =>
      everyEntry.map((entry) => ({ ...front, tables: bare.tables, alerts: noToast, ticket, move, entry })),
    ),
  ),
)

/** A situation of the desk, and the scopes whose keys act in it. */
export type SituationScopes = { situation: Situation; isTooSmall: boolean; scopes: readonly Scope[] }

function* everySituation(): Generator<[Situation, boolean]> {
  for (const desk of [...everyListDesk, ...everyWritingDesk])
    for (const overlay of everyOverlay)
      for (const lock of everyLock)
        for (const lockMethod of everyLockMethod)
          for (const isTooSmall of [true, false]) yield [{ ...bare, ...desk, overlay, lock, lockMethod }, isTooSmall]
}

/** Every situation a desk can be in, as far as keys know them apart: one for each list of scopes and kind of lock. */
export function everyScopes(): readonly SituationScopes[] {
  const found = new Map<string, SituationScopes>()
  for (const [situation, isTooSmall] of everySituation()) {
    const scopes = activeScopes(situation, isTooSmall)
    const name = [situation.lock.kind, situation.lockMethod, ...scopes].join()
    if (!found.has(name)) found.set(name, { situation, isTooSmall, scopes })
  }
  return [...found.values()]
}
