import { Decimal } from '../../../src/domain/money.ts'
import { act, placeArguments } from './act.ts'
import { isOwn, isPlaced, type Truth } from './exchange.ts'
import { clientOrderIdOf, type Entry, numberAfter, readJournal } from './journal-reading.ts'
import type { Finding } from './judge.ts'
import type { Home } from './program.ts'
import { type Intent, inWords, isSame, orderBy, ordersOf, withdrawalsOf } from './scene.ts'
import type { World } from './world.ts'

/**
 * Looks at what is open, at most so often, with so long between, in ms of the drill: by then what can be found is
 * found.
 */
const looksMax = 5
const lookPauseMs = 7_000

/**
 * With nothing in the way any more the program is given the time to find what it looks for. It does that before every
 * write, and before one that is only shown.
 */
export async function settle(world: World, home: Home): Promise<Finding[]> {
  world.proxy.plan = () => null
  const findings: Finding[] = []
  for (let look = 0; look < looksMax; look += 1) {
    const { entries } = await readJournal(home)
    if (entries.every(({ fate }) => fate !== 'open')) break
    if (look > 0) await world.clock.sleep(lookPauseMs)
    const argv = [...placeArguments(home, '63000.5').filter((word) => word !== '--yes'), '--dry-run']
    const acted = await act(world, { kind: 'none' }, argv, { home })
    findings.push(...acted.findings)
  }
  return findings
}

/** What an intent has come to, once too often. */
export function doubledOf(intents: readonly Intent[], truth: Truth): Finding[] {
  return intents.flatMap((intent): Finding[] => {
    const found = [...ordersOf(intent, truth), ...withdrawalsOf(intent, truth)]
    if (found.length < 2) return []
    const list = found.map((each) => `${each.id} ${'status' in each ? each.status : each.state}`).join(', ')
    return [{ kind: 'doubled', text: `${inWords(intent)} happened ${found.length} times: ${list}` }]
  })
}

/** Everything that is in the end held against everything that is on record, both ways. */
export async function verdict(world: World, homes: readonly Home[], intents: readonly Intent[]): Promise<Finding[]> {
  const findings: Finding[] = []
  const entries: Entry[] = []
  for (const home of homes) {
    findings.push(...(await settle(world, home)))
    entries.push(...(await readJournal(home)).entries)
  }
  const truth = await world.exchange.truth()
  const onRecord = [
    ...judgeOrders(entries, truth),
    ...judgeMoney(entries, truth),
    ...unrecorded(entries, intents, truth),
  ]
  return [...findings, ...doubledOf(intents, truth), ...onRecord]
}

const forgotten = (text: string): Finding => ({ kind: 'forgotten', text })
const wrong = ({ kind, what, result }: Entry, truth: string): Finding => ({
  kind: 'false',
  text: `the journal says of the ${kind} "${what}": ${result}; the exchange: ${truth}`,
})

function judgeOrders(entries: readonly Entry[], truth: Truth): Finding[] {
  const findings: Finding[] = []
  for (const order of truth.orders) {
    const isKnown = entries.some((entry) => clientOrderIdOf(entry) === order.clientOrderId)
    if (isOwn(order) && !isKnown)
      findings.push(forgotten(`no record has order ${order.id} (${order.clientOrderId}) at ${order.price}`))
  }
  for (const entry of entries) {
    const ours = clientOrderIdOf(entry)
    const order = ours === null ? undefined : truth.orders.find((each) => each.clientOrderId === ours && isPlaced(each))
    const inTruth = order === undefined ? 'no such order' : `order ${order.id} is ${order.status}`
    if (entry.kind === 'order' || entry.kind === 'move') {
      if (entry.fate === 'open' && order !== undefined)
        findings.push(
          forgotten(`nobody finds "${entry.what}", which is ${order.status} as ${order.id}: ${entry.result}`),
        )
      if (entry.fate === 'took' && order === undefined) findings.push(wrong(entry, inTruth))
      if (entry.fate === 'took' && order !== undefined && entry.exchangeId !== null && entry.exchangeId !== order.id)
        findings.push(wrong(entry, `${inTruth}, not ${entry.exchangeId}`))
      if (entry.fate === 'not' && order !== undefined) findings.push(wrong(entry, inTruth))
    }
    if (entry.kind === 'cancel') findings.push(...judgeCancel(entry, entries, truth))
  }
  return findings
}

