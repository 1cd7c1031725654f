import type { z } from 'zod'
import type { Standing } from '../domain/alerts/watch.ts'
import { flagSetting, namedSettings, type SettingRow, tableOf, wholeSetting } from './setting-rows.ts'

type AlertRow = SettingRow & { standing?: keyof Standing }

/** All settings of `[alerts]`; `standing` is the alert it switches, which is on by default. */
export const alertRows = {
  bell: { reader: flagSetting, name: 'bell', standard: null, example: 'true' },
  notify: {
    reader: flagSetting,
    name: 'notify',
    standard: null,
    example: 'false',
    says: 'desktop notifications, where the terminal passes them on (OSC 9)',
  },
  fills: { reader: flagSetting, standing: 'fill', example: 'true' },
  orders: {
    reader: flagSetting,
    standing: 'orderEnded',
    example: 'true',
    says: 'an order that ends, unless you canceled it',
  },
  stale: { reader: flagSetting, standing: 'staleFeed', example: 'true' },
  transfers: { reader: flagSetting, standing: 'transfer', example: 'true' },
  gateway: {
    reader: flagSetting,
    standing: 'gatewayFailed',
    example: 'true',
    says: 'failed, stuck gateway orders; unset: on where one is set, and failures of others are listed only',
  },
  gateway_stuck_minutes: {
    reader: wholeSetting(1, 10_080),
    name: 'stuckMinutes',
    standard: 30,
    example: '30',
    says: 'stuck: has not ended this long after its last change',
  },
} as const satisfies Readonly<Record<string, AlertRow>>

/** The table `[alerts]`: how alerts sound, and which standing alerts are on. */
export const alertsTable = tableOf(alertRows, '')
type AlertsTable = z.infer<typeof alertsTable>

export type AlertSettings = {
  /** Null: on, except with a screen reader. */
  signals: { bell: boolean | null; notify: boolean | null }
  /** The standing alerts switched by the file; the others are on. */
  standing: Partial<Standing>
  /** A gateway order counts as stuck this long after its last change. */
  gatewayStuckAfterMs: number
}

export function alertSettingsOf(table: AlertsTable = {}): AlertSettings {
  const { bell, notify, stuckMinutes } = namedSettings(alertRows, table)
  const switched = Object.entries<AlertRow>(alertRows).flatMap(([key, { standing }]) => {
    const isOn = table[key as keyof AlertsTable]
    return standing === undefined || typeof isOn !== 'boolean' ? [] : [[standing, isOn] as const]
  })
  return {
    signals: { bell, notify },
    standing: Object.fromEntries(switched),
    gatewayStuckAfterMs: stuckMinutes * 60_000,
  }
}
