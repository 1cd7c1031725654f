import { parse, TomlError } from 'smol-toml'
import type { z } from 'zod'
import { readOnce } from '../base/read-once.ts'
import { suggestion } from '../base/text/nearest-name.ts'
import { plainText } from '../base/text/plain-text.ts'
import type { KeySetting } from '../domain/desk/session.ts'
import { allowedAt, type FileSettings, fileTable, keySettingsOf } from './schema.ts'
import { storeComplaint } from './store-settings.ts'
import { type Position, type Positions, tomlPositions } from './toml-positions.ts'

/** The issues of the file in its order, one sentence each, starting with path, line and column. */
type FileIssues = { ok: false; issues: readonly [string, ...string[]] }

/** The settings of the file; key lines with their positions, because only the table of keys can check them. */
export type ConfigFile = Omit<FileSettings, 'keys'> & { keys: readonly KeySetting[] }

/** `sentence` is only built for reported issues. */
type Found = { position: Position; sentence: () => string }

/** Far above what users write; bounds the work. */
const keysMax = 5_000
/** Issues reported individually. */
const toldMax = 100

/** Reads the text of a configuration file. Issues never repeat a value, because it may be a key. */
export function readConfigText(
  text: string,
  source: { path: string; home: string },
): { ok: true; value: ConfigFile } | FileIssues {
  const tree = parseToml(text)
  if ('sentence' in tree) return issuesOf([tree], source.path)
  const positions = tomlPositions(text)
  if (positions.count > keysMax)
    return issuesOf([{ position: start, sentence: () => `the file has more than ${keysMax} keys` }], source.path)
  const read = fileTable(source.home).safeParse(tree.value, readOnce)
  if (!read.success)
    return issuesOf(
      read.error.issues.flatMap((issue) => describe(issue, positions)),
      source.path,
    )
  const wrong = togetherness(read.data, positions)
  if (wrong.length > 0) return issuesOf(wrong, source.path)
  const placeOf = (action: string) => {
    const { line, column } = positions.at(['keys', action])
    return `${source.path}:${line}:${column}`
  }
  return { ok: true, value: { ...read.data, keys: keySettingsOf(read.data.keys, placeOf) } }
}

const start: Position = { line: 1, column: 1 }

function parseToml(text: string): { value: unknown } | Found {
  try {
    return { value: parse(text, { integersAsBigInt: true, maxDepth: 20, unsafeKeyBehaviour: 'throw' }) }
  } catch (error) {
    // Only the first line, because the rest quotes the file.
    if (error instanceof TomlError) {
      const reason = (error.message.split('\n')[0] ?? '').replace('Invalid TOML document: ', '')
      return { position: error, sentence: () => `is not TOML: ${plainText(reason)}` }
    }
    throw error
  }
}

function issuesOf(found: readonly Found[], path: string): FileIssues {
  const inOrder = found.toSorted(
    (left, right) => left.position.line - right.position.line || left.position.column - right.position.column,
  )
  const sentences = inOrder
    .slice(0, toldMax)
    .map(({ position, sentence }) => `${path}:${position.line}:${position.column}: ${sentence()}`)
  const [first = `${path}: cannot be read`, ...rest] = sentences
  const more = found.length - toldMax
  return { ok: false, issues: [first, ...rest, ...(more > 0 ? [`${path}: ${more} more mistakes`] : [])] }
}

function describe(issue: z.core.$ZodIssue, positions: Positions): Found[] {
  const path = issue.path.map(String)
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      position: positions.at([...path, key]),
      sentence: () => unknownSentence(key, path),
    }))
  }
  const must = issue.code === 'invalid_type' ? 'must be a table' : issue.message
  return [{ position: positions.at(path), sentence: () => `${shownName(path.join('.'))} ${must}` }]
}

/** A name from the file, as shown in sentences. */
const shownName = (name: string): string => plainText(name.slice(0, 120))

