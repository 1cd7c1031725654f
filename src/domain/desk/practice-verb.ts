import { err, ok, type Result } from '../../base/result.ts'

/** Fields of a request to the practice exchange's administration. Numbers travel as text, which it reads exactly. */
export type VerbFields = Readonly<Record<string, string | true>>

/**
 * Names that a desk knows: `gatewayCurrencies` are those the partner may deal in, `gatewayOrders` the orders that have
 * not ended.
 */
export type NameKind = 'accounts' | 'currencies' | 'symbols' | 'gatewayCurrencies' | 'gatewayOrders'

/** One argument of a verb: a bare word, or `--name VALUE`. */
export type VerbArgument = {
  name: string
  /** What stands for the value in the help; null for a switch, which takes none. */
  placeholder: string | null
  /** One line for the help. */
  meaning: string
  isRequired: boolean
  /** The fields of the request that it fills. */
  fields: readonly string[]
  /** What it may be, where that is known: words, or names of this kind. */
  offers?: readonly string[] | NameKind
  /**
   * The fields' values from the text as typed. The error follows the argument's name: `must be …`. A switch is given
   * ''.
   */
  read: (text: string) => Result<VerbFields>
}

/**
 * One thing the administration of a practice exchange can do: what it is called, what it takes, what a person reads of
 * it.
 */
export type PracticeVerb = {
  noun: string
  /** Empty for a verb of one word. */
  verb: string
  summary: string
  /** What may be given as a bare word too, in this order. Those that may be left out come last. */
  words: readonly VerbArgument[]
  /** What has to be given by its name. */
  flags: readonly VerbArgument[]
  /** Arguments of a call that makes sense. */
  example: string
  /** Sentences for the help, and below the answer on a terminal. */
  note: string | null
  /** There is no way back from it: a person says so twice. */
  isFinal?: true
}

/** What can be done with the desk's own practice exchange, and the accounts it was opened with. */
export type Practice = { verbs: readonly PracticeVerb[]; accounts: readonly string[] }

/** What was given to a verb: bare words in their order, and named arguments; a switch has no value. */
export type GivenArguments = { words: readonly string[]; flags: ReadonlyMap<string, string | undefined> }

/** An argument with what was typed for it, and the fields that came of it. */
export type ReadArgument = { argument: VerbArgument; typed: string; fields: VerbFields }

/** What is wrong with the arguments; `argument` is null when there are too many words. */
type ArgumentFault = { argument: VerbArgument | null; isMissing: boolean; text: string }

/** What a verb takes, words first. */
export const argumentsOf = ({ words, flags }: PracticeVerb): readonly VerbArgument[] => [...words, ...flags]

/** A verb's name as it is typed: `symbol status`. */
export const verbName = ({ noun, verb }: PracticeVerb): string => `${noun} ${verb}`.trim()

/** An argument as the usage calls it: a bare word, with its name where that is another; else `--name`. */
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

/** How a verb is typed, from its noun on: `fault status [STATUS] [--rate SHARE]`. */
export const usageOf = (verb: PracticeVerb): string =>
  [shortUsageOf(verb), ...verb.flags.map((flag) => bracketed(valued(flag), flag))].join(' ')

/** Which argument each bare word stands for: those that are not given by their names, in order. */
export const freeWords = ({ words }: PracticeVerb, { flags }: Pick<GivenArguments, 'flags'>): readonly VerbArgument[] =>
  words.filter(({ name }) => !flags.has(name))

/** Reads what was given to a verb; named arguments that are not the verb's own are not looked at. */
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

/** The fields of all of them together. */
export const fieldsOf = (all: readonly ReadArgument[]): VerbFields =>
  Object.assign({}, ...all.map(({ fields }) => fields))
