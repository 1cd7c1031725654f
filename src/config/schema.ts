import { z } from 'zod'
import { err, ok } from '../base/result.ts'
import type { FeedName } from '../domain/desk/events.ts'
import { lockRules } from '../domain/desk/lock.ts'
import { focusRules, hangUpRules } from '../domain/desk/mode.ts'
import { type KeySetting, layoutNames } from '../domain/desk/session.ts'
import { alertNames, alertsTable } from './alert-settings.ts'
import { inboxNames, inboxTable } from './inbox-settings.ts'
import { limitNames, limitTable, orderLimitNames } from './limit-settings.ts'
import {
  choiceSetting,
  commandSetting,
  flagSetting,
  pathSetting,
  setting,
  textSetting,
  wholeSetting,
} from './setting-readers.ts'

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
const keysTable = z
  .record(z.string(), keysSetting)
  .refine((table) => Object.keys(table).length <= linesMost, `must have at most ${linesMost} lines`)
export type KeysTable = z.infer<typeof keysTable>

/** The table's lines in its order, each with the place it stands at. */
export const keySettingsOf = (table: KeysTable | undefined, placeOf: (action: string) => string): KeySetting[] =>
  Object.entries(table ?? {}).flatMap(([action, keys]) =>
    keys === undefined ? [] : [{ action, keys, place: placeOf(action) }],
  )

const pollMs = wholeSetting(100, 600_000)
/**
 * Every feed that is polled, by the name it has everywhere; each may have a pause of its own under
 * `[profiles.NAME.poll_ms]`.
 */
const pollTable = {
  instruments: pollMs,
  book: pollMs,
  queue: pollMs,
  tickers: pollMs,
  orders: pollMs,
  fills: pollMs,
  balances: pollMs,
  fees: pollMs,
  withdrawals: pollMs,
  deposits: pollMs,
  whitelist: pollMs,
} satisfies Record<FeedName, typeof pollMs>

export const feedNames: readonly string[] = Object.keys(pollTable)

/** Time without a key; 0: never. */
const idleSeconds = wholeSetting(0, 86_400)

const symbolSetting = setting((value) =>
  typeof value === 'string' && /^[A-Za-z0-9._-]{1,40}$/.test(value)
    ? ok(value.toUpperCase())
    : err('must be a symbol in quotes, such as "BTC-USD"'),
)

/** Whether there is such a theme depends on the person's own ones. */
const themeSetting = setting((value) =>
  typeof value === 'string' && /^[a-z][a-z0-9-]{0,29}$/.test(value)
    ? ok(value)
    : err('must be the name of a theme in quotes, such as "light"'),
)

/**
 * Every setting of a profile, by its name in the file. A variable is the same name in capitals after PITDESK_, a flag
 * the same name with hyphens; `kind`, `limits`, `poll_ms` and `lock_commands` are the file's alone.
 */
export function profileShape(home: string) {
  const path = pathSetting(home)
  const address = textSetting('a base address', 'https://host/v3')
  return {
    kind: choiceSetting(['practice', 'live']),
    exchange_base_url: address,
    gateway_base_url: address,
    api_token_file: path,
    api_token_command: commandSetting,
    partner_key_file: path,
    partner_key_command: commandSetting,
    ca_file: path,
    rate_per_second: wholeSetting(1, 1_000),
    theme: themeSetting,
    reduced_motion: flagSetting,
    screen_reader: flagSetting,
    screen_output: choiceSetting(['cells', 'lines']),
    on_hangup: choiceSetting(hangUpRules),
    on_focus_loss: choiceSetting(focusRules),
    layout: choiceSetting(layoutNames),
    symbol: symbolSetting,
    monitor: flagSetting,
    safe_after_s: idleSeconds,
    lock_after_s: idleSeconds,
    lock_commands: choiceSetting(lockRules),
    poll_ms: z.optional(z.strictObject(pollTable)),
    limits: z.optional(limitTable),
  }
}

export const profileTable = (home: string) => z.strictObject(profileShape(home))
export type ProfileSettings = z.infer<ReturnType<typeof profileTable>>

export const fileTable = (home: string) =>
  z.strictObject({
    default_profile: setting((value) =>
      typeof value === 'string' ? ok(value) : err('must be the name of a profile in quotes'),
    ),
    profiles: z.optional(z.record(z.string(), profileTable(home))),
    keys: z.optional(keysTable),
    alerts: z.optional(alertsTable),
    inbox: z.optional(inboxTable(home)),
  })
export type FileSettings = z.infer<ReturnType<typeof fileTable>>

export const profileNames: readonly string[] = Object.keys(profileShape(''))

/** The settings that a variable may give, by the variable's name. `*_base_url` and the keys' sources are among them. */
const fileOnly: readonly string[] = ['kind', 'limits', 'poll_ms', 'lock_commands']
export const variableNames: ReadonlyMap<string, string> = new Map(
  profileNames.filter((name) => !fileOnly.includes(name)).map((name) => [`PITDESK_${name.toUpperCase()}`, name]),
)

/** The names allowed at a place of the file. */
export function allowedAt(path: readonly string[]): readonly string[] {
  if (path.length === 0) return ['default_profile', 'profiles', 'keys', 'alerts', 'inbox']
  if (path[0] === 'alerts') return alertNames
  if (path[0] === 'inbox') return inboxNames
  if (path.length === 2) return profileNames
  if (path[2] === 'poll_ms') return feedNames
  return path.length === 3 ? limitNames : orderLimitNames
}
