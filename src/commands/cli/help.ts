import { spawn } from 'node:child_process'
import type { CommandIo } from '../../base/process/command-io.ts'
import { suggestion } from '../../base/text/nearest-name.ts'
import { pages } from '../../manual/pages.ts'
import { type Subject, subjectOf, subjects, subjectsSharing, subjectWords } from '../../manual/subjects.ts'
import { type PageLook, pageLines, type Tone } from '../../manual/terminal-page.ts'
import type { Style } from '../../themes/tones.ts'
import { readColorDepth, readGlyphSet, sgr } from '../../ui/terminal/colors.ts'
import { shown } from './arguments.ts'
import type { CommandRow, Run } from './command.ts'
import { commandHelp, groupHelp, verbTableHelp } from './command-help.ts'
import { done, wrongUsage } from './exit-codes.ts'
import { calledOtherwise, sameCommands } from './other-words.ts'

const toneStyles: Readonly<Record<Tone, Style>> = {
  plain: {},
  heading: { bold: true, ansi: 'yellow' },
  bold: { bold: true },
  code: { ansi: 'cyan' },
  dim: { dim: true },
}
const plainWidth = 80

/** Colors of the terminal's own palette, readable on any background. */
function lookFor({ stdout, environment }: Pick<CommandIo, 'stdout' | 'environment'>): PageLook {
  const depth = stdout.isTTY === true ? readColorDepth(environment) : 'plain'
  const styleDepth = depth === 'true' || depth === '256' ? '16' : depth
  return {
    width: stdout.isTTY === true ? stdout.columns || plainWidth : plainWidth,
    hasBoxes: readGlyphSet(environment) === 'unicode',
    style: styleDepth === 'plain' ? null : (text, tone) => `${sgr(toneStyles[tone], styleDepth)}${text}\u001b[0m`,
  }
}

const subjectTable = (list: readonly Subject[]): string => `| subject | |
|---|---|
${list.map(({ name, summary }) => `| \`${name}\` | ${summary} |`).join('\n')}
`

/** The page for a word that belongs to several pages. */
const choicePage = (word: string, list: readonly Subject[]): string => `# Pages on ${word}

${subjectTable(list)}
\`pitdesk help SUBJECT\` shows one.
`

/** The page that lists all pages. */
export const contentsPage = (): string => `# The manual of pitdesk

\`pitdesk help SUBJECT\` shows a page, \`pitdesk help COMMAND\` the help of a command, \`pitdesk --help\` all commands.

${subjectTable(subjects)}
In the desk \`?\` shows every key.
`

async function showPage(markdown: string, io: CommandIo): Promise<void> {
  const text = `${pageLines(markdown, lookFor(io)).join('\n')}\n`
  if (!(await showInPager(text, io))) await io.output.write(text)
}

/** The help of a command or group; null when there is no such command. */
function helpOf(name: string, rows: readonly CommandRow[]): string | null {
  const row = rows.find((each) => each.name === name)
  if (row !== undefined) return commandHelp(row)
  const group = rows.filter((each) => each.name.startsWith(`${name} `))
  return group.length === 0 ? null : groupHelp(name, group)
}

/** The help of one verb of a command with a verb table. */
async function verbsHelp(words: readonly string[], rows: readonly CommandRow[]): Promise<string | null> {
  for (const row of rows) {
    const own = row.name.split(' ')
    if (row.kind !== 'verbs' || own.some((word, index) => words[index] !== word)) continue
    return verbTableHelp({ name: row.name, table: await row.load() }, words.slice(own.length))
  }
  return null
}

/** `, did you mean "pitdesk help pnl"?` for another word for a command; empty for no match. */
function pagesMeant(typed: string, rows: readonly CommandRow[]): string {
  const pagesOf = calledOtherwise(typed.toLowerCase(), rows).flatMap(({ row, line }) =>
    row === null ? [] : [row.name === 'help' ? line : `help ${row.name}`],
  )
  // As in the names of man pages and schemas: `order-place`.
  const apart = typed.toLowerCase().replaceAll('-', ' ')
  if (rows.some(({ name }) => name === apart)) pagesOf.unshift(`help ${apart}`)
  const offers = [...new Set(pagesOf)].map((page) => `"pitdesk ${page}"`)
  return offers.length === 0 ? '' : `, did you mean ${offers.join(' or ')}?`
}

