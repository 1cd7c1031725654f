import type { TypedFlag } from './arguments.ts'

/** A word quoted for a shell, if needed. */
export const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`

/** A command as typed in a shell: `pitdesk order place buy 0.05 BTC-USD --limit 64000`. */
export const commandLine = (name: string, words: readonly string[], flags: readonly TypedFlag[]): string =>
  [
    ...['pitdesk', name, ...words.map(quoted)],
    ...flags.flatMap((flag) => [`--${flag.name}`, ...(flag.value === null ? [] : [quoted(flag.value)])]),
  ].join(' ')
