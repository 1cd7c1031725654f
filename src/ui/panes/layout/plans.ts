import type { LayoutName } from '../../../domain/desk/session.ts'
import type { PaneName } from '../../../store/view/panes.ts'
import { footLines } from '../../text/cells.ts'
import {
  alone,
  band,
  type ColumnPlan,
  type Content,
  column,
  extent,
  type LayoutPlan,
  minSize,
  plan,
  type SlotPlan,
  slot,
} from './plan.ts'

/** On a narrow screen a line of prices replaces the tickers while they are behind a tab. */
const narrowTop = ['header', 'tickers'] as const
const fullTop = ['header', 'limits'] as const
const tallTop = ['header', 'tickers', 'limits'] as const

/** Tabbed panes, in the order of their tabs. A second ladder always has a slot of its own. */
const tabOrder: readonly PaneName[] = [
  'orders',
  'plans',
  'fills',
  'balances',
  'positions',
  'equity',
  'transfers',
  'gateway',
  'session',
  'log',
  'chart',
  'tickers',
  'ladder',
]

/** Tabs for every pane that has no other slot. */
const allBut = (...placed: readonly PaneName[]): readonly PaneName[] =>
  tabOrder.filter((pane) => !placed.includes(pane))

const narrowTrade = (wish: Parameters<typeof plan>[0]): LayoutPlan =>
  plan(
    wish,
    band({ share: 2 }, alone('ladder', { least: 50, share: 3 }), alone('ticket', { share: 2, most: 42 })),
    band({ share: 1, most: 12 }, alone(allBut('ladder'))),
  )

/** For trading: ladder and ticket side by side, the lists around them. */
const trade: readonly LayoutPlan[] = [
  plan(
    { columns: 190, rows: 50, top: fullTop },
    band(
      { share: 2 },
      column({ share: 2, most: 54 }, slot('tickers', { share: 1 }), slot('chart', { share: 1, least: 12 })),
      alone('ladder', { share: 4 }),
      alone('ladder2', { share: 4 }),
      column(
        { least: 44, share: 2, most: 64 },
        slot('ticket', { share: 3, least: 18 }),
        slot(['balances', 'positions'], { share: 2, least: 7 }),
        slot(['session', 'equity'], { share: 1, most: 12 }),
      ),
    ),
    band(
      { share: 1, most: 20 },
      alone(['orders', 'plans'], { share: 5 }),
      alone('fills', { share: 3 }),
      alone('log', { share: 2 }),
    ),
    band({ least: 7, share: 1, most: 12 }, alone('transfers', { share: 4 }), alone('gateway', { least: 84, share: 3 })),
  ),
  plan(
    { columns: 150, rows: 40, top: fullTop },
    band(
      { share: 2 },
      column({ share: 2, most: 54 }, slot('tickers', { share: 1 }), slot('chart', { share: 1, least: 10 })),
      alone('ladder', { least: 50, share: 3 }),
      column(
        { least: 44, share: 2, most: 64 },
        slot('ticket', { share: 2, least: 16 }),
        slot(['balances', 'positions', 'equity', 'session', 'log'], { share: 1 }),
      ),
    ),
    band({ share: 1, most: 20 }, alone(['orders', 'plans'], { share: 4 }), alone('fills', { share: 3 })),
    band({ least: 6, share: 0 }, alone('transfers', { share: 1 }), alone('gateway', { share: 1 })),
  ),
  plan(
    { columns: 112, rows: 37, top: fullTop },
    band(
      { share: 2 },
      alone('tickers', { share: 1, most: 44 }),
      alone('ladder', { least: 46, share: 2 }),
      column(
        { least: 40, share: 1, most: 64 },
        slot('ticket', { least: 14, share: 2 }),
        slot(['balances', 'positions', 'equity', 'session', 'log', 'chart'], { share: 1 }),
      ),
    ),
    band(
      { share: 1, most: 18 },
      alone(['orders', 'plans'], { share: 3 }),
      alone('fills', { least: 40, share: 1, most: 64 }),
    ),
    band(
      { least: 6, share: 1, most: 8 },
      alone('transfers', { least: 68, share: 1 }),
      alone('gateway', { least: 52, share: 1 }),
    ),
  ),
  plan(
    { columns: 112 },
    band(
      { share: 2 },
      alone('tickers', { share: 1, most: 44 }),
      alone('ladder', { share: 2 }),
      alone('ticket', { least: 40, share: 1, most: 64 }),
    ),
    band(
      { share: 1, most: 16 },
      alone('orders', { share: 2 }),
      alone(allBut('orders', 'tickers', 'ladder'), {
        least: 40,
        share: 1,
        most: 64,
      }),
    ),
  ),
  plan(
    { rows: 36, top: tallTop },
    band({ share: 3 }, alone('ladder', { least: 50, share: 3 }), alone('ticket', { share: 2, most: 42 })),
    band({ share: 1, most: 14 }, alone('orders')),
    band({ share: 1, most: 14 }, alone(allBut('orders', 'ladder'))),
  ),
  narrowTrade({ rows: 28, top: tallTop }),
  narrowTrade({ top: narrowTop }),
]

