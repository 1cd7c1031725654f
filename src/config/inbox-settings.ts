import { homedir } from 'node:os'
import type { z } from 'zod'
import type { Environment } from '../base/environment.ts'
import { err, ok, type Result } from '../base/result.ts'
import { longestKeepDays, shortestKeepDays, usualKeepDays } from '../domain/gateway/inbox-source.ts'
import { type KeySource, namedSource } from './key-source.ts'
import {
  commandSetting,
  flagSetting,
  type NamedSettings,
  namedSettings,
  pathSetting,
  readTexts,
  type SettingRows,
  tableOf,
  textSetting,
  wholeSetting,
  wordsSetting,
} from './setting-rows.ts'

const port = wholeSetting(0, 65_535)
const ranges = wordsSetting('addresses or ranges such as ["10.0.0.0/8"]')

/**
 * Every setting of the inbox, by its name in the table `[inbox]`; a variable is the same in capitals after
 * PITDESK_INBOX_.
 */
export const inboxSettingRows = {
  host: {
    reader: textSetting('an address of this machine', '0.0.0.0'),
    name: 'host',
    standard: null,
    example: '"0.0.0.0"',
  },
  port: { reader: port, name: 'port', standard: null, example: '443' },
  metrics_port: { reader: port, name: 'metricsPort', standard: null, example: '9464', says: 'on 127.0.0.1' },
  tls_cert: { reader: pathSetting, example: '"/etc/pitdesk/fullchain.pem"' },
  tls_key: { reader: pathSetting, example: '"/etc/pitdesk/privkey.pem"' },
  allow: { reader: ranges, name: 'allow', standard: [], example: '["192.0.2.7"]' },
  trust_proxy: { reader: ranges, name: 'trustProxies', standard: [], example: '[]' },
  store: { reader: textSetting('where events are kept', 'sqlite:///var/lib/pitdesk/inbox.sqlite') },
  store_file: {
    reader: pathSetting,
    example: '"/etc/pitdesk/store.address"',
    says: 'postgres://desk:…@db/inbox; or store, or store_command',
  },
  store_command: { reader: commandSetting },
  forward: {
    reader: textSetting('the address that events are forwarded to', 'http://127.0.0.1:8080/events'),
    name: 'forward',
    standard: null,
    example: '"https://orders.example/events"',
  },
  retention_days: {
    reader: wholeSetting(shortestKeepDays, longestKeepDays),
    name: 'retentionDays',
    standard: null,
    example: `${usualKeepDays}`,
    says: `${shortestKeepDays} at least`,
  },
  // The desk itself takes events in while it runs; otherwise it only reads the store.
  in_desk: {
    reader: flagSetting,
    name: 'isInDesk',
    standard: false,
    example: 'false',
    says: 'true: the desk receives as well, while it is open',
  },
} as const satisfies SettingRows

export const inboxTable = (home: string) => tableOf(inboxSettingRows, home)
type InboxTable = z.infer<ReturnType<typeof inboxTable>>

const variableOf = (name: string): string => `PITDESK_INBOX_${name.toUpperCase()}`
/** The variables that set something of the inbox. */
export const inboxVariables: readonly string[] = Object.keys(inboxSettingRows).map(variableOf)

/** What is set of the inbox, by file and variables; the rest is for flags and defaults. */
export type InboxSettings = NamedSettings<typeof inboxSettingRows> & {
  tls: { certPath: string; keyPath: string } | null
  /** Where the address of the store comes from: it may hold a password, and is treated like a key. */
  store: KeySource | null
}

/** The settings of the inbox: the file's table, and variables over it. */
export function inboxSettingsOf(table: InboxTable | undefined, environment: Environment): Result<InboxSettings> {
  const home = environment.HOME ?? homedir()
  const typed = Object.keys(inboxSettingRows).flatMap((name) => {
    const text = environment[variableOf(name)] ?? ''
    return text === '' ? [] : [[name, text] as const]
  })
  const read = readTexts(inboxTable(home), typed, variableOf)
  if (!read.ok) return read
  const all = { ...table, ...read.value }
  const { tls_cert: certPath, tls_key: keyPath } = all
  if ((certPath === undefined) !== (keyPath === undefined)) return err('tls_cert and tls_key of [inbox] go together')
  return ok({
    ...namedSettings(inboxSettingRows, all),
    tls: certPath === undefined || keyPath === undefined ? null : { certPath, keyPath },
    store: storeSource(table ?? {}, read.value),
  })
}

function storeSource(table: InboxTable, variables: InboxTable): KeySource | null {
  for (const [settings, nameOf] of [
    [variables, variableOf],
    [table, (name: string) => `${name} of [inbox]`],
  ] as const) {
    const { store, store_file: file, store_command: command } = settings
    if (store !== undefined) return { kind: 'variable', name: nameOf('store'), text: store }
    const source = namedSource({ file, command }, (part) => nameOf(`store_${part}`))
    if (source !== null) return source
  }
  return null
}
