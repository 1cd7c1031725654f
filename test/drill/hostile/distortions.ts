import type { Random } from '../../../src/base/random.ts'
import { pick } from '../../fakes/numbers.ts'
import type { Answer } from './exchange.ts'
import { type Call, sentField, type Target, type Treatment, type Via } from './proxy.ts'
import { isObject, number, readWire, textOf, type WireObject, writeWire } from './wire-json.ts'

type Apply = (via: Via, chance: Random) => Promise<void>
type Row = { targets: readonly Target[]; apply: Apply }

const writes: readonly Target[] = ['place', 'withdraw', 'cancel', 'cancelAll']
const byId: readonly Target[] = ['orderById', 'withdrawalById']
const reads: readonly Target[] = [...byId, 'list', 'book', 'read']
/** Answers that tell of one order or withdrawal. */
const single: readonly Target[] = ['place', 'withdraw', ...byId]

/**
 * What a proxy with bad intent does, each so that a careful program can tell: the answer is about something else, lacks
 * something, contradicts itself or does not come. A lie in which everything fits is not among them; nobody could see
 * through it.
 *
 * A list lags for less than `lagMaxMs`, and a call travels for less than `travelMaxMs`: what the program looks for
 * twice, late enough, it may believe not to be there.
 */
const rows = {
  dropBefore: { targets: [...writes, ...reads], apply: async (via) => via.cut() },
  dropAfter: {
    targets: writes,
    apply: async (via) => {
      await via.deliver()
      via.cut()
    },
  },
  stall: {
    targets: writes,
    apply: async (via, chance) => {
      if (chance.chance(0.6)) await via.deliver()
    },
  },
  lateDelivery: {
    targets: writes,
    apply: async (via, chance) => {
      await via.hold(chance.integer(500, travelMaxMs))
      via.answer(await via.deliver())
    },
  },
  lateAnswer: {
    targets: [...writes, ...byId],
    apply: async (via, chance) => {
      const answer = await via.deliver()
      await via.hold(chance.integer(300, travelMaxMs))
      via.answer(answer)
    },
  },
  // A withdrawal has no id of ours: delivered twice it is two, and no program can help it.
  twice: {
    targets: ['place', 'cancel', 'cancelAll'],
    apply: async (via) => {
      await via.deliver()
      via.answer(await via.deliver())
    },
  },
  anothers: { targets: single, apply: answerWithAnothers },
  withhold: {
    targets: [...single, 'list'],
    apply: async (via, chance) => via.answer(changed(await via.deliver(), (entry) => withhold(entry, chance), chance)),
  },
  unknownWord: {
    targets: [...single, 'list'],
    apply: async (via, chance) =>
      via.answer(changed(await via.deliver(), (entry) => withUnknownWord(entry, chance), chance)),
  },
  oddEntry: {
    targets: ['list'],
    apply: async (via, chance) => via.answer(withOddEntry(await via.deliver(), chance)),
  },
  withoutNewest: {
    targets: ['list'],
    apply: async (via, chance) =>
      via.answer(withoutNewest(await via.deliver(), via.call.atMs - chance.integer(500, lagMaxMs))),
  },
  errorWith200: {
    targets: [...writes, ...reads],
    apply: async (via, chance) => {
      if (reads.includes(via.call.target) || chance.chance(0.6)) await via.deliver()
      via.answer({ status: 200, body: '{"error":"the service in between is tired"}' })
    },
  },
  // The answer to a cancel has no body anyway.
  emptyAnswer: {
    targets: ['place', 'withdraw', ...reads],
    apply: async (via, chance) => {
      if (chance.chance(0.7)) await via.deliver()
      via.answer({ status: 200, body: '' })
    },
  },
  halfAnswer: {
    targets: ['place', 'withdraw', ...reads],
    apply: async (via, chance) => {
      const answer = await via.deliver()
      if (chance.chance(0.5)) via.cutShort(answer)
      else via.answer({ ...answer, body: answer.body.slice(0, Math.floor(answer.body.length / 2)) })
    },
  },
  badGateway: {
    targets: writes,
    apply: async (via, chance) => {
      if (chance.chance(0.5)) await via.deliver()
      via.answer({ status: chance.chance(0.5) ? 502 : 504, body: '<html>Bad Gateway</html>' })
    },
  },
} satisfies Readonly<Record<string, Row>>

/** In ms of the drill: shorter than the program waits before it believes that something is not there. */
const travelMaxMs = 9_000
const lagMaxMs = 4_000

export type DistortionKind = keyof typeof rows
const isKind = (name: string): name is DistortionKind => name in rows
export const distortionKinds: readonly DistortionKind[] = Object.keys(rows).filter(isKind)

/** The kinds that can be done to a call with this target. */
export const kindsFor = (target: Target): DistortionKind[] =>
  distortionKinds.filter((kind) => (rows[kind].targets as readonly Target[]).includes(target))

export const distort = (kind: DistortionKind, chance: Random): Treatment => ({
  kind,
  apply: (via) => rows[kind].apply(via, chance),
})

