import { memoizeLast } from '../../base/memoize.ts'
import type { DeskState } from '../../store/desk.ts'
import { doubtOfHalt } from '../../store/orders/order-commands.ts'
import type { Binding } from './key-bindings.ts'

/** The table in which the key of the halt answers its question. */
const answeredByItself = memoizeLast((bindings: readonly Binding[]): readonly Binding[] => {
  const keys = bindings.find(({ action }) => action === 'askHalt')?.keys ?? []
  return bindings.map((each) => (each.action === 'confirmHalt' ? { ...each, keys } : each))
})

/** The table of keys as it is to be shown: where Enter does not halt, with the key that does in its place. */
export const withHaltKeys = (bindings: readonly Binding[], state: DeskState): readonly Binding[] =>
  state.overlay?.kind === 'halt' && doubtOfHalt(state, state.overlay) !== null ? answeredByItself(bindings) : bindings
