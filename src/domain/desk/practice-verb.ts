import { err, ok, type Result } from '../../base/result.ts'

/** Fields of a request to the practice exchange's administration. Numbers are sent as text, which is read exactly. */
export type VerbFields = Readonly<Record<string, string | true>>

/**
 * Kinds of names a desk knows: `gatewayCurrencies` are the partner's currencies, `gatewayOrders` the unfinished orders.
 */
export type NameKind = 'accounts' | 'currencies' | 'symbols' | 'gatewayCurrencies' | 'gatewayOrders'

/** An argument of a verb: a bare word, or `--name VALUE`. */
export type VerbArgument = {
  name: string
  /** The value's placeholder in the help; null for a switch. */
  placeholder: string | null
  /** One line for the help. */
  meaning: string
  isRequired: boolean
  /** The request fields it fills. */
  fields: readonly string[]
  /** Possible values, if known: words, or names of a kind. */
  offers?: readonly string[] | NameKind
  /** Reads the fields from the typed text. The error follows the argument's name: `must be …`. A switch gets ''. */
  read: (text: string) => Result<VerbFields>
}

/** An action of the practice exchange's administration: its name, arguments and description. */
export type PracticeVerb = {
  noun: string
  /** Empty for a verb of one word. */
  verb: string
  summary: string
  /** Arguments that may be bare words, in this order; optional ones last. */
  words: readonly VerbArgument[]
  /** Arguments that must be named. */
  flags: readonly VerbArgument[]
  /** Arguments of a valid example. */
  example: string
  /** Sentences for the help, also shown below the answer on a terminal. */
  note: string | null
  /** Irreversible, so the user confirms twice. */
  isFinal?: true
}

/** The administration of the desk's own practice exchange, and its original accounts. */
export type Practice = { verbs: readonly PracticeVerb[]; accounts: readonly string[] }

/** The given arguments: bare words in order, and named ones; a switch has no value. */
export type GivenArguments = { words: readonly string[]; flags: ReadonlyMap<string, string | undefined> }

/** An argument with its typed text and fields. */
export type ReadArgument = { argument: VerbArgument; typed: string; fields: VerbFields }

/** What is wrong with the arguments; `argument` is null for too many words. */
type ArgumentFault = { argument: VerbArgument | null; isMissing: boolean; text: string }

/** The arguments of a verb, words first. */
export const argumentsOf = ({ words, flags }: PracticeVerb): readonly VerbArgument[] => [...words, ...flags]

/** A verb's name as typed: `symbol status`. */
export const verbName = ({ noun, verb }: PracticeVerb): string => `${noun} ${verb}`.trim()

/** An argument's name in the usage: a bare word, with its name if different, or `--name`. */
export function argumentName({ words }: PracticeVerb, argument: VerbArgument, isNamed: boolean): string {
  const { name, placeholder } = argument
  if (!words.includes(argument) || isNamed || placeholder === null) return `--${name}`
  return placeholder === name.toUpperCase() ? placeholder : `${placeholder} (--${name})`
}

const valued = ({ name, placeholder }: VerbArgument): string =>
  placeholder === null ? `--${name}` : `--${name} ${placeholder}`

const bracketed = (usage: string, { isRequired }: VerbArgument): string => (isRequired ? usage : `[${usage}]`)

/** A verb with its bare words: `fault status [STATUS]`. */
export const shortUsageOf = (verb: PracticeVerb): string =>
  [verbName(verb), ...verb.words.map((word) => bracketed(word.placeholder ?? word.name, word))].join(' ')

/** The usage of a verb, from its noun: `fault status [STATUS] [--rate SHARE]`. */
export const usageOf = (verb: PracticeVerb): string =>
  [shortUsageOf(verb), ...verb.flags.map((flag) => bracketed(valued(flag), flag))].join(' ')

/** The arguments of the bare words: those not given by name, in order. */
export const freeWords = ({ words }: PracticeVerb, { flags }: Pick<GivenArguments, 'flags'>): readonly VerbArgument[] =>
  words.filter(({ name }) => !flags.has(name))

/** Reads the arguments of a verb; ignores unknown named ones. */
export function readArguments(verb: PracticeVerb, given: GivenArguments): Result<ReadArgument[], ArgumentFault> {
  const { words, flags } = given
  const free = freeWords(verb, given)
  if (words.length > free.length) {
    return err({
      argument: null,
      isMissing: false,
      text: `there are too many arguments: the usage is ${usageOf(verb)}`,
    })
  }
  const all: ReadArgument[] = []
  for (const argument of argumentsOf(verb)) {
    const { name, meaning, isRequired } = argument
    const typed = flags.has(name) ? (flags.get(name) ?? '') : words[free.indexOf(argument)]
    if (typed === undefined) {
      if (isRequired) return err({ argument, isMissing: true, text: `is missing (${meaning})` })
      continue
    }
    const read = argument.read(typed)
    if (!read.ok) return err({ argument, isMissing: false, text: read.error })
    all.push({ argument, typed, fields: read.value })
  }
  return ok(all)
}

/** The fields of all arguments. */
export const fieldsOf = (all: readonly ReadArgument[]): VerbFields =>
  Object.assign({}, ...all.map(({ fields }) => fields))