function entriesOf(answer: Answer): WireObject[] {
  const value = readWire(answer.body)
  if (Array.isArray(value)) return value.filter(isObject)
  return isObject(value) && Array.isArray(value.orders) ? value.orders.filter(isObject) : []
}

const idOf = (entry: WireObject): string | null => textOf(entry.exOrdId) ?? textOf(entry.withdrawalId)

/** Others of the account that an answer may be mistaken for, those that have ended badly first. */
export async function othersOf(via: Via): Promise<WireObject[]> {
  const { call } = via
  if (call.target === 'withdraw' || call.target === 'withdrawalById') {
    const isOther = (entry: WireObject) =>
      call.target === 'withdraw' ? textOf(entry.amount) !== sentField(call, 'amount') : idOf(entry) !== lastPart(call)
    const others = entriesOf(await via.ask('/withdrawals')).filter(isOther)
    return [...others].sort((left, right) => Number(right.state === 'REJECTED') - Number(left.state === 'REJECTED'))
  }
  const isOther = (entry: WireObject) =>
    call.target === 'place' ? entry.clOrdId !== sentField(call, 'clOrdId') : idOf(entry) !== lastPart(call)
  const lists = await Promise.all(
    ['REJECTED', 'FILLED', 'CANCELED', 'OPEN'].map((status) => via.ask(`/orders?status=${status}&limit=20`)),
  )
  return lists.flatMap(entriesOf).filter(isOther)
}

const lastPart = ({ path }: Call): string => path.slice(path.lastIndexOf('/') + 1)

async function answerWithAnothers(via: Via, chance: Random): Promise<void> {
  const own = await via.deliver()
  const others = await othersOf(via)
  // Mostly the first, which is the worst; where there is no other one, the connection ends.
  const other = chance.chance(0.5) ? others[0] : pick(others, chance)
  if (other === undefined) via.cut()
  else
    via.answer({
      status: own.status === 200 ? 200 : own.status,
      body: own.status === 200 ? writeWire(other) : own.body,
    })
}

/** The answer with one of its entries changed; what is no list is the entry itself. */
function changed(answer: Answer, change: (entry: WireObject) => WireObject, chance: Random): Answer {
  const value = readWire(answer.body)
  if (answer.status !== 200) return answer
  if (Array.isArray(value)) return { ...answer, body: writeWire(changedList(value, change, chance)) }
  if (!isObject(value)) return answer
  if (!Array.isArray(value.orders)) return { ...answer, body: writeWire(change(value)) }
  return { ...answer, body: writeWire({ ...value, orders: changedList(value.orders, change, chance) }) }
}

function changedList(list: readonly unknown[], change: (entry: WireObject) => WireObject, chance: Random): unknown[] {
  const at = chance.integer(0, Math.max(0, list.length - 1))
  return list.map((entry, index) => (index === at && isObject(entry) ? change(entry) : entry))
}

const withheld = [
  'leavesQty',
  'cumQty',
  'exOrdId',
  'clOrdId',
  'avgPx',
  'ordStatus',
  'state',
  'withdrawalId',
  'fee',
  'timestamp',
  'amount',
]

function withhold(entry: WireObject, chance: Random): WireObject {
  const there = withheld.filter((name) => name in entry)
  const gone = new Set(Array.from({ length: chance.integer(1, 2) }, () => pick(there, chance)))
  return Object.fromEntries(Object.entries(entry).filter(([name]) => !gone.has(name)))
}

const words = ['ordStatus', 'ordType', 'side', 'state']

function withUnknownWord(entry: WireObject, chance: Random): WireObject {
  const name = pick(
    words.filter((each) => each in entry),
    chance,
  )
  return name === undefined ? entry : { ...entry, [name]: 'HELD_FOR_REVIEW' }
}

function withOddEntry(answer: Answer, chance: Random): Answer {
  const value = readWire(answer.body)
  const odd: unknown = pick(
    [
      {
        exOrdId: number('999998'),
        clOrdId: 'odd',
        ordType: 'ICEBERG',
        ordStatus: 'PARKED',
        side: 'BUY',
        symbol: 'BTC-USD',
      },
      { withdrawalId: 'w-999998', currency: 'BTC', state: 'IN_REVIEW' },
      {},
      null,
    ],
    chance,
  )
  const put = (list: readonly unknown[]) => list.toSpliced(chance.integer(0, list.length), 0, odd)
  if (Array.isArray(value)) return { ...answer, body: writeWire(put(value)) }
  if (!isObject(value) || !Array.isArray(value.orders)) return answer
  return { ...answer, body: writeWire({ ...value, orders: put(value.orders) }) }
}

function withoutNewest(answer: Answer, sinceMs: number): Answer {
  const isOld = (entry: unknown) => !isObject(entry) || Number(textOf(entry.timestamp) ?? 0) < sinceMs
  const value = readWire(answer.body)
  if (Array.isArray(value)) return { ...answer, body: writeWire(value.filter(isOld)) }
  if (!isObject(value) || !Array.isArray(value.orders)) return answer
  // The cursor of a page stays: what is left out is not there yet, and comes with a later question.
  return { ...answer, body: writeWire({ ...value, orders: value.orders.filter(isOld) }) }
}
