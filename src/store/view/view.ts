import type { LayoutName } from '../../domain/desk/session.ts'
import type { PaneName } from './panes.ts'

export type Screen = {
  columns: number
  rows: number
  ladderRowCount: number
  visiblePanes: readonly PaneName[]
  /** The arrangements that fit a terminal of this size. */
  layouts: readonly LayoutName[]
}

/** Why an arrangement cannot be taken on this screen; null when it can. */
export const layoutRefusal = ({ layouts, columns, rows }: Screen, layout: LayoutName): string | null =>
  layouts.includes(layout)
    ? null
    : `The layout ${layout} does not fit a terminal of ${columns}x${rows}: make it larger.`

/** How the panes stand: one of the arrangements, or the focused pane alone. */
export type ViewState = { layout: LayoutName; isZoomed: boolean }

export const initialView: ViewState = { layout: 'trade', isZoomed: false }

/** How the screen stands, and where on it a person is. */
export type ViewSlice = { screen: Screen; view: ViewState; focus: PaneName }

/** Until the terminal has told its size. */
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

/** A desk without a screen: nothing is polled because it is seen. */
export const viewOfNobody: ViewSlice = { ...startView, screen: { ...startView.screen, visiblePanes: [] } }

export type FocusEvent = { type: 'paneFocused'; pane: PaneName }
export type ResizedEvent = { type: 'resized'; screen: Screen }

export type ViewEvent =
  | { type: 'layoutChosen'; layout: LayoutName }
  | { type: 'zoomToggled' }
  | { type: 'pictureFrozen'; atMs: number }
  | { type: 'pictureWentOn'; atMs: number }
