import { randomBytes } from 'node:crypto'
import type { Clock } from '../../../src/base/clock.ts'
import { type Sandbox, startSandbox } from '../../../src/sandbox/start-sandbox.ts'
import { administer, ownCall } from '../administer.ts'
import { isObject, readWire, textOf, type WireObject } from './wire-json.ts'

export type Answer = { status: number; body: string }
/** Where an account of an exchange is. */
export type Place = { exchangeUrl: string; token: string }

/** One call, straight to the exchange. */
export async function callExchange(
  { exchangeUrl, token }: Place,
  { method, path, body }: { method: string; path: string; body: string },
): Promise<Answer> {
  const headers = { 'x-api-token': token, ...(body === '' ? {} : { 'content-type': 'application/json' }) }
  const answer = await ownCall(`${exchangeUrl}${path}`, { method, headers, ...(body === '' ? {} : { body }) })
  return { status: answer.status, body: await answer.text() }
}

/** An order as the exchange has it, amounts as their digits. */
export type TrueOrder = {
  id: string
  clientOrderId: string
  symbol: string
  side: string
  status: string
  price: string | null
  leaves: string
  filled: string
}
export type TrueWithdrawal = { id: string; amount: string; currency: string; beneficiary: string; state: string }

/** What the exchange itself has, asked for without the proxy. */
export type Truth = { orders: readonly TrueOrder[]; withdrawals: readonly TrueWithdrawal[] }

const workingStatuses: readonly string[] = ['OPEN', 'PART_FILLED', 'PENDING']
export const isWorking = ({ status }: { status: string }): boolean => workingStatuses.includes(status)
/** An order that was turned down never was one. */
export const isPlaced = ({ status }: TrueOrder): boolean => status !== 'REJECTED'

const text = (value: WireObject, name: string): string => textOf(value[name]) ?? ''

const toOrder = (value: WireObject): TrueOrder => ({
  ...{ id: text(value, 'exOrdId'), clientOrderId: text(value, 'clOrdId'), symbol: text(value, 'symbol') },
  ...{ side: text(value, 'side'), status: text(value, 'ordStatus'), price: textOf(value.price) },
  ...{ leaves: textOf(value.leavesQty) ?? '0', filled: textOf(value.cumQty) ?? '0' },
})

const toWithdrawal = (value: WireObject): TrueWithdrawal => ({
  ...{ id: text(value, 'withdrawalId'), amount: text(value, 'amount'), currency: text(value, 'currency') },
  ...{ beneficiary: text(value, 'beneficiary'), state: text(value, 'state') },
})

/** The people of the practice world that the drill knows by name. */
export type Person = 'trader' | 'counterparty'

/** A practice exchange of its own in this process, on the drill's time, whose market stands still. */
export class Exchange {
  readonly #sandbox: Sandbox
  #made = 0

  private constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox
  }

  static async start(clock: Clock, seed: number): Promise<Exchange> {
    const options = { port: 0, gatewayPort: 0, adminPort: 0, market: 'off', seed } as const
    return new Exchange(await startSandbox(options, { clock, randomBytes, log: () => {} }))
  }

  place(person: Person): Place {
    const token = this.#sandbox.accounts.find(({ name }) => name === person)?.token ?? ''
    return { exchangeUrl: this.#sandbox.exchangeUrl, token }
  }

  admin(path: string, values: object): Promise<void> {
    const { adminUrl, adminToken } = this.#sandbox
    return administer({ adminUrl, adminToken }, path, values)
  }

  async truth(person: Person = 'trader'): Promise<Truth> {
    const orders: TrueOrder[] = []
    for (let last = '0'; ; ) {
      const page = await this.#read(person, `/internal/orders?orderId=${last}&limit=1000`)
      const found = isObject(page) && Array.isArray(page.orders) ? page.orders.filter(isObject) : []
      if (found.length === 0) break
      orders.push(...found.map(toOrder))
      last = orders.at(-1)?.id ?? last
    }
    const withdrawals = await this.#read(person, '/withdrawals')
    return { orders, withdrawals: Array.isArray(withdrawals) ? withdrawals.filter(isObject).map(toWithdrawal) : [] }
  }

  async beneficiaries(currency: string): Promise<string[]> {
    const entries = await this.#read('trader', `/whitelist/${currency}`)
    return Array.isArray(entries) ? entries.filter(isObject).map((entry) => text(entry, 'whitelistId')) : []
  }

  /** Places an order by other means than the program, under an id that says so. Resolves with the exchange's id. */
  async order(
    person: Person,
    order: { side: 'BUY' | 'SELL'; qty: string; price: string; more?: object },
  ): Promise<string> {
    this.#made += 1
    const { side, qty, price, more = {} } = order
    const body = { clOrdId: `${drillPrefix}${this.#made}`, symbol: 'BTC-USD', side, ordType: 'LIMIT', ...more }
    const answer = await callExchange(this.place(person), {
      ...{ method: 'POST', path: '/orders', body: JSON.stringify({ ...body, orderQty: qty, price }) },
    })
    const placed = readWire(answer.body)
    if (answer.status !== 200 || !isObject(placed)) throw new Error(`order: ${answer.status} ${answer.body}`)
    return text(placed, 'exOrdId')
  }

  /** Sends money out by other means than the program. */
  async withdraw(amount: string, beneficiary: string): Promise<string> {
    const body = JSON.stringify({ currency: 'BTC', amount, beneficiary })
    const answer = await callExchange(this.place('trader'), { method: 'POST', path: '/withdrawals', body })
    const made = readWire(answer.body)
    if (answer.status !== 200 || !isObject(made)) throw new Error(`withdrawal: ${answer.status} ${answer.body}`)
    return text(made, 'withdrawalId')
  }

  async cancel(person: Person, orderId: string): Promise<void> {
    await callExchange(this.place(person), { method: 'DELETE', path: `/orders/${orderId}`, body: '' })
  }

  stop(): Promise<void> {
    return this.#sandbox.stop()
  }

  async #read(person: Person, path: string): Promise<unknown> {
    const { status, body } = await callExchange(this.place(person), { method: 'GET', path, body: '' })
    if (status !== 200) throw new Error(`${path}: ${status} ${body}`)
    return readWire(body)
  }
}

/** Orders that the drill makes itself are no work of the program. */
const drillPrefix = 'drill'
export const isOwn = ({ clientOrderId }: TrueOrder): boolean => !clientOrderId.startsWith(drillPrefix)
