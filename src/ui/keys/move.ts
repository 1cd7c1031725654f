import { type Actions, type Binding, inScope } from './binding.ts'

const pageSteps = 10

/** What the keys do while an own order is moved to another price: every action as what it asks of the desk. */
export const moveActions = {
  reviewMove: ({ commands }) => commands.reviewMove(),
  moveUp: ({ commands }) => commands.stepMove(1),
  moveDown: ({ commands }) => commands.stepMove(-1),
  movePageUp: ({ commands }) => commands.stepMove(pageSteps),
  movePageDown: ({ commands }) => commands.stepMove(-pageSteps),
  nextToMove: ({ commands }) => commands.moveAtCursor(),
  leaveMove: ({ commands }) => commands.backFromMove(),
  sendMove: ({ commands }) => commands.sendMove(),
  confirmMoveLimits: ({ commands }) => commands.confirmMoveLimits(),
  backToPrice: ({ commands }) => commands.backFromMove(),
} satisfies Actions
export type MoveAction = keyof typeof moveActions

const move = inScope<MoveAction>('move')
const review = inScope<MoveAction>('moveReview')

export const moveKeys: readonly Binding<MoveAction>[] = [
  move(['enter'], 'reviewMove', 'review the move', { foot: 'review' }),
  move(['k', 'up'], 'moveUp', 'choose the new price', { foot: 'price', shown: 'j k Pg' }),
  move(['j', 'down'], 'moveDown', 'choose the new price', { foot: 'price' }),
  move(['pgup'], 'movePageUp', 'choose the new price'),
  move(['pgdn'], 'movePageDown', 'choose the new price'),
  move(['m'], 'nextToMove', 'next own in the row', { foot: 'next own' }),
  move(['esc'], 'leaveMove', 'leave it, review: back', { foot: 'leave it' }),
  review(['enter'], 'sendMove', 'in review: SEND', { foot: 'SEND', danger: true }),
  review(['Y', 'y'], 'confirmMoveLimits', 'review: over a limit', { foot: 'over limit', shown: 'Y' }),
  review(['esc'], 'backToPrice', 'leave it, review: back', { foot: 'back' }),
]
