import { err, ok, type Result } from '../../base/result.ts'
import { suggestion } from '../../base/text/nearest-name.ts'
import { capital, withStop } from '../../base/text/plain-text.ts'
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

/** The first word of a sentence to the practice exchange. */
export const practiceWord = 'practice'

/** The last word of a sentence with an irreversible verb. */
const surely = 'surely'

/** A request to the practice exchange, with its arguments. */
export type PracticeRequest = { verb: PracticeVerb; given: readonly ReadArgument[] }

/** What the desk's own practice exchange accepts; null on another exchange. */
export type PracticeSlice = { practice: Practice | null }

/** The words of a line; quotes join several words. A quote that is not closed holds the rest. */
const tokensOf = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'?|"([^"]*)"?|(\S+)/g)].map(([, single, double, bare]) => single ?? double ?? bare ?? '')

const nounsOf = ({ verbs }: Practice): string[] => [...new Set(verbs.map(({ noun }) => noun))]

/** The verb after `practice`, and the words after it; undefined without one. */
function verbAt(words: readonly string[], { verbs }: Practice): { verb: PracticeVerb; rest: string[] } | undefined {
  const [noun = '', name = ''] = words.map((word) => word.toLowerCase())
  const verb = verbs.find((each) => each.noun === noun && (each.verb === '' || each.verb === name))
  return verb === undefined ? undefined : { verb, rest: words.slice(verb.verb === '' ? 1 : 2) }
}

/** Separates bare words from `--name VALUE`. */
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

/** The exact name of an account typed in another case. */
const asNamed = (argument: VerbArgument | undefined, typed: string, { accounts }: Practice): string => {
  const named = accounts.find((each) => each.toLowerCase() === typed.toLowerCase())
  return argument?.offers === 'accounts' && !accounts.includes(typed) && named !== undefined ? named : typed
}

/** Reads a line that begins with `practice`. The error is a sentence: what is missing or wrong, and what to say. */
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

/** The possible words at the end of the line: nouns, verbs, values of an argument, and names of arguments. */
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

/** An argument for the user to check: the typed text, and the value for the exchange if it differs. */
function argumentWords({ argument, typed, fields }: ReadArgument): string {
  const name = argument.name.replaceAll('-', ' ')
  if (argument.placeholder === null) return name
  const [value, ...more] = Object.values(fields)
  if (more.length > 0 || typeof value !== 'string' || value === typed) return `${name} ${typed}`
  return value.toLowerCase() === typed.toLowerCase() ? `${name} ${value}` : `${name} ${typed} (${value})`
}

/** The reading of the request, a line each. */
export function practiceReading({ verb, given }: PracticeRequest): string[] {
  const what = `On the practice exchange, ${verbName(verb)}: ${verb.summary}.`
  return [what, ...(given.length === 0 ? [] : [`${given.map(argumentWords).join(', ')}.`])]
}

/** The request in the log: `deposit start trader BTC 0.5`. */
export const practiceRequestText = ({ verb, given }: PracticeRequest): string =>
  [
    verbName(verb),
    ...given.map(({ argument, typed }) => {
      if (verb.words.includes(argument)) return typed
      return argument.placeholder === null ? `--${argument.name}` : `--${argument.name} ${typed}`
    }),
  ].join(' ')

/** The parts that its commands use. */
type Context = SliceContext<ModeSlice & PracticeSlice, NotedEvent, PracticePort>

export type PracticeCommands = {
  /**
   * Sends a request to the desk's own practice exchange; its answer comes as a notice. Refused on another exchange and
   * in MONITOR.
   */
  runPractice(request: PracticeRequest): void
}

/** The user's commands for the practice exchange besides trading. */
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
 * The request and the exchange's answer. The id of a new gateway order comes first: the user needs it next, and a
 * notice is cut at its end.
 */
function doneText(what: string, first: string): string {
  const [begun = '', id = ''] = /^order id ([^\s,]+)(?:, )?/.exec(first) ?? []
  if (id === '' || what.includes(id)) return `Practice ${what}: ${first}`
  const rest = first.slice(begun.length)
  return `${capital(begun.replace(/, $/, ''))}: practice ${what}${rest === '' ? '' : `: ${rest}`}`
}

/**
 * The answer in the log, and its first line as the notice: the request with the exchange's answer, or the reason for a
 * failure.
 */
export function practiceAnswered(
  request: PracticeRequest,
  answer: Result<readonly string[]>,
  atMs: number,
): readonly NotedEvent[] {
  const what = practiceRequestText(request)
  if (!answer.ok) return [{ type: 'noted', level: 'warn', text: withStop(`Practice ${what}: ${answer.error}`), atMs }]
  const [first = 'done', ...more] = answer.value
  // The log shows the newest line first: reversed, the details keep the exchange's order below the result.
  const details = more.toReversed().map((text): NotedEvent => ({ type: 'noted', level: 'info', text, atMs }))
  return [...details, { type: 'noted', level: 'good', text: withStop(doneText(what, first)), atMs }]
}

export type PracticePort = {
  /** Sends a request to the desk's own practice exchange; its answer arrives as notices. */
  runPractice(request: PracticeRequest): void
}
