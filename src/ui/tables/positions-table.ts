import { keepEqual, memoizeLast } from '../../base/memoize.ts'
import { averageScaleUnknown } from '../../domain/market/amounts.ts'
import type { Instrument } from '../../domain/market/instrument.ts'
import { Decimal, exactSum, formatGrouped, formatHeld } from '../../domain/money.ts'
import type { CountedCost, Position, Realized } from '../../domain/positions/position.ts'
import { addedUp, type KnownCounts, knownFees, knownGain } from '../../domain/positions/realized.ts'
import { costDay, costText as statedCostText } from '../../domain/positions/stated-costs.ts'
import { currenciesOf } from '../../domain/statement/movement.ts'
import type { DeskState } from '../../store/desk.ts'
import { isStale } from '../../store/feeds/feed.ts'
import {
  type RealizedPeriod,
  type ReckonedPositions,
  realizedPeriods,
  type UnitValue,
  unitValue,
  unrealizedOf,
} from '../../store/positions.ts'
import { exactText, percentText } from '../text/amounts.ts'
import { nameText } from '../text/cells.ts'
import { hiddenAmount } from '../text/privacy.ts'
import { averageCostScales, currencyScales } from '../text/trade-words.ts'
import { signedUsd, toneOfGain } from '../text/worth.ts'
import { createList } from './list.ts'
import { listSource } from './list-source.ts'
import type { CellsOf, ListColumn, ListField } from './list-table.ts'
import { gainedText, paidText, partly, unknownMark } from './partly-known.ts'

/** A row of the list: a currency that is or was held, or a symbol that was traded. */
type PositionRow = {
  name: string
  /** A currency's position; for a symbol, what is held of its base currency in lots from its fills. */
  position: Position | null
  /**
   * A symbol's lots in every currency, since a sale brings in the other currency. Null if lots are not kept by symbol.
   */
  held: readonly Position[] | null
  realized: Readonly<Record<RealizedPeriod, (Realized & KnownCounts) | null>>
}

type Values = ReadonlyMap<string, UnitValue>

/** Inputs of a position's cells besides the position. */
export type PositionsContext = {
  scales: ReadonlyMap<string, number>
  /** Decimals of average costs, by currency. */
  averageScales: ReadonlyMap<string, number>
  /** A unit's current value; a currency without a known value is missing. */
  values: Values
  basis: DeskState['positions']['basis']
  stated: readonly CountedCost[]
  isPrivate: boolean
  arePricesOld: boolean
}

type Reads = Pick<DeskState, 'positions' | 'books' | 'instruments' | 'tickers' | 'balances' | 'looks' | 'nowMs'>

function rowsFrom(
  reckoned: ReckonedPositions | null,
  grouping: DeskState['positions']['grouping'],
  instruments: ReadonlyMap<string, Instrument> | null,
): PositionRow[] {
  if (reckoned === null) return []
  const { method, positions, bySymbol, realized } = reckoned
  const traded = realizedPeriods.flatMap((period) => [...realized[period][grouping].keys()])
  const names = grouping === 'currency' ? positions.map(({ currency }) => currency) : [...bySymbol.keys()]
  return [...new Set([...names, ...traded])].map((name): PositionRow => {
    const of = (period: RealizedPeriod) => realized[period][grouping].get(name) ?? null
    const base = grouping === 'currency' ? name : currenciesOf(name, instruments ?? new Map())?.base
    const held = grouping === 'currency' ? positions : (bySymbol.get(name) ?? [])
    const position = held.find(({ currency }) => currency === base) ?? null
    const own = position === null ? [] : [position]
    const parts = grouping === 'currency' ? own : method === 'average' ? null : held
    return { name, position, held: parts, realized: { today: of('today'), session: of('session'), all: of('all') } }
  })
}

const rowsOf = memoizeLast(rowsFrom)
const positionRows = ({
  positions,
  instruments,
}: Pick<DeskState, 'positions' | 'instruments'>): readonly PositionRow[] =>
  rowsOf(positions.reckoned, positions.grouping, instruments.value)

/** Stale prices are not a unit's current value. */
const areOld = ({ tickers, nowMs }: Pick<Reads, 'tickers' | 'nowMs'>): boolean => isStale(tickers, 'tickers', nowMs)

/** Keeps the previous values while they are equal: a new context would rebuild every cell. */
const keptValues = keepEqual<string, UnitValue>((left, right) => left.source === right.source && left.usd.eq(right.usd))

