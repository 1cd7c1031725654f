import { err, ok, type Result } from '../../base/result.ts'
import { readShortAmount } from '../amount-text.ts'
import type { Instrument } from '../market/instrument.ts'
import { Decimal } from '../money.ts'
import { opposite, type Side } from '../orders/order.ts'
import {
  quoted,
  readSymbolWord,
  type SentenceContext,
  type SentenceProblem,
  unfinished,
  unknownWord,
  type Word,
  wordsOf,
  wrong,
} from '../orders/sentence-words.ts'
import { exitTerms, type PlanKind, type PlanTerms, slicesOf, termsComplaint, trailTerms } from './terms.ts'

/** What a sentence gives beside kind, side, quantity and symbol, by the word before each. */
const named = {
  stop: 'price',
  limit: 'price',
  target: 'price',
  near: 'price',
  by: 'price',
  step: 'price',
  from: 'price',
  to: 'price',
  in: 'count',
} as const
type Named = keyof typeof named
const isNamed = (word: string): word is Named => Object.hasOwn(named, word)

/** The words that each kind takes; those in `needs` must be there. */
const takes: Readonly<Record<PlanKind, { needs: readonly Named[]; may: readonly Named[] }>> = {
  oco: { needs: ['stop', 'target'], may: ['limit', 'near'] },
  bracket: { needs: ['stop', 'target'], may: ['limit', 'near'] },
  trailing: { needs: ['by'], may: ['step', 'from'] },
  scale: { needs: ['from', 'to', 'in'], may: [] },
}
const kindWords: Readonly<Record<string, PlanKind>> = {
  oco: 'oco',
  bracket: 'bracket',
  trailing: 'trailing',
  trail: 'trailing',
  scale: 'scale',
}
const sideWords: Readonly<Record<string, Side>> = { buy: 'BUY', sell: 'SELL' }

/** How each kind is written. */
export const planExamples: Readonly<Record<PlanKind, string>> = {
  oco: 'oco sell 0.1 btc stop 63000 target 66000',
  bracket: 'bracket buy 0.1 btc 64000 stop 63000 target 66000',
  trailing: 'trailing sell 0.1 btc by 500',
  scale: 'scale buy 0.5 btc from 64000 to 63000 in 5',
}

/** True when the text begins as a sentence for `readPlanSentence`, right or wrong. */
export const isPlanSentence = (text: string): boolean =>
  Object.hasOwn(kindWords, text.trim().toLowerCase().split(/\s+/)[0] ?? '')

type Read<T> = Result<T, SentenceProblem>
type Given = Partial<Record<Named, Decimal>> & { postOnly?: true }
type Scene = { text: string; kind: PlanKind; instrument: Instrument }

/**
 * Reads a plan as a person types it: `bracket buy 0.1 btc 64000 stop 63000 target 66000` (`market` for the entry's
 * price), `oco sell …`, both with `limit` behind the stop and `near` for the distance of the swap; `trailing sell 0.1
 * btc by 500 [step 50] [from 63000]`; `scale buy 0.5 btc from 64000 to 63000 in 5 [post-only]`. Every amount is above
 * zero, and the terms can be carried out under the symbol's rules.
 */
export function readPlanSentence(text: string, context: SentenceContext): Read<PlanTerms> {
  const [first, sideWord, quantityWord, symbolWord, ...rest] = wordsOf(text, context)
  const kind = kindWords[first?.lower ?? '']
  if (first === undefined || kind === undefined)
    return unfinished(text, 'A plan is an oco, bracket, trailing stop or scale', Object.keys(kindWords))
  if (sideWord === undefined) return unfinished(text, `Such as ${planExamples[kind]}`, Object.keys(sideWords))
  const side = sideWords[sideWord.lower]
  if (side === undefined) return wrong(sideWord, `buy or sell, not ${quoted(sideWord)}`, Object.keys(sideWords))
  if (quantityWord === undefined) return unfinished(text, 'The quantity is missing')
  const quantity = amountOf(quantityWord, 'the quantity')
  if (!quantity.ok) return quantity
  if (symbolWord === undefined) return unfinished(text, 'The symbol is missing')
  const symbol = readSymbolWord(symbolWord, context)
  if (symbol === undefined) return unknownWord(symbolWord, [], context)
  if (!symbol.ok) return symbol
  const instrument = context.instruments.get(symbol.value)
  if (instrument === undefined) return wrong(symbolWord, `${quoted(symbolWord)} is not listed`)
  const scene = { text, kind, instrument }
  const entry = kind === 'bracket' ? readEntry(rest, text) : ok({ price: null, rest })
  if (!entry.ok) return entry
  const given = readNamed(entry.value.rest, scene)
  if (!given.ok) return given
  const missing = takes[kind].needs.find((name) => given.value[name] === undefined)
  if (missing !== undefined) return unfinished(text, `${missing} is missing: ${planExamples[kind]}`, [missing])
  const common = { symbol: symbol.value, side, quantity: quantity.value }
  const terms = termsOf(kind, { ...common, entryPrice: entry.value.price }, given.value, instrument)
  return terms.ok ? terms : wrong({ at: 0, length: text.length }, terms.error)
}

/**
 * Terms with what a sentence changes of them: `stop 63100 target 66500`, `quantity 0.05`, `entry 64100`, `by 400`. The
 * error is a sentence.
 */
