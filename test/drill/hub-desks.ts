// The desks of the hub's drill: persons who send orders through whichever hub leads, hear what they are told, believe
// nothing else, and now and then ask for the same order again.
import { request } from 'node:http'
import { systemClock } from '../../src/base/clock.ts'
import type { Random } from '../../src/base/random.ts'

/** What a desk knows of an order that it asked for. */
export type Told = 'taken' | 'rejected' | 'notSent' | 'unknown'
export type Asked = {
  readonly person: string
  readonly id: string
  readonly price: number
  /** Everything that it was told, in order; one that was asked for twice was told twice. */
  readonly told: Told[]
  orderId: string | null
}

export type Answer = { status: number; isStandby: boolean; text: string }

/** The lowest price that is asked: a thousandth of it is the least that an order counts, in USD. */
export const priceMin = 50_000

/** Longer than a hub takes, far shorter than the exchange may: an answer that does not come is no answer. */
const patienceMs = 6_000

/** One call over a connection of its own; null where no whole answer came. */
export function callHub(
  base: string,
  token: string,
  { method, path, body, headers }: { method: string; path: string; body?: object; headers?: Record<string, string> },
): Promise<Answer | null> {
  const text = body === undefined ? null : JSON.stringify(body)
  const type = text === null ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
  const signal = AbortSignal.timeout(patienceMs)
  return new Promise((resolve) => {
    const sent = request(
      `${base}${path}`,
      { method, agent: false, headers: { 'x-api-token': token, ...type, ...headers }, signal },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', () => resolve(null))
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            isStandby: response.headers['x-hub-standby'] === '1',
            text: Buffer.concat(chunks).toString(),
          }),
        )
      },
    )
    sent.on('error', () => resolve(null))
    sent.end(text ?? undefined)
  })
}

/** A desk of a person: it sends until it is told to stop. */
export type Desk = {
  readonly person: string
  readonly asked: readonly Asked[]
  run(signal: AbortSignal): Promise<void>
  /** Sends so many orders more, one after the other. */
  goOn(orders: number): Promise<void>
  /** Sends every order once more, under its id, that it was told nothing certain of. */
  repeat(): Promise<void>
  /** Takes back every order that it knows. */
  clear(): Promise<void>
  cancelsTaken(): number
}

type DeskOptions = {
  person: string
  token: string
  /** The hubs' addresses; it goes to the next where one stands by or is gone. */
  hubs: readonly string[]
  random: Random
  /** Orders at the most. */
  orders: number
  /** Whether it takes its orders back, now and then. */
  cancels: boolean
}

/** What an answer to an order says, as a person would take it. */
function heard(answer: Answer | null): { told: Told; orderId: string | null } {
  if (answer === null) return { told: 'unknown', orderId: null }
  const { status, text, isStandby } = answer
  if (status === 200) {
    const [, id = null] = /"exOrdId":"?(\d+)/.exec(text) ?? []
    return text.includes('"REJECTED"') ? { told: 'rejected', orderId: null } : { told: 'taken', orderId: id }
  }
  const isNo = isStandby || (status >= 400 && status < 500)
  return { told: isNo ? 'notSent' : 'unknown', orderId: null }
}

export function createDesk({ person, token, hubs, random, orders, cancels }: DeskOptions): Desk {
  const asked: Asked[] = []
  const gone = new Set<string>()
  let cancelsTaken = 0
  let hub = random.integer(0, hubs.length - 1)
  const call = async (method: string, path: string, body?: object): Promise<Answer | null> => {
    const answer = await callHub(hubs[hub] ?? '', token, { method, path, ...(body === undefined ? {} : { body }) })
    if (answer === null || answer.isStandby) hub = (hub + 1) % hubs.length
    return answer
  }
  const place = async (order: Asked): Promise<void> => {
    const body = { clOrdId: order.id, ordType: 'LIMIT', symbol: 'BTC-USD', side: 'BUY', orderQty: '0.001' }
    const { told, orderId } = heard(await call('POST', '/orders', { ...body, price: String(order.price) }))
    order.told.push(told)
    order.orderId ??= orderId
  }
  const open = () => asked.filter(({ id, orderId }) => orderId !== null && !gone.has(id))
  const cancel = async (order: Asked | undefined): Promise<void> => {
    if (order === undefined) return
    const answer = await call('DELETE', `/orders/${order.orderId}`)
    if (answer?.status === 200) cancelsTaken += 1
    if (answer?.status === 200 || answer?.status === 409) gone.add(order.id)
  }
  const placeNext = async (): Promise<Asked> => {
    const order = {
      ...{ person, id: `${person}${asked.length}x${random.integer(0, 999_999)}`, told: [], orderId: null },
      price: random.integer(priceMin, 58_999),
    }
    asked.push(order)
    await place(order)
    return order
  }
  return {
    person,
    asked,
    cancelsTaken: () => cancelsTaken,
    async goOn(count) {
      for (let sent = 0; sent < count; sent += 1) await placeNext()
    },
    async repeat() {
      for (const order of asked.filter(({ told }) => told.includes('unknown'))) await place(order)
    },
    async clear() {
      for (const order of open()) await cancel(order)
    },
    async run(signal) {
      while (!signal.aborted && asked.length < orders) {
        const order = await placeNext()
        // A person who heard nothing asks again, under the same id; and some who heard all do.
        const last = order.told.at(-1)
        if (last === 'unknown' || random.chance(0.05)) await place(order)
        if (cancels && random.chance(0.9)) {
          const cancelable = open()
          await cancel(cancelable[random.integer(0, Math.max(0, cancelable.length - 1))])
        }
        await systemClock.sleep(random.integer(0, 40), signal)
      }
    },
  }
}
