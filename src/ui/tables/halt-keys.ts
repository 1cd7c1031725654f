import { memoizeLast } from '../../base/memoize.ts'
import type { DeskState } from '../../store/desk.ts'
import { doubtOfHalt } from '../../store/orders/order-commands.ts'
import type { Binding } from './key-bindings.ts'

/** The key table with the halt's own key as the answer to its question. */
const answeredByItself = memoizeLast((bindings: readonly Binding[]): readonly Binding[] => {
  const keys = bindings.find(({ action }) => action === 'askHalt')?.keys ?? []
  return bindings.map((each) => (each.action === 'confirmHalt' ? { ...each, keys } : each))
})

/** The key table to show: if Enter cannot halt at the moment, with the key that does instead. */
export const withHaltKeys = (bindings: readonly Binding[], state: DeskState): readonly Binding[] =>
  state.overlay?.kind === 'halt' && doubtOfHalt(state, state.overlay) !== null ? answeredByItself(bindings) : bindings
