import { z } from 'zod'
import { err, ok } from '../base/result.ts'
import type { KeySetting } from '../domain/desk/session.ts'
import { alertsTable } from './alert-settings.ts'
import { entryTable, sizesTable } from './entry-settings.ts'
import { hubTable } from './hub-settings.ts'
import { inboxTable } from './inbox-settings.ts'
import { profileRows, profileTable } from './profile-settings.ts'
import { type SettingRow, setting } from './setting-rows.ts'

const keysMax = 8
/** More than there are actions; each line is compared with all others. */
const linesMax = 300

const isKey = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= 24

/** A key or a list of keys. The table of keys, not this file, defines valid keys and actions. */
const keysSetting = setting((value) => {
  const keys: readonly unknown[] = Array.isArray(value) ? value : [value]
  const texts = keys.filter(isKey)
  return texts.length === keys.length && texts.length > 0 && texts.length <= keysMax
    ? ok<readonly string[]>(texts)
    : err('must be a key in quotes, such as "b" or "ctrl+b", or a list of keys')
})

/** The table `[keys]`: actions and their keys instead of the default ones. */
const keysTable = z
  .record(z.string(), keysSetting)
  .refine((table) => Object.keys(table).length <= linesMax, `must have at most ${linesMax} lines`)
type KeysTable = z.infer<typeof keysTable>

/** The table's lines in order, each with its position. */
export const keySettingsOf = (table: KeysTable | undefined, placeOf: (action: string) => string): KeySetting[] =>
  Object.entries(table ?? {}).flatMap(([action, keys]) =>
    keys === undefined ? [] : [{ action, keys, place: placeOf(action) }],
  )

/**
 * An https address with `{hash}` once in its path or query, without user name and password, so that a click opens
 * exactly what the user configured.
 */
function isLinkTemplate(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > 300 || !/^https:\/\/[!-~]+$/.test(value)) return false
  if (value.split('{hash}').length !== 2 || !URL.canParse(value)) return false
  const { host, username, password, protocol } = new URL(value)
  return protocol === 'https:' && username === '' && password === '' && !/hash|%7B/i.test(host)
}

const linkSetting = setting((value) =>
  isLinkTemplate(value)
    ? ok(value)
    : err('must be an https address with {hash} in it, such as "https://explorer.example/tx/{hash}"'),
)

const linksMax = 200
/** The table `[links]`: block explorers by currency. */
const linksTable = z
  .record(z.string(), linkSetting)
  .refine((table) => Object.keys(table).length <= linksMax, `must have at most ${linksMax} lines`)
  .refine(
    (table) => new Set(Object.keys(table).map((name) => name.toUpperCase())).size === Object.keys(table).length,
    'must have one line for a currency: small letters and capitals name the same',
  )

/** The templates by currency in capitals. */
export const linksOf = (table: z.infer<typeof linksTable> | undefined): Record<string, string> =>
  Object.fromEntries(
    Object.entries(table ?? {}).flatMap(([currency, link]) =>
      link === undefined ? [] : [[currency.toUpperCase(), link] as const],
    ),
  )

export const fileTable = (home: string) =>
  z.strictObject({
    default_profile: setting((value) =>
      typeof value === 'string' ? ok(value) : err('must be the name of a profile in quotes'),
    ),
    profiles: z.optional(z.record(z.string(), profileTable(home))),
    keys: z.optional(keysTable),
    alerts: z.optional(alertsTable),
    links: z.optional(linksTable),
    entry: z.optional(entryTable),
    sizes: z.optional(sizesTable),
    inbox: z.optional(inboxTable(home)),
    hub: z.optional(hubTable(home)),
  })
export type FileSettings = z.infer<ReturnType<typeof fileTable>>

/** The profile settings that variables can give, by variable name. Includes `*_base_url` and the sources of keys. */
export const variableNames: ReadonlyMap<string, string> = new Map(
  Object.entries<SettingRow>(profileRows).flatMap(([key, { isFileOnly }]) =>
    isFileOnly === true ? [] : [[`PITDESK_${key.toUpperCase()}`, key]],
  ),
)

/** The names allowed at a place of the file, which is a table with fixed names. */
export function allowedAt(path: readonly string[]): readonly string[] {
  let at: unknown = fileTable('')
  for (const name of path) {
    const table = required(at)
    at = insideOf(table, name)
  }
  const table = required(at)
  return table instanceof z.ZodObject ? Object.keys(table.shape) : []
}

function insideOf(table: unknown, name: string): unknown {
  if (table instanceof z.ZodRecord) return table.valueType
  if (table instanceof z.ZodArray) return table.element
  return table instanceof z.ZodObject ? table.shape[name] : undefined
}

const required = (schema: unknown): unknown => (schema instanceof z.ZodOptional ? schema.unwrap() : schema)
