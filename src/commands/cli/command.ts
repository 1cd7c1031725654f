import { usualPort } from '../../base/net/listen.ts'
import type { CommandIo, CommandTools } from '../../base/process/command-io.ts'
import { orderStatuses } from '../../domain/orders/order.ts'
import type { Arguments, Flag, Syntax } from './arguments.ts'
import type { Ending, FailureKind } from './exit-codes.ts'

export type Run = (given: Arguments, io: CommandIo, tools: CommandTools) => Promise<Ending>
/** The verbs of a command with many: loaded only when used. `page` is the help of one noun, or of all. */
export type VerbTable = {
  rows: readonly CommandRow[]
  page: (noun: string | undefined) => string
}

export type CommandRow = Syntax & {
  /** As typed: `book`, `order place`, or in a verb table `sandbox admin symbol add`. */
  name: string
  summary: string
  /** The words that can be listed, for shell completion. */
  wordChoices?: readonly string[]
  /** JSON only with `--json`; other commands with the flag also print it when stdout is not a terminal. */
  isPlain?: true
  /** An alternative when the command does not work: shown to a user who types its verb alone, perhaps in a hurry. */
  elsewhere?: string
  /** Further sentences of the help page. */
  notes: readonly string[]
  /** Its possible failures besides a signal; all unless given. */
  failures?: readonly FailureKind[]
  /** Arguments for the example in its help. */
  example?: string
} & Load

/** The code of a command is loaded when it runs, so that every other command starts sooner. */
type Load = { kind: 'parsed'; load: () => Promise<Run> } | { kind: 'verbs'; load: () => Promise<VerbTable> }

// Flags of several commands, apart from the code that reads them, so that the command table loads at once.

/** The highest port. */
export const portMax = 65_535

export const profileFlag: Flag = {
  name: 'profile',
  placeholder: 'NAME',
  meaning: 'the profile of config.toml to work with',
}

/** For commands that print lines even when stdout is not a terminal. */
export const jsonFlag: Flag = {
  name: 'json',
  placeholder: null,
  meaning: 'one JSON value instead of lines; a failure is {"error": …}',
}

/** For every admin command of a practice exchange. */
export const adminFlags: readonly Flag[] = [
  {
    name: 'json',
    placeholder: null,
    meaning: 'the answer as one line of JSON, as it is wherever stdout is not a terminal',
  },
  {
    name: 'admin-port',
    placeholder: 'N',
    meaning: 'which practice exchange, when several run: the port of its administration',
    whole: [1, portMax],
  },
]

export const formFlags: readonly Flag[] = [
  {
    name: 'json',
    placeholder: null,
    meaning: 'one JSON value, amounts as strings (the form where stdout is not a terminal); a failure is {"error": …}',
  },
  { name: 'csv', placeholder: null, meaning: 'the same fields as CSV, with a header row' },
]

export const symbolFlag: Flag = { name: 'symbol', placeholder: 'SYMBOL', meaning: 'only this symbol, such as BTC-USD' }
export const timeFlags: readonly Flag[] = [
  {
    name: 'from',
    placeholder: 'TIME',
    meaning: 'not older than this, UTC: 2026-11-20, 20261120, 2026-11-20T14:00, today, yesterday, 7d (back)',
  },
  { name: 'to', placeholder: 'TIME', meaning: 'not newer than this; a day counts to its end' },
]
export const pageFlags: readonly Flag[] = [
  { name: 'limit', placeholder: 'COUNT', meaning: 'at most this many, the newest (100)', whole: [1, 9_999_999] },
  { name: 'all', placeholder: null, meaning: 'every entry, page by page' },
]
export const statusFlag: Flag = {
  name: 'status',
  placeholder: 'STATUS',
  meaning: 'orders in this state instead of the working ones',
  choices: orderStatuses,
}

export const currencyFlag: Flag = { name: 'currency', placeholder: 'CODE', meaning: 'only this currency, such as BTC' }

/** The flags of every read. */
export const readFlags: readonly Flag[] = [...formFlags, profileFlag]

export const shells = ['bash', 'zsh', 'fish'] as const

/** The lists of `inbox ls`. */
export const inboxLists = ['events', 'orders', 'sums', 'quarantine', 'dead', 'targets'] as const

/** For a command that serves others: where, over TLS or not, and where `metrics` are. */
export const servingFlags = (what: 'hub' | 'inbox', metrics: string): readonly Flag[] => [
  {
    name: 'port',
    placeholder: 'N',
    meaning: `port of the ${what} (${usualPort}; 0 for any free one)`,
    whole: [0, portMax],
  },
  {
    name: 'host',
    placeholder: 'ADDRESS',
    meaning: 'the address of this machine to listen on (0.0.0.0 with a certificate, else 127.0.0.1)',
  },
  {
    name: 'metrics-port',
    placeholder: 'N',
    meaning: `port of ${metrics}, on 127.0.0.1 (any free one)`,
    whole: [0, portMax],
  },
  { name: 'tls-cert', placeholder: 'FILE', meaning: 'certificate chain in PEM form; reloaded when replaced' },
  { name: 'tls-key', placeholder: 'FILE', meaning: 'its key' },
]
