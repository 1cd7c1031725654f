import { pages } from '../manual/pages.ts'
import { manBody, manHead, manPage } from '../manual/roff.ts'
import { subjects } from '../manual/subjects.ts'
import type { Flag } from './cli/arguments.ts'
import type { CommandRow } from './cli/command.ts'
import { meaningOf, valued } from './cli/command-help.ts'
import { exitMeanings } from './cli/exit-codes.ts'
import { commandTable } from './command-table.ts'

const summary = 'a trading desk for the terminal'

/** A cell of a table in Markdown. */
const cell = (text: string): string => text.replaceAll('|', '\\|')

const flagRow = (flag: Flag): string => `| \`${cell(valued(flag))}\` | ${cell(meaningOf(flag))} |`

/** One command: usage, effect, flags, notes. */
const commandText = ({ name, words, summary, flags, notes }: CommandRow): string =>
  [
    `### pitdesk ${name} ${words}`.trimEnd(),
    `${summary.slice(0, 1).toUpperCase()}${summary.slice(1)}.`,
    ...(flags.length === 0 ? [] : [`| | |\n|---|---|\n${flags.map(flagRow).join('\n')}`]),
    ...notes,
  ].join('\n\n')

/** Emphasizes the one failure after which an order may be live. */
const exitRow = ({ code, kind, happened, money }: (typeof exitMeanings)[number]): string => {
  const first = kind === 'unknown' ? `**${happened}:**` : `${happened}:`
  return `| ${code} | ${money === null ? happened : `${first} ${money}`} |`
}

const exitText = `| code | meaning |\n|---|---|\n${exitMeanings.map(exitRow).join('\n')}`

const filesText = `| path | |
|---|---|
| \`~/.config/pitdesk/config.toml\` | settings, see [configuration](configuration.md) |
| \`~/.local/state/pitdesk\` | the journal and what the desk keeps, see [records](records.md) |
| \`~/.local/share/pitdesk/inbox.sqlite\` | events of the payment gateway, see [inbox](inbox.md) |`

/** `pitdesk(1)`: every command with its flags, from the command table. */
function programPage(version: string): string {
  const body = [
    '## Description',
    'Without a command it opens the desk; without configuration on its own practice exchange. `pitdesk help ' +
      'SUBJECT` shows a page of the manual. No flag ever takes a secret.',
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
