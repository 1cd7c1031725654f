import { type SymbolStatus, symbolStatuses } from '../../domain/market/instrument.ts'
import { fromScaled } from '../../domain/money.ts'
import type { FillListener } from '../engine/matching-book.ts'
import type { Tier } from '../ledger/fees.ts'
import { ledgerScale, unitsFromText } from '../ledger/units.ts'
import {
  type CommandArguments,
  conflict,
  type Done,
  done,
  invalid,
  isRefused,
  type Refused,
  type SymbolSpec,
  unknown,
} from './commands.ts'
import { type Currency, compileCurrency, Market, type WorkingOrder } from './entities.ts'
import { runTriggeredStops, settleFill, uncross } from './execution.ts'
import type { ExchangeState } from './state.ts'

export function addCurrency(state: ExchangeState, { currency }: CommandArguments['addCurrency']): Done<null> {
  if (state.currencies.has(currency.code)) return conflict('The currency exists already')
  const compiled = compileCurrency(state.currencies.size, currency)
  if (isRefused(compiled)) return compiled
  state.currencies.set(currency.code, compiled)
  return done(null)
}

export function addSymbol(
  state: ExchangeState,
  { spec, status = 'open' }: CommandArguments['addSymbol'],
): Done<{ id: number }> {
  if (state.markets.has(spec.symbol)) return conflict('The symbol exists already')
  const wrongStatus = checkStatus(status)
  if (wrongStatus !== null) return wrongStatus
  const base = state.currencies.get(spec.base)
  const counter = state.currencies.get(spec.counter)
  if (base === undefined || base === counter) return invalid('base', 'The base is not a currency of its own')
  if (counter === undefined) return invalid('counter', 'The counter is not a currency')
  if (spec.symbol !== `${spec.base}-${spec.counter}`) return invalid('symbol', 'The symbol is not BASE-COUNTER')
  const refused = checkSymbolSpec(spec, base)
  if (refused !== null) return refused
  const id = state.markets.size + 1
  state.markets.set(spec.symbol, new Market(id, spec, { base, counter }, status, fillListener(state)))
  return done({ id })
}

const checkStatus = (status: SymbolStatus): Refused | null =>
  symbolStatuses.includes(status) ? null : invalid('status', `status must be one of ${symbolStatuses.join(', ')}`)

/** Books the matching engine's fills. */
export const fillListener = (state: ExchangeState): FillListener<WorkingOrder> => ({
  onFill: (taker, maker, ticks, lots) => settleFill(state, taker, maker, ticks, lots),
})

export function setSymbolStatus(
  state: ExchangeState,
  { symbol, status }: CommandArguments['setSymbolStatus'],
): Done<null> {
  const market = state.markets.get(symbol)
  if (market === undefined) return unknown('symbol')
  const wrongStatus = checkStatus(status)
  if (wrongStatus !== null) return wrongStatus
  if (market.status === status) return done(null)
  if (status === 'open') uncross(state, market)
  market.status = status
  state.events.push({ type: 'symbolStatus', symbol, status, atMs: state.nowMs })
  runTriggeredStops(state, market)
  return done(null)
}

export function setAuctionTime(state: ExchangeState, { symbol, time }: CommandArguments['setAuctionTime']): Done<null> {
  const market = state.markets.get(symbol)
  if (market === undefined) return unknown('symbol')
  if (time !== null && !/^([01]\d|2[0-3])[0-5]\d$/.test(time)) return invalid('time', 'time must be HHMM')
  market.auctionTime = time
  return done(null)
}

export function setFeeTiers(state: ExchangeState, { tiers }: CommandArguments['setFeeTiers']): Done<null> {
  const compiled: Tier[] = []
  for (const { volumeUsd, makerPpm, takerPpm } of tiers) {
    const fromUnits = unitsFromText(volumeUsd)
    const previous = compiled.at(-1)
    if (typeof fromUnits === 'string' || fromUnits < 0n || (previous !== undefined && fromUnits <= previous.fromUnits))
      return invalid('volumeUsd', 'The volumes of the tiers must be amounts that ascend')
    if (previous === undefined && fromUnits !== 0n) return invalid('volumeUsd', 'The first tier must start at 0')
    if (!Number.isInteger(makerPpm) || makerPpm < 0) return invalid('makerPpm', 'makerPpm is not a whole number from 0')
    if (!Number.isInteger(takerPpm) || takerPpm < makerPpm || takerPpm >= 1_000_000)
      return invalid('takerPpm', 'takerPpm is not a whole number from makerPpm to 999999')
    compiled.push({ fromUnits, rates: { makerPpm, takerPpm } })
  }
  state.tiers = compiled
  return done(null)
}

/** Maximum combined scale of tick and lot: the ledger's scale less the six decimals of a fee rate. */
const tickLotScaleMax = ledgerScale - 6

/** Refuses rules that are not whole numbers, or too fine for exact fees. */
function checkSymbolSpec(spec: SymbolSpec, base: Currency): Refused | null {
  const numbers = {
    minPriceIncrement: spec.minPriceIncrement,
    lotSize: spec.lotSize,
    minOrderSize: spec.minOrderSize,
    maxOrderSize: spec.maxOrderSize,
  }
  for (const [field, value] of Object.entries(numbers)) {
    const least = field === 'minPriceIncrement' || field === 'lotSize' ? 1 : 0
    if (!Number.isSafeInteger(value) || value < least)
      return invalid(field, `${field} is not a whole number from ${least}`)
  }
  const scales = {
    minPriceIncrementScale: spec.minPriceIncrementScale,
    lotSizeScale: spec.lotSizeScale,
    minOrderSizeScale: spec.minOrderSizeScale,
    maxOrderSizeScale: spec.maxOrderSizeScale,
  }
  for (const [field, value] of Object.entries(scales))
    if (!Number.isInteger(value) || value < 0 || value > tickLotScaleMax)
      return invalid(field, `${field} is not a whole number from 0 to ${tickLotScaleMax}`)
  if (spec.minPriceIncrementScale + spec.lotSizeScale > tickLotScaleMax)
    return invalid('lotSizeScale', `The scales of tick and lot are more than ${tickLotScaleMax} together`)
  if (!fromScaled(spec.lotSize, spec.lotSizeScale).times(fromScaled(1, -base.spec.scale)).isInteger())
    return invalid('lotSize', `The lot is finer than ${base.spec.code} can be split`)
  return null
}
