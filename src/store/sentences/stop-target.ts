import { readTypedAmount } from '../../domain/amount-text.ts'
import type { OrderIntent } from '../../domain/orders/sentence-clauses.ts'
import type { DeskState } from '../desk.ts'
import { outlookMarket } from '../plans/plan-checks.ts'
import { asked, type Reading } from './sentence.ts'

/** The stop first, with a currency or without, then its limit by that name: that order, and nothing else. */
const isNamed = /(?<!\S)(?:stop|sl|stop[\s-]?loss)\s+(?:(?:at\s+|@\s*)?\S+)(?:\s+[a-z]+)?\s+limit(?!\S)/i

/**
 * Asks about `sell 0.1 btc 66000 stop 63000`, with the market between its prices: as an order it does nothing before
 * 63,000 and then rests at 66,000; as on other desks it is a target and a stop. Null for no doubt. `intent` is what
 * the line was parsed as; `isPlan` is true for a line that is read as a plan.
 */
export function readStopTarget(
  line: string,
  intent: OrderIntent | undefined,
  state: DeskState,
  isPlan: (plan: string) => boolean,
): Reading | null {
  if (intent?.kind !== 'order' || intent.form.type !== 'STOPLIMIT' || isNamed.test(line)) return null
  const { form, parts } = intent
  const [price, stop, market] = [
    readTypedAmount(form.priceText),
    readTypedAmount(form.stopText),
    outlookMarket(state, form.symbol).price,
  ]
  if (price === undefined || stop === undefined || market === null) return null
  const [low, high] = form.side === 'SELL' ? [stop, price] : [price, stop]
  if (!(low.lt(market) && high.gt(market))) return null
  const [first, second] = parts.filter(({ meaning }) => /^(limit|stop) price/.test(meaning))
  if (first === undefined || second === undefined) return null
  const [middle, behind] = [line.slice(first.at + first.length, second.at), line.slice(second.at + second.length)]
  const withPrices = (prices: string) =>
    `${line.slice(0, first.at)}${prices}${middle}${behind}`.replaceAll(/\s+/g, ' ').trim()
  const [stopText, priceText] = [stop.toFixed(), price.toFixed()]
  const plan = `oco ${withPrices(`stop ${stopText} target ${priceText}`)}`
  const what =
    `As an order it waits for ${stopText} and then rests at ${priceText}, on the other side of the market. ` +
    'A stop and a target are a plan: which?'
  return asked([what], [...(isPlan(plan) ? [plan] : []), withPrices(`stop ${stopText} limit ${priceText}`)])
}
