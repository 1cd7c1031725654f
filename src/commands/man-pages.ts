import { pages } from '../manual/pages.ts'
import { manBody, manHead, manPage } from '../manual/roff.ts'
import { subjects } from '../manual/subjects.ts'
import type { CommandRow } from './command.ts'
import { commandTable } from './command-table.ts'

const summary = 'a trading desk for the terminal'

/** A cell of a table in Markdown. */
const cell = (text: string): string => text.replaceAll('|', '\\|')

const flagRow = ({ name, placeholder, meaning, choices }: CommandRow['flags'][number]): string => {
  const flag = placeholder === null ? `--${name}` : `--${name} ${placeholder}`
  return `| \`${cell(flag)}\` | ${cell(choices === undefined ? meaning : `${meaning}: ${choices.join(', ')}`)} |`
}

/** One command: usage, what it does, flags, notes. */
const commandText = ({ name, words, summary, flags, notes }: CommandRow): string =>
  [
    `### pitdesk ${name} ${words}`.trimEnd(),
    `${summary.slice(0, 1).toUpperCase()}${summary.slice(1)}.`,
    ...(flags.length === 0
      ? []
      : [`| flag | |\n|---|---|\n${flags.map(flagRow).join('\n')}`.replace('| flag | |', '| | |')]),
    ...notes,
  ].join('\n\n')

const exitText = `| code | meaning |
|---|---|
| 0 | done, and seen to be so |
| 1 | any other failure |
| 2 | wrong usage |
| 3 | not sent: a check, a limit or the lock refused |
| 4 | rejected by the exchange: nothing was placed or left |
| 5 | the exchange could not be reached or asked: nothing was sent |
| 6 | **outcome unknown:** it may be live |
| 128 + n | ended by signal n |`

const filesText = `| path | |
|---|---|
| \`~/.config/pitdesk/config.toml\` | settings, see [configuration](configuration.md) |
| \`~/.local/state/pitdesk\` | the journal and what the desk keeps, see [records](records.md) |
| \`~/.local/share/pitdesk/inbox.sqlite\` | events of the payment gateway, see [inbox](inbox.md) |`

/** \`pitdesk(1)\`: every command with its flags, from the table of commands. */
function programPage(version: string): string {
  const body = [
    '## Description',
    'Without a command it opens the desk; without configuration on its own practice exchange. `pitdesk help SUBJECT` shows a page of the manual. No flag ever takes a secret.',
    '## Commands',
    ...commandTable.map(commandText),
    '## Exit status',
    exitText,
    '## Files',
    filesText,
    '## See also',
    `| | |\n|---|---|\n${subjects.map(({ name, summary }) => `| [${name}](${name}.md) | ${summary} |`).join('\n')}`,
  ].join('\n\n')
  const head = manHead({ name: 'pitdesk', section: 1, summary, version })
  const synopsis = ['.SH SYNOPSIS', '\\fBpitdesk\\fR [\\fICOMMAND\\fR] [\\fB\\-\\-flag\\fR \\fIVALUE\\fR]...']
  return `${[...head, ...synopsis, ...manBody(body)].join('\n')}\n`
}

/** Every man page by its file name: `pitdesk.1` for the commands, `pitdesk-SUBJECT.7` for each page of the manual. */
export const manPages = (version: string): ReadonlyMap<string, string> =>
  new Map([
    ['pitdesk.1', programPage(version)],
    ...subjects.map(({ name, summary }): [string, string] => [
      `pitdesk-${name}.7`,
      manPage({ name: `pitdesk-${name}`, section: 7, summary, version }, pages[name]),
    ]),
  ])
