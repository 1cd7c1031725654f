import type { SentenceContext } from './order-sentence.ts'
import {
  partOf,
  quoted,
  readSymbolWord,
  symbolOffers,
  type Understanding,
  unfinished,
  unknownWord,
  type Word,
  wrong,
} from './order-sentence-words.ts'

const isOrderId = (text: string): boolean => /^[1-9]\d{0,18}$/.test(text)

/** `cancel all`, `cancel all eth-usd`, `cancel 9912041`. The first word is known to be `cancel`. */
export function understandCancel(words: readonly Word[], text: string, context: SentenceContext): Understanding {
  const [verb, what, which, more] = words
  const symbols = symbolOffers(context)
  if (verb === undefined || what === undefined)
    return { result: unfinished(text, 'cancel what? all, all of a symbol, or an order id', ['all']), next: ['all'] }
  const extra = what.lower === 'all' ? more : which
  if (extra !== undefined)
    return { result: wrong(extra, `nothing comes after that: leave out ${quoted(extra)}`), next: [] }
  if (isOrderId(what.text)) {
    const parts = [partOf(verb, what, `cancel order ${what.text}`)]
    return { result: { ok: true, value: { kind: 'cancelOrder', orderId: what.text, parts } }, next: [] }
  }
  if (what.lower !== 'all') return { result: notCancellable(what, context), next: [] }
  if (which === undefined) {
    const parts = [partOf(verb, what, 'cancel every order of every symbol')]
    return { result: { ok: true, value: { kind: 'cancelAll', symbol: null, parts } }, next: symbols }
  }
  const symbol = readSymbolWord(which, context)
  if (symbol === undefined) return { result: unknownWord(which, [], context), next: [] }
  if (!symbol.ok) return { result: symbol, next: [] }
  const parts = [partOf(verb, what, 'cancel every order'), partOf(which, which, `of ${symbol.value}`)]
  return { result: { ok: true, value: { kind: 'cancelAll', symbol: symbol.value, parts } }, next: [] }
}

/** A symbol by itself may mean all of its orders, or be a slip: it is asked for in full. */
function notCancellable(what: Word, context: SentenceContext) {
  const symbol = readSymbolWord(what, context)
  if (symbol?.ok === true) {
    const offer = `all ${symbol.value.toLowerCase()}`
    return wrong(what, `to take back every order of ${symbol.value} say: cancel ${offer}`, [offer])
  }
  return wrong(what, `${quoted(what)} is no order id: cancel all, cancel all SYMBOL, or cancel an order id`, ['all'])
}
