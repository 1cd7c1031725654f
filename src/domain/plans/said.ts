import { err, ok, type Result } from '../../base/result.ts'
import { readShortAmount } from '../amount-text.ts'
import { Decimal } from '../money.ts'
import { readSymbolWord, type SentenceContext, usualCounter, type Word } from '../orders/sentence-words.ts'
import type { Side } from '../side.ts'
import { type Away, isSameAway, readAway } from './leg-away.ts'
import { type PlanKind, slicesMax } from './terms.ts'

/** The contents of a sentence, before checking the symbol's rules. */
export type Said = {
  side: Side | null
  symbol: string | null
  quantity: Decimal | 'all' | 'half' | null
  /** Prices without a name: the entry, or the ends of a scale. */
  prices: Decimal[]
  isMarket: boolean
  stop: Decimal | null
  limit: Decimal | null
  target: Decimal | null
  /** Legs given as a distance from the entry, or from the present price. */
  away: { stop?: Away; target?: Away }
  near: Decimal | null
  by: Decimal | null
  /** True when `by` is a percentage of the price. */
  isPercent: boolean
  step: Decimal | null
  count: number | null
  postOnly: boolean
}

const nothingSaid = (): Said => ({
  ...{ side: null, symbol: null, quantity: null, prices: [], isMarket: false, stop: null, limit: null, target: null },
  ...{ away: {}, near: null, by: null, isPercent: false, step: null, count: null, postOnly: false },
})

type NamedAmount = 'quantity' | 'stop' | 'limit' | 'target' | 'near' | 'by' | 'step'
const namedAmounts: Readonly<Record<string, NamedAmount>> = {
  ...{ stop: 'stop', sl: 'stop', 'stop-loss': 'stop', limit: 'limit', target: 'target', tp: 'target' },
  ...{ profit: 'target', 'take-profit': 'target', near: 'near', by: 'by', step: 'step', quantity: 'quantity' },
  ...{ size: 'quantity', qty: 'quantity' },
}
const atPrices: ReadonlySet<NamedAmount> = new Set(['stop', 'limit', 'target'])
const sideWords: Readonly<Record<string, Side>> = { buy: 'BUY', long: 'BUY', sell: 'SELL', short: 'SELL' }
const fillers = new Set(['a', 'an', 'the', 'of', 'my', 'at', '@', 'price', 'take', 'loss', 'and', 'between', 'entry'])
/** Words that may be between a name and its amount: `stop loss at 63000`, `target price 66000`. */
const beforeAmount = new Set(['@', 'at', 'loss', 'price'])
/** Behind a number they make it the number of orders: `10 orders`. */
const counted = new Set(['orders', 'slices', 'parts', 'levels'])
const rangeFillers = new Set(['to', 'from', '-', 'out', ...counted])
/** The number of orders follows them; not behind `scale in`, which is another name of a scale. */
const countWords = new Set(['in', 'into', 'x', 'over', 'with'])
const range = /^([\d.,]+k?)(?:-|\.\.)([\d.,]+k?)$/i

type Fact = Exclude<keyof Said, 'prices' | 'isPercent' | 'away'>

/** The name of each fact in complaints. */
const factNames: Readonly<Record<Fact, string>> = {
  ...{ side: 'side', symbol: 'symbol', quantity: 'quantity', isMarket: 'market', stop: 'stop', limit: 'limit' },
  ...{ target: 'target', near: 'near', by: 'distance', step: 'step', count: 'number of orders', postOnly: 'post' },
}
const ofExits: readonly Fact[] = ['stop', 'limit', 'target', 'near']
/** The facts allowed for each kind besides side, quantity, symbol and prices, and the kind's name. */
const saidOf: Readonly<Record<PlanKind, { name: string; facts: ReadonlySet<Fact> }>> = {
  oco: { name: 'An OCO', facts: new Set(ofExits) },
  bracket: { name: 'A bracket', facts: new Set([...ofExits, 'isMarket']) },
  trailing: { name: 'A trailing stop', facts: new Set(['stop', 'by', 'step']) },
  scale: { name: 'A scale', facts: new Set(['count', 'postOnly']) },
}
const ofEveryKind: ReadonlySet<Fact> = new Set(['side', 'symbol', 'quantity'])

const shownFact = (value: Said[Fact]): string => (value instanceof Decimal ? value.toFixed() : String(value))

/**
 * Records a fact. A plan is sent for what its sentence says, so contradictions and facts its kind does not use are
 * refused, not ignored.
 */
function note<Name extends Fact>(said: Said, name: Name, value: Said[Name], kind: PlanKind): string | null {
  const { name: kindName, facts } = saidOf[kind]
  const word = factNames[name]
  if (!ofEveryKind.has(name) && !facts.has(name)) return `${kindName} knows no "${word}": leave it out.`
  const before = said[name]
  said[name] = value
  const isNew = before === null || before === false || shownFact(before) === shownFact(value)
  return isNew ? null : `Say the ${word} once: ${shownFact(before)}, or ${shownFact(value)}?`
}

/** Returns false when the leg was already given with another distance. */
function noteAway(said: Said, leg: 'stop' | 'target', away: Away): boolean {
  const before = said.away[leg]
  said.away[leg] = away
  return before === undefined || isSameAway(before, away)
}

const isNumber = (word: Word | undefined): word is Word & { isNumber?: true } =>
  word !== undefined && /^[$€]?[.,]?\d/.test(word.text)

const isCounted = ({ text }: Word, next: Word | undefined, kind: PlanKind): boolean =>
  kind === 'scale' && /^\d{1,4}$/.test(text) && counted.has(next?.lower ?? '')

type Unit = { base: string | null; counter: string }