const contextOf = memoizeLast(
  (
    reckoned: ReckonedPositions | null,
    values: Values,
    basis: PositionsContext['basis'],
    isPrivate: boolean,
    arePricesOld: boolean,
    instruments: ReadonlyMap<string, Instrument> | null,
  ): PositionsContext => ({
    scales: currencyScales(instruments),
    averageScales: averageCostScales(instruments),
    ...{ values, basis, stated: reckoned?.stated ?? [], isPrivate, arePricesOld },
  }),
)

/** Returns the same object while values, rules and settings are unchanged. */
export function positionsContext(state: Reads): PositionsContext {
  const { positions, instruments, looks } = state
  const { reckoned, basis } = positions
  const values = new Map<string, UnitValue>()
  for (const { currency, quantity } of reckoned?.positions ?? []) {
    const value = unitValue(state, currency, basis, quantity.lt(0))
    if (value !== null) values.set(currency, value)
  }
  return contextOf(reckoned, keptValues(values), basis, looks.isPrivate, areOld(state), instruments.value)
}

type Column = ListColumn<PositionRow, PositionsContext>
type Cells = CellsOf<PositionRow, PositionsContext>
type Read<T> = (row: PositionRow, context: PositionsContext) => T

const each =
  (read: Read<string>): Cells =>
  (rows, context) =>
    rows.map((row) => read(row, context))

/** Unrealized gains of the units with known cost, by currency; null if cost or value is unknown. */
const gainsOf: Read<readonly (Decimal | null)[]> = ({ held }, { values }) =>
  (held ?? []).map((position) => {
    const value = values.get(position.currency)
    return value === undefined ? null : unrealizedOf(position, value)
  })

/** The sum of the known gains; null if none is known. */
const gainOf: Read<Decimal | null> = (row, context) => {
  const known = gainsOf(row, context).filter((gain) => gain !== null)
  return known.length === 0 ? null : exactSum(known)
}

const isHeld = ({ held }: PositionRow): boolean => (held ?? []).some(({ quantity }) => !quantity.isZero())
const hasUnknownCost = ({ held }: PositionRow): boolean =>
  (held ?? []).some(({ quantityOfUnknownCost }) => !quantityOfUnknownCost.isZero())
const hasKnownCost = ({ held }: PositionRow): boolean =>
  (held ?? []).some(({ quantityOfKnownCost }) => !quantityOfKnownCost.isZero())
const costOf = ({ held }: PositionRow): Decimal => exactSum((held ?? []).map(({ costUsd }) => costUsd))

/** Whether part of the holding has no known gain. */
const isGainPartial: Read<boolean> = (row, context) =>
  hasUnknownCost(row) || (isHeld(row) && gainsOf(row, context).includes(null))

const quantityText: Read<string> = ({ position }, { scales, isPrivate }) => {
  if (position === null) return '-'
  if (isPrivate) return hiddenAmount
  const { currency, quantity } = position
  return formatHeld(quantity, Math.min(scales.get(currency) ?? 8, Math.max(2, quantity.decimalPlaces())))
}

const averageText: Read<string> = (row, { averageScales }) => {
  const average = row.position?.averageCostUsd ?? null
  const decimals = averageScales.get(row.position?.currency ?? '') ?? averageScaleUnknown
  const isUnknown = row.position?.quantityOfUnknownCost.isZero() === false
  return partly(average === null ? null : formatGrouped(average, decimals), isUnknown)
}

const costText: Read<string> = (row, { isPrivate }) => {
  const known = hasKnownCost(row) ? (isPrivate ? hiddenAmount : formatGrouped(costOf(row), 2)) : null
  return partly(known, hasUnknownCost(row))
}

/** In privacy mode the gain is a percentage of its cost. */
const gainText: Read<string> = (row, context) => {
  const gain = gainOf(row, context)
  if (gain === null) return isHeld(row) ? unknownMark : '-'
  const costUsd = costOf(row)
  const share = costUsd.gt(0) ? percentText(new Decimal(gain).div(new Decimal(costUsd))) : hiddenAmount
  return partly(context.isPrivate ? share : signedUsd(gain), isGainPartial(row, context))
}

/** The source of a unit's value, `mid of BTC-USD`; empty without a value. */
const sourceOf: Read<string> = ({ position }, { values }) => values.get(position?.currency ?? '')?.source ?? ''

/** The source of a value for a cell, `mid`, `last`, `bid`, `ask` or `rate`; `-` without a value. */
const valuedBy: Read<string> = ({ position }, { values }) => values.get(position?.currency ?? '')?.by ?? '-'

const realizedText = (period: RealizedPeriod): Read<string> => {
  return ({ realized }, { isPrivate }) => {
    const of = realized[period]
    if (of === null) return '-'
    return gainedText(of, isPrivate)
  }
}

