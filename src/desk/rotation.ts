import type { Clock } from '../base/clock.ts'
import { isLocked } from '../domain/desk/lock.ts'
import type { DeskState, DeskStore } from '../store/desk.ts'
import { isWallShown } from '../store/order-form.ts'
import { tickersSource } from '../ui/tables/tickers-table.ts'

/** How long after a key the wall stands before it goes on to the next symbol. */
export const pausedAfterKeyMs = 60_000

/** How often it is looked whether the next symbol is due. */
const stepMs = 250

/**
 * The symbols that a wall steps through, in the exchange's order: those that a filter of the tickers shows, else those
 * of own working orders and of writes without an answer, else all.
 */
export function symbolsOfInterest(state: DeskState): readonly string[] {
  const listed = [...(state.instruments.value?.keys() ?? state.tickers.value?.keys() ?? [])]
  const { keys: shown } = tickersSource.keys(state)
  if (state.tables.views.tickers.filter !== '' && shown.length > 0) return listed.filter((each) => shown.includes(each))
  const own = new Set([
    ...(state.orders.value ?? []).map(({ symbol }) => symbol),
    ...state.unsettled.flatMap(({ symbol }) => (symbol === null ? [] : [symbol])),
  ])
  const withOwn = listed.filter((symbol) => own.has(symbol))
  return withOwn.length > 0 ? withOwn : listed
}

/** The symbol after the one on the wall; null where there is no other. */
export function nextSymbol(state: DeskState): string | null {
  const symbols = symbolsOfInterest(state)
  const next = symbols[(symbols.indexOf(state.symbol) + 1) % Math.max(1, symbols.length)]
  return next === undefined || next === state.symbol ? null : next
}

/** Whether the wall may change by itself: it is on screen, nothing is open over it, and it does not stand still. */
const mayRotate = (state: DeskState): boolean =>
  isWallShown(state) && state.overlay === null && !isLocked(state.lock) && state.picture.kind === 'moving'

type Rotation = { store: DeskStore; clock: Clock; everyMs: number; signal: AbortSignal }

/**
 * Shows the next symbol of the wall every `everyMs` until aborted; 0: never. A key keeps the wall as it is for
 * `pausedAfterKeyMs`, and each symbol has its whole time after that.
 */
export async function rotateWall({ store, clock, everyMs, signal }: Rotation): Promise<void> {
  if (everyMs === 0) return
  const startedKeyAtMs = store.getState().lastKeyAtMs
  let shown = store.getState().symbol
  let sinceMs = clock.now()
  while (!signal.aborted) {
    await clock.sleep(Math.min(stepMs, everyMs), signal)
    const state = store.getState()
    const nowMs = clock.now()
    const hasKey = state.lastKeyAtMs !== startedKeyAtMs && nowMs - state.lastKeyAtMs < pausedAfterKeyMs
    if (state.symbol !== shown || hasKey || !mayRotate(state)) {
      shown = state.symbol
      sinceMs = nowMs
      continue
    }
    if (nowMs - sinceMs < everyMs || signal.aborted) continue
    const symbol = nextSymbol(state)
    sinceMs = nowMs
    if (symbol === null) continue
    shown = symbol
    store.dispatch({ type: 'symbolRotated', symbol, atMs: nowMs })
  }
}
