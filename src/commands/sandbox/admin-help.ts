import { shortUsageOf, usageOf } from '../../domain/desk/practice-verb.ts'
import type { AdminFlag } from '../../sandbox/admin/verb-row.ts'
import { type AdminRow, adminNouns, adminTable, commandOf, verbArgumentsOf } from '../../sandbox/admin/verb-table.ts'
import { wrapWords } from '../../ui/text/cells.ts'

const program = 'pitdesk sandbox admin'

const general = `  --json          the answer as one line of JSON, as it is wherever stdout is no terminal
  --admin-port N  which practice exchange, when several run: the port of its administration
  --help          this page`

const introduction = `Does with a running practice exchange what the real service does on its web page or through a person. It finds
the exchange that this user runs, alone or in a desk, by itself: its token is in no argument.`

const ending = `Every NOUN and every NOUN VERB has its own --help. PITDESK_ADMIN_URL and PITDESK_ADMIN_TOKEN in the environment
name an exchange that cannot be found that way.`

const pageWidth = 112

/** Lines of two columns. */
function columns(rows: ReadonlyArray<readonly [string, string]>): string {
  const width = Math.max(...rows.map(([first]) => first.length))
  return rows.map(([first, second]) => `  ${first.padEnd(width)}  ${second}`).join('\n')
}

const valued = ({ name, placeholder }: AdminFlag): string =>
  placeholder === null ? `--${name}` : `--${name} ${placeholder}`

/** The same from the program's name on, its flags on a line of their own when one line is too short. */
function fullUsage(row: AdminRow): string {
  const line = `${program} ${usageOf(row)}`
  if (line.length <= pageWidth) return line
  const start = `${program} ${shortUsageOf(row)}`
  return [start, ...wrapWords(line.slice(start.length + 1), pageWidth)].join('\n      ')
}

const summaries = (rows: readonly AdminRow[]): string => columns(rows.map((row) => [shortUsageOf(row), row.summary]))

/** The page of everything. */
export const adminHelp = (): string => `Usage: ${program} NOUN VERB [ARGUMENT]… [--name VALUE]…

${introduction}

${summaries(adminTable)}

${general}

${ending}`

/** The page of one noun; null when there is no such noun. */
export function nounHelp(noun: string): string | null {
  if (!adminNouns.includes(noun)) return null
  const rows = adminTable.filter((row) => row.noun === noun)
  const usages = rows.map((row) => `  ${fullUsage(row)}`).join('\n')
  return `Usage:\n${usages}\n\n${columns(rows.map((row) => [commandOf(row), row.summary]))}\n\n${general}`
}

const sentence = (summary: string): string => `${summary.slice(0, 1).toUpperCase()}${summary.slice(1)}.`

/** The page of one command. */
export function verbHelp(row: AdminRow): string {
  const flags = verbArgumentsOf(row).map((flag) => [valued(flag), flag.meaning] as const)
  const words =
    row.words.length === 0
      ? []
      : ['An argument without its name stands for the first one in the usage that is not given by name.']
  const parts = [
    `Usage: ${fullUsage(row)}`,
    wrapWords(`${sentence(row.summary)}${row.note === null ? '' : ` ${row.note}`}`, pageWidth).join('\n'),
    ...(flags.length === 0 ? [] : [columns(flags)]),
    ...words,
    general,
    `Example: ${program} ${commandOf(row)} ${row.example}`.trimEnd(),
  ]
  return parts.join('\n\n')
}
