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

/** Flags with known values: the union over all commands, because a name means the same everywhere. */
function chosenFlags(rows: readonly Named[]): Map<string, readonly string[]> {
  const known = new Map<string, readonly string[]>()
  for (const { name, choices, listed } of rows.flatMap(({ flags }) => flags)) {
    const values = choices ?? listed
    if (values !== undefined) known.set(name, [...new Set([...(known.get(name) ?? []), ...values])])
  }
  return known
}

/** Flags whose value is a comma-separated list. */
const listFlags = (rows: readonly Named[]): ReadonlySet<string> =>
  new Set(rows.flatMap(({ flags }) => flags.filter(({ listed }) => listed !== undefined).map(({ name }) => name)))

/** A shell `case` for each flag with known values; `offer` builds its completion. `isList`: comma-separated values. */
function casesOf(rows: readonly Named[], offer: (choices: string, isList: boolean) => string): string {
  const lists = listFlags(rows)
  return [...chosenFlags(rows)]
    .map(([name, choices]) => `    --${name}) ${offer(choices.join(' '), lists.has(name))}; return ;;`)
    .join('\n')
}

const valuedFlags = (rows: readonly Named[]): string[] => [
  ...new Set(
    rows.flatMap(({ flags }) => flags.filter(({ placeholder }) => placeholder !== null).map(({ name }) => name)),
  ),
]

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
  # Bash takes the = of --flag=value for a word of its own.
  if [[ "$cur" == "=" ]]; then cur=""; elif [[ "$prev" == "=" ]]; then prev="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  # What stands before the last comma of a list stays.
  local before="" last="\${cur##*,}"
  [[ "$cur" == *,* ]] && before="\${cur%,*},"
  case "$prev" in
${casesOf(rows, (choices) => `COMPREPLY=($(compgen -P "$before" -W "${choices}" -- "$last"))`)}
  esac
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    case "$command $word" in
${wordsAfter(rows)
  .map(([name]) => `      "${name.includes(' ') ? name : ` ${name}`}") command="${name}" ;;`)
  .join('\n')}
    esac
  done
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
  case "$previous" in
${casesOf(rows, (choices, isList) => `${isList ? zshAfterComma : ''}compadd -- ${choices}`)}
  esac
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$command $word" in
${wordsAfter(rows)
  .map(([name]) => `      ${quoted(name.includes(' ') ? name : ` ${name}`)}) command=${quoted(name)} ;;`)
  .join('\n')}
    esac
  done
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

function fish(rows: readonly CommandRow[]): string {
  const seen = (name: string) =>
    `-n ${quoted(`__fish_seen_subcommand_from ${name.split(' ').join('; and __fish_seen_subcommand_from ')}`)}`
  const nouns = firstWords(rows)
  const lines = nouns.map(
    (name) => `complete -c pitdesk -f -n '__fish_use_subcommand' -a ${name} -d ${quoted(summaryOf(name, rows))}`,
  )
  for (const noun of new Set([...nouns, ...nounsOf(rows)])) {
    for (const verb of verbsOf(noun, rows)) {
      lines.push(`complete -c pitdesk -f ${seen(noun)} -a ${verb} -d ${quoted(summaryOf(`${noun} ${verb}`, rows))}`)
    }
  }
  const valued = valuedFlags(rows)
  for (const row of rows) {
    if (row.wordChoices !== undefined)
      lines.push(`complete -c pitdesk -f ${seen(row.name)} -a ${quoted(row.wordChoices.join(' '))}`)
    for (const { name, meaning, choices, listed } of flagsOf(row)) {
      const values = choices ?? listed
      const words = (values ?? []).join(' ')
      const offer = listed === undefined ? words : `(__pitdesk_list ${words})`
      const value = valued.includes(name) ? ` -x${values === undefined ? '' : ` -a ${quoted(offer)}`}` : ''
      lines.push(`complete -c pitdesk ${seen(row.name)} -l ${name}${value} -d ${quoted(meaning)}`)
    }
  }
  const head = '# fish completion of pitdesk: pitdesk completions fish > ~/.config/fish/completions/pitdesk.fish'
  return [head, fishList, ...lines].join('\n')
}
