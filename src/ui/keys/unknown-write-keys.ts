import type { Verdict } from '../../domain/unknown-write.ts'
import type { DeskState } from '../../store/desk.ts'
import { unknownChoices } from '../../store/orders/order-commands.ts'
import { inScope } from '../tables/key-bindings.ts'
import { closeOverlay } from './shared-actions.ts'

/** Whether the write in question could have this outcome. */
const isVerdictAsked =
  (verdict: Verdict) =>
  ({ overlay, unknownWrites }: DeskState): boolean => {
    if (overlay?.kind !== 'unknownWrite') return true
    const question = unknownWrites.find(({ key }) => key === overlay.key)?.question ?? null
    return question === null || question.verdicts.includes(verdict)
  }
const isChoiceAsked = ({ overlay, unknownWrites }: DeskState): boolean =>
  overlay?.kind !== 'unknownWrite' || unknownChoices(unknownWrites).length > 1

const inQuestion = inScope('unknownWrite')

/** The keys with which the user resolves a write that the exchange's reports do not. */
export const unknownWriteKeys = [
  inQuestion(['k', 'up'], 'unsettledUp', 'choose which to resolve', ({ commands }) => commands.moveInUnknown(-1), {
    name: 'previous possible match',
    isOffered: isChoiceAsked,
    foot: 'choose',
  }),
  inQuestion(['j', 'down'], 'unsettledDown', 'choose which to resolve', ({ commands }) => commands.moveInUnknown(1), {
    name: 'next possible match',
    isOffered: isChoiceAsked,
    foot: 'choose',
  }),
  inQuestion(['n'], 'sayNotPlaced', 'resolve an unknown', ({ commands }) => commands.resolveUnknown('notPlaced'), {
    name: 'resolve: it was not placed',
    isOffered: isVerdictAsked('notPlaced'),
    foot: 'it was not placed',
    danger: 'acts',
  }),
  inQuestion(['p'], 'sayPlaced', 'resolve an unknown', ({ commands }) => commands.resolveUnknown('placed'), {
    name: 'resolve: it was placed',
    isOffered: isVerdictAsked('placed'),
    foot: 'it was placed',
  }),
  inQuestion(['c'], 'sayCanceled', 'resolve a cancel', ({ commands }) => commands.resolveUnknown('canceled'), {
    name: 'resolve: it was canceled',
    isOffered: isVerdictAsked('canceled'),
    foot: 'it was canceled',
  }),
  inQuestion(['w'], 'sayNotCanceled', 'resolve a cancel', ({ commands }) => commands.resolveUnknown('notCanceled'), {
    name: 'resolve: it was not canceled',
    isOffered: isVerdictAsked('notCanceled'),
    foot: 'it was not canceled',
  }),
  inQuestion.also(['esc'], closeOverlay, 'resolve an unknown', { foot: 'not yet' }),
]
