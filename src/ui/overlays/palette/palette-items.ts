import { memoizeLast } from '../../../base/memoize.ts'
import { fuzzyMatch, isByWords } from '../../../base/text/fuzzy.ts'
import { nearestNames } from '../../../base/text/nearest-name.ts'
import { verbName } from '../../../domain/desk/practice-verb.ts'
import { keyName } from '../../../domain/desk/session.ts'
import type { DeskState } from '../../../store/desk.ts'
import { practiceWord } from '../../../store/practice/practice.ts'
import type { Reading } from '../../../store/sentences/sentence.ts'
import { completeSentence, readSentence, sentenceOffers, sentencesOf } from '../../../store/sentences/sentences.ts'
import { matchingSymbols } from '../../../store/symbols.ts'
import { listInFocus } from '../../../store/tables/table-commands.ts'
import type { ListPane } from '../../../store/view/lists.ts'
import { actionName, type Binding, unavailableReason } from '../../tables/key-bindings.ts'
import { isQuestion } from '../../tables/key-scopes.ts'
import { sourceOf } from '../../tables/list-registry.ts'

/** Penalty of a verb found by its description rather than its name. */
const byMeaningPoints = -6

/**
 * The built-in practice exchange's verbs that match by name or description, as sentences to complete; none on another
 * exchange.
 */
function practiceMatches(line: string, { practice }: DeskState): { item: PaletteItem; score: number }[] {
  return (practice?.verbs ?? []).flatMap((verb) => {
    const text = `${practiceWord} ${verbName(verb)}`
    const start = `${text} `
    const byName = fuzzyMatch(line, text)
    const byMeaning = fuzzyMatch(line, verb.summary)
    const nameScore = byName?.score ?? 0
    const score = Math.max(nameScore, (byMeaning?.score ?? 0) + byMeaningPoints)
    if (score <= 0) return []
    const positions = byName !== null && nameScore === score ? byName.positions : []
    return [{ item: { kind: 'example', text, positions, completion: start, help: verb.summary, start }, score }]
  })
}

/**
 * An item of the palette. `completion` is the line that Tab produces, `positions` are the matched characters of its
 * text.
 */
export type PaletteItem = { text: string; positions: readonly number[]; completion: string | null } & (
  | { kind: 'sentence'; reading: Reading }
  /** An example of a sentence; `start` is its beginning. */
  | { kind: 'example'; help: string; start: string }
  | { kind: 'symbol'; symbol: string }
  | { kind: 'action'; action: string; key: string; isDanger: boolean; unavailableReason: string | null }
)

const symbolsMax = 6
const offersMax = 8
/** Actions that are unavailable come after available ones, unless they match much better. */
const impossiblePoints = -12

/**
 * Every action of the key table once, except text input: in its active scope if it has several, otherwise in the first.
 */
export function paletteActions(state: DeskState, bindings: readonly Binding[]): PaletteItem[] {
  const items = new Map<string, Extract<PaletteItem, { kind: 'action' }>>()
  for (const binding of bindings) {
    const key = binding.keys[0]
    if (key === undefined || binding.takesText === true || binding.action === 'openPalette') continue
    const text = actionName(binding)
    const id = binding.action
    const reason = unavailableReason(binding, state)
    const known = items.get(id)
    if (known !== undefined && (known.unavailableReason === null || reason !== null)) continue
    items.set(id, {
      kind: 'action',
      text,
      positions: [],
      completion: text,
      action: binding.action,
      key: keyName(key),
      isDanger: binding.danger !== undefined,
      unavailableReason: reason,
    })
  }
  return [...items.values()]
}

const possibleFirst = (items: readonly PaletteItem[]): PaletteItem[] => {
  const isPossible = (item: PaletteItem) => item.kind !== 'action' || item.unavailableReason === null
  return [...items.filter(isPossible), ...items.filter((item) => !isPossible(item))]
}

