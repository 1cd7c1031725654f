import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { err, ok, type Result } from '../../base/result.ts'
import { suggestion, suggestionOf, withSuggestion } from '../../base/text/nearest-name.ts'
import { plainText } from '../../base/text/plain-text.ts'
import { latestMs, utcSecond, utcText } from '../../base/text/time-text.ts'
import { readWrittenTime } from '../../base/text/written-time.ts'

/** A flag of a command. None ever takes a key: everyone on a machine can read argument lists. */
export type Flag = {
  name: string
  /** The name of its value in the usage; null for a flag without a value. */
  placeholder: string | null
  meaning: string
  /** The only values it takes, if they can be listed. */
  choices?: readonly string[]
  /** The choices are incomplete: other values are allowed. */
  takesOthers?: true
  /** Its value is a comma-separated list of these: a shell completes each, and the command reads them. */
  listed?: readonly string[]
  /** Its value is a whole number from the first to the second. */
  whole?: readonly [least: number, most: number]
  /** It may be given more than once. */
  repeats?: true
  /** The command requires it. */
  isRequired?: true
  /** Its default value. */
  standard?: string
}

/** The arguments a command accepts. */
export type Syntax = {
  /** The words after the name, as in the usage. */
  words: string
  wordsMax: number
  /** Where a word belongs that users often add. */
  surplusHint?: string
  /** Other names that users type for a flag, each with the flag. */
  otherNames?: Readonly<Record<string, string>>
  /** The first words of the error for an unreadable line: in an emergency, that it was not done. */
  undone?: string
  flags: readonly Flag[]
}

/** The arguments after a command's name. */
export type Arguments = {
  words: readonly string[]
  /** The value of a flag; its default, or else undefined, when it was not given. */
  value: (name: string) => string | undefined
  /** The value of a flag declared as a whole number; undefined when it was not given. */
  number: (name: string) => number | undefined
  /** Every value of a repeatable flag, in the order typed. */
  values: (name: string) => readonly string[]
  has: (name: string) => boolean
  /** The flags with their values, in the order typed. */
  typedFlags: readonly TypedFlag[]
}

/** A flag as typed; null for one without a value. */
export type TypedFlag = { name: string; value: string | null }

const secretFlag = /^-*((api|partner)-?)?(token|key|secret|password|passphrase)$/i

/** A typed word, safe and short enough to repeat. */
export const shown = (word: string): string => plainText(word).slice(0, 40)

const optionsOf = (flags: readonly Flag[]): ParseArgsOptionsConfig =>
  Object.fromEntries(
    flags.map(({ name, placeholder }) => [name, { type: placeholder === null ? 'boolean' : 'string' }]),
  )

/** The error for a word not in a list: `unknown shell "fsh", did you mean "fish"? bash, zsh, fish`. */
export function unknownWord(what: string, typed: string, known: readonly string[]): string {
  const wrong = typed === '' ? `${what} missing` : `unknown ${what} "${shown(typed)}"`
  const told = withSuggestion(wrong, shown(typed), known, ':')
  // The only known word was already suggested.
  return known.length === 1 && told.endsWith('?') ? told : `${told} ${known.join(', ')}`
}

/** The error of a command line. `saysAll`: the sentence has the bounds of a value, and the help adds nothing. */
export type ArgumentsFault = { sentence: string; saysAll: boolean }

const fault = (sentence: string, saysAll = false) => err<ArgumentsFault>({ sentence, saysAll })

