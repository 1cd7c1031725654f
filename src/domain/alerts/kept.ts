import type { AlertNews } from './news.ts'
import type { Standing } from './standing.ts'
import type { Watch } from './watch.ts'

/** An alert that fired. `seq` counts up over all restarts; a quiet one came while alerts were snoozed. */
export type FiredAlert = AlertNews & { seq: number; atMs: number; isQuiet: boolean }

/** What stays of the alerts between two runs of the desk. */
export type KeptAlerts = {
  watches: readonly Watch[]
  nextId: number
  /** Standing rules that a person switched; the settings decide about the others. */
  chosen: Partial<Standing>
  snoozedUntilMs: number | null
  /** What fired last, newest first, bounded. */
  fired: readonly FiredAlert[]
}
