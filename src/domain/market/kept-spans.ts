import { dayMs, hourMs, minuteMs } from '../../base/text/time-text.ts'

/**
 * How long the desk's memory holds a symbol's bars of a minute, and longer ones before them. Older ones are dropped,
 * and are in the account's history, where a chart reads them.
 */
export type KeptSpans = {
  minutesMs: number
  /** How long bars of `longerMs` are held before the minutes. */
  longerForMs: number
  longerMs: number
}

/** What is held of up to some 200 symbols: a quarter of a megabyte each. */
export const usualSpans: KeptSpans = { minutesMs: 2 * dayMs, longerForMs: 60 * dayMs, longerMs: hourMs }

/**
 * The bars before the minutes where there are very many symbols. The range of a day begins within one of them, which
 * does not count: with hours up to an hour would be missing.
 */
const quarterMs = hourMs / 4

/** Minutes held however many symbols there are: until they are surely in the history, which is written every minute. */
const minutesLeast = 10
/** The day before them, for its range. */
const quartersLeast = dayMs / quarterMs

/** Bars of all symbols together: some 50 MB. */
const barsMax = 1_000_000

/** Minutes become a longer bar when its time is over: up to so many more of them are held. */
const minutesOver = ({ longerMs }: Pick<KeptSpans, 'longerMs'>): number => longerMs / minuteMs

const barsOf = (spans: KeptSpans): number =>
  spans.minutesMs / minuteMs + minutesOver(spans) + spans.longerForMs / spans.longerMs

/** Symbols of which all is held. */
const fullSymbols = Math.floor(barsMax / barsOf(usualSpans))

/** What is held of each of so many symbols: of many, a third of their share in quarters of an hour, else minutes. */
export function spansOf(symbolCount: number): KeptSpans {
  if (symbolCount <= fullSymbols) return usualSpans
  const share = barsMax / symbolCount
  const quarters = Math.max(quartersLeast, Math.floor(share / 3))
  const minutes = Math.max(minutesLeast, Math.floor(share) - quarters - minutesOver({ longerMs: quarterMs }))
  return { minutesMs: minutes * minuteMs, longerForMs: quarters * quarterMs, longerMs: quarterMs }
}
