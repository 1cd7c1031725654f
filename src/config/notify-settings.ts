import type { z } from 'zod'
import { readPostAddress } from '../base/net/posting.ts'
import type { CommandLine } from '../base/process/run-command.ts'
import { err, ok } from '../base/result.ts'
import { secondMs } from '../base/text/time-text.ts'
import { isZone, type QuietHours, readQuietHours, zoneOrUtc } from '../domain/notify/due.ts'
import { type MessageKind, messageKinds } from '../domain/notify/message.ts'
import type { KeySource } from './key-source.ts'
import {
  choiceSetting,
  choicesSetting,
  commandSetting,
  flagSetting,
  pathSetting,
  type SettingRows,
  setting,
  tableOf,
  wholeSetting,
} from './setting-rows.ts'

const addressSetting = (example: string, whatLeaves: string) =>
  setting((value) =>
    typeof value === 'string' && value.length <= 2_000
      ? readPostAddress(value, { example, whatLeaves })
      : err(`must be an address in quotes, such as "${example}"`),
  )

const kinds = choicesSetting(messageKinds)

/** The notification settings of a profile: what is sent, where and when. */
export const notifyRows = {
  notify_command: {
    reader: commandSetting,
    example: '["mail", "-s", "pitdesk", "ada"]',
    says: 'gets each message on stdin; exit code 0: taken',
  },
  notify_command_input: {
    reader: choiceSetting(['text', 'json']),
    example: '"text"',
    says: '"json": what notify_url gets',
  },
  notify_command_kinds: { reader: kinds, example: '["fill", "end", "alert"]', says: 'unless said all of them' },
  notify_url: {
    reader: addressSetting('https://hooks.example/desk', 'what your account does'),
    example: '"https://hooks.example/desk"',
    says: 'gets each message as JSON; 2xx: taken',
  },
  notify_url_kinds: {
    reader: kinds,
    example: `[${messageKinds.map((kind) => `"${kind}"`).join(', ')}]`,
    says: 'all there are',
  },
  notify_secret_file: {
    reader: pathSetting,
    example: '"~/.config/pitdesk/notify.secret"',
    says: 'signs what notify_url gets: whsec_…; or notify_secret_command',
  },
  notify_secret_command: { reader: commandSetting },
  notify_amounts: { reader: flagSetting, example: 'true', says: 'false: messages without amounts and prices' },
  notify_digest_s: {
    reader: wholeSetting(0, 86_400),
    example: '0',
    says: 'news within so many seconds becomes one message; 0: each by itself',
  },
  notify_quiet: {
    reader: setting((value) => {
      const hours = typeof value === 'string' ? readQuietHours(value) : null
      return hours === null ? err('must be two times of the day, such as "22:00-07:00"') : ok(hours)
    }),
    example: '"22:00-07:00"',
    says: 'held back until they are over',
  },
  notify_zone: {
    reader: setting((value) =>
      typeof value === 'string' && isZone(value) ? ok(value) : err('must be a time zone, such as "Europe/Vienna"'),
    ),
    example: '"Europe/Vienna"',
    says: 'of the quiet hours; unless said that of the machine',
  },
  notify_urgent: {
    reader: kinds,
    example: '["stale", "plan", "refusal", "watch"]',
    says: 'waits neither for a digest nor for the end of quiet hours',
  },
  heartbeat_url: {
    reader: addressSetting('https://deadman.example/desk', 'that the desk runs'),
    example: '"https://deadman.example/desk"',
    says: 'called while somebody watches, so that its silence is noticed',
  },
  heartbeat_s: { reader: wholeSetting(10, 86_400), example: '60' },
  heartbeat_method: { reader: choiceSetting(['GET', 'POST']), example: '"GET"' },
} as const satisfies SettingRows

/** Notifications to other places. */
export type NotifySettings = {
  command: { line: CommandLine; input: 'text' | 'json'; kinds: ReadonlySet<MessageKind> } | null
  url: { address: URL; secret: KeySource | null; kinds: ReadonlySet<MessageKind> } | null
  hasAmounts: boolean
  digestMs: number
  quiet: QuietHours | null
  urgent: ReadonlySet<MessageKind>
  heartbeat: { address: URL; everyMs: number; method: 'GET' | 'POST' } | null
}

const notifyTable = (home: string) => tableOf(notifyRows, home)
type NotifyTable = z.infer<ReturnType<typeof notifyTable>>

const usualUrgent: readonly MessageKind[] = ['stale', 'plan', 'refusal', 'watch']
const usualHeartbeatS = 60

/** The notification settings of a profile and variables; `secret` is the source of the signing secret. */
export function notifySettingsOf(all: NotifyTable, secret: KeySource | null): NotifySettings {
  const { notify_command: line, notify_url: address, heartbeat_url: heartbeat, notify_quiet: quiet } = all
  const kindsOf = (chosen: readonly MessageKind[] = messageKinds) => new Set(chosen)
  return {
    command:
      line === undefined
        ? null
        : { line, input: all.notify_command_input ?? 'text', kinds: kindsOf(all.notify_command_kinds) },
    url: address === undefined ? null : { address, secret, kinds: kindsOf(all.notify_url_kinds) },
    hasAmounts: all.notify_amounts ?? true,
    digestMs: (all.notify_digest_s ?? 0) * secondMs,
    quiet: quiet === undefined ? null : { ...quiet, zone: all.notify_zone ?? machineZone() },
    urgent: new Set(all.notify_urgent ?? usualUrgent),
    heartbeat:
      heartbeat === undefined
        ? null
        : {
            address: heartbeat,
            everyMs: (all.heartbeat_s ?? usualHeartbeatS) * secondMs,
            method: all.heartbeat_method ?? 'GET',
          },
  }
}

/** With an empty TZ it is none that the engine itself takes: the first message would end the desk. */
const machineZone = (): string => zoneOrUtc(new Intl.DateTimeFormat().resolvedOptions().timeZone)
