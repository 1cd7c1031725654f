import type { Decimal } from '../money.ts'
import type { Side } from '../side.ts'
import { isCounter, partOf, quoted, type SentenceContext, type Word, wrong } from './sentence-words.ts'
import type { Size } from './sizing.ts'

/** The words being read, and the side of the order. */
type Reading = {
  words: readonly Word[]
  text: string
  context: SentenceContext
  said: { side: Side; size: Size | null; price: Decimal | null; stop: Decimal | null; isMarket: boolean }
}

type Refused = ReturnType<typeof wrong>

/** Words for orders that hide or split themselves: the exchange has none, and no plan does it. */
const notOffered = ['hidden', 'iceberg', 'twap', 'vwap', 'peg', 'pegged', 'reserve']

const isPrice = ({ text }: Word): boolean => /^\p{Sc}?[.\d]/u.test(text)

const stopLimitNames = ['stop-limit', 'stoplimit']
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

/**
 * `buy 0.1 btc max 64000`, `sell 0.1 btc at least 65000`: a limit price says that. On the other side of the market,
 * `sell … below 63000`, it may be a stop too.
 */
function readBound(reading: Reading, word: Word): Refused | null {
  const { words, text, said } = reading
  if (said.size === null || said.price !== null || said.stop !== null || said.isMarket) return null
  const rest = text.slice(word.at).toLowerCase()
  const [most, least] = [atMost.exec(rest)?.[0], atLeast.exec(rest)?.[0]]
  const phrase = most ?? least
  if (phrase === undefined) return null
  const price = words.find(({ at }) => at === word.at + phrase.length)
  if (price === undefined || !isPrice(price) || /^\S+\s*%/.test(rest.slice(phrase.length))) return null
  const isWorst = (said.side === 'BUY') === (most !== undefined)
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
  if (notOffered.includes(word.lower)) return wrong(word, `there are no ${word.lower} orders here: leave it out`)
  const unit = Object.hasOwn(units, word.lower) ? units[word.lower] : undefined
  const isBehindNumber = /^[.\d]/.test(words[index - 1]?.text ?? '')
  if (unit !== undefined && isBehindNumber && (unit === '%' || isCounter(unit, context)))
    return wrong(word, `${quoted(word)} is ${unit} here`, [], [unit])
  return null
}

/** What a word of other desks says here, where a word of an order may stand too. */
export const readForeign = (reading: Reading, index: number, word: Word): Refused | null =>
  readStopLimit(reading, index, word) ?? readBound(reading, word)
