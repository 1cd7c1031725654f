import { err, ok, type Result } from '../../base/result.ts'
import { fuzzyFind } from '../../base/text/fuzzy.ts'
import { symbolSuggestion } from '../../base/text/nearest-name.ts'
import { otherNameOf } from '../../domain/market/other-names.ts'
import { Decimal, formatGrouped } from '../../domain/money.ts'
import type { OrderIntent } from '../../domain/orders/sentence-clauses.ts'
import { symbolCalled } from '../../domain/orders/sentence-words.ts'
import type { Commands } from '../commands.ts'
import type { DeskState } from '../desk.ts'

/**
 * Recognized as this sentence, but incomplete or wrong: the fault, and the remedy. `instead`: whole lines that may be
 * meant, one for a near miss, several for an ambiguous line. `isIncomplete`: what is missing can be typed behind it.
 */
type Wrong = {
  kind: 'wrong'
  lines: readonly string[]
  instead?: readonly string[]
  isIncomplete?: boolean
}

/** The reading of a line in the palette; `intent` is what a line about orders was parsed as. */
export type Reading = { intent?: OrderIntent } & (
  | {
      kind: 'understood'
      /** The meaning, a line each, for the user to check. */
      lines: readonly string[]
      /** Warnings to check before continuing. */
      warnings?: readonly string[]
      /** True when one of them is about a price far off the market. */
      isFarOff?: boolean
      /** The effect of Enter: `fills the ticket; nothing is sent`. */
      enter: string
      /** An action of the key table with the same danger: Enter waits where that key would. */
      actsAs?: string
      /** Executes it. `act` runs an action of the key table, for those that only the screen can resolve. */
      run(commands: Commands, act: (action: string) => void): void
    }
  | Wrong
)

/** A kind of sentence in the palette. */
export type SentenceReader = {
  name: string
  /** Its effect, in a few words. */
  help: string
  example: string
  /** The words that begin such a sentence, in lower case. */
  starts: readonly string[]
  /** Whether this desk offers it; always unless given. */
  isOffered?(state: DeskState): boolean
  /** Null for a line of another kind. It only reads: `run` of the result acts. */
  read(line: string, state: DeskState): Reading | null
  /** The symbol that a line is about without naming it; the one on screen unless given. */
  symbolOf?(line: string, state: DeskState): string | null
  /** Words that may end the line, after at least one other; symbols unless given. */
  words?(line: string, state: DeskState): readonly string[]
}

/** A wrong line with likely alternatives. */
export const asked = (lines: readonly string[], instead: readonly string[]): Wrong => ({
  kind: 'wrong',
  lines,
  instead,
})

export const wrong = (...lines: string[]): Wrong => ({ kind: 'wrong', lines })

/** The words of a line, in lower case. */
export const wordsOf = (line: string): string[] => line.trim().toLowerCase().split(/\s+/)

export const symbolsOf = (state: DeskState): string[] => [...(state.instruments.value?.keys() ?? [])]

/** The symbol with this full name, in any case; the error suggests a similar one. */
export function readSymbol(word: string, state: DeskState): Result<string> {
  const symbols = symbolsOf(state)
  if (symbols.length === 0) return err('the symbols are not loaded yet: wait')
  const symbol = symbols.find((each) => each.toLowerCase() === word.toLowerCase())
  if (symbol !== undefined) return ok(symbol)
  const close = fuzzyFind(word, symbols, (each) => each)[0]?.item
  const other = symbolCalled(otherNameOf(word) ?? '', state.instruments.value ?? new Map())
  const hint =
    other !== null
      ? `, did you mean ${other}?`
      : symbolSuggestion(word, symbols) || (close === undefined ? '' : `, did you mean ${close}?`)
  return err(`unknown symbol ${word.toUpperCase()}${hint}`)
}

/** From this factor on a price is reported as far off. */
const farFactor = 2
/** Larger factors are not counted. */
const farMax = 1_000

/** Whether a price is far away from the market. */
export const isFar = (price: Decimal, market: Decimal): boolean =>
  price.gt(0) && market.gt(0) && Decimal.max(price.div(market), market.div(price)).gte(farFactor)

/** The warning about a price far off the market: at most one sentence. */
export function farWarning(name: string, price: Decimal, market: Decimal | null, scale: number): string[] {
  if (market === null || market.lte(0) || price.lte(0)) return []
  const isAbove = price.gt(market)
  const factor = isAbove ? price.div(market) : market.div(price)
  if (factor.lt(farFactor)) return []
  const times = factor.gt(farMax) ? `over ${farMax}` : factor.toSignificantDigits(2, Decimal.ROUND_HALF_UP).toFixed()
  const far = isAbove ? `${times} times the market` : `the market is ${times} times it`
  return [
    `Look again: the ${name} ${formatGrouped(price, scale)} is far off: ${far} at ${formatGrouped(market, scale)}.`,
  ]
}
