import type { ReboundKeys } from '../../../domain/desk/session.ts'
import { keymapOf } from '../../keys/rebinding.ts'
import { withKeys } from './tour-pages.ts'

/** The first words of a practice desk: what it is, and how to begin. */
export const welcomeSentence = (reboundKeys: ReboundKeys): string =>
  withKeys(
    'Play money, your own exchange. {help} then {openTour}: a short tour. {buy} opens an order.',
    keymapOf({ reboundKeys }),
  )
