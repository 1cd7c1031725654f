import { wrapWords } from '../../ui/text/cells.ts'
import type { Flag } from './arguments.ts'
import type { CommandRow, VerbTable } from './command.ts'
import { exitMeanings, type FailureKind } from './exit-codes.ts'

export const pageWidth = 110

/** Lines of two columns, the second one wrapped. */
export function columns(rows: ReadonlyArray<readonly [string, string]>): string {
  const width = Math.max(...rows.map(([first]) => first.length))
  return rows
    .flatMap(([first, second]) =>
      wrapWords(second, pageWidth - width - 4).map(
        (line, index) => `  ${(index === 0 ? first : '').padEnd(width)}  ${line}`,
      ),
    )
    .join('\n')
}

/** A flag as typed, with the name of its value. */
export const valued = ({ name, placeholder }: Flag): string =>
  placeholder === null ? `--${name}` : `--${name} ${placeholder}`

/** A flag's meaning, with the values it takes and its default. */
export const meaningOf = ({ meaning, choices, standard }: Flag): string => {
  const values = choices === undefined ? '' : `: ${choices.join(', ')}`
  return `${meaning}${values}${standard === undefined ? '' : ` (${standard})`}`
}

/** The end of a page: the exit codes the command can have. */
function endingOf(failures?: readonly FailureKind[]): string {
  const exitText = exitMeanings
    .filter(({ kind }) => failures === undefined || kind === null || failures.includes(kind))
    .map(({ code, happened, money }) => `${code} ${happened}${money === null ? '' : `, ${money}`}`)
    .join('; ')
  return wrapWords(`Exit codes: ${exitText}. No flag ever takes a secret.`, pageWidth).join('\n')
}

/** The page of all commands. */
export function programHelp(rows: readonly CommandRow[]): string {
  const summaries = rows.map(({ name, words, summary }) => [`${name} ${words}`.trimEnd(), summary] as const)
  const introduction =
    'A trading desk for the terminal. Without a command it opens the desk; without configuration on its own practice ' +
    'exchange.'
  return `Usage: pitdesk [COMMAND] [--flag VALUE]…

${wrapWords(introduction, pageWidth).join('\n')}

${columns(summaries)}

Every command has --help, and pitdesk help SUBJECT is the manual; --version prints the version.
~/.config/pitdesk/config.toml and PITDESK_… in the environment name the exchange, and where its key comes from.

${endingOf()}`
}

/** The page of one command. */
export function commandHelp({ name, words, summary, flags, notes, example, failures }: CommandRow): string {
  const required = flags.filter(({ isRequired }) => isRequired === true).map(valued)
  const others = required.length < flags.length ? ['[--flag VALUE]…'] : []
  const usage = ['Usage: pitdesk', name, words, ...required, ...others].filter((part) => part !== '').join(' ')
  const parts = [
    wrapWords(usage, pageWidth).join('\n      '),
    wrapWords(`${summary.slice(0, 1).toUpperCase()}${summary.slice(1)}.`, pageWidth).join('\n'),
    ...(flags.length === 0 ? [] : [columns(flags.map((flag) => [valued(flag), meaningOf(flag)]))]),
    ...notes.map((note) => wrapWords(note, pageWidth).join('\n')),
    ...(example === undefined ? [] : [`Example: pitdesk ${name} ${example}`.trimEnd()]),
    endingOf(failures),
  ]
  return parts.join('\n\n')
}

/** The page of a noun with several verbs. */
export function groupHelp(noun: string, rows: readonly CommandRow[]): string {
  const summaries = rows.map(({ name, words, summary }) => [`pitdesk ${name} ${words}`.trimEnd(), summary] as const)
  return `Usage: pitdesk ${noun} VERB …\n\n${columns(summaries)}\n\nEach has --help.`
}

/** The page of one verb of a table, of a noun, or of all; null when there is none. */
export function verbTableHelp({ name, table }: { name: string; table: VerbTable }, words: readonly string[]) {
  const row = verbIn(name, table.rows, words)
  if (row !== undefined) return commandHelp(row)
  const [noun, ...more] = words
  const isKnown = noun === undefined || table.rows.some((each) => each.name.startsWith(`${name} ${noun} `))
  return isKnown && more.length === 0 ? table.page(noun) : null
}

/** The row of a verb table that these words begin with. */
export const verbIn = (name: string, rows: readonly CommandRow[], words: readonly string[]): CommandRow | undefined =>
  rows.find((row) => [1, 2].some((count) => row.name === [name, ...words.slice(0, count)].join(' ')))
