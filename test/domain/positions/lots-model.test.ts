import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import { positionsOf } from '../../../src/domain/positions/lots.ts'
import { type CostMethod, costMethods } from '../../../src/domain/positions/position.ts'
import type { UsdAt } from '../../../src/domain/positions/usd-at.ts'
import { looseWorlds, type World, wholeWorlds, worldRules } from './worlds.ts'

/** Digits enough for shares of shares. */
const Exact = Decimal.clone({ precision: 120 })
type Amount = InstanceType<typeof Exact>
const exact = (amount: Decimal | number): Amount => new Exact(amount.toString())
const least = (left: Amount, right: Amount): Amount => (left.lt(right) ? left : right)

/** Units of one origin; `each` is what one of them cost, null where nobody knows. */
type Lot = { id: string; quantity: Amount; each: Amount | null }
const pool = 'average'

/** The books as one would keep them by hand: a list of lots for each currency, and nothing that is quick. */
class Model {
  readonly #method: CostMethod
  readonly lots = new Map<string, Lot[]>()
  readonly matches: string[] = []
  usd = exact(0)
  realized = exact(0)
  fees = exact(0)
  unknownProceeds = exact(0)

  constructor(method: CostMethod) {
    this.#method = method
  }

  of(currency: string): Lot[] {
    const lots = this.lots.get(currency) ?? []
    this.lots.set(currency, lots)
    return lots
  }

  bringIn(currency: string, quantity: Amount, id: string, value: Amount | null): void {
    if (quantity.lte(0)) return
    if (currency === 'USD') this.usd = this.usd.plus(quantity)
    else if (value !== null && this.#method === 'average') this.#pour(this.of(currency), quantity, value)
    else this.of(currency).push({ id, quantity, each: value?.div(quantity) ?? null })
  }

  #pour(lots: Lot[], quantity: Amount, value: Amount): void {
    const all = lots.find(({ id }) => id === pool)
    if (all === undefined) lots.push({ id: pool, quantity, each: value.div(quantity) })
    else {
      const sum = all.quantity.plus(quantity)
      Object.assign(all, { quantity: sum, each: (all.each ?? exact(0)).times(all.quantity).plus(value).div(sum) })
    }
  }

  takeOut(currency: string, quantity: Amount, id: string, value: Amount | null, way: string): void {
    // More than there is of them leaves none: the rest came in by a line that nobody has.
    if (currency === 'USD' && quantity.gt(0)) this.usd = Exact.max(this.usd.minus(quantity), 0)
    const lots = this.of(currency)
    for (let left = currency === 'USD' ? exact(0) : quantity; left.gt(0); ) {
      const lot = this.#next(lots)
      const part = lot === undefined ? left : least(left, lot.quantity)
      this.matches.push([currency, lot?.id ?? '', id, part.toFixed(), way].join(' '))
      const earned = value?.div(quantity).times(part) ?? null
      if (way !== 'withdrawal' && earned !== null) this.#earn(earned, lot?.each?.times(part) ?? null)
      left = left.minus(part)
      if (lot === undefined) continue
      lot.quantity = lot.quantity.minus(part)
      if (lot.quantity.isZero()) lots.splice(lots.indexOf(lot), 1)
    }
  }

  #next(lots: readonly Lot[]): Lot | undefined {
    if (this.#method === 'lifo') return lots.at(-1)
    return lots.find(({ id }) => id !== pool) ?? lots[0]
  }

  #earn(earned: Amount, cost: Amount | null): void {
    if (cost === null) this.unknownProceeds = this.unknownProceeds.plus(earned)
    else this.realized = this.realized.plus(earned.minus(cost))
  }

  state(currency: string, quantity: Amount, usdEach: Amount): void {
    const lots = this.of(currency)
    let left = quantity
    for (const lot of lots.filter(({ each }) => each === null)) {
      const part = least(left, lot.quantity)
      if (part.lte(0)) return
      left = left.minus(part)
      lot.quantity = lot.quantity.minus(part)
      if (this.#method === 'average') this.#pour(lots, part, part.times(usdEach))
      else lots.splice(lots.indexOf(lot), 0, { id: lot.id, quantity: part, each: usdEach })
      if (lot.quantity.isZero()) lots.splice(lots.indexOf(lot), 1)
    }
  }
}

const isDone = ({ state }: { state: string | null }): boolean => state === 'COMPLETED'

type Step = { atMs: number; id: string; do: () => void }

