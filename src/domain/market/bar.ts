import { minuteMs } from '../../base/text/time-text.ts'
import type { Decimal } from '../money.ts'

/**
 * A symbol's prices in one UTC minute, by polling: prices between two looks are missing. A minute without a look has no
 * bar, and nothing may be drawn or computed there.
 */
export type Bar = {
  /** Its start, in ms since 1970. */
  startMs: number
  /** Its span in ms: a minute by default, an hour or UTC day after thinning. */
  spanMs?: number
  /** First, highest, lowest and last price; `close` holds until the next look. */
  open: Decimal
  high: Decimal
  low: Decimal
  close: Decimal
  /** Number of looks; repeated equal ones may be left out. */
  lookCount: number
  /** Best ask − best bid at the last look; null without a book. */
  spread: Decimal | null
}

/** The span of a bar in ms. */
export const barSpanMs = ({ spanMs = minuteMs }: Bar): number => spanMs

/** The account's value in one minute: its holdings at that minute's prices. */
export type EquityPoint = {
  startMs: number
  /** In USD; null when the value of a holding was unknown. */
  equityUsd: Decimal | null
  /** The value of currencies with a known one, and the names of the others. */
  knownUsd: Decimal
  unknown: readonly string[]
}
