// What a run of the hub's drill came to: the exchange's own list of orders against what each desk was told, and what
// the hub has on record.
import { z } from 'zod'
import { ownCall } from './administer.ts'
import type { Asked } from './hub-desks.ts'

const orderRow = z.object({
  exOrdId: z.union([z.number(), z.string()]).transform(String),
  clOrdId: z.string(),
  ordStatus: z.string(),
})
const page = z.object({ nextOrderId: z.union([z.number(), z.string()]), orders: z.array(orderRow) })
export type ExchangeOrder = z.infer<typeof orderRow>

/** Every order that the exchange ever had of an account, by its own list. */
export async function everyOrder(base: string, token: string): Promise<ExchangeOrder[]> {
  const all: ExchangeOrder[] = []
  for (let after = '0'; ; ) {
    const path = `/internal/orders?limit=1000&orderId=${after}`
    const answer = await ownCall(`${base}${path}`, { headers: { 'x-api-token': token } })
    const read = page.parse(await answer.json())
    all.push(...read.orders)
    if (read.orders.length === 0) return all
    after = String(read.nextOrderId)
  }
}

/** A row of the hub's journal, as far as it is about an order. */
export type Recorded = { person: string; id: string; isOpen: boolean; end: string }

export type Limits = { readonly dayUsd: ReadonlyMap<string, number>; readonly openOrders: number }

type Evidence = {
  asked: readonly Asked[]
  orders: readonly ExchangeOrder[]
  recorded: readonly Recorded[]
  limits: Limits
  /** How many orders worked at the same time, at the most that was ever seen. */
  openMax: number
}

/** Complaints, in sentences; none where all is as it should be. */
export function judgeHub({ asked, orders, recorded, limits, openMax }: Evidence): {
  complaints: string[]
  figures: Readonly<Record<string, number>>
} {
  const complaints: string[] = []
  const live = orders.filter(({ ordStatus }) => ordStatus !== 'REJECTED')
  const counts = new Map<string, number>()
  for (const { clOrdId } of live) counts.set(clOrdId, (counts.get(clOrdId) ?? 0) + 1)
  const doubled = [...counts].filter(([, count]) => count > 1).map(([id]) => id)
  for (const id of doubled) complaints.push(`${id} is at the exchange ${counts.get(id)} times`)
  // A second one under an id is refused by the exchange while the first one works: that is luck.
  const sent = Map.groupBy(orders, ({ clOrdId }) => clOrdId)
  const repeated = [...sent].filter(([id, { length }]) => length > 1 && !doubled.includes(id))
  for (const [id, { length }] of repeated) complaints.push(`${id} was sent to the exchange ${length} times`)
  const records = new Map(recorded.map((each) => [each.id, each]))
  let forgotten = 0
  for (const [id] of counts) {
    if (records.has(id)) continue
    forgotten += 1
    complaints.push(`${id} is at the exchange, and the hub has no record of it`)
  }
  let untrue = 0
  const complain = (sentence: string) => {
    untrue += 1
    complaints.push(sentence)
  }
  for (const { id, told, person } of asked) {
    const isThere = counts.has(id)
    const record = records.get(id)
    if (told.includes('taken') && !isThere) complain(`${id} was said to be taken, and is not there`)
    if (told.every((each) => each === 'notSent') && isThere) complain(`${id} was said not to be sent, and is there`)
    if (told.includes('rejected') && isThere) complain(`${id} was said to be rejected, and is there`)
    if (record !== undefined && record.person !== person) complain(`${id} is on record under ${record.person}`)
    if (record?.isOpen) complain(`${id} was never settled`)
    const isSaidPlaced = record?.end === 'accepted' || record?.end === 'placed'
    if (record !== undefined && !record.isOpen && isSaidPlaced !== isThere)
      complain(`${id} is on record as ${record.end}, and ${isThere ? 'is' : 'is not'} there`)
  }
  let overrun = 0
  for (const [person, most] of limits.dayUsd) {
    const placed = asked.filter((each) => each.person === person && counts.has(each.id))
    const usd = placed.reduce((sum, { price }) => sum + price / 1_000, 0)
    if (usd <= most) continue
    overrun += 1
    complaints.push(`${person} came to ${usd} USD on a day, over ${most}`)
  }
  if (openMax > limits.openOrders) {
    overrun += 1
    complaints.push(`${openMax} orders worked at once, over ${limits.openOrders}`)
  }
  const unknown = asked.filter(({ told }) => told.includes('unknown')).length
  return {
    complaints,
    figures: {
      ...{ asked: asked.length, placed: live.length, recorded: recorded.length, toldUnknown: unknown },
      ...{ doubled: doubled.length + repeated.length, forgotten, untrue, overrun, openMax },
    },
  }
}
