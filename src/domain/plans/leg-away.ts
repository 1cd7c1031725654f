import { err, ok, type Result } from '../../base/result.ts'
import { type Instrument, roundToTick } from '../market/instrument.ts'
import { Decimal } from '../money.ts'
import type { Word } from '../orders/sentence-words.ts'
import { opposite, type Side } from '../side.ts'

/** Distance of a leg from the entry, in percent above zero; the sign is null when none was typed. */
export type Away = { percent: Decimal; sign: '+' | '-' | null }

/** Reads `1%`, `-1%` or `+2.5%` from two words; null when they are not a distance. */
export function readAway(first: Pick<Word, 'text'> | undefined, second: Pick<Word, 'text'> | undefined): Away | null {
  const [, sign = null, digits = ''] = /^([-+])?(\d{1,3}(?:\.\d{1,4})?)$/.exec(first?.text ?? '') ?? []
  if (second?.text !== '%' || digits === '') return null
  return { percent: new Decimal(digits), sign: sign === '+' || sign === '-' ? sign : null }
}

/** Reads a distance from one text, as typed in a field. */
export function readAwayText(text: string): Away | null {
  const [, digits = ''] = /^(.*\S)\s*%$/.exec(text.trim()) ?? []
  return readAway({ text: digits }, { text: '%' })
}

/** True for the same distance on the same side, however it was written. */
export const isSameAway = (left: Away, right: Away): boolean =>
  left.sign === right.sign && left.percent.eq(right.percent)

type From = { leg: 'stop' | 'target'; exit: Side; instrument: Instrument; price: Decimal | null }

/**
 * The price of a leg at a distance from `price`, on the nearest tick. Without a sign a stop is on the losing side and a
 * target on the gaining side; a contradicting sign is asked about. The error is a sentence.
 */
export function priceAway(away: Away, { leg, exit, instrument, price }: From): Result<Decimal> {
  const { percent, sign } = away
  if (percent.isZero() || percent.gte(100)) return err(`The ${leg} must be more than 0% away, and less than 100%.`)
  if (price === null) return err(`No price of ${instrument.symbol} is known: say the ${leg} as a price, or wait.`)
  const isBelow = (exit === 'SELL') === (leg === 'stop')
  const due = isBelow ? '-' : '+'
  if (sign !== null && sign !== due)
    return err(
      `To ${exit.toLowerCase()}, the ${leg} is ${isBelow ? 'below' : 'above'}: ${due}${percent.toFixed()}%, or a price.`,
    )
  const shift = price.times(percent).div(100)
  // Rounded away, so that it is never nearer than requested.
  return ok(
    roundToTick(isBelow ? price.minus(shift) : price.plus(shift), isBelow ? 'BUY' : opposite('BUY'), instrument),
  )
}