/** Reads an amount in the symbol's currencies; the error is a sentence. */
function readAmount({ text }: Pick<Word, 'text'>, what: 'price' | 'quantity', unit: Unit): Result<Decimal> {
  const read = readShortAmount(text, { what, unit: what === 'price' ? unit.counter : unit.base })
  if (read.ok) return read
  if (read.error.kind === 'currency') return err(`${read.error.text}.`)
  return err(`The ${what} ${read.error.kind === 'ambiguous' ? '' : `"${text}" `}${read.error.text}.`)
}

/**
 * Reads the words after the first; the error is a sentence. The first number without a name is the quantity, later ones
 * are prices; in a change of a plan all are prices.
 */
export function readWords(
  words: readonly Word[],
  kind: PlanKind,
  context: SentenceContext,
  isChange = false,
): Result<Said> {
  const said = nothingSaid()
  const unit = unitOf(words, context)
  const amountOf = (word: Pick<Word, 'text'>, what: 'price' | 'quantity') => readAmount(word, what, unit)
  for (let at = 0; ; at += 1) {
    const word = words[at]
    if (word === undefined) return ok(said)
    const { lower } = word
    const next = words[at + 1]
    const name = Object.hasOwn(namedAmounts, lower) ? namedAmounts[lower] : undefined
    const side = Object.hasOwn(sideWords, lower) ? sideWords[lower] : undefined
    const ends = range.exec(word.text)
    let twice: string | null = null
    if (side !== undefined) twice = note(said, 'side', side, kind)
    else if (name !== undefined) {
      let place = at + 1
      while (beforeAmount.has(words[place]?.lower ?? '')) place += 1
      const after = words[place]
      const away = readAway(after, words[place + 1])
      if (away !== null && (name === 'stop' || name === 'target') && (kind === 'oco' || kind === 'bracket')) {
        if (!noteAway(said, name, away)) return err(`Say the ${name} once.`)
        at = place + 1
        continue
      }
      // In `trailing stop sell …` or `take profit at …` the amount is elsewhere or was given before.
      if (!isNumber(after)) {
        if (kind === 'trailing' && name === 'stop') continue
        if (after !== undefined && /^[-+]/.test(after.text))
          return err(`${lower} needs a price: ${after.text.slice(0, 24)} is not one.`)
        return err(`Incomplete: ${atPrices.has(name) ? `${lower} at which price` : `how much after "${lower}"`}?`)
      }
      const read = amountOf(after, name === 'quantity' ? 'quantity' : 'price')
      if (!read.ok) return read
      twice = note(said, name, read.value, kind)
      at = place
      if (words[at + 1]?.text === '%') {
        const itself = name === 'quantity' ? 'quantity itself' : `price of the ${name}`
        if (name !== 'by') return err(`% works only with by: type the ${itself}.`)
        said.isPercent = true
        at += 1
      }
    } else if (countWords.has(lower) && kind === 'scale') {
      if (!isNumber(next) || (at === 0 && lower === 'in')) continue
      if (!/^\d{1,4}$/.test(next.text))
        return err(`Type the number of orders, 2 to ${slicesMax}: ${next.text.slice(0, 24)} is not valid.`)
      twice = note(said, 'count', Number.parseInt(next.text, 10), kind)
      at += 1
    } else if (lower === 'market' || lower === 'mkt') twice = note(said, 'isMarket', true, kind)
    else if (lower === 'all' || lower === 'everything') twice = note(said, 'quantity', 'all', kind)
    else if (lower === 'half') twice = note(said, 'quantity', 'half', kind)
    else if (lower === 'post' || lower === 'post-only') twice = note(said, 'postOnly', true, kind)
    else if (lower === 'from' && kind === 'trailing' && isNumber(next)) {
      const read = amountOf(next, 'price')
      if (!read.ok) return read
      twice = note(said, 'stop', read.value, kind)
      at += 1
    } else if (ends !== null && said.quantity !== null) {
      for (const text of ends.slice(1)) {
        const read = amountOf({ text }, 'price')
        if (!read.ok) return read
        said.prices.push(read.value)
      }
    } else if (isCounted(word, next, kind)) twice = note(said, 'count', Number.parseInt(word.text, 10), kind)
    else if (isNumber(word)) {
      // `trail sell 0.1 btc 2%`: a share of the price can only be the distance.
      const isShare = kind === 'trailing' && next?.text === '%'
      const isPrice = isChange || isShare || said.quantity !== null
      const read = amountOf(word, isPrice ? 'price' : 'quantity')
      if (!read.ok) return read
      if (isShare) [said.isPercent, at, twice] = [true, at + 1, note(said, 'by', read.value, kind)]
      else if (isPrice) said.prices.push(read.value)
      else said.quantity = read.value
    } else if (fillers.has(lower) || rangeFillers.has(lower) || lower === unit.counter.toLowerCase()) continue
    else {
      const symbol = readSymbolWord(word, context)
      const wrong = /^[-−–]\D?\d/.test(word.text) ? 'Amounts must be above zero' : 'Not understood'
      if (symbol === undefined) return err(`${wrong}: ${word.text.slice(0, 24)}.`)
      if (!symbol.ok) return err(`${symbol.error.text}.`)
      twice = note(said, 'symbol', symbol.value, kind)
    }
    if (twice !== null) return err(twice)
  }
}

/** The currencies of the named symbol, or else of the one on screen. */
function unitOf(words: readonly Word[], context: SentenceContext): Unit {
  for (const word of words) {
    const symbol = readSymbolWord(word, context)
    const instrument = symbol?.ok === true ? context.instruments.get(symbol.value) : undefined
    if (instrument !== undefined) return instrument
  }
  return context.instruments.get(context.symbol) ?? { base: null, counter: usualCounter }
}
