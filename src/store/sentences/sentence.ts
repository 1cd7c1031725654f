import { fuzzyFind } from '../../base/fuzzy.ts'
import { symbolSuggestion } from '../../base/nearest-name.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { otherNameOf } from '../../domain/market/other-names.ts'
import { Decimal, formatGrouped } from '../../domain/money.ts'
import { symbolCalled } from '../../domain/orders/sentence-words.ts'
import type { Commands } from '../commands.ts'
import type { DeskState } from '../desk.ts'

/** What a line of the palette was understood as. */
export type Reading =
  | {
      kind: 'understood'
      /** What was understood, a line each, for a person to check. */
      lines: readonly string[]
      /** What a person should look at twice before going on. */
      warnings?: readonly string[]
      /** What Enter does: `fills the ticket; nothing is sent`. */
      enter: string
      /** The action of the key table that it is as dangerous as: at Enter it waits where that key would. */
      actsAs?: string
      /** Does it. `act` does an action of the key table, where only the screen knows what it works on. */
      run(commands: Commands, act: (action: string) => void): void
    }
  /**
   * Meant as this sentence, and something is missing or wrong: what, and what would do. `instead`: whole lines that may
   * have been meant, one for a near miss, several where it can be read in several ways.
   */
  | { kind: 'wrong'; lines: readonly string[]; instead?: readonly string[] }

/** A kind of sentence that the palette takes. */
export type SentenceReader = {
  name: string
  /** What it does, in a few words. */
  help: string
  example: string
  /** The words that such a sentence begins with, in lower case. */
  starts: readonly string[]
  /** Whether there is such a thing on this desk; always unless given. */
  isOffered?(state: DeskState): boolean
  /** Null when the line is not of this kind. It reads only: `run` of what it returns acts. */
  read(line: string, state: DeskState): Reading | null
  /** Words that may stand at the end of the line, after at least one other; symbols unless given. */
  words?(line: string, state: DeskState): readonly string[]
}

/** A wrong line with the lines that may have been meant. */
export const asked = (lines: readonly string[], instead: readonly string[]): Reading => ({
  kind: 'wrong',
  lines,
  instead,
})

export const wrong = (...lines: string[]): Reading => ({ kind: 'wrong', lines })

/** The words of a line, in lower case. */
export const wordsOf = (line: string): string[] => line.trim().toLowerCase().split(/\s+/)

export const symbolsOf = (state: DeskState): string[] => [...(state.instruments.value?.keys() ?? [])]

/** The symbol that a word names in full, whatever the case; the error says which one may have been meant. */
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

/** From here on a price is said to be far away. */
const farFactor = 2
/** A larger factor is no longer counted. */
const farMax = 1_000

/** Whether a price is far away from the market. */
export const isFar = (price: Decimal, market: Decimal): boolean =>
  price.gt(0) && market.gt(0) && Decimal.max(price.div(market), market.div(price)).gte(farFactor)

const farOff = 'is far off'
/** Whether a warning is of those of `farWarning`. */
export const isFarWarning = (warning: string): boolean => warning.includes(farOff)

/** What is said of a price that is far off the market: at most one sentence. */
export function farWarning(name: string, price: Decimal, market: Decimal | null, scale: number): string[] {
  if (market === null || market.lte(0) || price.lte(0)) return []
  const isAbove = price.gt(market)
  const factor = isAbove ? price.div(market) : market.div(price)
  if (factor.lt(farFactor)) return []
  const times = factor.gt(farMax) ? `over ${farMax}` : factor.toSignificantDigits(2, Decimal.ROUND_HALF_UP).toFixed()
  const far = isAbove ? `${times} times the market` : `the market is ${times} times it`
  return [
    `Look again: the ${name} ${formatGrouped(price, scale)} ${farOff}: ${far} at ${formatGrouped(market, scale)}.`,
  ]
}