const pagesNamedMax = 3

/** The pages with a word, those with the most matches first; at most `pagesNamedMax`. */
function pagesWith(word: string): string[] {
  const whole = new RegExp(`(?<![\\w-])${word.replaceAll('.', '\\.')}(?![\\w-])`, 'gi')
  return subjects
    .map(({ name }) => ({ name, count: pages[name].match(whole)?.length ?? 0 }))
    .filter(({ count }) => count > 0)
    .toSorted((left, right) => right.count - left.count)
    .slice(0, pagesNamedMax)
    .map(({ name }) => name)
}

/** `: it stands in "pitdesk help states"`; empty when no page has the word. */
function standsIn(typed: string): string {
  if (!/^[\w .-]{3,40}$/.test(typed)) return ''
  const found = pagesWith(typed).map((name) => `"pitdesk help ${name}"`)
  return found.length === 0 ? '' : `: it stands in ${found.join(', ')}`
}

/** `pitdesk help`: the list of pages, a page of the manual, or the help of one of these commands. */
export const helpRun =
  (rows: readonly CommandRow[]): Run =>
  async ({ words }, io) => {
    const [first = '', ...more] = words
    if (first === '') {
      await showPage(contentsPage(), io)
      return done
    }
    const subject = more.length === 0 ? subjectOf(first) : null
    if (subject !== null) {
      await showPage(pages[subject.name], io)
      return done
    }
    const sharing = more.length === 0 ? subjectsSharing(first) : []
    if (sharing.length > 0) {
      await showPage(choicePage(first.toLowerCase(), sharing), io)
      return done
    }
    const typed = words.join(' ')
    const name = sameCommands.get(typed) ?? typed
    const page = (await verbsHelp(words, rows)) ?? helpOf(name, rows)
    if (page === null) {
      const known = [...subjectWords, ...rows.map((row) => row.name)]
      const meant = pagesMeant(name, rows) || standsIn(name) || suggestion(shown(name), known)
      return wrongUsage(`unknown subject or command "${shown(name)}"${meant}`, 'See pitdesk help.')
    }
    await io.print(page)
    return done
  }

/** A shell's exit codes for a program that is missing or not executable. */
const missingCodes: readonly (number | null)[] = [126, 127]

type Reader = Pick<CommandIo, 'environment' | 'stdout' | 'signal'>

/**
 * Shows text in the user's pager (`PAGER`, else `less`) and resolves when that has ended. False without a pager or
 * terminal: the caller then prints the text.
 */
function showInPager(text: string, { environment, stdout, signal }: Reader): Promise<boolean> {
  const wish = environment.PAGER?.trim()
  // A child can only inherit the real stdout.
  const isTerminal = stdout.isTTY === true && 'fd' in stdout && stdout.fd === 1 && environment.TERM !== 'dumb'
  if (!isTerminal || wish === '' || wish === 'cat') return Promise.resolve(false)
  const variables = Object.entries(environment).filter(([name]) => !name.startsWith('PITDESK_'))
  const child = spawn(wish ?? 'less', {
    // The user's own pager may be several words.
    shell: wish !== undefined,
    // As in git: colors pass through, and a text that fits one screen ends less at once. No key of an account is passed
    // on.
    env: { LESS: 'FRX', ...Object.fromEntries(variables) },
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  const { promise, resolve } = Promise.withResolvers<boolean>()
  child.on('error', () => resolve(false))
  child.on('exit', (code) => resolve(!missingCodes.includes(code)))
  // The user may quit the pager before the end.
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(text)
  // Ctrl-C is a key of the pager; other signals end it together with this program.
  const end = () => void (signal.reason !== 'SIGINT' && child.kill())
  signal.addEventListener('abort', end)
  return promise.finally(() => signal.removeEventListener('abort', end))
}
