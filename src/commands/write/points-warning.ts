import { plainWidth } from '../../domain/amount-text.ts'
import { midPrice } from '../../domain/market/book.ts'
import type { CheckContext } from '../../domain/orders/checks/pre-trade.ts'
import { pointsDoubt } from '../../store/sentences/points.ts'
import type { Arguments } from '../cli/arguments.ts'

/**
 * The warning about an amount like `10.000` of an order placed by a command; null for none. A script's point is a
 * decimal one, so the order goes with it, where the palette and a plan's words ask: what is taken has to be said.
 */
export function pointsWarning(given: Pick<Arguments, 'words' | 'value'>, context: CheckContext): string | null {
  const { instrument, book } = context
  if (instrument.kind !== 'fresh') return null
  const { symbol } = instrument.value
  const [side = '', quantity = ''] = given.words
  const prices = (['limit', 'stop'] as const).flatMap((name) => {
    const typed = given.value(name)
    return typed === undefined ? [] : [name, typed]
  })
  const line = plainWidth([side, quantity, symbol.toLowerCase(), ...prices].join(' '))
  const doubt = pointsDoubt(line, {
    context: { instruments: new Map([[symbol, instrument.value]]), symbol, bookOf: () => null },
    priceOf: () => (book.kind === 'fresh' ? midPrice(book.value) : null),
    isUnderstood: () => true,
  })
  if (doubt === null) return null
  const [small, large] = doubt.words
  return `"${doubt.text}" is read as ${small}, its point as a decimal one. If ${large} is meant, write ${large}.`
}
