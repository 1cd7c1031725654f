import { suggestion } from '../../base/nearest-name.ts'
import { capital, withStop } from '../../base/plain-text.ts'
import { err, ok, type Result } from '../../base/result.ts'
import {
  argumentsOf,
  freeWords,
  type GivenArguments,
  type NameKind,
  type Practice,
  type PracticeVerb,
  type ReadArgument,
  readArguments,
  usageOf,
  type VerbArgument,
  verbName,
} from '../../domain/desk/practice-verb.ts'
import { type NotedEvent, sayer } from '../log.ts'
import { type ModeSlice, modeSentence } from '../mode.ts'
import type { SliceContext } from '../slice.ts'

/** The word that a sentence to the practice exchange begins with. */
export const practiceWord = 'practice'

/** The word at the end of a sentence whose verb has no way back. */
const surely = 'surely'

/** A line that says what to do with the practice exchange, and with what. */
export type PracticeRequest = { verb: PracticeVerb; given: readonly ReadArgument[] }

/** What can be done with the desk's own practice exchange; null where the desk trades on another one. */
export type PracticeSlice = { practice: Practice | null }

/** The words of a line; quotes hold several together. An opened quote that is not closed holds the rest. */
const tokensOf = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'?|"([^"]*)"?|(\S+)/g)].map(([, single, double, bare]) => single ?? double ?? bare ?? '')

const nounsOf = ({ verbs }: Practice): string[] => [...new Set(verbs.map(({ noun }) => noun))]

/** The verb that the words after `practice` begin with, and the words behind it; undefined while it is not said. */
function verbAt(words: readonly string[], { verbs }: Practice): { verb: PracticeVerb; rest: string[] } | undefined {
  const [noun = '', name = ''] = words.map((word) => word.toLowerCase())
  const verb = verbs.find((each) => each.noun === noun && (each.verb === '' || each.verb === name))
  return verb === undefined ? undefined : { verb, rest: words.slice(verb.verb === '' ? 1 : 2) }
}

/** Bare words and `--name VALUE` apart. */
function split(verb: PracticeVerb, tokens: readonly string[]): Result<GivenArguments> {
  const words: string[] = []
  const flags = new Map<string, string | undefined>()
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] ?? ''
    if (!token.startsWith('--')) {
      words.push(token)
      continue
    }
    const [name = '', ...inline] = token.slice(2).split('=')
    const argument = argumentsOf(verb).find((each) => each.name === name.toLowerCase())
    if (argument === undefined) return err(`Unknown flag --${name}: ${usageOf(verb)}.`)
    if (flags.has(argument.name)) return err(`--${argument.name} is given twice.`)
    if (argument.placeholder === null) flags.set(argument.name, undefined)
    else if (inline.length > 0) flags.set(argument.name, inline.join('='))
    else {
      at += 1
      const value = tokens[at]
      if (value === undefined) return err(`Incomplete: --${argument.name} needs a value: ${argument.meaning}.`)
      flags.set(argument.name, value)
    }
  }
  return ok({ words, flags })
}

/** An account's own name where only the case differs. */
const asNamed = (argument: VerbArgument | undefined, typed: string, { accounts }: Practice): string => {
  const named = accounts.find((each) => each.toLowerCase() === typed.toLowerCase())
  return argument?.offers === 'accounts' && !accounts.includes(typed) && named !== undefined ? named : typed
}

/** Reads a line that begins with `practice`. The error is a sentence: what is missing or wrong, and what would do. */
export function readPracticeLine(line: string, practice: Practice): Result<PracticeRequest> {
  const [, ...words] = tokensOf(line)
  const nouns = nounsOf(practice)
  const [noun = '', name = ''] = words.map((word) => word.toLowerCase())
  if (noun === '') return err(`Incomplete: next comes ${nouns.join(', ')}.`)
  const begun = name === '' ? nouns.filter((each) => each.startsWith(noun)) : []
  if (!nouns.includes(noun) && begun.length > 0) return err(`Incomplete: it may become ${begun.join(', ')}.`)
  if (!nouns.includes(noun)) {
    return err(`The practice exchange has no "${noun}"${suggestion(noun, nouns) || `, only ${nouns.join(', ')}.`}`)
  }
  const found = verbAt(words, practice)
  if (found === undefined) {
    const names = practice.verbs.filter((each) => each.noun === noun).map(({ verb }) => verb)
    const lead = name === '' ? 'Incomplete: next' : `Unknown command "${noun} ${name}": after ${noun}`
    return err(`${lead} comes ${names.join(', ')}.`)
  }
  const { verb } = found
  if (verb.isFinal === true && found.rest.at(-1)?.toLowerCase() !== surely) {
    return err(`${capital(verb.summary)}. ${verb.note ?? ''} This cannot be undone: say "${surely}" at the end.`)
  }
  const given = split(verb, verb.isFinal === true ? found.rest.slice(0, -1) : found.rest)
  if (!given.ok) return given
  const free = freeWords(verb, given.value)
  const named = given.value.words.map((word, at) => asNamed(free[at], word, practice))
  const read = readArguments(verb, { ...given.value, words: named })
  if (read.ok) return ok({ verb, given: read.value })
  const { argument, isMissing, text } = read.error
  if (argument === null) return err(`${capital(text)}.`)
  const wanted = argument.placeholder ?? argument.name
  return err(isMissing ? `Incomplete: next ${wanted}: ${argument.meaning}.` : `${wanted} ${text}.`)
}

