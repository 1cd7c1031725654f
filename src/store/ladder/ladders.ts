import type { DeskState } from '../state.ts'
import { emptyLadder, type LadderName, type LadderState } from './ladder-state.ts'

export const ladderNames: readonly LadderName[] = ['ladder', 'ladder2']

type Focused = Pick<DeskState, 'focus' | 'screen'>

/** Whether the screen has room for the second ladder. */
export const hasSecondLadder = ({ screen }: Pick<DeskState, 'screen'>): boolean =>
  screen.visiblePanes.includes('ladder2')

/** The ladder that keys act on: the second one while it is on screen and has the focus, else the first. */
export const activeLadder = (state: Focused): LadderName =>
  state.focus === 'ladder2' && hasSecondLadder(state) ? 'ladder2' : 'ladder'

/** What a ladder shows; null while the second one has no symbol yet. */
export const ladderSymbol = (state: Pick<DeskState, 'symbol' | 'symbol2'>, name: LadderName): string | null =>
  name === 'ladder' ? state.symbol : state.symbol2

/** The symbol that keys act on. */
export const activeSymbol = (state: Focused & Pick<DeskState, 'symbol' | 'symbol2'>): string =>
  ladderSymbol(state, activeLadder(state)) ?? state.symbol

export const withLadder = (state: DeskState, name: LadderName, change: Partial<LadderState>): DeskState => ({
  ...state,
  [name]: { ...state[name], ...change },
})

/** A second ladder that has come on screen shows the next listed symbol until a person chooses one. */
export function withSecondSymbol(state: DeskState): DeskState {
  if (state.symbol2 !== null || !hasSecondLadder(state)) return state
  const symbols = [...(state.instruments.value?.keys() ?? [])]
  const other = symbols.find((symbol) => symbol !== state.symbol)
  return other === undefined ? state : { ...state, symbol2: other, ladder2: emptyLadder(state.nowMs) }
}

/** Where nothing is left to focus, the first ladder has the focus again. */
export const withLadderInFocus = (state: DeskState): DeskState =>
  state.focus === 'ladder2' && !hasSecondLadder(state) ? { ...state, focus: 'ladder' } : state
