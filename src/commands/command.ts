import type { Clock } from '../clock.ts'
import type { Arguments } from './arguments.ts'
import type { CommandIo, ExitCode } from './io.ts'

/** A flag of a command. None ever takes a key: argument lists can be read by everyone on a machine. */
export type Flag = {
  name: string
  /** What its value is called in the usage; null: it takes none. */
  placeholder: string | null
  meaning: string
  /** The only values it takes, when they can be listed. */
  choices?: readonly string[]
  /** The choices are only those that are known beforehand. */
  takesOthers?: true
  /** It may be given more than once. */
  repeats?: true
}

/** Time and chance, passed in. */
export type CommandTools = {
  clock: Clock
  random: () => number
  randomBytes: (count: number) => Buffer
}

/** How a command ended; the sentence says why on stderr, after the command's name. */
export type Ending = { code: ExitCode; sentence?: string }
export const done: Ending = { code: 0 }
export const failed = (sentence: string): Ending => ({ code: 1, sentence })
export const wrongUsage = (sentence: string): Ending => ({ code: 2, sentence })

export type Run = (given: Arguments, io: CommandIo, tools: CommandTools) => Promise<Ending>
/** A command that reads its arguments by itself, `--help` too. */
export type OwnRun = (argv: readonly string[], io: CommandIo, tools: CommandTools) => Promise<ExitCode>

export type CommandRow = {
  /** One word, or a noun and a verb. */
  name: string
  summary: string
  /** How the words after the name are called in the usage. */
  words: string
  wordsMost: number
  /** The words that can be listed, for completion. */
  wordChoices?: readonly string[]
  flags: readonly Flag[]
  /** Further sentences of the help page. */
  notes: readonly string[]
} & ({ kind: 'parsed'; load: () => Promise<Run> } | { kind: 'own'; load: () => Promise<OwnRun> }) // Loaded when it runs: what a command does not need is not waited for.
