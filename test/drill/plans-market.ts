import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { ExchangeError } from '../../src/api/errors.ts'
import type { ExchangeClient } from '../../src/api/exchange-client.ts'
import type { Random } from '../../src/base/random.ts'
import { Decimal } from '../../src/domain/money.ts'
import type { Side } from '../../src/domain/side.ts'
import { createClientOrderIds } from '../../src/services/trading.ts'
import { type AdminPlace, administer, administered } from './administer.ts'

/** A symbol that the drill lists itself, beside those whose market lives: its price goes where the script says. */
export const walkedSymbol = 'LTC-USDC'
const tick = new Decimal('0.01')
/** Where it begins, and stays around. */
const center = new Decimal(100)
/** Most that a plan's legs are away from the price: the walks come to near a target, and back, and through it. */
export const legsAway = new Decimal('0.4')

const newDeposit = z.object({ depositId: z.union([z.string(), z.number()]) })

/** Lists the symbol, and gives its maker what it trades with. */
export async function listWalked(place: AdminPlace): Promise<void> {
  await administer(place, '/symbol/add', {
    ...{ symbol: walkedSymbol, base: 'LTC', counter: 'USDC', minPriceIncrement: 1, minPriceIncrementScale: 2 },
    ...{ lotSize: 1, lotSizeScale: 2, minOrderSize: 1, minOrderSizeScale: 2 },
  })
  for (const [currency, amount] of [
    ['LTC', '2000'],
    ['USDC', '200000'],
  ] as const) {
    const text = await administered(place, '/deposit/start', { account: 'no2fa', currency, amount })
    const { depositId } = newDeposit.parse(JSON.parse(text))
    await administer(place, '/deposit/confirm', { depositId: String(depositId) })
  }
}

/** What moves the price: a maker on both sides of it, and a taker who trades there. */
type Walkers = { maker: ExchangeClient; taker: ExchangeClient }

/** A price that walks to near where targets are, and back, and now and then leaps through everything. */
export class Walk {
  gaps = 0
  steps = 0
  trouble = 'none'
  #at = center
  #to = center
  readonly #random: Random
  readonly #newId = createClientOrderIds(randomBytes)

  constructor(random: Random) {
    this.#random = random
  }

  /** One step of a few ticks, or a gap: the book of before is gone, then the new one is there, and trades. */
  async step({ maker, taker }: Walkers): Promise<void> {
    this.#move()
    this.steps += 1
    try {
      await maker.cancelAllOrders(walkedSymbol)
      await this.#place(maker, 'BUY', '20', this.#at.minus(tick))
      await this.#place(maker, 'SELL', '20', this.#at.plus(tick))
      await this.#place(taker, this.#random.chance(0.5) ? 'BUY' : 'SELL', '0.01', null)
    } catch (error) {
      // The exchange is down, or loses answers: that is what it is here for.
      if (!(error instanceof ExchangeError)) throw error
      this.trouble = String(error)
    }
  }

  #move(): void {
    const random = this.#random
    if (this.#at.eq(this.#to)) {
      // Most walks end before the legs of a plan that began on the other side, some go through.
      const reach = random.chance(0.25) ? 1.2 : 0.75
      const away = legsAway.times((random.uniform() * 2 - 1) * reach).toNearest(tick)
      this.#to = center.plus(away)
      if (random.chance(0.06)) {
        this.gaps += 1
        this.#at = this.#to.plus(random.chance(0.5) ? legsAway : legsAway.neg())
        return
      }
    }
    const left = this.#to.minus(this.#at)
    const most = tick.times(random.integer(1, 4))
    this.#at = this.#at.plus(Decimal.max(most.neg(), Decimal.min(most, left)))
  }

  #place(client: ExchangeClient, side: Side, quantity: string, limitPrice: Decimal | null): Promise<unknown> {
    return client.placeOrder({
      ...{ symbol: walkedSymbol, side, type: limitPrice === null ? 'MARKET' : 'LIMIT', limitPrice, stopPrice: null },
      ...{ orderQuantity: new Decimal(quantity), timeInForce: limitPrice === null ? 'IOC' : 'GTC', expireDate: null },
      ...{ minQuantity: null, postOnly: false, clientOrderId: this.#newId() },
    })
  }
}
