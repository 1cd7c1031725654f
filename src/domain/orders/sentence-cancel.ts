import type { Result } from '../../base/result.ts'
import { nearestNames } from '../../base/text/nearest-name.ts'
import { readShortAmount } from '../amount-text.ts'
import type { Decimal } from '../money.ts'
import type { Side } from '../side.ts'
import type { Understanding } from './sentence-clauses.ts'
import {
  partOf,
  quoted,
  type Refused,
  readSymbolWord,
  type SentenceContext,
  type SentenceProblem,
  symbolOffers,
  unfinished,
  unknownWord,
  type Word,
  wrong,
} from './sentence-words.ts'

const isOrderId = (text: string): boolean => /^[1-9]\d{0,18}$/.test(text)

/** Ids joined by a comma, which a number's thousands have too: `15116,15117`, `15,116`. */
const joinedIds = /^\d+[,;][\d,;]*$/
const groupedId = /^[1-9]\d{0,2}(?:,\d{3})+$/

/**
 * Asks about several ids, as each cancel is of one: every one is offered, and of `501,502` also the one that it is by
 * its thousands. Null where no two are joined.
 */
function severalIds(words: readonly Word[]): Refused | null {
  const isBehindBound = (at: number) => Object.hasOwn(bounds, words[at - 1]?.lower ?? '')
  const joined = words.find(({ text }, at) => joinedIds.test(text) && !isBehindBound(at))
  if (joined === undefined) return null
  const named = words.filter(({ text }, at) => (joinedIds.test(text) || isOrderId(text)) && !isBehindBound(at))
  const ids = named.flatMap(({ text }) => {
    const parts = text.split(/[,;]+/)
    if (!groupedId.test(text)) return parts
    return [text.replaceAll(',', ''), ...(parts.every(isOrderId) ? parts : [])]
  })
  const offers = [...new Set(ids.filter((id) => id !== ''))]
  if (!offers.every(isOrderId)) return null
  const what = offers.length > 1 ? 'a cancel is of one order by its id: which?' : `${quoted(joined)} is not an order id`
  return wrong(partOf(named[0] ?? joined, named.at(-1) ?? joined, ''), what, [], offers)
}

/** `#15116` is the order 15116. */
const withoutSign = (word: Word): Word => (/^#\d/.test(word.text) ? { ...word, text: word.text.slice(1) } : word)

const cancelFillers = ['my', 'the', 'of', 'in', 'on', 'for', 'order', 'orders', 'now', 'id', 'open', 'working']
const everyWords = ['all', 'everything', 'every']
const symbolWords = ['symbol', 'symbols']
const lastWords = ['last', 'newest', 'latest']
const cancelSides: Readonly<Record<string, Side>> = {
  ...{ buy: 'BUY', buys: 'BUY', bid: 'BUY', bids: 'BUY' },
  ...{ sell: 'SELL', sells: 'SELL', ask: 'SELL', asks: 'SELL', offer: 'SELL', offers: 'SELL' },
}

/** Orders that wait for a price. */
const stopNames = ['stop', 'stops']
const bounds: Readonly<Record<string, 'above' | 'below'>> = {
  ...{ above: 'above', over: 'above', '>': 'above', below: 'below', under: 'below', '<': 'below' },
}
const boundOf = ({ lower }: Word) => (Object.hasOwn(bounds, lower) ? bounds[lower] : undefined)

/**
 * The meaning of a word in a cancel. `everywhere` means every symbol, as `all` does after a side or `last`; of a bound
 * the word is its price.
 */
type CancelWord = 'every' | 'everywhere' | 'last' | 'side' | 'stops' | 'above' | 'below' | 'symbol' | 'id'
type CancelSaid = ReadonlyMap<CancelWord, Word>

/** Words that leave some of the orders out. */
const narrowWords = ['side', 'last', 'stops', 'above', 'below'] as const
const isNarrowed = (said: CancelSaid): boolean => narrowWords.some((word) => said.has(word))

function cancelWordOf(word: Word, said: CancelSaid, context: SentenceContext): Result<CancelWord, SentenceProblem> {
  const { lower } = word
  if (everyWords.includes(lower)) return { ok: true, value: isNarrowed(said) ? 'everywhere' : 'every' }
  if (lower === 'everywhere') return { ok: true, value: 'everywhere' }
  if (lastWords.includes(lower)) return { ok: true, value: 'last' }
  if (stopNames.includes(lower)) return { ok: true, value: 'stops' }
  if (Object.hasOwn(cancelSides, lower)) return { ok: true, value: 'side' }
  if (isOrderId(word.text)) return { ok: true, value: 'id' }
  const symbol = readSymbolWord(word, context)
  if (symbol !== undefined) return symbol.ok ? { ok: true, value: 'symbol' } : symbol
  return said.size === 0 ? notCancellable(word) : unknownWord(word, [], context)
}

/** What was said so far: words by meaning, and the prices of bounds. */
type CancelRead = { said: Map<CancelWord, Word>; prices: BoundPrices }
type BoundPrices = { above?: Decimal | null; below?: Decimal | null }

/** Takes a bound and the price behind it. */
function takeBound(
  { said, prices }: CancelRead,
  bound: 'above' | 'below',
  word: Word,
  price: Word | undefined,
  text: string,
): Refused | null {
  if (price === undefined) return unfinished(text, `${word.lower} which price?`)
  const read = readShortAmount(price.text, { what: 'price', unit: null })
  if (!read.ok) return wrong(price, `the price ${read.error.text}`)
  if (said.has(bound)) return wrong(word, `${bound} was said before: leave one out`)
  said.set(bound, price)
  prices[bound] = read.value
  return null
}

/** Takes a word that is not a bound. */
function takeWord({ said }: CancelRead, word: Word, context: SentenceContext): Refused | null {
  const isOfEvery = said.has('every') || said.has('everywhere')
  if (cancelFillers.includes(word.lower) || (isOfEvery && symbolWords.includes(word.lower))) return null
  const kind = cancelWordOf(word, said, context)
  if (!kind.ok) return kind
  const isAlone = said.has('id') || (kind.value === 'id' && said.size > 0)
  const isOfBoth = kind.value === 'everywhere' ? said.has('symbol') : kind.value === 'symbol' && said.has('everywhere')
  if (said.has(kind.value) || isAlone || isOfBoth)
    return wrong(word, `nothing comes after that: leave out ${quoted(word)}`)
  said.set(kind.value, word)
  return null
}

/** The words of a cancel by meaning, each at most once and in any order. */
function readCancelWords(
  words: readonly Word[],
  text: string,
  context: SentenceContext,
): Result<CancelRead, SentenceProblem> {
  const several = severalIds(words)
  if (several !== null) return several
  const read: CancelRead = { said: new Map(), prices: {} }
  const left = [...words]
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    const bound = read.said.has('id') ? undefined : boundOf(word)
    const fault = bound === undefined ? takeWord(read, word, context) : takeBound(read, bound, word, left.shift(), text)
    if (fault !== null) return fault
  }
  return { ok: true, value: read }
}

