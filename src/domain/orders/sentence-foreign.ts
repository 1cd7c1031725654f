import { otherNameOf } from '../market/other-names.ts'
import type { Decimal } from '../money.ts'
import type { Side } from '../side.ts'
import {
  isCounter,
  partOf,
  quoted,
  type Refused,
  readSymbolWord,
  type SentenceContext,
  type Word,
  wrong,
} from './sentence-words.ts'
import type { Size } from './sizing.ts'

/** The words being read, and the side of the order. */
type Reading = {
  words: readonly Word[]
  text: string
  context: SentenceContext
  said: {
    side: Side
    size: Size | null
    symbol: string | null
    price: Decimal | null
    stop: Decimal | null
    isMarket: boolean
  }
}

/** Words for orders that hide, follow or split themselves: the exchange has none, and no plan does it. */
export const notOffered = ['hidden', 'iceberg', 'twap', 'vwap', 'peg', 'pegged', 'reserve', 'dca', 'pov'] as const

const isPrice = ({ text }: Word): boolean => /^\p{Sc}?[.\d]/u.test(text)

/** A stop with a limit as one word; here each of its two prices has a word of its own. */
export const stopLimitNames: readonly string[] = ['stop-limit', 'stoplimit']
const beforePrice = ['@', 'at', 'limit']

/** `stop-limit 63000 62900`, `stop limit 63000`: each of its two prices has a word of its own. */
function readStopLimit({ words }: Reading, index: number, word: Word): Refused | null {
  const isApart = word.lower === 'stop' && words[index + 1]?.lower === 'limit'
  if (!isApart && !stopLimitNames.includes(word.lower)) return null
  const [stop, limit, more] = words
    .slice(index + (isApart ? 2 : 1))
    .filter(({ lower }) => !beforePrice.includes(lower))
    .slice(0, 3)
  const rule = 'a stop-limit order has two prices: stop 63000 limit 62900'
  if (
    stop === undefined ||
    limit === undefined ||
    ![stop, limit].every(isPrice) ||
    (more !== undefined && isPrice(more))
  )
    return wrong(word, rule)
  return wrong(partOf(word, limit, ''), rule, [], [`stop ${stop.text} limit ${limit.text}`])
}

/** What people say of the worst price they take, and of one beyond the market. */
const atMost =
  /^(?:max(?:imum)?|up to|at most|under|below|less than|(?:no|not) (?:more than|higher than|above|over)|<=?)\s+/
const atLeast = /^(?:at least|over|above|more than|(?:no|not) (?:less than|lower than|below|under)|>=?)\s+/

/** `when it hits`, `if the price falls below`, of a price that is waited for; `falls 1000` is a distance. */
const waitingFor = new RegExp(
  '^((?:if|when|once)\\s+)((?:[a-z]\\S{0,20}\\s+){0,4}?)(?:hits|reaches|touches' +
    '|(?:is|goes|gets|trades|drops|falls|rises|climbs)(?:\\s+(?:up|down))?\\s+(?:at|to|below|under|above|over)' +
    '|is|at)\\s+',
)
const priceNames = ['it', 'the', 'price', 'last', 'market', 'of']

/** The words before a price that the order waits for; undefined for that of another symbol, or of something else. */
function waitingPhrase({ text, words, context, said }: Reading, { at }: Word): string | undefined {
  const [phrase, lead = '', names = ''] = waitingFor.exec(text.slice(at).toLowerCase()) ?? []
  if (phrase === undefined) return undefined
  const end = at + lead.length + names.length
  const symbol = said.symbol ?? context.symbol
  const isOfOrder = words
    .filter((word) => word.at > at && word.at < end && !priceNames.includes(word.lower))
    .every((word) => {
      const read = readSymbolWord(word, context)
      return read?.ok === true && read.value === symbol
    })
  return isOfOrder ? phrase : undefined
}

/**
 * `buy 0.1 btc max 64000`, `sell 0.1 btc at least 65000`: a limit price says that. On the other side of the market,
 * `sell … below 63000`, it may be a stop too.
 */
function readBound(reading: Reading, word: Word): Refused | null {
  const { words, text, said } = reading
  if (said.size === null || said.price !== null || said.stop !== null || said.isMarket) return null
  const rest = text.slice(word.at).toLowerCase()
  const [most, least] = [atMost.exec(rest)?.[0], atLeast.exec(rest)?.[0]]
  const phrase = most ?? least ?? waitingPhrase(reading, word)
  if (phrase === undefined) return null
  const price = words.find(({ at }) => at === word.at + phrase.length)
  if (price === undefined || !isPrice(price) || /^\S+\s*%/.test(rest.slice(phrase.length))) return null
  const isWorst = said.side === 'BUY' ? most !== undefined : least !== undefined
  const rule = isWorst
    ? 'the worst price you take is the limit price'
    : 'is that the limit price, or a stop that waits for it?'
  const instead = [...(isWorst ? [] : [`stop ${price.text}`]), `@ ${price.text}`]
  return wrong(partOf(word, price, ''), rule, [], instead)
}

/** Words for a unit beside a number, and what is written here. */
const units: Readonly<Record<string, string>> = {
  ...{ percent: '%', pct: '%', dollars: 'usd', dollar: 'usd', bucks: 'usd', euros: 'eur', euro: 'eur', pounds: 'gbp' },
}