/** What each entry of a world does to the books, in no order. */
function stepsOf({ history, usdAt }: World, model: Model): Step[] {
  const worth = (currency: string, amount: Amount, atMs: number): Amount | null => {
    const each = currency === 'USD' ? exact(1) : usdAt(currency, atMs)?.usd
    return each === undefined ? null : exact(each).times(amount)
  }
  const pay = (currency: string, fee: Amount, id: string, value: Amount | null, way: string) => {
    if (fee.isZero()) return
    model.fees = model.fees.plus(value ?? 0)
    model.takeOut(currency, fee, id, value, way)
    model.bringIn(currency, fee.neg(), id, value?.neg() ?? null)
  }
  const ins = history.deposits.filter(isDone).map(({ depositId: id, currency, amount, timestampMs }): Step => {
    const value = currency === 'USD' ? exact(amount) : null
    return { atMs: timestampMs ?? 0, id, do: () => model.bringIn(currency, exact(amount), id, value) }
  })
  const outs = history.withdrawals.filter(isDone).map(({ withdrawalId, currency, amount, fee, timestampMs }): Step => {
    const [atMs, id, paid] = [timestampMs ?? 0, withdrawalId ?? '', exact(fee ?? 0)]
    const leave = () => {
      model.takeOut(currency, exact(amount), id, null, 'withdrawal')
      pay(currency, paid, id, worth(currency, paid, atMs), 'withdrawalFee')
    }
    return { atMs, id, do: leave }
  })
  const trades = history.fills.map(({ symbol, side, execId: id, timestampMs: atMs, ...fill }): Step => {
    const [base = '', counter = ''] = symbol.split('-')
    const [quantity, notional, fee] = [exact(fill.quantity), exact(fill.price).times(exact(fill.quantity)), fill.fee]
    const value = worth(counter, notional, atMs) ?? worth(base, quantity, atMs)
    const [got, gave] = side === 'BUY' ? [base, counter] : [counter, base]
    const unitsOf = (currency: string) => (currency === base ? quantity : notional)
    const trade = () => {
      model.bringIn(got, unitsOf(got), id, value)
      model.takeOut(gave, unitsOf(gave), id, value, 'sold')
      pay(counter, exact(fee), id, value?.times(exact(fee)).div(notional) ?? null, 'tradeFee')
    }
    return { atMs, id, do: trade }
  })
  return [...ins, ...outs, ...trades]
}

/** By time, then by the length of the id, then by the id; a cost behind everything of its moment. */
const inOrder = (left: Step, right: Step): number =>
  left.atMs - right.atMs || left.id.length - right.id.length || (left.id < right.id ? -1 : 1)

function modelOf(world: World, method: CostMethod): Model {
  const model = new Model(method)
  const steps = stepsOf(world, model).sort(inOrder)
  const costs = world.statedCosts.toSorted((left, right) => left.atMs - right.atMs)
  for (const moment of new Set([...steps, ...costs].map(({ atMs }) => atMs).sort((left, right) => left - right))) {
    for (const step of steps) if (step.atMs === moment) step.do()
    for (const { currency, quantity, usdEach, atMs } of costs)
      if (atMs === moment) model.state(currency, exact(quantity), exact(usdEach))
  }
  return model
}

/** Prices that are known now and then: of a trade both, one, or neither of its currencies. */
const nowAndThen: UsdAt = (currency, atMs) =>
  atMs % 3 === 0 || (currency === 'BTC' && atMs % 5 === 0) ? null : { usd: new Decimal(60 + (atMs % 7)), source: 'x' }
const worlds = fc.oneof(
  wholeWorlds,
  looseWorlds,
  looseWorlds.map((world) => ({ ...world, usdAt: nowAndThen })),
)

test.each(costMethods)('by %s the books are those of a list kept by hand, lot for lot', (method) => {
  fc.assert(
    fc.property(worlds, (world) => {
      const [books, model] = [positionsOf({ ...world, rules: worldRules, method }), modelOf(world, method)]
      expect(
        books.matches.map(({ currency, openedId, closedId, quantity, closedBy }) =>
          [currency, openedId, closedId, quantity.toFixed(), closedBy].join(' '),
        ),
      ).toEqual(model.matches)
      // Each share is rounded down to 8 decimals.
      const isNear = (sums: readonly (Decimal | null)[], by: Amount) =>
        sums
          .reduce<Amount>((sum, each) => sum.plus(exact(each ?? 0)), exact(0))
          .minus(by)
          .abs()
          .lt('0.00001')
      const traded = books.matches.filter(({ closedBy }) => closedBy !== 'withdrawal')
      const ofUnknown = traded.filter(({ costUsd }) => costUsd === null)
      expect(
        isNear(
          traded.map(({ realizedUsd }) => realizedUsd),
          model.realized,
        ),
      ).toBe(true)
      expect(
        isNear(
          ofUnknown.map(({ proceedsUsd }) => proceedsUsd),
          model.unknownProceeds,
        ),
      ).toBe(true)
      expect(
        isNear(
          books.fees.map(({ feeUsd }) => feeUsd),
          model.fees,
        ),
      ).toBe(true)
      for (const { currency, quantity, quantityOfKnownCost, costUsd } of books.positions) {
        const lots = model.of(currency)
        const known = lots.filter(({ each }) => each !== null)
        const sum = (of: readonly Lot[]) => of.reduce((all, lot) => all.plus(lot.quantity), exact(0)).toFixed()
        expect(quantity.toFixed()).toBe(currency === 'USD' ? model.usd.toFixed() : sum(lots))
        if (currency === 'USD') continue
        expect(quantityOfKnownCost.toFixed()).toBe(sum(known))
        const cost = known.reduce((all, lot) => all.plus(lot.quantity.times(lot.each ?? 0)), exact(0))
        expect(isNear([costUsd], cost)).toBe(true)
      }
    }),
    { numRuns: 100 },
  )
})