/** What may stand at the end of the line: nouns, verbs, what an argument may be, and the names of arguments. */
export function practiceWords(
  line: string,
  practice: Practice,
  names: Readonly<Record<Exclude<NameKind, 'accounts'>, readonly string[]>>,
): readonly string[] {
  const isNew = /\s$/.test(line)
  const [, ...said] = tokensOf(line)
  const before = isNew ? said : said.slice(0, -1)
  if (before.length === 0) return nounsOf(practice)
  const found = verbAt(before, practice)
  if (found === undefined) {
    return practice.verbs
      .filter(({ noun, verb }) => before.length === 1 && noun === before[0] && verb !== '')
      .map(({ verb }) => verb)
  }
  const { verb, rest } = found
  const offersOf = (argument: VerbArgument | undefined): readonly string[] => {
    const offers = argument?.offers ?? []
    if (typeof offers !== 'string') return offers
    return offers === 'accounts' ? practice.accounts : names[offers]
  }
  const last = rest.at(-1) ?? ''
  const asked = last.startsWith('--') ? argumentsOf(verb).find(({ name }) => `--${name}` === last) : undefined
  if (asked !== undefined && asked.placeholder !== null) return offersOf(asked)
  const given = split(verb, rest)
  if (!given.ok) return []
  const next = freeWords(verb, given.value)[given.value.words.length]
  const flags = verb.flags.filter(({ name }) => !given.value.flags.has(name)).map(({ name }) => `--${name}`)
  return next?.isRequired === true ? offersOf(next) : [...offersOf(next), ...flags]
}

/** An argument as a person checks it: what was typed, and what it is for the exchange where that is not the same. */
function argumentWords({ argument, typed, fields }: ReadArgument): string {
  const name = argument.name.replaceAll('-', ' ')
  if (argument.placeholder === null) return name
  const [value, ...more] = Object.values(fields)
  if (more.length > 0 || typeof value !== 'string' || value === typed) return `${name} ${typed}`
  return value.toLowerCase() === typed.toLowerCase() ? `${name} ${value}` : `${name} ${typed} (${value})`
}

/** What was understood, a line each. */
export function practiceReading({ verb, given }: PracticeRequest): string[] {
  const what = `On the practice exchange, ${verbName(verb)}: ${verb.summary}.`
  return [what, ...(given.length === 0 ? [] : [`${given.map(argumentWords).join(', ')}.`])]
}

/** The request as the log names it: `deposit start trader BTC 0.5`. */
export const practiceRequestText = ({ verb, given }: PracticeRequest): string =>
  [
    verbName(verb),
    ...given.map(({ argument, typed }) => {
      if (verb.words.includes(argument)) return typed
      return argument.placeholder === null ? `--${argument.name}` : `--${argument.name} ${typed}`
    }),
  ].join(' ')

/** What its commands work with. */
type Context = SliceContext<ModeSlice & PracticeSlice, NotedEvent, PracticePort>

export type PracticeCommands = {
  /**
   * Does one thing with the desk's own practice exchange; its answer comes as a notice. A desk on another exchange only
   * says no.
   */
  runPractice(request: PracticeRequest): void
}

/** What a person does with the practice exchange beside trading on it. */
export function createPracticeCommands({ store, port }: Context): PracticeCommands {
  const say = sayer({ store, port })
  return {
    runPractice(request) {
      const state = store.getState()
      if (state.practice === null) return say('This desk does not run a practice exchange of its own.')
      if (state.mode.kind === 'MONITOR') return say(modeSentence(state))
      port.runPractice(request)
    },
  }
}

/**
 * What was done and what the exchange says of it. The id of a new order of the gateway comes first: a person goes on
 * with it, and a notice is cut at its end.
 */
function doneText(what: string, first: string): string {
  const [begun = '', id = ''] = /^order id ([^\s,]+)(?:, )?/.exec(first) ?? []
  if (id === '' || what.includes(id)) return `Practice ${what}: ${first}`
  const rest = first.slice(begun.length)
  return `${capital(begun.replace(/, $/, ''))}: practice ${what}${rest === '' ? '' : `: ${rest}`}`
}

/**
 * The answer in the log, and its first line as the notice: what was done and what the exchange says of it, or why it
 * was not.
 */
export function practiceAnswered(
  request: PracticeRequest,
  answer: Result<readonly string[]>,
  atMs: number,
): readonly NotedEvent[] {
  const what = practiceRequestText(request)
  if (!answer.ok) return [{ type: 'noted', level: 'warn', text: withStop(`Practice ${what}: ${answer.error}`), atMs }]
  const [first = 'done', ...more] = answer.value
  // The log shows the newest first: so they stand there in the exchange's order, below what was done.
  const details = more.toReversed().map((text): NotedEvent => ({ type: 'noted', level: 'info', text, atMs }))
  return [...details, { type: 'noted', level: 'good', text: withStop(doneText(what, first)), atMs }]
}

export type PracticePort = {
  /** Asks the desk's own practice exchange to do something; what it says arrives as notices. */
  runPractice(request: PracticeRequest): void
}