const sortExample: PaletteItem = {
  kind: 'example',
  text: 'sort price down',
  positions: [],
  completion: 'sort ',
  help: 'sorts the list in focus by a column',
  start: 'sort ',
}

const isWatching = ({ mode }: DeskState): boolean => mode.kind === 'MONITOR'
const mayNotOrder = ({ mode }: DeskState): boolean => mode.kind === 'MONITOR' || mode.kind === 'HALTED'

/** Sentences, by first word, that would have no effect at the moment: they are listed last. */
const idleSentences: Readonly<Record<string, (state: DeskState) => boolean>> = {
  buy: mayNotOrder,
  sell: mayNotOrder,
  flatten: mayNotOrder,
  reverse: mayNotOrder,
  cancel: (state) => isWatching(state) || (state.orders.value ?? []).length === 0,
  withdraw: isWatching,
  halt: mayNotOrder,
  disarm: ({ mode }) => mode.kind !== 'ARMED',
  gateway: ({ gateway }) => !gateway.isShown,
  inbox: ({ gateway }) => !gateway.isShown,
}

/** The available sentences, those that can currently do something first. */
function examples(state: DeskState): PaletteItem[] {
  const all = sentencesOf(state).map(({ example, help, starts }) => {
    const start = `${starts[0] ?? ''} `
    const item: PaletteItem = { kind: 'example', text: example, positions: [], completion: start, help, start }
    return { item, isIdle: idleSentences[starts[0] ?? '']?.(state) ?? false }
  })
  const sort = { item: sortExample, isIdle: listInFocus(state) === null }
  return [...all, sort].toSorted((left, right) => Number(left.isIdle) - Number(right.isIdle)).map(({ item }) => item)
}

/**
 * Actions that the desk's state calls for, listed before all others. None runs by itself: Enter on an empty line takes
 * the first.
 */
const wantedNow: Readonly<Record<string, (state: DeskState) => boolean>> = {
  askUnsettled: ({ unknownWrites }) => unknownWrites.length > 0,
  dismissToasts: ({ alerts }) => alerts.toasts.length > 0,
  freeze: ({ picture }) => picture.kind === 'frozen',
}

/** Without input: the actions called for, the available sentences, then all actions. */
function startingItems(state: DeskState, bindings: readonly Binding[]): PaletteItem[] {
  const actions = possibleFirst(paletteActions(state, bindings))
  const isWanted = (item: PaletteItem) =>
    item.kind === 'action' && item.unavailableReason === null && (wantedNow[item.action]?.(state) ?? false)
  return [...actions.filter(isWanted), ...examples(state), ...actions.filter((item) => !isWanted(item))]
}

/** Actions, symbols and practice verbs that match the input, best first. */
function matches(line: string, state: DeskState, bindings: readonly Binding[]): PaletteItem[] {
  const symbols: PaletteItem[] = matchingSymbols(state, line)
    .slice(0, symbolsMax)
    .map(({ symbol, positions }) => ({
      kind: 'symbol',
      text: symbol,
      positions,
      completion: `symbol ${symbol.toLowerCase()}`,
      symbol,
    }))
  // Answers to a question that is not open are left out here; they are listed without input, to show that they exist.
  const isAnswer = (item: PaletteItem) => item.kind === 'action' && item.unavailableReason === isQuestion
  const all = [...paletteActions(state, bindings).filter((item) => !isAnswer(item)), ...symbols]
  const found = all.flatMap((item) => {
    const match = fuzzyMatch(line, item.text)
    // The matched letters are so scattered that the match is chance.
    if (match === null || match.score <= 0) return []
    const isImpossible = item.kind === 'action' && item.unavailableReason !== null
    return [
      { item: { ...item, positions: match.positions }, score: match.score + (isImpossible ? impossiblePoints : 0) },
    ]
  })
  return [...found, ...practiceMatches(line, state)]
    .toSorted((left, right) => right.score - left.score)
    .map(({ item }) => item)
}

