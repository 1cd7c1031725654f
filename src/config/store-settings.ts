import type { CommandLine } from '../base/process/run-command.ts'
import { type KeySource, namedSource } from './key-source.ts'

/** A table of the file for a program with a store and its own variables. */
export type Section = 'inbox' | 'hub'

/** The variable of a setting in such a table: `PITDESK_INBOX_PORT`. */
export const sectionVariable =
  (section: Section) =>
  (name: string): string =>
    `PITDESK_${section.toUpperCase()}_${name.toUpperCase()}`

/** The three ways to name a store. */
type StoreSettings = {
  store?: string | undefined
  store_file?: string | undefined
  store_command?: CommandLine | undefined
}

/**
 * The source of a store's address, which may contain a password and is treated like a key. Variables override the file,
 * and each has one source at most. Null when none is set.
 */
export function storeSource(section: Section, table: StoreSettings, variables: StoreSettings): KeySource | null {
  for (const [settings, nameOf] of [
    [variables, sectionVariable(section)],
    [table, (name: string) => `${name} of [${section}]`],
  ] as const) {
    const { store, store_file: file, store_command: command } = settings
    if (store !== undefined) return { kind: 'variable', name: nameOf('store'), text: store }
    const source = namedSource({ file, command }, (part) => nameOf(`store_${part}`))
    if (source !== null) return source
  }
  return null
}

/** Why the store of a table cannot be what it says, as a sentence; null when it can. */
export const storeComplaint = (section: Section, settings: StoreSettings): string | null =>
  secondSource(section, settings, (name) => name) ?? passwordComplaint(section, settings)

/** Why variables cannot name the store, as a sentence; null when they can. */
export const storeVariablesComplaint = (section: Section, variables: StoreSettings): string | null =>
  secondSource(section, variables, sectionVariable(section))

/** Of two sources one would be gone without a word, and events or records go where nobody looks for them. */
function secondSource(
  section: Section,
  { store, store_file: file, store_command: command }: StoreSettings,
  nameOf: (name: string) => string,
): string | null {
  const count = [store, file, command].filter((source) => source !== undefined).length
  const names = ['store', 'store_file', 'store_command'].map(nameOf).join(', ')
  return count < 2 ? null : `the store of ${section} has ${count} sources: keep one of ${names}`
}

/** An address with a password must not be in the configuration file. */
function passwordComplaint(section: Section, { store = '' }: StoreSettings): string | null {
  if (!/^postgres/i.test(store) || !/:[^@/]*@|[?&]password=/i.test(store.slice(8))) return null
  return (
    `${section}.store would keep a password in this file, where copies and backups spread it: put the whole address in ` +
    `a file of mode 0600 and name that by store_file, or use store_command, ${sectionVariable(section)('store')}, or a ` +
    'passfile of PostgreSQL'
  )
}