/**
 * Reads `cancel buys`, `cancel last btc`, `cancel all eth-usd`, `cancel 9912041`. A side or `last` refers to the symbol
 * on screen, unless another one or `everywhere` is named; `cancel all` is everything.
 */
export function understandCancel(words: readonly Word[], text: string, context: SentenceContext): Understanding {
  const [verb, ...others] = words.map(withoutSign)
  const offers = ['all', 'buys', 'sells', 'last']
  const read = readCancelWords(others, text, context)
  if (!read.ok) return { result: read, next: [] }
  const { said, prices } = read.value
  if (verb === undefined || said.size === 0)
    return { result: unfinished(text, 'cancel what? all, all of a symbol, or an order id', offers), next: offers }
  const isScoped = said.has('symbol') || said.has('everywhere')
  const next = isScoped || said.has('id') ? [] : [...(isNarrowed(said) ? ['everywhere'] : []), ...symbolOffers(context)]
  const parts = [...said].map(([kind, word]) => partOf(word, word, kind))
  const intent = cancelIntent(said, prices, context)
  return 'error' in intent
    ? { result: intent, next: [] }
    : { result: { ok: true, value: { ...intent, parts: [partOf(verb, verb, 'cancel'), ...parts] } }, next }
}

function cancelIntent(said: CancelSaid, { above = null, below = null }: BoundPrices, context: SentenceContext) {
  const [id, symbolWord, sideWord] = [said.get('id'), said.get('symbol'), said.get('side')]
  if (id !== undefined) return { kind: 'cancelOrder', orderId: id.text } as const
  const read = symbolWord === undefined ? undefined : readSymbolWord(symbolWord, context)
  const named = read?.ok === true ? read.value : null
  const side = sideWord === undefined ? null : (cancelSides[sideWord.lower] ?? null)
  const isLast = said.has('last')
  if (!isNarrowed(said)) {
    if (said.has('every')) return { kind: 'cancelAll', symbol: named } as const
    const [word] = said.values()
    if (word === undefined) return unfinished('', 'cancel what?')
    const offer = named === null ? 'all' : `all ${named.toLowerCase()}`
    const what = `to cancel every order of ${named ?? 'every symbol'} say: cancel ${offer}`
    return wrong(word, what, [offer], [offer])
  }
  const isShown = named === null && !said.has('everywhere')
  const every = said.get('every')
  if (isShown && every !== undefined) return eitherScope(said, every, context)
  const scope = { symbol: isShown ? context.symbol : named, isShown }
  return { kind: 'cancelSome', side, isLast, isStops: said.has('stops'), above, below, ...scope } as const
}

const isBound = (kind: CancelWord): boolean => kind === 'above' || kind === 'below'

/** Asks about `all buys`, which may mean the symbol on screen or all symbols. */
function eitherScope(said: CancelSaid, every: Word, { symbol }: SentenceContext) {
  const narrow = [...said].filter(([, word]) => word !== every)
  const text = narrow.map(([kind, word]) => (isBound(kind) ? `${kind} ${word.text}` : word.text)).join(' ')
  const place = partOf(every, narrow.at(-1)?.[1] ?? every, '')
  const instead = [`${text} ${symbol.toLowerCase()}`, `${text} everywhere`]
  return wrong(place, `"${every.text} ${text}" can mean those of ${symbol}, or of every symbol`, [], instead)
}

/** The failure of a word that names no order. */
const notCancellable = (what: Word) =>
  wrong(
    what,
    `${quoted(what)} is not an order id: cancel all, cancel all SYMBOL, or cancel an order id`,
    ['all'],
    nearestNames(what.text, ['all', 'buys', 'sells', 'last']),
  )
