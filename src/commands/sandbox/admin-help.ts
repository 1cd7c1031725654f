import { shortUsageOf, usageOf } from '../../domain/desk/practice-verb.ts'
import { type AdminRow, adminTable, commandOf } from '../../sandbox/admin/verb-table.ts'
import { wrapWords } from '../../ui/text/cells.ts'
import { adminFlags } from '../cli/command.ts'
import { columns, pageWidth, valued } from '../cli/command-help.ts'

const program = 'pitdesk sandbox admin'

const general = columns([...adminFlags.map((flag) => [valued(flag), flag.meaning] as const), ['--help', 'this page']])

const introduction = `Does with a running practice exchange what the real service does on its web page or through a person. It finds
the exchange that this user runs, alone or in a desk, by itself: its token is in no argument.`

const ending = `Every NOUN and every NOUN VERB has its own --help. PITDESK_ADMIN_URL and PITDESK_ADMIN_TOKEN in the environment
name an exchange that cannot be found that way.`

/** The same from the program's name on, its flags on a line of their own when one line is too short. */
function fullUsage(row: AdminRow): string {
  const line = `${program} ${usageOf(row)}`
  if (line.length <= pageWidth) return line
  const start = `${program} ${shortUsageOf(row)}`
  return [start, ...wrapWords(line.slice(start.length + 1), pageWidth)].join('\n      ')
}

const summaries = (rows: readonly AdminRow[]): string => columns(rows.map((row) => [shortUsageOf(row), row.summary]))

/** The page of one noun, or of everything. */
export const adminPage = (noun: string | undefined): string => (noun === undefined ? wholePage() : nounPage(noun))

const wholePage = (): string => `Usage: ${program} NOUN VERB [ARGUMENT]… [--name VALUE]…

${introduction}

${summaries(adminTable)}

${general}

${ending}`

function nounPage(noun: string): string {
  const rows = adminTable.filter((row) => row.noun === noun)
  const usages = rows.map((row) => `  ${fullUsage(row)}`).join('\n')
  return `Usage:\n${usages}\n\n${columns(rows.map((row) => [commandOf(row), row.summary]))}\n\n${general}`
}