/** Two symbols side by side. */
const ladders: readonly LayoutPlan[] = [
  plan(
    { columns: 130, rows: 36, top: fullTop },
    band(
      { share: 3 },
      alone('ladder', { share: 1 }),
      alone('ladder2', { share: 1 }),
      column(
        { least: 40, share: 1, most: 60 },
        slot('ticket', { share: 2, least: 14 }),
        slot(['balances', 'positions', 'equity', 'session', 'tickers', 'chart'], { share: 1 }),
      ),
    ),
    band(
      { share: 1, most: 18 },
      alone(['orders', 'plans'], { share: 2 }),
      alone(['fills', 'transfers', 'gateway', 'log'], { share: 1 }),
    ),
  ),
  plan(
    { columns: 124 },
    band(
      { share: 2 },
      alone('ladder', { share: 1 }),
      alone('ladder2', { share: 1 }),
      alone('ticket', { least: 36, share: 1, most: 60 }),
    ),
    band({ share: 1, most: 16 }, alone('orders', { share: 2 }), alone(allBut('orders', 'ladder'), { share: 1 })),
  ),
  plan(
    { top: narrowTop },
    band({ share: 2 }, alone('ladder', { share: 1 }), alone('ladder2', { share: 1 })),
    band({ share: 1, most: 16 }, alone(allBut('ladder'))),
  ),
]

/** Orders, fills and the log, with as much space as there is. */
const lists: readonly LayoutPlan[] = [
  plan(
    { columns: 116, rows: 30, top: fullTop },
    band({ share: 1 }, alone('tickers', { share: 1, most: 48 }), alone('orders', { share: 4 })),
    band(
      { share: 1 },
      alone('fills', { share: 3 }),
      alone(allBut('orders', 'fills', 'log', 'tickers'), { share: 2 }),
      alone('log', { share: 3 }),
    ),
  ),
  plan({ top: ['header'] }, band({ share: 1 }, alone('orders')), band({ share: 1 }, alone(allBut('orders')))),
]

/** The chart first. */
const chart: readonly LayoutPlan[] = [
  plan(
    { columns: 150, rows: 34, top: fullTop },
    band(
      { share: 2 },
      alone('chart', { least: 60, share: 4 }),
      alone('ladder', { share: 1, most: 58 }),
      alone('ticket', { least: 40, share: 1, most: 48 }),
    ),
    band(
      { share: 1, most: 18 },
      alone('orders', { share: 2 }),
      alone(allBut('orders', 'chart', 'ladder'), { share: 1 }),
    ),
  ),
  plan(
    { columns: 112 },
    band({ share: 2 }, alone('chart', { share: 3 }), alone('ladder', { share: 1, most: 56 })),
    band(
      { share: 1, most: 16 },
      alone('orders', { share: 2 }),
      alone(allBut('orders', 'chart', 'ladder'), { share: 1 }),
    ),
  ),
  plan(
    { top: narrowTop },
    band({ share: 2 }, alone('ladder', { share: 1, most: 50 }), alone('chart', { share: 2 })),
    band({ share: 1, most: 14 }, alone(allBut('chart', 'ladder'))),
  ),
]

/** A wall, read from across the room: few things, large, none of which takes keys. */
const monitor: readonly LayoutPlan[] = [
  plan(
    { columns: 176, rows: 52 },
    band({ least: 20, share: 0 }, alone('wallPrice'), alone('wallState', { least: 69, share: 0 })),
    band({ share: 5 }, alone('wallWorth'), alone('wallTickers')),
    band({ share: 4 }, alone('wallOrders'), alone('wallFlow')),
  ),
  plan(
    { columns: 112, rows: 36 },
    band({ least: 11, share: 0 }, alone('wallPrice', { least: 68 }), alone('wallState', { least: 44, most: 68 })),
    band({ share: 5 }, alone('wallWorth'), alone('wallTickers')),
    band({ share: 4 }, alone('wallOrders'), alone('wallFlow')),
  ),
  plan(
    {},
    band({ least: 8, share: 0 }, alone('wallPrice'), alone('wallState')),
    band(
      {},
      column({}, slot('wallTickers', { share: 2 }), slot('wallFlow')),
      column({}, slot('wallWorth', { share: 2 }), slot('wallOrders')),
    ),
  ),
]

/** Lines of a ladder above a ticket: its frame, and enough prices to see the touch. */
const ladderAbove = 8
/** Lines of a ticket in which most reviews fit whole. */
const ticketBelow = 13

/**
 * The plan for a terminal too small for a desk: the focused pane, and while an order is written its ticket, beside or
 * below the ladder if both fit.
 */
export function compactPlan({ columns, rows }: { columns: number; rows: number }, hasTicket: boolean): LayoutPlan {
  const top = rows >= 16 ? narrowTop : (['header'] as const)
  const room = rows - top.length - footLines
  const whole = (content: Content): SlotPlan => ({ content, height: extent(1) })
  const wide = (width: number, content: Content): ColumnPlan => ({ width: extent(width), slots: [whole(content)] })
  const of = (...columnsOf: readonly ColumnPlan[]): LayoutPlan => ({
    columnsMin: columns,
    rowsMin: rows,
    top,
    bands: [{ height: extent(room), columns: columnsOf }],
  })
  if (!hasTicket) return of(wide(columns, ['ladder', ...allBut('ladder')]))
  if (columns >= minSize('ladder').width + minSize('ticket').width)
    return of(wide(minSize('ladder').width, 'ladder'), wide(minSize('ticket').width, 'ticket'))
  if (room < ladderAbove + ticketBelow) return of(wide(columns, 'ticket'))
  const slots = [
    { content: 'ladder', height: extent(ladderAbove, { share: 0 }) },
    { content: 'ticket', height: extent(ticketBelow) },
  ] as const
  return of({ width: extent(columns), slots })
}

/** Every layout by name, with its plans from the largest minimum size down: the first that fits is used. */
export const plansOf: Readonly<Record<LayoutName, readonly LayoutPlan[]>> = { trade, ladders, lists, chart, monitor }