/** The failure of a word that is known and has no place: another order, as in lines pasted, or a kind of it. */
export function foreignWord(reading: Reading, index: number, word: Word): Refused | null {
  const { words, context } = reading
  if (['buy', 'sell', 'cancel'].includes(word.lower))
    return wrong(word, `${quoted(word)} begins another order: one line is one order`)
  if (notOffered.some((kind) => kind === word.lower))
    return wrong(word, `there are no ${word.lower} orders here: leave it out`)
  const unit = Object.hasOwn(units, word.lower) ? units[word.lower] : undefined
  const isBehindNumber = /^[.\d]/.test(words[index - 1]?.text ?? '')
  if (unit !== undefined && isBehindNumber && (unit === '%' || isCounter(unit, context)))
    return wrong(word, `${quoted(word)} is ${unit} here`, [], [unit])
  return null
}

/** What is said in full elsewhere, and in a review, and the word for it here. */
const inFull: readonly (readonly [phrase: RegExp, here: string])[] = [
  [/^good[\s-]+(?:un)?till?[\s-]+cancell?ed(?!\S)/, 'gtc'],
  [/^fill[\s-]+or[\s-]+kill(?!\S)/, 'fok'],
  [/^immediate[\s-]+or[\s-]+cancel(?!\S)/, 'ioc'],
  [/^(?:(?:good\s+)?for\s+(?:the\s+day|day|today)|today)(?:\s+only)?(?!\S)/, 'day'],
  [/^(?:(?:good|valid)[\s-]+(?:until|till?)(?:[\s-]+date)?|expir(?:es|ing)(?:\s+on)?)(?!\S)/, 'gtd'],
  [
    /^(?:at\s+)?(?:the\s+)?(?:market|best|current|any|whatever)\s+price(?!\S|\s+(?:above|below|over|under)\b)/,
    'market',
  ],
  [/^at\s+the\s+market(?!\S)/, 'market'],
  [/^(?:at\s+)?price(?=\s+\p{Sc}?[.\d])/u, '@'],
  [/^at\s+best(?!\S)(?!\s+(?:bid|ask|offer))/, 'market'],
]
const atOnce = /^(?:right\s+now|now|asap)(?!\S)/

/** `every day`, `over 2 hours`, `in 10 slices`. */
const overTime = new RegExp(
  '^(?:(?:every|each)\\s+(?:hour|day|week|month)|hourly|daily|weekly|monthly' +
    '|over\\s+[.\\d]+\\s*(?:h|hrs?|hours?|min(?:s|utes?)?|days?)' +
    '|in\\s+\\d+\\s+(?:slices|pieces|parts|chunks|clips))(?!\\S)',
)
/** What is said of orders that this exchange does not have, and what comes near. */
const notHere: readonly (readonly [phrase: RegExp, why: string])[] = [
  [/^(?:all[\s-]+or[\s-]+none|aon)(?!\S)/, 'there are no all-or-none orders here: fok fills all at once or nothing'],
  [overTime, 'there are no orders over time here: a scale is several orders over a range of prices'],
  [/^\d{1,2}:\d{2}(?!\S)/, 'an order is for days, until the end of the last one in UTC: leave out the time'],
  [/^(?:\d{1,3}x|leverage)(?!\S)/, 'there is no leverage here: an order spends what is available'],
  [/^(?:show|display|visible)\s+[.\d]/, 'there are no iceberg orders here: all of an order is seen'],
]

/** `good till canceled`, `fill or kill`, `at the market price`: offers the one word that says it here. */
function readInFull({ text, said, context }: Reading, word: Word): Refused | null {
  if (readSymbolWord(word, context) !== undefined) return null
  const rest = text.slice(word.at)
  const lower = rest.toLowerCase()
  const found = inFull.find(([phrase]) => phrase.test(lower))
  if (found !== undefined) {
    const [phrase, here] = found
    const length = phrase.exec(lower)?.[0].length ?? 0
    return wrong({ at: word.at, length }, `${quoted({ text: rest.slice(0, length) })} is ${here} here`, [], [here])
  }
  const now = atOnce.exec(lower)?.[0].length
  if (now !== undefined) {
    const isPriced = said.isMarket || said.price !== null || said.stop !== null
    const isSaid = isPriced || /\s(?:market|mkt|@|at|stop|limit)(?!\S)/.test(lower.slice(now))
    const what = quoted({ text: rest.slice(0, now) })
    return isSaid
      ? wrong({ at: word.at - 1, length: now + 1 }, `leave out ${what}`, [], [''])
      : wrong({ at: word.at, length: now }, `${what} is market here`, [], ['market'])
  }
  const [, why] = notHere.find(([phrase]) => phrase.test(lower)) ?? []
  return why === undefined ? null : wrong(word, why)
}

const oneWords = ['a', 'an', 'one']

/** `buy one btc`, `sell half a btc`: half of one coin is a quantity, and `half` a share of what there is. */
function readOne({ words, text, context, said }: Reading, index: number, word: Word): Refused | null {
  const next = words[index + 1]
  const isOfCoin =
    next !== undefined && (readSymbolWord(next, context) !== undefined || otherNameOf(next.text) !== null)
  if (!oneWords.includes(word.lower) || !isOfCoin) return null
  if (said.size === null) return wrong(word, `${quoted(word)} is 1 here`, [], ['1'])
  const half = words[index - 1]
  if (half?.lower !== 'half') return null
  const place = partOf(half, word, '')
  const what = quoted({ text: text.slice(place.at, place.at + place.length) })
  return wrong(place, `${what} is 0.5 here, and half is half of what is available`, [], ['0.5', 'half'])
}

/** What a word of other desks says here, where a word of an order may stand too. */
export const readForeign = (reading: Reading, index: number, word: Word): Refused | null =>
  readStopLimit(reading, index, word) ??
  readInFull(reading, word) ??
  readBound(reading, word) ??
  readOne(reading, index, word)
