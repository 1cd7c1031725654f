import { err, ok, type Result } from '../../base/result.ts'
import { type Flag, unknownWord } from './arguments.ts'
import { type CommandRow, type Run, shells } from './command.ts'
import { done, wrongUsage } from './exit-codes.ts'

/** `pitdesk completions`: the completion script of these commands. */
export const completionsRun =
  (rows: readonly CommandRow[]): Run =>
  async (given, io) => {
    const script = completionScript(given.words[0] ?? '', rows)
    if (!script.ok) return wrongUsage(script.error)
    await io.print(script.value)
    return done
  }

/** The completion script of a shell, built from the command table. */
export function completionScript(shell: string, rows: readonly CommandRow[]): Result<string> {
  switch (shell) {
    case 'bash':
      return ok(bash(rows))
    case 'zsh':
      return ok(zsh(rows))
    case 'fish':
      return ok(fish(rows))
    default:
      return err(unknownWord('shell', shell, shells))
  }
}

type Named = Pick<CommandRow, 'name' | 'flags' | 'wordChoices'>

const helpFlag: Flag = { name: 'help', placeholder: null, meaning: 'explains the command' }
const flagsOf = (row: Named): readonly Flag[] => [...row.flags, helpFlag]

const firstWords = (rows: readonly Named[]): string[] => [...new Set(rows.map(({ name }) => name.split(' ')[0] ?? ''))]

/** The words after a noun: the second ones after a first, the third ones after two. */
const verbsOf = (noun: string, rows: readonly Named[]): string[] => [
  ...new Set(
    rows.flatMap(({ name }) => (name.startsWith(`${noun} `) ? (name.slice(noun.length + 1).split(' ')[0] ?? []) : [])),
  ),
]

/** Beginnings of names that are not commands themselves: `order`, `hub`, `hub user`. */
const nounsOf = (rows: readonly Named[]): string[] => {
  const starts = rows.flatMap(({ name }) => {
    const words = name.split(' ')
    return words.slice(1).map((_, at) => words.slice(0, at + 1).join(' '))
  })
  return [...new Set(starts)].filter((noun) => !rows.some(({ name }) => name === noun))
}

/** Flags whose value is a file or folder: the shell completes it as it does anywhere. */
const pathPlaceholders: ReadonlySet<string | null> = new Set(['FILE', 'DIR'])

/** How a shell offers the values of a flag; a name may mean different things in two commands. */
type Offers = {
  choices: (words: string, isList: boolean) => string
  paths: string
}

/**
 * A shell `case` for each flag that takes a value: its known values, files, or nothing at all, for what comes there is
 * not a flag.
 */
const casesOf = (rows: readonly Named[], offers: Offers): string =>
  rows
    .flatMap(({ name, flags }) => {
      const valued = flags.filter(({ placeholder }) => placeholder !== null)
      const patternOf = (some: readonly Flag[]) => some.map((flag) => `"${name} --${flag.name}"`).join('|')
      const lineOf = (some: readonly Flag[], offer: string) =>
        some.length === 0 ? [] : [`    ${patternOf(some)}) ${offer}return ;;`]
      const chosen = valued.flatMap((flag) => {
        const values = flag.choices ?? flag.listed
        return values === undefined
          ? []
          : lineOf([flag], `${offers.choices(values.join(' '), flag.listed !== undefined)}; `)
      })
      const others = valued.filter(({ choices, listed }) => choices === undefined && listed === undefined)
      const isPath = ({ placeholder }: Flag) => pathPlaceholders.has(placeholder)
      return [
        ...chosen,
        ...lineOf(others.filter(isPath), `${offers.paths}; `),
        ...lineOf(
          others.filter((flag) => !isPath(flag)),
          '',
        ),
      ]
    })
    .join('\n')

/** The words after a command, or after a noun still without its verb. */
function wordsAfter(rows: readonly Named[]): Array<readonly [string, readonly string[]]> {
  const commands = rows.map((row) => {
    const flags = flagsOf(row).map(({ name }) => `--${name}`)
    return [row.name, [...verbsOf(row.name, rows), ...(row.wordChoices ?? []), ...flags]] as const
  })
  const nouns = nounsOf(rows)
  return [...commands, ...nouns.map((noun) => [noun, [...verbsOf(noun, rows), '--help']] as const)]
}

const bash = (rows: readonly CommandRow[]): string => `# bash completion of pitdesk: source <(pitdesk completions bash)
_pitdesk() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" command="" word words index
  COMPREPLY=()
  # Bash takes the = of --flag=value for a word of its own.
  if [[ "$cur" == "=" ]]; then cur=""; elif [[ "$prev" == "=" ]]; then prev="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  # What stands before the last comma of a list stays.
  local before="" last="\${cur##*,}"
  [[ "$cur" == *,* ]] && before="\${cur%,*},"
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    case "$command $word" in
${wordsAfter(rows)
  .map(([name]) => `      "${name.includes(' ') ? name : ` ${name}`}") command="${name}" ;;`)
  .join('\n')}
    esac
  done
  case "\${command:-desk} $prev" in
${casesOf(rows, {
  choices: (words) => `COMPREPLY=($(compgen -P "$before" -W "${words}" -- "$last"))`,
  paths: 'compopt -o default',
})}
  esac
  case "$command" in
    "") words="${[...firstWords(rows), '--help', '--version'].join(' ')}" ;;
${wordsAfter(rows)
  .map(([name, words]) => `    "${name}") words="${words.join(' ')}" ;;`)
  .join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _pitdesk pitdesk`

