import type { Clock } from '../../base/clock.ts'
import type { Continuity } from '../../hub/continuity.ts'
import { countedOfPlans } from '../../hub/plans/plan-record.ts'
import type { HubDatabase } from '../../hub/store/database.ts'
import { countedFrom, createDayValues } from '../../hub/writes/day-values.ts'
import type { HubJournal } from '../../hub/writes/hub-journal.ts'

type Counting = {
  database: Pick<HubDatabase, 'pool'>
  clock: Clock
  journal: Pick<HubJournal, 'counted'>
  continuity: Pick<Continuity, 'knownSkewMs'>
  skewMs: () => number | null
}

/** The values counted towards the day's limits, including those of earlier leaders; `ofPlans` are those of plans. */
export async function dayValuesOf({ database, clock, journal, continuity, skewMs }: Counting) {
  const databaseMs = await databaseTime(database, clock)
  const lastSkewMs = continuity.knownSkewMs
  const from = countedFrom({ wallMs: clock.wallMs(), databaseMs: databaseMs(), lastSkewMs })
  const [ofPlans, ofWrites] = [await countedOfPlans(database.pool, from), await journal.counted(from)]
  return { days: createDayValues({ clock, skewMs, databaseMs }, [...ofWrites, ...ofPlans]), ofPlans }
}

/** The database's clock, in ms since 1970: read once, then advanced by desk time. */
async function databaseTime({ pool }: Pick<HubDatabase, 'pool'>, clock: Clock): Promise<() => number> {
  const { rows } = await pool.query('SELECT hub_now_ms()::text AS now')
  const aheadMs = Number(rows[0]?.now) - clock.now()
  return () => clock.now() + aheadMs
}