/** The key of an item, which stays its own while others come and go. */
export const itemKey = ({ kind, text }: PaletteItem): string => `${kind} ${text}`

/**
 * The item that Enter takes, and its index; undefined if there is none, or if the chosen one is gone: Enter must not
 * take another one that moved to its place.
 */
export function markedItem(items: readonly PaletteItem[], { overlay }: DeskState): { at: number; item?: PaletteItem } {
  const { selected = 0, chosen } = overlay?.kind === 'palette' ? overlay : {}
  const at =
    chosen === undefined
      ? Math.max(0, Math.min(selected, items.length - 1))
      : items.findIndex((each) => itemKey(each) === chosen)
  const item = items[at]
  return item === undefined ? { at } : { at, item }
}

const sortWord = 'sort'
const downWords = ['down', 'desc', 'descending', 'reverse']
const upWords = ['up', 'asc', 'ascending']

/** The focused list's sortable columns, by name; null on a pane without a list. */
function sortColumns(state: DeskState): { pane: ListPane; columns: { key: string; word: string }[] } | null {
  const pane = listInFocus(state)
  if (pane === null) return null
  const columns = sourceOf(pane).columns.filter(({ isSortable }) => isSortable)
  return { pane, columns: columns.map(({ key }) => ({ key, word: key.toLowerCase() })) }
}

/** `sort price`, `sort price down`: sorts the focused list. Read here because only the screen knows the columns. */
function readSort(line: string, state: DeskState): Reading | null {
  const [first, name = '', way, extra] = line
    .trim()
    .toLowerCase()
    .replace(/\sby\s/, ' ')
    .split(/\s+/)
  if (first !== sortWord) return null
  const list = sortColumns(state)
  if (list === null) return { kind: 'wrong', lines: ['No list is in focus: go to one first.'] }
  const { pane, columns } = list
  const words = columns.map(({ word }) => word)
  const column = columns.find(({ word }) => word === name)
  const isOff = name === 'off' && way === undefined
  if (extra !== undefined || (way !== undefined && ![...downWords, ...upWords].includes(way)))
    return { kind: 'wrong', lines: ['Say a column, and up or down: sort price down.'] }
  if (column === undefined && !isOff) {
    const instead = nearestNames(name, words)
      .slice(0, 1)
      .map((word) => [sortWord, word, ...(way === undefined ? [] : [way])].join(' '))
    return { kind: 'wrong', lines: [`The ${pane} are sorted by ${words.join(', ')}, or off.`], instead }
  }
  const isDown = downWords.includes(way ?? '')
  const order = isDown ? 'the largest first' : 'the smallest first'
  return {
    kind: 'understood',
    lines: [
      column === undefined ? `The ${pane} in their own order again.` : `Sort the ${pane} by ${column.word}, ${order}.`,
    ],
    enter: 'sorts them',
    run: (commands) =>
      commands.sortTable(pane, column === undefined ? null : { column: column.key, direction: isDown ? 'down' : 'up' }),
  }
}

/** The words that can complete a `sort` line. */
function sortOffers(line: string, state: DeskState): string[] {
  const { before, begun } = {
    before: line.slice(0, line.lastIndexOf(' ') + 1),
    begun: line.slice(line.lastIndexOf(' ') + 1),
  }
  const isSecond = /^\s*sort\s+$/i.test(before)
  const words = isSecond ? (sortColumns(state)?.columns.map(({ word }) => word) ?? []) : ['up', 'down']
  return words
    .filter((word) => word.startsWith(begun.toLowerCase()) && word !== begun)
    .map((word) => `${before}${word}`)
}

/**
 * The line's reading; null without an open palette, or if it is not a sentence. Memoized: items, explanation and keys
 * need it for the same state.
 */
export const paletteReading = memoizeLast((state: DeskState): Reading | null =>
  state.overlay?.kind === 'palette'
    ? (readSort(state.overlay.line, state) ?? readSentence(state.overlay.line, state))
    : null,
)

