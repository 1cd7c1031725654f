import type { Decimal } from '../../domain/money.ts'

/** The ladder that is always there, and the second one of wide screens. */
export type LadderName = 'ladder' | 'ladder2'

export type LadderState = {
  /** The middle of the price scale; null until the first book. */
  centrePrice: Decimal | null
  /** The row the keys act on: a person's keys alone move it to another price. */
  cursorPrice: Decimal | null
  groupTicks: number
  /** The last time a person moved anything here: the scale only re-centres by itself after hands-off. */
  touchedAtMs: number
  /** What stands beside a price: what rests there in sum (level 2), or each order in its queue (level 3). */
  view: 'sums' | 'queues'
}

export const emptyLadder = (atMs: number): LadderState => ({
  centrePrice: null,
  cursorPrice: null,
  groupTicks: 1,
  touchedAtMs: atMs,
  view: 'sums',
})

/** The two ladders and what they show. */
export type LadderSlice = {
  symbol: string
  /** What the second ladder shows; null until it has been on screen. */
  symbol2: string | null
  /** Symbols shown before this one, newest first, bounded. */
  recentSymbols: readonly string[]
  ladder: LadderState
  ladder2: LadderState
}

export const startLadders = (symbol: string, nowMs: number): LadderSlice => ({
  symbol,
  symbol2: null,
  recentSymbols: [],
  ladder: emptyLadder(nowMs),
  ladder2: emptyLadder(nowMs),
})

export type LadderEvent =
  | { type: 'cursorMoved'; rows: number; atMs: number }
  | { type: 'ladderCentred'; atMs: number }
  | { type: 'groupChanged'; step: 1 | -1; atMs: number }
  /** Level 2 or level 3 in the active ladder. */
  | { type: 'ladderViewToggled'; atMs: number }

export type SymbolEvent = { type: 'symbolChosen'; symbol: string; atMs: number }
