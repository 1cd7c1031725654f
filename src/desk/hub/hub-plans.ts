import type { Clock } from '../../base/clock.ts'
import { err } from '../../base/result.ts'
import type { SendLines } from '../../hub/people/send-lines.ts'
import { createHubPlanDesk, type FirmPlansContext, type HubPlanDesk, inLines } from '../../hub/plans/firm-plans.ts'
import { type HubPlanRecord, openHubPlanRecord } from '../../hub/plans/plan-record.ts'
import type { HubDatabase } from '../../hub/store/database.ts'
import type { Lead } from '../../hub/store/leader.ts'
import type { HubJournal } from '../../hub/writes/hub-journal.ts'
import type { WriteIntent } from '../../journal/entry.ts'
import type { FirmPlans } from '../plans/plan-home.ts'

type Parts = Omit<FirmPlansContext, 'pool' | 'fence'> & {
  database: Pick<HubDatabase, 'pool'>
  journal: Pick<HubJournal, 'as'>
  lines: SendLines
  lead: Lead
  clock: Clock
  randomBytes: (count: number) => Uint8Array
  log: (line: string) => void
}

/** Opens the firm's plans in the leading hub: their parts for its desk and for its routes. */
export function openFirmPlans(parts: Parts): { plans: FirmPlans; routes: HubPlanDesk } {
  const { database, journal, lines, lead, clock, randomBytes, log, ...context } = parts
  const { pool } = database
  const routes = createHubPlanDesk({ ...context, pool, fence: lead.fence })
  let record: HubPlanRecord | null = null
  let lastTrouble: string | null = null
  return {
    routes,
    plans: {
      async open() {
        // The desk asks again in a second while this hub leads.
        const opened = lead.isValid()
          ? await openHubPlanRecord({ pool, lead, clock, randomBytes, onNothing: (planId) => routes.freed(planId) })
          : err('This hub leads no more.')
        if (!opened.ok && opened.error !== lastTrouble) log(opened.error)
        lastTrouble = opened.ok ? null : opened.error
        record = opened.ok ? opened.value : null
        return opened
      },
      entryOf(plan, guard, ordersUnder) {
        const own = routes.guardOf(plan, guard)
        const standing = (intent: WriteIntent) => routes.standingOf(plan, intent)
        const writer = journal.as({ person: plan.person ?? 'hub', countedUsd: null, standing })
        return { guard: own, orders: inLines(plan, ordersUnder(own, writer), lines) }
      },
      onRunner: (runner) => routes.use(runner === null || record === null ? null : { runner, record }),
    },
  }
}
