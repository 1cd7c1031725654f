import { z } from 'zod'
import type { Standing } from '../domain/alerts/watch.ts'
import { flagSetting, wholeSetting } from './setting-readers.ts'

const alertsShape = {
  bell: flagSetting,
  notify: flagSetting,
  fills: flagSetting,
  orders: flagSetting,
  stale: flagSetting,
  transfers: flagSetting,
  gateway: flagSetting,
  gateway_stuck_minutes: wholeSetting(1, 10_080),
}

export const alertNames = Object.keys(alertsShape)
/** The table `[alerts]`: how alerts are heard, and which are on without being asked for. */
export const alertsTable = z.strictObject(alertsShape)
type AlertsTable = z.infer<typeof alertsTable>

export type AlertSettings = {
  /** Null: heard unless a screen reader is used. */
  signals: { bell: boolean | null; notify: boolean | null }
  /** The standing alerts that the file switches; the others are on. */
  standing: Partial<Standing>
  /** A gateway order that has not ended is stuck so long after its last change. */
  gatewayStuckAfterMs: number
}

export function alertSettingsOf(table: AlertsTable | undefined): AlertSettings {
  const { bell, notify, fills, orders, stale, transfers, gateway } = table ?? {}
  const switched = {
    ...(fills === undefined ? {} : { fill: fills }),
    ...(orders === undefined ? {} : { orderEnded: orders }),
    ...(stale === undefined ? {} : { staleFeed: stale }),
    ...(transfers === undefined ? {} : { transfer: transfers }),
    ...(gateway === undefined ? {} : { gatewayFailed: gateway }),
  }
  const stuckMinutes = table?.gateway_stuck_minutes ?? 30
  return {
    signals: { bell: bell ?? null, notify: notify ?? null },
    standing: switched,
    gatewayStuckAfterMs: stuckMinutes * 60_000,
  }
}