/** Reads arguments by the row's flags. The error names the flag, and never repeats a value. */
export function readArguments(row: Syntax, argv: readonly string[]): Result<Arguments, ArgumentsFault> {
  const { tokens } = parseArgs({ args: [...argv], options: optionsOf(row.flags), strict: false, tokens: true })
  const words: string[] = []
  const flags = new Map<string, Array<string | true>>()
  const typedFlags: TypedFlag[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind !== 'option') continue
    const flag = row.flags.find(({ name }) => name === token.name && token.rawName.startsWith('--'))
    if (flag === undefined) return fault(notAFlag(token.rawName, argv[token.index] ?? '', row, words.length))
    const before = flags.get(flag.name) ?? []
    if (before.length > 0 && flag.repeats !== true) return fault(`${token.rawName} is given twice`)
    const read = readValue(flag, token)
    if (!read.ok) return read
    const { value: typed } = read
    flags.set(flag.name, [...before, typed ?? true])
    typedFlags.push({ name: flag.name, value: typed ?? null })
  }
  if (words.length > row.wordsMax) {
    const hint = surplusHint(row)
    return fault(`${row.words === '' ? 'it takes only' : `too many words: it takes ${row.words} and`} flags${hint}`)
  }
  // A script's variable that is not set; as an id it would name a whole list.
  if (words.includes('')) return fault(`an empty word: it takes ${row.words}`)
  if (flags.has('json') && flags.has('csv')) return fault('use --json or --csv, not both')
  const values = (name: string) => (flags.get(name) ?? []).filter((value) => typeof value === 'string')
  const value = (name: string) => values(name)[0] ?? row.flags.find((flag) => flag.name === name)?.standard
  return ok({
    words,
    value,
    number(name) {
      const text = value(name)
      return text === undefined ? undefined : Number(text)
    },
    values,
    has: (name) => flags.has(name),
    typedFlags,
  })
}

/** The words of a command line that are neither flags nor values of these flags. */
export const bareWords = (flags: readonly Flag[], argv: readonly string[]): string[] =>
  parseArgs({ args: [...argv], options: optionsOf(flags), strict: false }).positionals

/** The choice in its own case, whatever case was typed; null when it is not a choice. */
function chosen(choices: readonly string[] | undefined, typed: string | undefined): string | undefined | null {
  if (choices === undefined || typed === undefined) return typed
  return choices.find((choice) => choice.toLowerCase() === typed.toLowerCase()) ?? null
}

const isWhole = (typed: string | undefined, [least, most]: readonly [number, number]): boolean =>
  typed !== undefined && /^\d{1,16}$/.test(typed) && Number(typed) >= least && Number(typed) <= most

type OptionToken = { rawName: string; value: string | undefined; inlineValue: boolean | undefined }

/** The value of a flag in the case of its choices; undefined for a flag that takes none. */
function readValue(flag: Flag, token: OptionToken): Result<string | undefined, ArgumentsFault> {
  const { rawName } = token
  const wrong = valueComplaint(flag.placeholder, token)
  if (wrong !== null) return fault(`${rawName} ${wrong}`)
  const value = chosen(flag.takesOthers === true ? undefined : flag.choices, token.value)
  if (value === null) return fault(`${rawName} must be one of ${flag.choices?.join(', ')}`)
  if (flag.whole !== undefined && !isWhole(value, flag.whole)) {
    const [least, most] = flag.whole
    return fault(`${rawName} must be a whole number from ${least} to ${most}`, true)
  }
  return ok(value)
}

function valueComplaint(placeholder: string | null, { value, inlineValue }: OptionToken): string | null {
  if (placeholder === null) return value === undefined ? null : 'takes no value'
  if (value === undefined || value === '' || (inlineValue !== true && value.startsWith('--')))
    return `needs ${placeholder} after it`
  return null
}

/** Where a surplus word may belong: for most commands it is a symbol. */
function surplusHint({ surplusHint: said, flags }: Pick<Syntax, 'surplusHint' | 'flags'>): string {
  const usual = flags.some(({ name }) => name === 'symbol') ? 'a symbol goes after --symbol' : undefined
  const hint = said ?? usual
  return hint === undefined ? '' : `; ${hint}`
}

/** The error for a word that begins like a flag, `at` other words behind the command. */
const notAFlag = (rawName: string, typed: string, row: Syntax, at: number): string =>
  /^-\.?\d/.test(typed) ? belowZero(typed, row, at) : unknownFlag(rawName, row)

/** The error for a negative word, by its place: in a plan, prices and distances follow the quantity. */
function belowZero(typed: string, { words }: Pick<Syntax, 'words'>, at: number): string {
  const place = words.split(' ')[at] ?? ''
  const what = place.includes('QUANTITY') ? 'a quantity' : place.includes('AMOUNT') ? 'an amount' : 'a number'
  return `${shown(typed)}: ${what} must be above zero`
}

