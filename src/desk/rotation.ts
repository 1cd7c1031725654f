import type { Clock } from '../base/clock.ts'
import { isLocked } from '../domain/desk/lock.ts'
import type { DeskState, DeskStore } from '../store/desk.ts'
import { isWallShown } from '../store/order-form.ts'
import { tickersSource } from '../ui/tables/tickers-table.ts'

/** Pause in ms of the wall's rotation after a key. */
export const pausedAfterKeyMs = 60_000

/** Interval in ms of checks whether the next symbol is due. */
const stepMs = 250

/**
 * The symbols of a wall's rotation, in the exchange's order: those shown by a filter of the tickers, else those of own
 * working orders and unanswered writes, else all.
 */
export function symbolsOfInterest(state: DeskState): readonly string[] {
  const listed = [...(state.instruments.value?.keys() ?? state.tickers.value?.keys() ?? [])]
  const shown = new Set(tickersSource.keys(state).keys)
  if (state.tables.views.tickers.filter !== '' && shown.size > 0) return listed.filter((symbol) => shown.has(symbol))
  const own = new Set([
    ...(state.orders.value ?? []).map(({ symbol }) => symbol),
    ...state.unknownWrites.flatMap(({ symbol }) => (symbol === null ? [] : [symbol])),
  ])
  const withOwn = listed.filter((symbol) => own.has(symbol))
  return withOwn.length > 0 ? withOwn : listed
}

/** The symbol after the one on the wall; null when there is no other. */
export function nextSymbol(state: DeskState): string | null {
  const symbols = symbolsOfInterest(state)
  const next = symbols[(symbols.indexOf(state.symbol) + 1) % Math.max(1, symbols.length)]
  return next === undefined || next === state.symbol ? null : next
}

/** True when the wall may change by itself: it is on screen, nothing is open over it, and it is not frozen. */
const mayRotate = (state: DeskState): boolean =>
  isWallShown(state) && state.overlay === null && !isLocked(state.lock) && state.picture.kind === 'moving'

type Rotation = { store: DeskStore; clock: Clock; everyMs: number; signal: AbortSignal }

/**
 * Shows the next symbol of the wall every `everyMs` until aborted; 0: never. A key stops the rotation for
 * `pausedAfterKeyMs`, and the symbol then gets its full time.
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
