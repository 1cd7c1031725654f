import type { LayoutName } from '../../domain/desk/session.ts'
import type { PaneName } from './panes.ts'

export type Screen = {
  columns: number
  rows: number
  ladderRowCount: number
  visiblePanes: readonly PaneName[]
  /** The layouts that fit a terminal of this size. */
  layouts: readonly LayoutName[]
}

/** Why a layout cannot be used on this screen; null when it can. */
export const layoutRefusal = ({ layouts, columns, rows }: Screen, layout: LayoutName): string | null =>
  layouts.includes(layout)
    ? null
    : `The layout ${layout} does not fit a terminal of ${columns}x${rows}: make it larger.`

/** The arrangement of the panes: a layout, or the focused pane alone. */
export type ViewState = { layout: LayoutName; isZoomed: boolean }

export const initialView: ViewState = { layout: 'trade', isZoomed: false }

/** The screen, its layout, and the pane with the focus. */
export type ViewSlice = { screen: Screen; view: ViewState; focus: PaneName }

/** The view until the terminal reports its size. */
export const startView: ViewSlice = {
  screen: {
    columns: 80,
    rows: 24,
    ladderRowCount: 9,
    visiblePanes: ['ladder', 'tickers', 'orders'],
    layouts: ['trade'],
  },
  view: initialView,
  focus: 'ladder',
}

/** The view of a desk without a screen: nothing is polled for a pane. */
export const viewOfNobody: ViewSlice = { ...startView, screen: { ...startView.screen, visiblePanes: [] } }

export type FocusEvent = { type: 'paneFocused'; pane: PaneName }
export type ResizedEvent = { type: 'resized'; screen: Screen }

export type ViewEvent =
  | { type: 'layoutChosen'; layout: LayoutName }
  | { type: 'zoomToggled' }
  | { type: 'pictureFrozen'; atMs: number }
  | { type: 'pictureWentOn'; atMs: number }
