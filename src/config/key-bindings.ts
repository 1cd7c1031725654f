import { z } from 'zod'
import { err, ok } from '../base/result.ts'
import type { KeySetting } from '../domain/desk/session.ts'
import { setting } from './setting-readers.ts'

const keysMost = 8
/** More than there are actions; each is held against all others. */
const linesMost = 300

const isKey = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= 24

/** One key, or a list of them. Which keys and actions there are the table of keys says, not this file. */
const keysSetting = setting((value) => {
  const keys: readonly unknown[] = Array.isArray(value) ? value : [value]
  const texts = keys.filter(isKey)
  return texts.length === keys.length && texts.length > 0 && texts.length <= keysMost
    ? ok<readonly string[]>(texts)
    : err('must be a key in quotes, such as "b" or "ctrl+b", or a list of keys')
})

/** The table `[keys]`: actions and the keys they get instead of the usual ones. */
export const keysTable = z
  .record(z.string(), keysSetting)
  .refine((table) => Object.keys(table).length <= linesMost, `must have at most ${linesMost} lines`)
export type KeysTable = z.infer<typeof keysTable>

/** The table's lines in its order, each with the place it stands at. */
export const keySettingsOf = (table: KeysTable | undefined, placeOf: (action: string) => string): KeySetting[] =>
  Object.entries(table ?? {}).flatMap(([action, keys]) =>
    keys === undefined ? [] : [{ action, keys, place: placeOf(action) }],
  )