const feesText: Read<string> = ({ realized: { all } }, { isPrivate }) => (all === null ? '-' : paidText(all, isPrivate))

const realizedNames: Readonly<Record<RealizedPeriod, { key: string; head: string; rank: number }>> = {
  today: { key: 'today', head: 'TODAY', rank: 14 },
  session: { key: 'session', head: 'SESSION', rank: 30 },
  all: { key: 'realized', head: 'ALL TIME', rank: 20 },
}

/** The known gain of a period; null without any, and where nobody knows it: it is not 0. */
const gainedIn =
  (period: RealizedPeriod): Read<Decimal | null> =>
  ({ realized: { [period]: of } }) =>
    of === null ? null : knownGain(of)

/** The known fees of a period, by the same rule. */
const paidIn =
  (period: RealizedPeriod): Read<Decimal | null> =>
  ({ realized: { [period]: of } }) =>
    of === null ? null : knownFees(of)

const realizedColumn = (period: RealizedPeriod): Column => ({
  ...realizedNames[period],
  text: (row, context) => gainedIn(period)(row, context)?.toFixed() ?? '',
  sort: gainedIn(period),
  cells: each(realizedText(period)),
  own: true,
  align: 'right',
  tone: (row, context) => toneOfGain(gainedIn(period)(row, context)),
})

const columns: readonly Column[] = [
  {
    key: 'name',
    head: 'NAME',
    text: ({ name }) => name,
    sort: ({ name }) => name,
    cells: each(({ name }) => nameText(name, 12)),
    align: 'left',
    tone: 'title',
    rank: 0,
  },
  {
    key: 'qty',
    head: 'QTY',
    text: ({ position }) => position?.quantity.toFixed() ?? '',
    sort: ({ position }) => position?.quantity ?? null,
    cells: each(quantityText),
    own: true,
    align: 'point',
    rank: 10,
    shorter: { align: 'right', rank: 4 },
  },
  {
    key: 'average',
    head: 'AVG COST',
    text: ({ position }) => position?.averageCostUsd?.toFixed() ?? '',
    sort: ({ position }) => position?.averageCostUsd ?? null,
    cells: each(averageText),
    own: true,
    align: 'right',
    rank: 16,
  },
  {
    key: 'cost',
    head: 'COST',
    text: (row) => (hasKnownCost(row) ? costOf(row).toFixed() : ''),
    sort: (row) => (isHeld(row) ? costOf(row) : null),
    cells: each(costText),
    own: true,
    align: 'right',
    rank: 24,
  },
  {
    key: 'unrealized',
    head: 'UNREAL',
    text: (row, context) => gainOf(row, context)?.toFixed() ?? '',
    sort: gainOf,
    cells: each(gainText),
    own: gainText,
    align: 'right',
    tone: (row, context) => (context.arePricesOld ? 'dim' : toneOfGain(gainOf(row, context))),
    rank: 2,
  },
  {
    key: 'at',
    head: 'AT',
    text: (row, context) => sourceOf(row, context),
    sort: (row, context) => sourceOf(row, context) || null,
    cells: each(valuedBy),
    align: 'left',
    tone: 'dim',
    rank: 3,
  },
  realizedColumn('today'),
  realizedColumn('session'),
  realizedColumn('all'),
  {
    key: 'fees',
    head: 'FEES',
    text: (row, context) => paidIn('all')(row, context)?.toFixed() ?? '',
    sort: paidIn('all'),
    cells: each(feesText),
    own: true,
    align: 'right',
    tone: 'dim',
    rank: 28,
  },
]

type Field = ListField<PositionRow, PositionsContext>
const amountField = (
  label: string,
  read: Read<Decimal | null>,
  instead: string | ((row: PositionRow) => string),
): Field => ({
  label,
  text: (row, context) => read(row, context)?.toFixed() ?? '',
  shown: (row, context) => {
    const value = read(row, context)
    return value === null ? '' : context.isPrivate ? hiddenAmount : exactText(value, 2)
  },
  instead: (row) => (typeof instead === 'string' ? instead : instead(row)),
  own: true,
})

/** Why a row has no quantity. */
const nothingHeld = ({ held }: PositionRow): string =>
  held === null ? 'at average costs lots have no symbol: see by currency' : 'nothing is held that its fills brought in'
const unknownCostText = (row: PositionRow): string =>
  row.position === null ? nothingHeld(row) : '? no unit has a known cost'

