import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { suggestion } from '../base/nearest-name.ts'
import { plainText } from '../base/plain-text.ts'
import { err, ok, type Result } from '../base/result.ts'
import type { CommandRow } from './command.ts'

/** What was typed after a command's name. */
export type Arguments = {
  words: readonly string[]
  /** The value of a flag; undefined when it was not given. */
  value: (name: string) => string | undefined
  /** Every value of a flag that may come more than once, in the order typed. */
  values: (name: string) => readonly string[]
  has: (name: string) => boolean
}

const secretFlag = /^-*((api|partner)-?)?(token|key|secret|password|passphrase)$/i

/** A word from the argument list, fit to be repeated. */
export const shown = (word: string): string => plainText(word).slice(0, 40)

/** Reads arguments by the row's flags. The error names the flag, and never repeats a value. */
export function readArguments(
  row: Pick<CommandRow, 'flags' | 'words' | 'wordsMost'>,
  argv: readonly string[],
): Result<Arguments> {
  const options: ParseArgsOptionsConfig = Object.fromEntries(
    row.flags.map(({ name, placeholder }) => [name, { type: placeholder === null ? 'boolean' : 'string' }]),
  )
  const { tokens } = parseArgs({ args: [...argv], options, strict: false, tokens: true })
  const words: string[] = []
  const flags = new Map<string, Array<string | true>>()
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind !== 'option') continue
    const flag = row.flags.find(({ name }) => name === token.name && token.rawName.startsWith('--'))
    if (flag === undefined) {
      const typed = argv[token.index] ?? ''
      return err(/^-\.?\d/.test(typed) ? belowZero(typed, row) : unknownFlag(token.rawName, row))
    }
    const wrong = valueComplaint(flag.placeholder, token)
    if (wrong !== null) return err(`${token.rawName} ${wrong}`)
    const before = flags.get(flag.name) ?? []
    if (before.length > 0 && flag.repeats !== true) return err(`${token.rawName} is given twice`)
    const value = chosen(flag.takesOthers === true ? undefined : flag.choices, token.value)
    if (value === null) return err(`${token.rawName} must be one of ${flag.choices?.join(', ')}`)
    flags.set(flag.name, [...before, value ?? true])
  }
  if (words.length > row.wordsMost) {
    return err(row.words === '' ? 'it takes only flags' : `too many words: it takes ${row.words} and flags`)
  }
  if (flags.has('json') && flags.has('csv')) return err('use --json or --csv, not both')
  const values = (name: string) => (flags.get(name) ?? []).filter((value) => typeof value === 'string')
  return ok({
    words,
    value: (name) => values(name)[0],
    values,
    has: (name) => flags.has(name),
  })
}

/** The choice in its own letters, whatever letters it was typed in; null when it is none. */
function chosen(choices: readonly string[] | undefined, typed: string | undefined): string | undefined | null {
  if (choices === undefined || typed === undefined) return typed
  return choices.find((choice) => choice.toLowerCase() === typed.toLowerCase()) ?? null
}

type OptionToken = { value: string | undefined; inlineValue: boolean | undefined }

function valueComplaint(placeholder: string | null, { value, inlineValue }: OptionToken): string | null {
  if (placeholder === null) return value === undefined ? null : 'takes no value'
  if (value === undefined || value === '' || (inlineValue !== true && value.startsWith('--')))
    return `needs ${placeholder} after it`
  return null
}

function belowZero(typed: string, { words }: Pick<CommandRow, 'words'>): string {
  const what = words.includes('QUANTITY') ? 'a quantity' : words.includes('AMOUNT') ? 'an amount' : 'a number'
  return `${shown(typed)}: ${what} must be above zero`
}

function unknownFlag(rawName: string, { flags }: Pick<CommandRow, 'flags'>): string {
  if (secretFlag.test(rawName)) {
    return `no flag takes a key, because argument lists can be read by everyone on this machine: use PITDESK_API_TOKEN, or api_token_file or api_token_command of a profile`
  }
  const names = flags.map(({ name }) => `--${name}`)
  return `there is no flag ${shown(rawName)}${suggestion(shown(rawName), names)}`
}
