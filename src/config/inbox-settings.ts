import { homedir } from 'node:os'
import { z } from 'zod'
import type { Environment } from '../base/environment.ts'
import { err, ok, type Result } from '../base/result.ts'
import type { KeySource } from './key-source.ts'
import { commandSetting, flagSetting, pathSetting, setting, textSetting, wholeSetting } from './setting-readers.ts'

/** A list in the file, or words between commas in a variable. What the words mean is judged where they are used. */
const wordsSetting = (what: string) =>
  setting((value) => {
    const words: readonly unknown[] = Array.isArray(value)
      ? value
      : typeof value === 'string'
        ? value.split(',')
        : [null]
    const texts = words.filter((word) => typeof word === 'string').map((word) => word.trim())
    return texts.length === words.length && texts.every((word) => word !== '')
      ? ok(texts)
      : err(`must be a list of ${what}`)
  })

/**
 * Every setting of the inbox, by its name in the table `[inbox]`; a variable is the same in capitals after
 * PITDESK_INBOX_.
 */
function inboxShape(home: string) {
  const path = pathSetting(home)
  const port = wholeSetting(0, 65_535)
  const ranges = wordsSetting('addresses or ranges such as ["10.0.0.0/8"]')
  return {
    host: textSetting('an address of this machine', '0.0.0.0'),
    port,
    metrics_port: port,
    tls_cert: path,
    tls_key: path,
    allow: ranges,
    trust_proxy: ranges,
    store: textSetting('where events are kept', 'sqlite:///var/lib/pitdesk/inbox.sqlite'),
    store_file: path,
    store_command: commandSetting,
    forward: textSetting('the address that events are handed on to', 'http://127.0.0.1:8080/events'),
    retention_days: wholeSetting(30, 3_650),
    in_desk: flagSetting,
  }
}

export const inboxTable = (home: string) => z.strictObject(inboxShape(home))
type InboxTable = z.infer<ReturnType<typeof inboxTable>>
export const inboxNames: readonly string[] = Object.keys(inboxShape(''))

const variableOf = (name: string): string => `PITDESK_INBOX_${name.toUpperCase()}`
/** The variables that set something of the inbox. */
export const inboxVariables: readonly string[] = inboxNames.map(variableOf)

/** What is set of the inbox, by file and variables; the rest is for flags and defaults. */
export type InboxSettings = {
  host: string | null
  port: number | null
  metricsPort: number | null
  tls: { certPath: string; keyPath: string } | null
  allow: readonly string[]
  trustProxies: readonly string[]
  /** Where the address of the store comes from: it may hold a password, and is treated like a key. */
  store: KeySource | null
  forward: string | null
  retentionDays: number | null
  /** The desk itself takes events in while it runs; otherwise it only reads the store. */
  isInDesk: boolean
}

/** The settings of the inbox: the file's table, and variables over it. */
export function inboxSettingsOf(table: InboxTable | undefined, environment: Environment): Result<InboxSettings> {
  const home = environment.HOME ?? homedir()
  const typed = inboxNames.flatMap((name) => {
    const text = environment[variableOf(name)] ?? ''
    return text === '' ? [] : [[name, text] as const]
  })
  const read = inboxTable(home).safeParse(Object.fromEntries(typed))
  if (!read.success) {
    const issue = read.error.issues[0]
    return err(`${variableOf(String(issue?.path[0]))} ${issue?.message}`)
  }
  const all = { ...table, ...read.data }
  const { tls_cert: certPath, tls_key: keyPath } = all
  if ((certPath === undefined) !== (keyPath === undefined)) return err('tls_cert and tls_key of [inbox] go together')
  return ok({
    host: all.host ?? null,
    port: all.port ?? null,
    metricsPort: all.metrics_port ?? null,
    tls: certPath === undefined || keyPath === undefined ? null : { certPath, keyPath },
    allow: all.allow ?? [],
    trustProxies: all.trust_proxy ?? [],
    store: storeSource(table ?? {}, read.data),
    forward: all.forward ?? null,
    retentionDays: all.retention_days ?? null,
    isInDesk: all.in_desk ?? false,
  })
}

function storeSource(table: InboxTable, variables: InboxTable): KeySource | null {
  for (const [settings, nameOf] of [
    [variables, variableOf],
    [table, (name: string) => `${name} of [inbox]`],
  ] as const) {
    const { store, store_file: path, store_command: command } = settings
    if (store !== undefined) return { kind: 'variable', name: nameOf('store'), text: store }
    if (path !== undefined) return { kind: 'file', name: nameOf('store_file'), path }
    if (command !== undefined) return { kind: 'command', name: nameOf('store_command'), command }
  }
  return null
}
