import type { PaneName } from './panes.ts'
import type { ViewSlice } from './view.ts'

type Focused = Pick<ViewSlice, 'focus'>

export const isAtLadder = ({ focus }: Focused): boolean => focus === 'ladder' || focus === 'ladder2'

/** The pane whose keys begin an order or a move, both of which lead to a ladder; none where a ladder's own do. */
export const paneBeginning = (state: Focused): PaneName | undefined => (isAtLadder(state) ? undefined : state.focus)

/**
 * The desk back at the pane where a ticket or a move began, unless a person went elsewhere since: there the next keys
 * are about what is chosen in it, and at the ladder they would be about the row of its cursor.
 */
export const atPaneBefore = <S extends Focused>(state: S, paneBefore: PaneName | undefined): S =>
  paneBefore === undefined || !isAtLadder(state) ? state : { ...state, focus: paneBefore }
