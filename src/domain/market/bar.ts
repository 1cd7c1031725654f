import { minuteMs } from '../../base/time-text.ts'
import type { Decimal } from '../money.ts'

/**
 * What was seen of a symbol in one minute of UTC, by polling: prices between two looks are not in it. A minute in which
 * nobody looked has no bar, and nothing may be drawn or reckoned there.
 */
export type Bar = {
  /** Its first instant, ms since 1970. */
  startMs: number
  /** How much time it covers in ms: a minute unless it says so, an hour or a day of UTC where old ones were thinned. */
  spanMs?: number
  /** The first, highest, lowest and last price seen in it; `close` holds until the next look. */
  open: Decimal
  high: Decimal
  low: Decimal
  close: Decimal
  /** How often it was looked at; looks that repeat the one before may be left out. */
  lookCount: number
  /** Best ask − best bid at the last look; null where no book was seen. */
  spread: Decimal | null
}

/** How much time a bar covers, in ms. */
export const barSpanMs = ({ spanMs = minuteMs }: Bar): number => spanMs

/** The account's worth in one minute: what was held, at that minute's prices. */
export type EquityPoint = {
  startMs: number
  /** In USD; null where the value of something that was held is unknown. */
  equityUsd: Decimal | null
  /** Worth of the currencies whose value was known, and the names of those whose was not. */
  knownUsd: Decimal
  unknown: readonly string[]
}