const canceledId = (entry: Entry): string => numberAfter(entry, 'cancel of order') ?? ''

/**
 * A cancel that is on record as such has cancelled; one that is not has not, unless another one of the same order has.
 */
function judgeCancel(entry: Entry, entries: readonly Entry[], truth: Truth): Finding[] {
  const id = canceledId(entry)
  const order = orderBy(id, truth)
  const isCanceled = order?.status === 'CANCELED'
  const says = `order ${id} is ${order?.status ?? 'not there'}`
  if (entry.fate === 'took' && !isCanceled) return [wrong(entry, says)]
  const others = entries.filter((each) => each !== entry && each.what.includes(`order ${id}`) && each.fate !== 'not')
  const isByAll = entries.some(({ kind }) => kind === 'cancelAll' || kind === 'move')
  if (entry.fate === 'not' && isCanceled && others.length === 0 && !isByAll) return [wrong(entry, says)]
  return []
}

function judgeMoney(entries: readonly Entry[], truth: Truth): Finding[] {
  const findings: Finding[] = []
  const money = entries.filter(({ kind }) => kind === 'withdrawal')
  const amountOf = (entry: Entry) => numberAfter(entry, 'withdrawal of')
  for (const entry of money) {
    const found = truth.withdrawals.filter(({ amount }) => isSame(amount, amountOf(entry)))
    const list = found.map(({ id, state }) => `${id} ${state}`).join(', ')
    const elsewhere = money.filter((each) => each !== entry && isSame(amountOf(each) ?? '0', amountOf(entry)))
    const isTaken = (id: string) => elsewhere.some((each) => each.exchangeId === id)
    const own = found.filter(({ id }) => !isTaken(id))
    if (entry.fate === 'open' && own.length > 0)
      findings.push(forgotten(`nobody finds "${entry.what}", which is ${list}`))
    if (entry.fate === 'not' && own.some(({ state }) => state !== 'REJECTED')) findings.push(wrong(entry, list))
    const isThere = entry.exchangeId === null || found.some(({ id }) => id === entry.exchangeId)
    if (entry.fate === 'took' && (found.length === 0 || !isThere))
      findings.push(wrong(entry, list || 'no such withdrawal'))
  }
  return findings
}

/** Money that left and that no record has, of the withdrawals that were wanted. */
function unrecorded(entries: readonly Entry[], intents: readonly Intent[], truth: Truth): Finding[] {
  return intents.flatMap((intent) => {
    const left = withdrawalsOf(intent, truth)
    const isKnown = entries.some(
      ({ kind, what }) => kind === 'withdrawal' && intent.kind === 'withdrawal' && what.includes(` ${intent.amount} `),
    )
    return left.length > 0 && !isKnown ? [forgotten(`no record has the ${inWords(intent)}`)] : []
  })
}

/** Complains of a move that placed more than was reviewed: nobody agreed to that. */
export function movedTooMuch(truth: Truth, intent: Intent): Finding[] {
  if (intent.kind !== 'move') return []
  return ordersOf(intent, truth).flatMap(({ id, leaves, filled }): Finding[] => {
    const quantity = new Decimal(leaves).plus(filled)
    const text = `the move of ${intent.orderId}, reviewed as ${intent.quantity}, sent ${quantity.toFixed()} as order ${id}`
    return quantity.gt(intent.quantity) ? [{ kind: 'unasked', text }] : []
  })
}