export function readPlanChange(terms: PlanTerms, text: string, context: SentenceContext): Result<PlanTerms> {
  const instrument = context.instruments.get(terms.symbol)
  if (instrument === undefined) return err(`${terms.symbol} is not listed: nothing was changed.`)
  const words = wordsOf(text, context)
  const plain: Word[] = []
  let { quantity } = terms
  let entryPrice = terms.kind === 'bracket' ? terms.entryPrice : null
  for (let at = 0; at < words.length; at += 2) {
    const [name, value] = [words[at], words[at + 1]]
    if (name === undefined) break
    if (name.lower !== 'quantity' && name.lower !== 'entry') {
      plain.push(name, ...(value === undefined ? [] : [value]))
      continue
    }
    if (value === undefined) return err(`${name.lower} what: nothing was changed.`)
    const read = amountOf(value, name.lower)
    if (!read.ok) return err(`${read.error.text}.`)
    if (name.lower === 'quantity') quantity = read.value
    else if (terms.kind !== 'bracket') return err('Only a bracket has an entry: nothing was changed.')
    else entryPrice = read.value
  }
  if (words.length === 0) return err('What is to change? Such as stop 63100 target 66500.')
  if (terms.kind === 'scale') return err('A scale cannot be changed: cancel it and make another.')
  const given = readNamed(plain, { text, kind: terms.kind, instrument })
  if (!given.ok) return err(`${given.error.text}.`)
  const { symbol, side } = terms
  return termsOf(terms.kind, { symbol, side, quantity, entryPrice }, { ...before(terms), ...given.value }, instrument)
}

/** What terms say already; what follows from other distances is reckoned anew. */
function before(terms: PlanTerms): Given {
  if (terms.kind === 'oco' || terms.kind === 'bracket')
    return {
      stop: terms.stopPrice,
      target: terms.targetPrice,
      ...(terms.stopLimit === null ? {} : { limit: terms.stopLimit }),
    }
  if (terms.kind === 'scale') return {}
  return { by: terms.trailBy, ...(terms.stopPrice === null ? {} : { from: terms.stopPrice }) }
}

function readEntry(
  [word, ...rest]: readonly Word[],
  text: string,
): Read<{ price: Decimal | null; rest: readonly Word[] }> {
  if (word === undefined) return unfinished(text, 'The price of the entry is missing, or market', ['market'])
  if (word.lower === 'market') return ok({ price: null, rest })
  const price = amountOf(word, 'the price of the entry')
  return price.ok ? ok({ price: price.value, rest }) : price
}

function readNamed(words: readonly Word[], { text, kind }: Scene): Read<Given> {
  const { needs, may } = takes[kind]
  const known = [...needs, ...may, ...(kind === 'scale' ? ['post-only'] : [])]
  const given: Given = {}
  const left = [...words]
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    const name = word.lower
    if (kind === 'scale' && name === 'post-only') {
      given.postOnly = true
      continue
    }
    if (!isNamed(name) || !known.includes(name))
      return wrong(word, `${quoted(word)} is no word of ${kind}: ${planExamples[kind]}`, known)
    if (given[name] !== undefined) return wrong(word, `${name} is there twice`)
    const value = left.shift()
    if (value === undefined) return unfinished(text, `${name} what: a ${named[name]} belongs here`)
    const read = amountOf(value, name)
    if (!read.ok) return read
    given[name] = read.value
  }
  return ok(given)
}

function amountOf(word: Word, name: string): Read<Decimal> {
  const read = readShortAmount(word.text, { what: 'amount', unit: null })
  if (!read.ok)
    return wrong(
      word,
      read.error.kind === 'ambiguous' ? read.error.text : `${name} must be a number, not ${quoted(word)}`,
    )
  return read.value.gt(0) ? read : wrong(word, `${name} must be above zero`)
}

type Common = { symbol: string; side: Side; quantity: Decimal; entryPrice: Decimal | null }

/** The terms that the words make, held against the rules of the symbol. The error is a sentence. */
function termsOf(kind: PlanKind, asked: Common, given: Given, instrument: Instrument): Result<PlanTerms> {
  const made = madeOf(kind, asked, given, instrument)
  if (!made.ok) return made
  const complaint = termsComplaint(made.value, instrument)
  return complaint === null ? made : err(complaint)
}

function madeOf(
  kind: PlanKind,
  { entryPrice, ...common }: Common,
  given: Given,
  instrument: Instrument,
): Result<PlanTerms> {
  const nothing = new Decimal(0)
  const { stop = nothing, target = nothing, by = nothing, from = nothing, to = nothing } = given
  switch (kind) {
    case 'oco':
    case 'bracket': {
      // A bracket takes off what its entry put on.
      const side = kind === 'oco' ? common.side : opposite(common.side)
      const { limit = null, near = null } = given
      const legs = exitTerms({ stopPrice: stop, targetPrice: target, stopLimit: limit, nearBy: near }, side, instrument)
      if (!legs.ok) return legs
      return ok(kind === 'oco' ? { ...common, kind, ...legs.value } : { ...common, kind, entryPrice, ...legs.value })
    }
    case 'trailing': {
      const trail = trailTerms(by, given.step ?? null, instrument)
      return trail.ok ? ok({ ...common, kind, ...trail.value, stopPrice: given.from ?? null }) : trail
    }
    case 'scale': {
      const { side, quantity } = common
      const count = (given.in ?? nothing).toNumber()
      const slices = slicesOf({ side, quantity, fromPrice: from, toPrice: to, count }, instrument)
      return slices.ok ? ok({ ...common, kind, slices: slices.value, postOnly: given.postOnly === true }) : slices
    }
  }
}