function unknownFlag(rawName: string, { flags, otherNames }: Pick<Syntax, 'flags' | 'otherNames'>): string {
  if (secretFlag.test(rawName)) {
    return (
      'no flag takes a key, because everyone on this machine can read argument lists: use PITDESK_API_TOKEN, or ' +
      'api_token_file or api_token_command of a profile'
    )
  }
  const names = flags.map(({ name }) => `--${name}`)
  const meant = otherNames?.[rawName]
  const hint = meant === undefined ? suggestion(shown(rawName), names) : suggestionOf([meant])
  return `unknown flag ${shown(rawName)}${hint}`
}

/** A symbol in the exchange's form; undefined when none was given. */
export function readSymbol(text: string | undefined): Result<string | undefined> {
  if (text === undefined) return ok(undefined)
  return /^[A-Za-z0-9._-]{1,40}$/.test(text) && /[A-Za-z0-9]/.test(text)
    ? ok(text.toUpperCase())
    : err('a symbol is written like BTC-USD')
}

export type Times = { fromMs?: number; toMs?: number }

/** The flags that take a time. */
type TimeFlag = 'from' | 'to' | 'since'

/** A flag's day or time, in ms since 1970; undefined when it was not given. `nowMs` is the base of `today` and `7d`. */
export function readTime(given: Pick<Arguments, 'value'>, name: TimeFlag, nowMs: number): Result<number | undefined> {
  const text = given.value(name)
  if (text === undefined) return ok(undefined)
  const read = readWrittenTime(text, nowMs)
  if (!read.ok) return err(`--${name} ${read.error}`)
  // A bare day as an end means its last millisecond.
  return ok(name === 'to' ? read.value.endMs : read.value.startMs)
}

/** `--from` and `--to` in ms since 1970, both inclusive; omitted ones are left out. */
export function readTimes(given: Pick<Arguments, 'value'>, nowMs: number): Result<Times> {
  const from = readTime(given, 'from', nowMs)
  if (!from.ok) return from
  const to = readTime(given, 'to', nowMs)
  if (!to.ok) return to
  const [fromMs, toMs] = [from.value, to.value]
  if (fromMs !== undefined && toMs !== undefined && fromMs > toMs) return err('--from is after --to')
  return ok({ ...(fromMs === undefined ? {} : { fromMs }), ...(toMs === undefined ? {} : { toMs }) })
}

/** True when a time was not typed as a whole UTC day or time, so that the output shows how it was understood. */
export const isTimeUnderstood = (given: Pick<Arguments, 'value'>): boolean =>
  (['from', 'to', 'since'] as const).some((name) => {
    const text = given.value(name)
    // How it was typed does not depend on the time: by this one no span goes back too far.
    const read = text === undefined ? null : readWrittenTime(text, latestMs)
    return read?.ok === true && read.value.isUnderstood
  })

/** `From 2026-11-20 00:00:00 to 2026-11-20 23:59:59 UTC`; null without either end. */
export function timesText({ fromMs, toMs }: Times): string | null {
  if (fromMs === undefined) return toMs === undefined ? null : `Up to ${utcText(toMs)}`
  return toMs === undefined ? `From ${utcText(fromMs)} on` : `From ${utcSecond(fromMs)} to ${utcText(toMs)}`
}

/** A currency code in upper case; undefined when none was given. The error begins with `name`. */
export function readCurrency(name: string, text: string | undefined): Result<string | undefined> {
  if (text === undefined) return ok(undefined)
  return /^[A-Za-z0-9]{1,20}$/.test(text) ? ok(text.toUpperCase()) : err(`${name} is a code such as BTC`)
}

/** An id of the exchange: a whole number of 63 bits. */
export function readId(name: string, text: string): Result<string> {
  return /^\d{1,19}$/.test(text) && BigInt(text) < 2n ** 63n
    ? ok(BigInt(text).toString())
    : err(`${name} must be a whole number from 0 to 9223372036854775807`)
}
