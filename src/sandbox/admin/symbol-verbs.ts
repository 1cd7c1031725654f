import { symbolStatuses } from '../../domain/market/instrument.ts'
import { optionalStrictText, optionalWord, strictText, word } from '../../wire/fields.ts'
import { message } from '../../wire/message.ts'
import { given } from '../http/desk.ts'
import type { Venue } from '../venue.ts'
import { whole, wholeOr } from './fields.ts'
import { answerWith, type Verb, verb } from './verb.ts'

const scale = whole(0, 18)
const units = whole(1, 1_000_000_000_000)
const newSymbol = message({
  symbol: strictText,
  base: strictText,
  counter: strictText,
  minPriceIncrement: units,
  minPriceIncrementScale: scale,
  lotSize: units,
  lotSizeScale: scale,
  minOrderSize: units,
  minOrderSizeScale: scale,
  maxOrderSize: wholeOr(0, 0, 1_000_000_000_000),
  maxOrderSizeScale: wholeOr(0, 0, 18),
  status: optionalWord(symbolStatuses),
})

/** What the exchange's operators do with symbols. */
export const symbolVerbs = (venue: Venue): Verb[] => [
  verb('symbol', 'status', message({ symbol: strictText, status: word(symbolStatuses) }), (values) =>
    answerWith(venue, 'setSymbolStatus', values, () => values),
  ),
  // Without a time an announcement is taken back.
  verb('symbol', 'auction', message({ symbol: strictText, time: optionalStrictText }), (values) =>
    answerWith(venue, 'setAuctionTime', values, () => ({ symbol: values.symbol, time: values.time ?? '' })),
  ),
  verb('symbol', 'add', newSymbol, ({ status, ...spec }) =>
    answerWith(venue, 'addSymbol', { spec, ...given({ status: status ?? undefined }) }, ({ id }) => ({
      symbol: spec.symbol,
      id,
      status: status ?? 'open',
    })),
  ),
]
