import type { PaneName } from './panes.ts'
import type { ViewSlice } from './view.ts'

type Focused = Pick<ViewSlice, 'focus'>

export const isAtLadder = ({ focus }: Focused): boolean => focus === 'ladder' || focus === 'ladder2'

/** The pane whose keys start an order or a move, both of which move the focus to a ladder; undefined on a ladder. */
export const paneBeginning = (state: Focused): PaneName | undefined => (isAtLadder(state) ? undefined : state.focus)

/**
 * Returns the focus to the pane where a ticket or a move began, unless the user went elsewhere since: there the next
 * keys act on its selection; on the ladder they would act on the cursor's row.
 */
export const atPaneBefore = <S extends Focused>(state: S, paneBefore: PaneName | undefined): S =>
  paneBefore === undefined || !isAtLadder(state) ? state : { ...state, focus: paneBefore }