/** Text between single quotes, for a shell; in zsh a colon would separate a name from its description. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
const described = (name: string, meaning: string): string => quoted(`${name.replaceAll(':', '\\:')}:${meaning}`)

const summaryOf = (name: string, rows: readonly CommandRow[]): string =>
  rows.find((row) => row.name === name)?.summary ?? `${verbsOf(name, rows).join(', ')}`

/** Keeps the part before the last comma of a list. */
const zshAfterComma = "compset -P '*,'; "

const zsh = (rows: readonly CommandRow[]): string => `#compdef pitdesk
# zsh completion of pitdesk: pitdesk completions zsh > a folder of your fpath/_pitdesk
_pitdesk() {
  local -a entries
  local command="" word previous="\${words[CURRENT-1]}"
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$command $word" in
${wordsAfter(rows)
  .map(([name]) => `      ${quoted(name.includes(' ') ? name : ` ${name}`)}) command=${quoted(name)} ;;`)
  .join('\n')}
    esac
  done
  # --flag=value is one word.
  if [[ "$PREFIX" == --*=* ]]; then
    previous="\${PREFIX%%=*}"
    compset -P '*='
  fi
  case "\${command:-desk} $previous" in
${casesOf(rows, {
  choices: (words, isList) => `${isList ? zshAfterComma : ''}compadd -- ${words}`,
  paths: '_files',
})}
  esac
  case "$command" in
    '') entries=(${firstWords(rows)
      .map((name) => described(name, summaryOf(name, rows)))
      .join(' ')}) ;;
${wordsAfter(rows)
  .map(([name]) => `    ${quoted(name)}) entries=(${zshEntries(name, rows)}) ;;`)
  .join('\n')}
  esac
  _describe 'pitdesk' entries
}
compdef _pitdesk pitdesk`

function zshEntries(name: string, rows: readonly CommandRow[]): string {
  const row = rows.find((each) => each.name === name)
  const verbs = verbsOf(name, rows).map((verb) => described(verb, summaryOf(`${name} ${verb}`, rows)))
  const words = (row?.wordChoices ?? []).map((word) => described(word, word))
  const flags = (row === undefined ? [helpFlag] : flagsOf(row)).map((flag) => described(`--${flag.name}`, flag.meaning))
  return [...verbs, ...words, ...flags].join(' ')
}

/** Offers values after the part before the last comma; for --flag=value fish itself puts the flag before them. */
const fishList = `function __pitdesk_list
  set -l before (commandline -ct | string replace -r '^--[^=]*=' '' | string match -r '^.*,')
  printf '%s\\n' "$before"$argv
end`

/** Whether the words before the cursor are those of one command, or of a noun still without its verb. */
const fishAt = (rows: readonly Named[]): string => `set -g __pitdesk_names ${wordsAfter(rows)
  .map(([name]) => quoted(name))
  .join(' ')}
function __pitdesk_at
  set -l command ''
  for word in (commandline -opc)[2..-1]
    set -l longer (string trim -- "$command $word")
    contains -- "$longer" $__pitdesk_names; and set command $longer
  end
  test "$command" = "$argv"
end`

function fish(rows: readonly CommandRow[]): string {
  const at = (name: string) => `complete -c pitdesk -n ${quoted(`__pitdesk_at ${name}`)}`
  const lines = firstWords(rows).map((name) => `${at('')} -a ${name} -d ${quoted(summaryOf(name, rows))}`)
  for (const [noun] of wordsAfter(rows)) {
    for (const verb of verbsOf(noun, rows))
      lines.push(`${at(noun)} -a ${verb} -d ${quoted(summaryOf(`${noun} ${verb}`, rows))}`)
  }
  for (const { name, wordChoices, flags } of rows) {
    if (wordChoices !== undefined) lines.push(`${at(name)} -a ${quoted(wordChoices.join(' '))}`)
    for (const flag of flags) lines.push(`${at(name)} -l ${flag.name}${fishValue(flag)} -d ${quoted(flag.meaning)}`)
  }
  const head = '# fish completion of pitdesk: pitdesk completions fish > ~/.config/fish/completions/pitdesk.fish'
  const everywhere = `complete -c pitdesk -f\ncomplete -c pitdesk -l help -d ${quoted(helpFlag.meaning)}`
  return [head, fishList, fishAt(rows), everywhere, ...lines].join('\n')
}

function fishValue({ placeholder, choices, listed }: Flag): string {
  if (placeholder === null) return ''
  if (listed !== undefined) return ` -x -a ${quoted(`(__pitdesk_list ${listed.join(' ')})`)}`
  if (choices !== undefined) return ` -x -a ${quoted(choices.join(' '))}`
  return pathPlaceholders.has(placeholder) ? ' -r -F' : ' -x'
}
