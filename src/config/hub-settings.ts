import type { z } from 'zod'
import { type Environment, homeFolder } from '../base/environment.ts'
import { ok, type Result } from '../base/result.ts'
import type { KeySource } from './key-source.ts'
import { commandSetting, pathSetting, readTexts, type SettingRows, tableOf, textSetting } from './setting-rows.ts'
import { sectionVariable, storeSource } from './store-settings.ts'

/**
 * Every setting of the hub, by its name in the table `[hub]`; a variable is the same in capitals after PITDESK_HUB_.
 */
export const hubSettingRows = {
  store: { reader: textSetting('where the hub keeps everything', 'postgres://db/hub') },
  store_file: {
    reader: pathSetting,
    example: '"/etc/pitdesk/hub.address"',
    says: 'postgres://hub:…@db/hub; or store, or store_command',
  },
  store_command: { reader: commandSetting },
} as const satisfies SettingRows

export const hubTable = (home: string) => tableOf(hubSettingRows, home)
type HubTable = z.infer<ReturnType<typeof hubTable>>

const variableOf = sectionVariable('hub')
/** The variables that set something of the hub. */
export const hubVariables: readonly string[] = Object.keys(hubSettingRows).map(variableOf)

/** What is set of the hub, by file and variables; the rest is for flags and defaults. */
export type HubSettings = {
  /** Where the address of the store comes from; null: nothing names one. */
  readonly store: KeySource | null
}

/** The settings of the hub: the file's table, and variables over it. */
export function hubSettingsOf(table: HubTable | undefined, environment: Environment): Result<HubSettings> {
  const typed = Object.keys(hubSettingRows).flatMap((name) => {
    const text = environment[variableOf(name)] ?? ''
    return text === '' ? [] : [[name, text] as const]
  })
  const read = readTexts(hubTable(homeFolder(environment)), typed, variableOf)
  return read.ok ? ok({ store: storeSource('hub', table ?? {}, read.value) }) : read
}