/** `0.5 BTC at 60,000 USD each (2026-11-01)`, and how much of it counts if that is less. */
function statedText(stated: CountedCost): string {
  const { currency, quantity, counted } = stated
  const part = counted.eq(quantity) ? '' : `, counts for ${counted.toFixed()} ${currency}`
  return `${statedCostText(stated)} (${costDay(stated)}${part})`
}

const unlessZero = (value: Decimal | undefined): Decimal | null =>
  value === undefined || value.isZero() ? null : value

/** Every figure by name, for details and CSV; unknown ones are described in words. */
const fields: readonly Field[] = [
  { label: 'name', text: ({ name }) => name },
  amountField('quantity', ({ position }) => position?.quantity ?? null, nothingHeld),
  {
    label: 'also held of it',
    text: (row) =>
      (row.held ?? [])
        .filter((each) => each !== row.position)
        .map(({ currency, quantity }) => `${quantity.toFixed()} ${currency}`)
        .join(', '),
    own: true,
    instead: () => 'nothing',
  },
  amountField('average cost', ({ position }) => position?.averageCostUsd ?? null, unknownCostText),
  amountField('cost', (row) => (hasKnownCost(row) ? costOf(row) : null), unknownCostText),
  amountField('units of unknown cost', ({ position }) => unlessZero(position?.quantityOfUnknownCost), 'none'),
  {
    label: 'stated costs',
    text: ({ position }, { stated }) =>
      stated
        .filter(({ currency }) => currency === position?.currency)
        .map(statedText)
        .join('; '),
    own: true,
    instead: () => 'none',
  },
  {
    label: 'cost to be stated',
    text: () => '',
    instead: (row) =>
      hasUnknownCost(row)
        ? `unknown; to state it: : cost ${(row.position?.currency ?? row.name).toLowerCase()} QUANTITY @ PRICE`
        : 'nothing',
  },
  {
    label: 'value of a unit',
    text: ({ position }, { values }) => values.get(position?.currency ?? '')?.usd.toFixed() ?? '',
    instead: ({ position }, { basis }) =>
      position === null
        ? '-'
        : basis === 'touch'
          ? `? no ladder shows the book of ${position.currency}-USD`
          : `? no price of ${position.currency} in USD is known`,
  },
  { label: 'valued by', text: ({ position }, { values }) => values.get(position?.currency ?? '')?.source ?? '' },
  amountField('unrealized', gainOf, (row) =>
    row.held === null || !isHeld(row) ? nothingHeld(row) : '? cost or value is unknown',
  ),
  ...realizedPeriods.flatMap((period): Field[] => {
    const name = period === 'all' ? 'all time' : period
    const unless =
      (unknown: string) =>
      ({ realized }: PositionRow): string =>
        realized[period] === null ? '-' : `${unknownMark} ${unknown}`
    return [
      amountField(`realized ${name}`, gainedIn(period), unless('cost or value is unknown')),
      amountField(`fees ${name}`, paidIn(period), unless('value in USD is unknown')),
      amountField(
        `${name}, cost unknown`,
        ({ realized }) => unlessZero(realized[period]?.proceedsOfUnknownCostUsd),
        'no proceeds of units of unknown cost',
      ),
      amountField(
        `${name}, value unknown`,
        ({ realized }) => unlessZero(realized[period]?.quantityOfUnknownValue),
        'no units went out at an unknown value',
      ),
    ]
  }),
]

/** A column's sum, followed by `?` if part of it is unknown. */
function sumText(amounts: readonly (Decimal | null)[], hasUnknown: boolean, isPrivate: boolean): string {
  const known = amounts.filter((amount) => amount !== null)
  if (isPrivate) return hiddenAmount
  return partly(known.length === 0 ? null : signedUsd(exactSum(known)), hasUnknown)
}

const positionsList = createList<PositionRow, PositionsContext>({
  columns,
  keyOf: ({ name }) => name,
  fields,
  summary: (rows, context) => {
    const { isPrivate } = context
    const held = rows.filter(isHeld)
    const unknownGain = held.some((row) => isGainPartial(row, context))
    const realized = (period: RealizedPeriod) => {
      const of = rows.flatMap((row) => row.realized[period] ?? [])
      return isPrivate ? hiddenAmount : of.length === 0 ? '-' : gainedText(addedUp(of), isPrivate)
    }
    const fees = addedUp(rows.flatMap((row) => row.realized.all ?? []))
    return {
      name: 'sum',
      unrealized: sumText(
        held.map((row) => gainOf(row, context)),
        unknownGain,
        isPrivate,
      ),
      today: realized('today'),
      session: realized('session'),
      realized: realized('all'),
      fees: paidText(fees, isPrivate),
    }
  },
})

export const positionsSource = listSource('positions', positionsList, positionRows, positionsContext)
