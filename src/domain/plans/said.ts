import { err, ok, type Result } from '../../base/result.ts'
import { capital } from '../../base/text/plain-text.ts'
import { readShortAmount, splitCurrency } from '../amount-text.ts'
import { areApart } from '../apart.ts'
import { Decimal } from '../money.ts'
import {
  partOf,
  readSymbolWord,
  type SentenceContext,
  symbolOffers,
  usualCounter,
  type Word,
} from '../orders/sentence-words.ts'
import { readSizeText } from '../orders/sizing.ts'
import type { Side } from '../side.ts'
import { type Away, isSameAway, readAway } from './leg-away.ts'
import { type PlanKind, slicesMax } from './terms.ts'

/** The contents of a sentence, before checking the symbol's rules. */
export type Said = {
  side: Side | null
  symbol: string | null
  quantity: Decimal | 'all' | 'half' | null
  /** A quantity said as what it is worth, `$1,000` or `1000 usd`, and its place in the line; null otherwise. */
  money: { amount: Decimal; text: string; at: number; length: number } | null
  /** The quantity where it is said as `1k`, which may mean money, as in an order; null otherwise. */
  short: Word | null
  /** Prices without a name: the entry, or the ends of a scale. */
  prices: Decimal[]
  /** The numbers that nothing names, the quantity first; the symbol behind one of them makes it a quantity. */
  bare: { value: Decimal; number: Word; symbol: Word | null }[]
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
  ...{
    side: null,
    symbol: null,
    quantity: null,
    money: null,
    short: null,
    prices: [],
    bare: [],
    isMarket: false,
    stop: null,
    limit: null,
    target: null,
  },
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
/** The number behind one of them is a price, unless a symbol follows it. */
const priceWords = new Set(['at', 'entry', 'price', 'between', 'from', 'to'])
/** Behind a number they make it the number of orders: `10 orders`. */
const counted = new Set(['orders', 'slices', 'parts', 'levels'])
const rangeFillers = new Set(['to', 'from', '-', 'out', ...counted])
/** They are between the two prices of a range. */
const rangeJoints = new Set(['to', 'and', '-'])
/** The number of orders follows them; not behind `scale in`, which is another name of a scale. */
const countWords = new Set(['in', 'into', 'x', 'over', 'with'])
const range = /^([\d.,]+[km]?)(?:[-–]|\.\.)([\d.,]+[km]?)$/i

type Fact = Exclude<keyof Said, 'prices' | 'bare' | 'isPercent' | 'away' | 'money' | 'short'>

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

type Unit = { base: string | null; counter: string }

/** Reads an amount in the symbol's currencies; the error is a sentence. */
function readAmount({ text }: Pick<Word, 'text'>, what: 'price' | 'quantity', unit: Unit): Result<Decimal> {
  const read = readShortAmount(text, { what, unit: what === 'price' ? unit.counter : unit.base })
  if (read.ok) return read
  if (read.error.kind === 'currency') return err(`${read.error.text}.`)
  return err(`The ${what} ${read.error.kind === 'ambiguous' ? '' : `"${text}" `}${read.error.text}.`)
}

/**
 * Reads the words after the first; the error is a sentence. The first number without a name is the quantity, unless a
 * word before it makes it a price; later ones are prices; in a change of a plan all are prices.
 */
export const readWords = (
  words: readonly Word[],
  kind: PlanKind,
  context: SentenceContext,
  isChange = false,
): Result<Said> => new PlanWords(words, kind, context, isChange).read()

/** What becomes of a word: a complaint as a sentence, null for one that is taken, undefined for another rule's word. */
type Taken = string | null | undefined

/** The words of a plan, taken one after the other, each by the first rule that knows it. */
class PlanWords {
  readonly #words: readonly Word[]
  readonly #kind: PlanKind
  readonly #context: SentenceContext
  readonly #isChange: boolean
  readonly #unit: Unit
  readonly #said = nothingSaid()
  /** The last word that was taken. */
  #at = 0

  constructor(words: readonly Word[], kind: PlanKind, context: SentenceContext, isChange: boolean) {
    this.#words = words
    this.#kind = kind
    this.#context = context
    this.#isChange = isChange
    this.#unit = unitOf(words, context)
  }

  read(): Result<Said> {
    const rules = [
      (word: Word) => this.#side(word),
      (word: Word) => this.#namedAmount(word),
      (word: Word) => this.#countAhead(word),
      (word: Word) => this.#mark(word),
      (word: Word) => this.#firstStop(word),
      (word: Word) => this.#range(word),
      (word: Word) => this.#countBehind(word),
      (word: Word) => this.#bareAmount(word),
      (word: Word) => this.#filler(word),
      (word: Word) => this.#symbol(word),
    ]
    for (; this.#at < this.#words.length; this.#at += 1) {
      const word = this.#words[this.#at]
      if (word === undefined) break
      let taken: Taken
      for (let rule = 0; taken === undefined && rule < rules.length; rule += 1) taken = rules[rule]?.(word)
      if (typeof taken === 'string') return err(taken)
    }
    return ok(this.#said)
  }

  get #next(): Word | undefined {
    return this.#words[this.#at + 1]
  }

  #note<Name extends Fact>(name: Name, value: Said[Name]): string | null {
    return note(this.#said, name, value, this.#kind)
  }

  #amount(word: Word, what: 'price' | 'quantity'): Result<Decimal> {
    if (what === 'quantity' && /[km]$/i.test(word.text)) this.#said.short = word
    return readAmount(word, what, this.#unit)
  }

  #side({ lower }: Word): Taken {
    const side = Object.hasOwn(sideWords, lower) ? sideWords[lower] : undefined
    return side === undefined ? undefined : this.#note('side', side)
  }

  /** `stop 63000`, `stop loss at 63000`, `stop 2% below`, `by 1 %`. */
  #namedAmount({ lower }: Word): Taken {
    const name = Object.hasOwn(namedAmounts, lower) ? namedAmounts[lower] : undefined
    if (name === undefined) return undefined
    let place = this.#at + 1
    while (beforeAmount.has(this.#words[place]?.lower ?? '')) place += 1
    const after = this.#words[place]
    const away = readAway(after, this.#words[place + 1])
    const isLeg = (name === 'stop' || name === 'target') && (this.#kind === 'oco' || this.#kind === 'bracket')
    if (away !== null && isLeg) {
      this.#at = place + 1
      return noteAway(this.#said, name, away) ? null : `Say the ${name} once.`
    }
    // In `trailing stop sell …` or `take profit at …` the amount is elsewhere or was given before.
    if (!isNumber(after)) return this.#kind === 'trailing' && name === 'stop' ? null : withoutAmount(name, lower, after)
    if (name === 'quantity' && this.#isMoney(place)) return this.#money(place)
    const read = this.#amount(after, name === 'quantity' ? 'quantity' : 'price')
    if (!read.ok) return read.error
    this.#at = place
    const twice = this.#note(name, read.value)
    return this.#next?.text === '%' ? this.#percent(name, twice) : twice
  }

  #percent(name: NamedAmount, twice: string | null): string | null {
    const itself = name === 'quantity' ? 'quantity itself' : `price of the ${name}`
    if (name !== 'by') return `% works only with by: type the ${itself}.`
    this.#said.isPercent = true
    this.#at += 1
    return twice
  }

  /** `in 10`, `x 10`: the number of orders of a scale. */
  #countAhead({ lower }: Word): Taken {
    if (!countWords.has(lower) || this.#kind !== 'scale') return undefined
    const next = this.#next
    if (!isNumber(next) || (this.#at === 0 && lower === 'in')) return null
    if (!/^\d{1,4}$/.test(next.text))
      return `Type the number of orders, 2 to ${slicesMax}: ${next.text.slice(0, 24)} is not valid.`
    this.#at += 1
    return this.#note('count', Number.parseInt(next.text, 10))
  }

  #mark({ lower }: Word): Taken {
    switch (lower) {
      case 'market':
      case 'mkt':
        return this.#note('isMarket', true)
      case 'all':
      case 'everything':
        return this.#note('quantity', 'all')
      case 'half':
        return this.#note('quantity', 'half')
      case 'post':
      case 'post-only':
        return this.#note('postOnly', true)
      default:
        return undefined
    }
  }

  /** `from 63000`: where the stop of a trailing stop begins. */
  #firstStop({ lower }: Word): Taken {
    const next = this.#next
    if (lower !== 'from' || this.#kind !== 'trailing' || !isNumber(next)) return undefined
    const read = this.#amount(next, 'price')
    if (!read.ok) return read.error
    this.#at += 1
    return this.#note('stop', read.value)
  }

  /** `63000-64000`: of a scale, and of others behind the quantity. */
  #range(word: Word): Taken {
    const { text } = word
    const ends = range.exec(text)
    if (ends === null || (this.#said.quantity === null && this.#kind !== 'scale')) return undefined
    const half = halfShortened(ends[1] ?? '', ends[2] ?? '', text)
    if (half !== null) return half
    for (const end of ends.slice(1)) {
      const read = this.#amount({ ...word, text: end }, 'price')
      if (!read.ok) return read.error
      this.#said.prices.push(read.value)
    }
    return null
  }

  /** `10 orders`. */
  #countBehind({ text }: Word): Taken {
    const isCount = this.#kind === 'scale' && /^\d{1,4}$/.test(text) && counted.has(this.#next?.lower ?? '')
    return isCount ? this.#note('count', Number.parseInt(text, 10)) : undefined
  }

  #bareAmount(word: Word): Taken {
    if (!isNumber(word)) return undefined
    // `trail sell 0.1 btc 2%`: a share of the price can only be the distance.
    const isShare = this.#kind === 'trailing' && this.#next?.text === '%'
    const isCounted = this.#said.quantity !== null || this.#said.money !== null
    const isPrice = this.#isChange || isShare || isCounted || this.#isCalledPrice()
    if (!isPrice && this.#isMoney(this.#at)) return this.#money(this.#at)
    const [joint, end] = [this.#next, this.#words[this.#at + 2]]
    const half = this.#kind === 'scale' && isNumber(end) && joint !== undefined && rangeJoints.has(joint.lower)
    const doubt = half ? halfShortened(word.text, end.text, `${word.text} ${joint.text} ${end.text}`) : null
    if (doubt !== null) return doubt
    const read = this.#amount(word, isPrice ? 'price' : 'quantity')
    if (!read.ok) return read.error
    if (isShare) {
      this.#said.isPercent = true
      this.#at += 1
      return this.#note('by', read.value)
    }
    if (!this.#isCalledPrice())
      this.#said.bare.push({ value: read.value, number: word, symbol: this.#isOfSymbol ? (this.#next ?? null) : null })
    if (isPrice) this.#said.prices.push(read.value)
    else this.#said.quantity = read.value
    return null
  }

  get #isOfSymbol(): boolean {
    return this.#next !== undefined && readSymbolWord(this.#next, this.#context) !== undefined
  }

  /** `@ 64000`, `from 63000 to 64000`: a price, also before the quantity; `at 0.1 btc` is a quantity. */
  #isCalledPrice(): boolean {
    const before = this.#words[this.#at - 1]?.lower ?? ''
    if (this.#isOfRange) return true
    const isCalled = priceWords.has(before) || (before === 'and' && this.#said.prices.length > 0)
    return before === '@' || (isCalled && !this.#isOfSymbol)
  }

  /** `150 to 160`: of a scale, one of two prices, whatever stands behind. */
  get #isOfRange(): boolean {
    const isRange = (at: number) =>
      isNumber(this.#words[at]) && this.#words[at + 1]?.lower === 'to' && isNumber(this.#words[at + 2])
    return this.#kind === 'scale' && (isRange(this.#at) || isRange(this.#at - 2))
  }

  #isCounter(word: Word | undefined): boolean {
    return word?.lower === this.#unit.counter.toLowerCase()
  }

  /** `$1,000`, `1000 usd`, `usd 1000`; not `btc usd 0.1`, a symbol written apart, nor `64000 usd 0.1`. */
  #isMoney(place: number): boolean {
    const [first, before, word, after] = [-2, -1, 0, 1].map((step) => this.#words[place + step])
    if (splitCurrency(word?.text ?? '').currency === this.#unit.counter || this.#isCounter(after)) return true
    const isOfFirst = first !== undefined && (isNumber(first) || readSymbolWord(first, this.#context) !== undefined)
    return this.#isCounter(before) && !isOfFirst
  }

  /** What a quantity is to be worth: a plan is of a quantity, so that it is asked for. */
  #money(place: number): string | null {
    const word = this.#words[place]
    if (word === undefined) return null
    if (this.#said.money !== null || this.#said.quantity !== null) return 'Say the quantity once.'
    const [before, after] = [this.#words[place - 1], this.#words[place + 1]]
    const from = this.#isCounter(before) ? (before ?? word) : word
    const to = this.#isCounter(after) ? (after ?? word) : word
    const { base, counter } = this.#unit
    const text = [...new Set([from, word, to])].map((each) => each.text).join(' ')
    const size = readSizeText(text, { base: base ?? '', counter })
    if (!size.ok) return `${capital(size.error)}.`
    if (size.value.kind === 'counter') {
      const { at, length } = partOf(from, to, '')
      this.#said.money = { amount: size.value.amount, text, at, length }
    }
    this.#at = this.#words.indexOf(to)
    return null
  }

  #filler({ lower }: Word): Taken {
    const isFiller = fillers.has(lower) || rangeFillers.has(lower) || lower === this.#unit.counter.toLowerCase()
    return isFiller ? null : undefined
  }

  #symbol(word: Word): string | null {
    const symbol = readSymbolWord(word, this.#context)
    const wrong = /^[-−–]\D?\d/.test(word.text) ? 'Amounts must be above zero' : 'Not understood'
    if (symbol === undefined) return `${wrong}: ${word.text.slice(0, 24)}.`
    return symbol.ok ? this.#note('symbol', symbol.value) : `${symbol.error.text}.`
  }
}

/** Asks about `63 to 64k`: the letter may be of both ends. Null where it is not, or the ends are near as they are. */
function halfShortened(from: string, to: string, text: string): string | null {
  const letter = /[km]$/i.exec(to)?.[0]
  const [first, whole, last] = [from, `${from}${letter ?? ''}`, to].map((each) =>
    readShortAmount(each, { what: 'price', unit: null }),
  )
  if (letter === undefined || first?.ok !== true || whole?.ok !== true || last?.ok !== true) return null
  if (!areApart(first.value, last.value) || areApart(whole.value, last.value)) return null
  return `"${text}" can be read in two ways: write ${from}${letter} to ${to}, or ${from} to ${last.value.toFixed()}.`
}

/** Why a named amount has none behind its name. */
function withoutAmount(name: NamedAmount, lower: string, after: Word | undefined): string {
  if (after !== undefined && /^[-+]/.test(after.text))
    return `${lower} needs a price: ${after.text.slice(0, 24)} is not one.`
  return `Incomplete: ${atPrices.has(name) ? `${lower} at which price` : `how much after "${lower}"`}?`
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

/** The words that each kind of plan is told by, in the order of its example. */
const ownWords: Readonly<Record<PlanKind, readonly string[]>> = {
  bracket: ['market', 'stop', 'target', 'limit', 'near'],
  oco: ['stop', 'target', 'limit', 'near'],
  trailing: ['by', 'step', 'from'],
  scale: ['from', 'to', 'in', 'post'],
}

/**
 * The words that may follow these of a plan's sentence, most needed first: a side, a symbol and each of the kind's own
 * words until it is said; none where a number belongs.
 */
export function nextPlanWords(words: readonly Word[], kind: PlanKind, context: SentenceContext): string[] {
  const said = new Set(words.map(({ lower }) => lower))
  const last = words.at(-1)?.lower ?? ''
  if (Object.hasOwn(namedAmounts, last) || priceWords.has(last) || last === '@' || countWords.has(last)) return []
  const hasSide = words.some(({ lower }) => Object.hasOwn(sideWords, lower))
  const hasSymbol = words.some((word) => readSymbolWord(word, context) !== undefined)
  return [
    ...(hasSide ? [] : ['buy', 'sell']),
    ...(hasSymbol ? [] : symbolOffers(context)),
    ...ownWords[kind].filter((word) => !said.has(word)),
  ]
}
