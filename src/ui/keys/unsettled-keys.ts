import type { Verdict } from '../../domain/unknown-write.ts'
import type { DeskState } from '../../store/desk.ts'
import { unsettledChoices } from '../../store/orders/order-commands.ts'
import { inScope } from '../tables/key-bindings.ts'
import { closeOverlay } from './shared-actions.ts'

/** Whether the write in question could have this outcome. */
const isVerdictAsked =
  (verdict: Verdict) =>
  ({ overlay, unsettled }: DeskState): boolean => {
    if (overlay?.kind !== 'unsettled') return true
    const question = unsettled.find(({ key }) => key === overlay.key)?.question ?? null
    return question === null || question.verdicts.includes(verdict)
  }
const isChoiceAsked = ({ overlay, unsettled }: DeskState): boolean =>
  overlay?.kind !== 'unsettled' || unsettledChoices(unsettled).length > 1

const unsettled = inScope('unsettled')

/** The keys with which the user resolves a write that the exchange's reports do not. */
export const unsettledKeys = [
  unsettled(['k', 'up'], 'unsettledUp', 'choose which to resolve', ({ commands }) => commands.moveInUnsettled(-1), {
    name: 'previous possible match',
    isOffered: isChoiceAsked,
    foot: 'choose',
  }),
  unsettled(['j', 'down'], 'unsettledDown', 'choose which to resolve', ({ commands }) => commands.moveInUnsettled(1), {
    name: 'next possible match',
    isOffered: isChoiceAsked,
    foot: 'choose',
  }),
  unsettled(['n'], 'sayNotPlaced', 'resolve an unknown', ({ commands }) => commands.sayUnsettled('notPlaced'), {
    name: 'resolve: it was not placed',
    isOffered: isVerdictAsked('notPlaced'),
    foot: 'it was not placed',
    danger: 'acts',
  }),
  unsettled(['p'], 'sayPlaced', 'resolve an unknown', ({ commands }) => commands.sayUnsettled('placed'), {
    name: 'resolve: it was placed',
    isOffered: isVerdictAsked('placed'),
    foot: 'it was placed',
  }),
  unsettled(['c'], 'sayCanceled', 'resolve a cancel', ({ commands }) => commands.sayUnsettled('canceled'), {
    name: 'resolve: it was canceled',
    isOffered: isVerdictAsked('canceled'),
    foot: 'it was canceled',
  }),
  unsettled(['w'], 'sayNotCanceled', 'resolve a cancel', ({ commands }) => commands.sayUnsettled('notCanceled'), {
    name: 'resolve: it was not canceled',
    isOffered: isVerdictAsked('notCanceled'),
    foot: 'it was not canceled',
  }),
  unsettled.also(['esc'], closeOverlay, 'resolve an unknown', { foot: 'not yet' }),
]
