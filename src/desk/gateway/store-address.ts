import type { CommandIo, CommandTools } from '../../base/process/command-io.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { Secret } from '../../base/secret.ts'
import type { KeySource } from '../../config/key-source.ts'
import { type Section, sectionVariable } from '../../config/store-settings.ts'
import { keyFrom } from '../account/profile.ts'

export type StoreTools = { io: CommandIo; tools: CommandTools }

/** Why a store has no usable address; `usage`: the command line is wrong. */
export type StoreFault = { kind: 'usage' | 'failed'; sentence: string }

type StoreWish = {
  /** The address on the command line, where no password may be. */
  typed: string | undefined
  /** The source in variables or file. */
  source: KeySource | null
  section: Section
  /** The default address. */
  standard: () => Result<Secret, StoreFault>
}

/** The kinds of store each section accepts. */
const schemes: Readonly<Record<Section, readonly string[]>> = {
  inbox: ['sqlite:', 'postgres:', 'postgresql:'],
  hub: ['postgres:', 'postgresql:'],
}
const expected: Readonly<Record<Section, string>> = {
  inbox: 'sqlite:///path or postgres://host/database',
  hub: 'postgres://host/database',
}

/** The ways of naming a store without an argument, as a clause. */
export const namedElsewhere = (section: Section): string =>
  `name the store by ${sectionVariable(section)('store')}, by store_file or store_command in [${section}] of config.toml`

/** Reads the user's address of a store. The error follows its name and does not repeat it. */
function readAddress(text: string, section: Section, isTyped: boolean): Result<Secret> {
  const url = URL.parse(text)
  const scheme = url?.protocol ?? ''
  if (url === null || !schemes[section].includes(scheme)) return err(`must be ${expected[section]}`)
  if (scheme === 'sqlite:') {
    if (url.host !== '' || !/^\/./.test(url.pathname)) return err('must have the full path: sqlite:///path')
    if (url.search !== '' || url.hash !== '') return err('must end with its path')
  } else if (isTyped && (url.password !== '' || [...url.searchParams.keys()].some((name) => /pass/i.test(name)))) {
    return err(
      `has a password in it, and everyone on this machine can read argument lists: ${namedElsewhere(section)}, or ` +
        'leave the password to PGPASSWORD or a passfile of PostgreSQL',
    )
  }
  return ok(new Secret(text))
}

/** The address of a store: as typed, by variable, file or default. The error tells the fault without the address. */
export async function readStoreAddress(
  { typed, source, section, standard }: StoreWish,
  context: StoreTools,
): Promise<Result<Secret, StoreFault>> {
  const fault = (kind: StoreFault['kind'], sentence: string) => err({ kind, sentence })
  if (typed !== undefined) {
    const read = readAddress(typed, section, true)
    return read.ok ? read : fault('usage', `--store ${read.error}`)
  }
  if (source === null) return standard()
  const fetched = await keyFrom(source, context)
  if (!fetched.ok) return fault('failed', fetched.error)
  const read = readAddress(fetched.value.reveal(), section, false)
  return read.ok ? read : fault('failed', `${source.name} ${read.error}`)
}
