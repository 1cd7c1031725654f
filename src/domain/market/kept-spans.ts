import { dayMs, hourMs, minuteMs } from '../../base/time-text.ts'

/**
 * How long the desk's memory holds a symbol's bars of a minute, and of an hour before them. Older ones are dropped, and
 * are in the account's history, where a chart reads them.
 */
export type KeptSpans = { minutesMs: number; hoursMs: number }

/** What is held of up to some 200 symbols: a quarter of a megabyte each. */
export const usualSpans: KeptSpans = { minutesMs: 2 * dayMs, hoursMs: 60 * dayMs }

/**
 * What is held of each symbol however many there are: the hours of a day for its range, and minutes until they are
 * surely in the history, which is written once a minute.
 */
const leastSpans: KeptSpans = { minutesMs: 10 * minuteMs, hoursMs: dayMs }

/** Bars of all symbols together: some 50 MB. */
const barsMax = 1_000_000

/** Minutes become an hour when it is over: up to so many more of them are held. */
const minutesOver = 60

const barsOf = ({ minutesMs, hoursMs }: KeptSpans): number => minutesMs / minuteMs + minutesOver + hoursMs / hourMs

/** Symbols of which all is held. */
const fullSymbols = Math.floor(barsMax / barsOf(usualSpans))

/** What is held of each of so many symbols: of many, two thirds of their share in minutes and a third in hours. */
export function spansOf(symbolCount: number): KeptSpans {
  if (symbolCount <= fullSymbols) return usualSpans
  const share = barsMax / symbolCount
  return {
    minutesMs: Math.max(leastSpans.minutesMs, Math.floor((share * 2) / 3 - minutesOver) * minuteMs),
    hoursMs: Math.max(leastSpans.hoursMs, Math.floor(share / 3) * hourMs),
  }
}
