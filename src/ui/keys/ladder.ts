import type { DeskState } from '../../store/desk.ts'
import { type Actions, type Binding, inScope } from './binding.ts'

/** Rows that Page Up and Page Down move: all but one, so that the eye keeps a row it knows. */
const pageRows = ({ screen }: DeskState): number => Math.max(1, screen.ladderRowCount - 1)

/** What the keys do on the ladder: every action as what it asks of the desk. */
export const ladderActions = {
  buy: ({ commands }) => commands.openTicket('BUY'),
  sell: ({ commands }) => commands.openTicket('SELL'),
  cancelAtCursor: ({ commands }) => commands.cancelAtCursor(),
  moveAtCursor: ({ commands }) => commands.moveAtCursor(),
  toggleLadderView: ({ commands }) => commands.toggleLadderView(),
  cursorDown: ({ commands }) => commands.moveCursor(-1),
  cursorUp: ({ commands }) => commands.moveCursor(1),
  cursorPageUp: ({ commands, state }) => commands.moveCursor(pageRows(state)),
  cursorPageDown: ({ commands, state }) => commands.moveCursor(-pageRows(state)),
  centre: ({ commands }) => commands.centreLadder(),
  groupCoarser: ({ commands }) => commands.changeGroup(1),
  groupFiner: ({ commands }) => commands.changeGroup(-1),
} satisfies Actions
export type LadderAction = keyof typeof ladderActions

const ladder = inScope<LadderAction>('ladder')

export const ladderKeys: readonly Binding<LadderAction>[] = [
  ladder(['b'], 'buy', 'buy at the cursor', { foot: 'buy' }),
  ladder(['s'], 'sell', 'sell at the cursor', { foot: 'sell' }),
  ladder(['x'], 'cancelAtCursor', 'cancel own in the row', { foot: 'cancel', danger: true }),
  ladder(['m'], 'moveAtCursor', 'move own in the row', { foot: 'move' }),
  ladder(['j', 'down'], 'cursorDown', 'move the cursor', { foot: 'cursor', footLast: true, shown: 'j k Pg' }),
  ladder(['k', 'up'], 'cursorUp', 'move the cursor', { foot: 'cursor', footLast: true }),
  ladder(['pgup'], 'cursorPageUp', 'move the cursor'),
  ladder(['pgdn'], 'cursorPageDown', 'move the cursor'),
  // Of the digits this one alone means something else here: in the ladder level 3 is nearer than the third pane.
  ladder(['3'], 'toggleLadderView', 'level 3: the queues', { foot: 'level 3', footLast: true }),
  ladder(['c'], 'centre', 'centre on the market', { foot: 'centre', footLast: true }),
  ladder(['+', '='], 'groupCoarser', 'coarser, finer prices', { foot: 'group', footLast: true }),
  ladder(['-'], 'groupFiner', 'coarser, finer prices', { foot: 'group', footLast: true }),
]
