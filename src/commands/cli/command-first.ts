import { plainText } from '../../base/text/plain-text.ts'
import { bareWords, readArguments } from './arguments.ts'
import type { CommandRow } from './command.ts'
import { quoted } from './command-line.ts'

/**
 * The correct form of a command typed after its own flags: `pitdesk orders --json`; null when no word is a command.
 * Arguments that would not be understood are omitted (`pitdesk orders …`), including values of no flag.
 */
export function commandFirst(argv: readonly string[], rows: readonly CommandRow[]): string | null {
  const deskFlags = rows.find(({ name }) => name === 'desk')?.flags ?? []
  const found = rows
    // Of two flags with one name the command's own counts.
    .map((row) => ({ row, bare: bareWords([...deskFlags, ...row.flags], argv) }))
    .filter(({ row, bare }) => row.name.split(' ').every((word, at) => bare[at] === word))
    .toSorted((one, other) => other.row.name.length - one.row.name.length)[0]?.row
  if (found === undefined) return nounFirst(argv, rows)
  const rest = withoutWords(argv, found.name.split(' '))
  const isPlain = rest.every((word) => word === plainText(word))
  const isUnderstood = found.kind === 'parsed' && isPlain && readArguments(found, rest).ok
  return ['pitdesk', found.name, ...(isUnderstood ? rest.map(quoted) : ['…'])].join(' ')
}

/** The command line for a noun without its verb, `pitdesk orders …`; null when the first word is not a noun. */
function nounFirst(argv: readonly string[], rows: readonly CommandRow[]): string | null {
  const noun = bareWords(rows.find(({ name }) => name === 'desk')?.flags ?? [], argv)[0]
  const isNoun = noun !== undefined && noun !== argv[0] && rows.some(({ name }) => name.startsWith(`${noun} `))
  return isNoun ? `pitdesk ${noun} …` : null
}

/** The arguments without these words, each removed once, in their order. */
function withoutWords(argv: readonly string[], words: readonly string[]): string[] {
  let taken = 0
  return argv.filter((word) => {
    const isNext = word === words[taken]
    if (isNext) taken += 1
    return !isNext
  })
}
