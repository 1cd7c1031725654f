import type { TimeInForce } from '../../domain/orders/order.ts'
import type { Side } from '../../domain/side.ts'
import type { AccountId, CoreEvent, OrderReport } from '../core/commands.ts'
import type { PracticeExchange } from '../practice-exchange.ts'

/** A resting order of this trader. */
type RestingOrder = { exOrdId: number; side: Side; ticks: number; lots: number }

/** One account's trading in one symbol: it uses the same commands as everyone, and tracks its resting orders. */
export type Trader = {
  readonly resting: ReadonlyMap<number, RestingOrder>
  /** Lots bought less lots sold. */
  positionLots(): number
  /** A limit order, or a market order without `ticks`. Undefined if the command itself was refused. */
  place(
    order: { side: Side; lots: number; ticks?: number; timeInForce: TimeInForce },
    atMs: number,
  ): OrderReport | undefined
  cancel(exOrdId: number, atMs: number): void
  /** Cancels each resting order that is no longer wanted. */
  cancelWhere(isUnwanted: (order: RestingOrder) => boolean, atMs: number): void
  onEvent(event: CoreEvent): void
}

const restingStatuses = new Set(['OPEN', 'PART_FILLED'])

export function createTrader(exchange: PracticeExchange, account: AccountId, symbol: string): Trader {
  const resting = new Map<number, RestingOrder>()
  let placed = 0
  let position = 0

  /** A trade against one of its resting orders; a taking order is not among them yet. */
  const onTrade = (exOrdId: number, lots: number) => {
    const order = resting.get(exOrdId)
    if (order === undefined) return
    position += order.side === 'BUY' ? lots : -lots
    order.lots -= lots
    if (order.lots <= 0) resting.delete(exOrdId)
  }

  const cancel = (exOrdId: number, atMs: number) => {
    resting.delete(exOrdId)
    exchange.execute('cancelOrder', { account, exOrdId }, atMs)
  }

  return {
    resting,
    positionLots: () => position,
    place: ({ side, lots, ticks, timeInForce }, atMs) => {
      placed += 1
      const outcome = exchange.execute(
        'placeOrder',
        {
          account,
          symbol,
          side,
          timeInForce,
          ordType: ticks === undefined ? 'MARKET' : 'LIMIT',
          clOrdId: `${symbol.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 8)}${placed.toString(36)}`,
          amounts: ticks === undefined ? { lots } : { lots, ticks },
        },
        atMs,
      )
      if (!outcome.ok) return undefined
      const { exOrdId, ordStatus, cumLots, openLots } = outcome.value
      position += side === 'BUY' ? cumLots : -cumLots
      if (ticks !== undefined && restingStatuses.has(ordStatus)) {
        resting.set(exOrdId, { exOrdId, side, ticks, lots: openLots })
      }
      return outcome.value
    },
    cancel,
    cancelWhere: (isUnwanted, atMs) => {
      for (const order of [...resting.values()]) if (isUnwanted(order)) cancel(order.exOrdId, atMs)
    },
    onEvent: (event) => {
      if (event.type === 'trade') {
        onTrade(event.buyOrderId, event.lots)
        onTrade(event.sellOrderId, event.lots)
      } else if (event.type === 'order' && event.account === account && !restingStatuses.has(event.status)) {
        resting.delete(event.exOrdId)
      }
    },
  }
}
