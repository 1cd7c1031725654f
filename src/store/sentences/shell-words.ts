import { plainText } from '../../base/text/plain-text.ts'
import { keyOf } from '../../domain/desk/session.ts'
import { planWords } from '../../domain/plans/sentence.ts'
import type { DeskState } from '../desk.ts'
import { type PaneName, paneTable, paneTitle } from '../view/panes.ts'
import { asked, type Reading, wrong } from './sentence.ts'

/** A shell's command in the palette: why it is none here, and the lines that do the same; null for no answer. */
type Answer = { why: string; lines: readonly string[] } | null

/** The words behind a command's name, as typed. */
type Behind = readonly string[]

/** What a command of the shell is in the palette; `typed`: its first words, for the sentence. */
type ShellWord = (behind: Behind, typed: string, state: DeskState) => Answer

const lower = (text: string | undefined): string => text?.toLowerCase() ?? ''

/** Flags with a value that a sentence does not take. */
const droppedValues = new Set(['--profile', '--accept', '--client-order-id', '--note', '--expires', '--key', '--tif'])

/** Flags that a sentence has a word for. */
const flagWords: Readonly<Record<string, string>> = {
  '--limit': '@',
  '--market': 'market',
  '--stop': 'stop',
  '--expire': 'gtd',
  '--post-only': 'post',
  '--leave': 'leave',
  '--to': 'to',
  '--max': 'all',
}

/** The words without flags: those that a sentence has a word for become it, others go with their values. */
function withoutFlags(behind: Behind): string[] {
  const words = behind.flatMap((word) => (word.startsWith('--') ? word.split('=', 2) : [word]))
  return words.flatMap((word, at) => {
    const before = lower(words[at - 1])
    if (word.startsWith('--')) return flagWords[lower(word)] ?? []
    if (before === '--tif') return /^(ioc|fok)$/i.test(word) ? [word] : []
    return droppedValues.has(before) ? [] : [word]
  })
}

const inShell = (typed: string): string =>
  `"${typed}" begins a command in a shell. Here a line begins with what it does, and a cancel asks first.`

const asLine = (typed: string, ...lines: readonly string[]): Answer => ({ why: inShell(typed), lines })

const inPane =
  (pane: PaneName, how = 'shows it'): ShellWord =>
  (_, typed) => ({
    why: `"${typed}" is a command for a shell. Here ${paneTitle(pane)} ${how}.`,
    lines: [`go to ${paneTitle(pane)}`],
  })

const inShellOnly: ShellWord = (behind, typed) => ({
  why: `"${typed}" is a command for a shell, beside this desk: pitdesk ${plainText([typed, ...behind].join(' '))}.`,
  lines: [],
})

/** Halting for every desk of a hub: the line that halts this one is offered, and it says that nothing is halted yet. */
const ofHub: ShellWord = (behind, typed, state) =>
  lower(behind[0]) === 'halt'
    ? { why: `NOT halted: "${typed} halt" is a command for a shell. halt here is for this desk.`, lines: ['halt'] }
    : inShellOnly(behind, typed, state)

const inBook: ShellWord = ([symbol], typed, state) =>
  symbol === undefined || symbol.startsWith('-')
    ? inPane('ladder')([], typed, state)
    : { why: `"${typed}" is a command for a shell. Here the ladder shows it.`, lines: [`symbol ${lower(symbol)}`] }

const cancelWords = new Set(['cancel', 'kill', 'delete', 'remove', 'stop', 'end'])
const addWords = new Set(['place', 'add', 'new', 'start'])
const moveWords = new Set(['edit', 'amend', 'modify', 'replace', 'move', 'change'])

/** `place buy 0.1 btc --limit 64000`, `cancel 123`, `drafts`: behind `order`, or `orders`. */
const ofOrder: ShellWord = (behind, typed, state) => {
  const [verb, ...rest] = behind
  const words = withoutFlags(rest)
  const done = lower(verb)
  if (verb === undefined || done.startsWith('--')) return inPane('orders')(rest, typed, state)
  if (done === 'buy' || done === 'sell') return asLine(typed, withoutFlags(behind).join(' '))
  if (addWords.has(done)) return asLine(typed, ...(words.length === 0 ? ['buy', 'sell'] : [words.join(' ')]))
  if (/^cancel-?all$/.test(done)) return asLine(typed, ['cancel all', ...words].join(' '))
  if (cancelWords.has(done)) return asLine(typed, ['cancel', ...words].join(' '))
  if (moveWords.has(done)) {
    const key = keyOf(state.reboundKeys, 'moveSelected')
    return { ...asLine(typed), why: `An order is moved with a key: choose it in 2 Orders and press ${key}.`, lines: [] }
  }
  return inPane('orders', 'lists orders and drafts')(rest, `${typed} ${plainText(done).slice(0, 16)}`, state)
}

/** `add trail …`, `trail …`, `cancel p1`, `edit p1 stop 63500`: behind `plan`, or `plans`. */
const ofPlan: ShellWord = (behind, typed) => {
  const [verb, ...rest] = withoutFlags(behind)
  const done = lower(verb)
  const words = rest.join(' ')
  if (Object.hasOwn(planWords, done)) return asLine(typed, [done, words].join(' ').trim())
  if (addWords.has(done)) return asLine(typed, words === '' ? 'bracket' : words)
  if (cancelWords.has(done)) return asLine(typed, `cancel plan ${words}`.trim())
  if (moveWords.has(done)) return asLine(typed, `edit plan ${words}`.trim())
  if (done === 'resume') return asLine(typed, `resume ${words}`.trim())
  return asLine(typed, 'plans')
}