/** A possible completion of the line: Enter takes it, Tab completes as far as there is only one way. */
const offered = (line: string, completion: string): PaletteItem => ({
  kind: 'example',
  text: line,
  positions: [],
  completion,
  help: '',
  start: line,
})

/**
 * Lines that may have been meant. Enter only puts one into the line. If there are several, none is marked at first: the
 * user must choose.
 */
function insteadOf(reading: Extract<Reading, { kind: 'wrong' }>, line: string): PaletteItem[] {
  const lines = reading.instead ?? []
  const items = lines.map(
    (each): PaletteItem => ({
      kind: 'example',
      text: each,
      positions: [],
      completion: each,
      help: 'did you mean',
      start: each,
    }),
  )
  if (lines.length < 2) return items
  return [{ kind: 'sentence', text: line, positions: [], completion: null, reading }, ...items]
}

/**
 * Enter takes the first item, so a scattered match must not be first: `oco` does not mean `group coarser`. For a faulty
 * sentence, only an item that starts with the very line may be first. Otherwise a line that says so comes first, and
 * `Down` chooses.
 */
function withoutGuess(found: readonly PaletteItem[], line: string, reading: Reading | null): PaletteItem[] {
  const [first] = found
  if (first === undefined || reading?.kind === 'understood') return [...found]
  const isOffer = first.kind === 'sentence' || first.positions.length === 0
  const isMeant =
    reading === null ? isByWords(first.positions, first.text) : first.text.toLowerCase().startsWith(line.toLowerCase())
  if (isOffer || isMeant) return [...found]
  const none: Reading = reading ?? { kind: 'wrong', lines: [`No such sentence: "${line}".`] }
  return [{ kind: 'sentence', text: line, positions: [], completion: first.completion, reading: none }, ...found]
}

/**
 * The palette's items: the sentence if the input is one, then actions and symbols by match. Without input: the
 * available sentences, then all actions. A faulty sentence offers only items that contain its words: Enter must not
 * take one that merely looks similar.
 */
export const paletteItems = memoizeLast((state: DeskState, bindings: readonly Binding[]): readonly PaletteItem[] => {
  if (state.overlay?.kind !== 'palette') return []
  const line = state.overlay.line.trim()
  if (line === '') return startingItems(state, bindings)
  const reading = paletteReading(state)
  const completed = completeSentence(state.overlay.line, state)
  if (reading?.kind === 'wrong' && line.includes(' ')) {
    // Only literal matches: scattered letters of a name are not a request.
    const named = matches(line, state, bindings).filter(({ text }) => text.toLowerCase().includes(line.toLowerCase()))
    const whole = named.map((item) =>
      item.kind === 'example' ? { ...item, completion: completed ?? item.completion } : item,
    )
    const isSort = /^\s*sort\s/i.test(state.overlay.line)
    const next = isSort ? sortOffers(state.overlay.line, state) : sentenceOffers(state.overlay.line, state, offersMax)
    const instead = insteadOf(reading, line)
    // While there are lines to choose from, a longer form of the line would only repeat the question.
    const offers = instead.length > 0 ? [] : next.map((offer) => offered(offer, completed ?? offer))
    return [...whole, ...instead, ...offers]
  }
  const sentence: PaletteItem[] =
    reading?.kind === 'understood'
      ? [{ kind: 'sentence', text: line, positions: [], completion: completed, reading }]
      : []
  const instead = reading?.kind === 'wrong' ? insteadOf(reading, line) : []
  const found = withoutGuess([...instead, ...matches(line, state, bindings)], line, reading)
  // Tab completes the start of a sentence, whichever item is marked.
  const first = found[0]
  if (completed !== null && sentence.length === 0 && first !== undefined) found[0] = { ...first, completion: completed }
  return [...sentence, ...found]
})