const secretNames =
  /^((api|partner|exchange|gateway|notify|old)_?)?(token|key|secret|password|passphrase|credentials?)s?$/i

function unknownSentence(key: string, path: readonly string[]): string {
  if (secretNames.test(key.replaceAll('-', '_'))) {
    return (
      `${shownName(key)} would keep a key in this file, where copies and backups spread it: take it out, and use ` +
      'api_token_file, partner_key_file or notify_secret_file (a file of mode 0600), api_token_command, ' +
      'partner_key_command or notify_secret_command, or PITDESK_API_TOKEN, PITDESK_PARTNER_KEY or PITDESK_NOTIFY_SECRET'
    )
  }
  const allowed = allowedAt(path)
  const place = path.length === 0 ? 'at the top of the file' : `in [${shownName(path.join('.'))}]`
  return (
    `unknown setting "${plainText(key).slice(0, 60)}" ${place}${suggestion(key, allowed)} (allowed: ` +
    `${allowed.join(', ')})`
  )
}

/** A list of the user's names for a sentence, truncated to a few. */
export const listed = (names: readonly string[]): string =>
  `${names.slice(0, 20).join(', ').slice(0, 400)}${names.length > 20 ? ` and ${names.length - 20} more` : ''}`

type Target = NonNullable<NonNullable<FileSettings['inbox']>['targets']>[number]

/** Secrets of the inbox's targets with two sources, of which one would be gone without a word. */
const secretsTwice = (targets: readonly Target[]): string[] =>
  targets.flatMap((target) =>
    (['secret', 'old_secret'] as const).flatMap((key) => {
      const isTwice = target[`${key}_file`] !== undefined && target[`${key}_command`] !== undefined
      const whose = plainText(`the ${key.replace('_', ' ')} of the target ${target.name ?? '?'}`)
      return isTwice ? [`${whose} has two sources: keep either ${key}_file or ${key}_command`] : []
    }),
  )

/** Secrets of a profile, each from a file or a command: the beginning of its settings, and what it is called. */
const profileSecrets = [
  ['api_token', 'token'],
  ['notify_secret', 'secret'],
  ['partner_key', 'key'],
] as const

/** Checks settings that are valid alone but not together. */
function togetherness(
  { default_profile: standard, profiles = {}, inbox = {}, hub = {} }: FileSettings,
  positions: Positions,
): Found[] {
  const names = Object.keys(profiles)
  const found: Found[] = []
  const add = (path: readonly string[], sentence: string) =>
    found.push({ position: positions.at(path), sentence: () => sentence })
  for (const [section, table] of [
    ['inbox', inbox],
    ['hub', hub],
  ] as const) {
    const sentence = storeComplaint(section, table)
    if (sentence !== null) add([section, 'store'], sentence)
  }
  for (const sentence of secretsTwice(inbox.targets ?? [])) add(['inbox', 'targets'], sentence)
  if ((inbox.tls_cert === undefined) !== (inbox.tls_key === undefined))
    add(['inbox'], 'inbox needs both of tls_cert and tls_key')
  if (standard !== undefined && !names.includes(standard)) {
    const known = names.length === 0 ? 'the file has no profiles' : `there are ${listed(names)}`
    const wrong = `default_profile names no profile of this file${suggestion(standard, names)}: ${known}`
    add(['default_profile'], plainText(wrong))
  }
  for (const [name, profile] of Object.entries(profiles)) {
    if (profile.kind === 'live' && profile.exchange_base_url === undefined)
      add(['profiles', name, 'kind'], 'a live profile needs its exchange_base_url')
    for (const [secret, called] of profileSecrets) {
      const [file, command] = [`${secret}_file`, `${secret}_command`] as const
      if (profile[file] === undefined || profile[command] === undefined) continue
      const sentence = `the ${called} has two sources: keep either ${file} or ${command}`
      add(['profiles', name, command], sentence)
    }
  }
  return found
}