/** `BTC 0.5 --to NAME`, `BTC --max --to NAME`: the palette has the amount before the currency. */
const ofWithdrawal: ShellWord = (behind, typed) => {
  const [currency = '', ...rest] = withoutFlags(behind)
  const to = rest.map(lower).lastIndexOf('to')
  const isMax = rest.some((word, at) => lower(word) === 'all' && at !== to + 1)
  const amount = isMax ? 'all' : (rest.find((word) => /\d/.test(word)) ?? '')
  const name = to < 0 ? [] : rest.slice(to + 1).filter((word) => word !== amount)
  if (currency === '' || amount === '') return null
  return asLine(typed, ['withdraw', amount, lower(currency), ...(name.length === 0 ? [] : ['to', ...name])].join(' '))
}

const ofPractice: ShellWord = (behind, typed, state) => {
  const [admin, ...verb] = behind
  if (lower(admin) !== 'admin' || state.practice === null) return inShellOnly(behind, typed, state)
  return asLine(typed, ['practice', ...verb].join(' '))
}

const ofManual: ShellWord = (behind) => ({
  why: `The manual is for a shell: pitdesk ${plainText(['help', ...behind].join(' '))}. Here help lists every key.`,
  lines: ['help'],
})

/** `notify test` is a command; what else begins so asks for an alert. */
const ofNotify: ShellWord = (behind, typed, state) =>
  behind.length === 0 || lower(behind[0]) === 'test'
    ? inShellOnly(behind, typed, state)
    : { why: `"${typed}" is alert here.`, lines: [`alert ${behind.join(' ')}`] }

const ofLock: ShellWord = (behind, typed, state) =>
  ['setup', 'remove', 'approver'].includes(lower(behind[0])) ? inShellOnly(behind, typed, state) : null

const ofDepositAddress: ShellWord = ([currency = ''], typed) => asLine(typed, `deposit ${lower(currency)}`.trim())

const ofSymbols: ShellWord = (_, typed, { reboundKeys }) => ({
  why: `"${typed}" is a command for a shell. Here ${keyOf(reboundKeys, 'chooseSymbol')} lists the symbols.`,
  lines: ['choose the symbol'],
})

/** Every first word of a command of the shell that begins no sentence here. */
const shellWords: Readonly<Record<string, ShellWord>> = {
  ...{ order: ofOrder, orders: ofOrder, plan: ofPlan, plans: ofPlan, withdraw: ofWithdrawal },
  ...{ book: inBook, symbols: ofSymbols, tickers: inPane('tickers'), fills: inPane('fills') },
  ...{ fees: inPane('session'), balances: inPane('balances'), journal: inPane('log'), trades: inPane('orders') },
  ...{ deposits: inPane('transfers'), withdrawals: inPane('transfers'), whitelist: inPane('transfers') },
  ...{ 'deposit-address': ofDepositAddress, sandbox: ofPractice, help: ofManual, man: ofManual },
  ...{ hub: ofHub, firm: ofHub, inbox: inShellOnly, lock: ofLock, history: inShellOnly },
  ...{ watch: inShellOnly, notify: ofNotify, mcp: inShellOnly, schema: inShellOnly, doctor: inShellOnly },
  ...{ completions: inShellOnly, eligibility: inShellOnly, desk: inShellOnly },
  version: (_, typed) => ({ why: `"${typed}" is a flag for a shell: pitdesk --version.`, lines: [] }),
}

/** Words that name a key's action when nothing follows: `fills`, `lock`, `help`. */
const actionWords = new Set([...paneTable.map(({ title }) => title.toLowerCase()), 'lock', 'help', 'order', 'plans'])

/** True for a word that alone is a pane, an action or a shell's command, and no slip for another word. */
export const isNameAlone = (word: string): boolean =>
  actionWords.has(lower(word)) || Object.hasOwn(shellWords, lower(word))

/** The program's name before a command, as it is typed in a shell. */
const programName = /^(?:npm\s+start(?:\s+-s)?(?:\s+--)?|(?:npx\s+)?pitdesk)(?:\s+|$)/i

/**
 * A line that is a command of the shell, with or without the program's name: the line that does the same here, or where
 * it belongs. `isLine` tells whether a text is a line of the palette.
 */
export function readShellLine(line: string, state: DeskState, isLine: (text: string) => boolean): Reading | null {
  const trimmed = line.trim()
  const text = trimmed.replace(programName, '')
  const isNamed = text !== trimmed
  if (isNamed && text === '') return wrong('This is the desk. A line begins with what it does: buy 0.1 btc.')
  const [first = '', ...behind] = text.split(/\s+/)
  const word = Object.hasOwn(shellWords, lower(first)) ? shellWords[lower(first)] : undefined
  if (!isNamed && behind.length === 0 && actionWords.has(lower(first))) return null
  const answer = word?.(behind, lower(first), state) ?? null
  if (answer !== null) return asked([answer.why], answer.lines)
  return isNamed && isLine(text) ? asked([inShell('pitdesk')], [text]) : null
}
