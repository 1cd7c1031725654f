import type { FiredAlert, KeptAlerts } from '../../domain/alerts/news.ts'
import { symbolsOfBooks } from '../../domain/alerts/watch.ts'
import { ladderWants } from '../ladder/wanted.ts'
import type { DeskState } from '../state.ts'
import type { DeskStore } from '../store.ts'
import { isKeptSame, keptOf } from './alerts-state.ts'

/** Hands on what is to be kept whenever that changed. Returns how to end it. */
export function followKept(store: DeskStore, keep: (kept: KeptAlerts) => void): () => void {
  return store.subscribe((state, before) => {
    if (state.alerts !== before.alerts && !isKeptSame(state.alerts, before.alerts)) keep(keptOf(state.alerts))
  })
}

/** Symbols whose books alerts need beside those that the ladders ask for. */
export function watchedSymbols(state: DeskState): readonly string[] {
  const { symbol, alerts } = state
  if (alerts.watches.length === 0) return []
  const shown = [symbol, ladderWants(state).otherBook]
  return symbolsOfBooks(alerts.watches).filter((each) => !shown.includes(each))
}

/** Tells when a watch was made or taken away, or armed again. Returns how to end it. */
export function followWatches(store: DeskStore, onChange: () => void): () => void {
  return store.subscribe((state, before) => {
    if (state.alerts.watches !== before.alerts.watches && watchedSymbols(state).length > watchedSymbols(before).length)
      onChange()
  })
}

/** The alerts that fired between two states and are to be heard, oldest first. */
export function newlyFired(before: DeskState, state: DeskState): readonly FiredAlert[] {
  if (state.alerts.lastSeq === before.alerts.lastSeq) return []
  return state.alerts.fired.filter(({ seq, isQuiet }) => seq > before.alerts.lastSeq && !isQuiet).toReversed()
}
