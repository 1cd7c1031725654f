import type { Instrument } from './instrument.ts'
import type { Decimal } from './money.ts'
import { suggestion } from './nearest-name.ts'
import { understandCancel } from './order-sentence-cancel.ts'
import { understandOrder } from './order-sentence-order.ts'
import { type Understanding, wordsOf } from './order-sentence-words.ts'
import type { Result } from './result.ts'
import type { TicketForm } from './ticket.ts'

/** A piece of the sentence and what it was taken for. `at` and `length` are in characters of the text as typed. */
export type SentencePart = { at: number; length: number; meaning: string }

/**
 * What a ticket is to be opened with. A quantity that was said as a share of what is available stays a share (above 0,
 * at most 100) until the balances are asked, and the form's quantity is empty.
 */
export type TicketRequest = { form: TicketForm; sharePercent: Decimal | null }

/** What a sentence asks for, and the parts it was understood from. None of these has been checked or sent. */
export type OrderIntent = { parts: readonly SentencePart[] } & (
  | ({ kind: 'order' } & TicketRequest)
  /** Null: every symbol. */
  | { kind: 'cancelAll'; symbol: string | null }
  | { kind: 'cancelOrder'; orderId: string }
)

/**
 * Why a sentence is not understood. `unfinished`: right so far, words are missing at `at`. `wrong`: what stands at `at`
 * is not what belongs there. `offers` are words that would be right there, best first; empty where only the person
 * knows.
 */
export type SentenceProblem = {
  kind: 'unfinished' | 'wrong'
  at: number
  length: number
  text: string
  offers: readonly string[]
}

/** What sentences may name: the symbols known, and the one that is meant when none is named. */
export type SentenceContext = {
  instruments: ReadonlyMap<string, Pick<Instrument, 'symbol' | 'base' | 'counter'>>
  symbol: string
}

/** Longer texts are no sentence of one order. */
export const sentenceMost = 200

const firstWords = ['buy', 'sell', 'cancel'] as const

/** The sentence as far as it is understood, with the words that may come next. Never throws, whatever the text. */
export function understand(text: string, context: SentenceContext): Understanding {
  if (text.length > sentenceMost) {
    const problem = { at: sentenceMost, length: text.length - sentenceMost, text: 'this is too long for an order' }
    return { result: { ok: false, error: { kind: 'wrong', offers: [], ...problem } }, next: [] }
  }
  const words = wordsOf(text)
  const [first] = words
  const verb = first?.lower
  if (verb === 'buy' || verb === 'b' || verb === 'sell' || verb === 's') return understandOrder(words, text, context)
  if (verb === 'cancel') return understandCancel(words, text, context)
  const isStart = first === undefined
  const problem: SentenceProblem = {
    kind: isStart ? 'unfinished' : 'wrong',
    at: first?.at ?? text.length,
    length: first?.length ?? 0,
    text: `an order begins with buy, sell or cancel${isStart ? '' : suggestion(first.text, firstWords)}`,
    offers: firstWords,
  }
  return { result: { ok: false, error: problem }, next: isStart ? firstWords : [] }
}

/**
 * Reads an order as a sentence: `buy 0.05 btc-usd @ 64209.5 gtd 20261231 post`, `sell 25% eth-usd market ioc`, `cancel
 * all eth-usd`, `cancel 9912041`. The words after side and quantity may stand in any order, in capitals or not. Whether
 * such an order can be placed is for the checks of the ticket it fills to say.
 */
export const readOrderSentence = (text: string, context: SentenceContext): Result<OrderIntent, SentenceProblem> =>
  understand(text, context).result
