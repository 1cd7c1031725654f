import { ExchangeError } from '../../api/errors.ts'
import { limited } from '../../base/clock.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { takingTurns } from '../../base/serial.ts'
import { isHubToken } from '../../desk/wiring/behind-hub.ts'
import { isWorking, type Order } from '../../domain/orders/order.ts'
import { type CancelOutcome, type KnownOrder, orderMismatches } from '../../domain/orders/order-outcome.ts'
import type { NotSent } from '../../domain/write-outcome.ts'
import { looksEndMs } from '../../services/orders/cancel-order.ts'
import { jsonLine } from '../../wire/json-pieces.ts'
import { readId, shown } from '../cli/arguments.ts'
import type { Run } from '../cli/command.ts'
import { type Ending, exitCodes, type FailureKind, type Fields, failure, wrongUsage } from '../cli/exit-codes.ts'
import { formOf } from '../cli/output.ts'
import { OwnOrders } from './own-orders.ts'
import { tellPlans } from './plans-hit.ts'
import { listedToTheEnd, listedUnknown, stillListed } from './still-listed.ts'
import { type WriteScene, withWriting } from './with-writing.ts'
import { ownPatienceMs, refusalKind } from './writing.ts'

/** A word instead of an id mostly means all orders, but the scope is never guessed. */
const noId = (word: string): string =>
  `"${shown(word)}" is not an order id, a whole number that pitdesk orders shows: nothing was canceled. All orders of ` +
  'a symbol: pitdesk order cancel-all --symbol SYMBOL; of every symbol: pitdesk order cancel-all --every-symbol'

function readIds(words: readonly string[]): Result<string[]> {
  if (words.length === 0) return err('order ids missing: pitdesk orders lists them')
  const ids: string[] = []
  for (const word of words) {
    if (!/^\d+$/.test(word)) return err(noId(word))
    const id = readId('an id', word)
    if (!id.ok) return id
    if (!ids.includes(id.value)) ids.push(id.value)
  }
  return ok(ids)
}

/** The result of one cancel: `kind` is null for a confirmed one. */
type Told = { line: string; kind: FailureKind | null; row: Fields; todo?: string; canceled?: Order }

/** From possibly live orders to those that were never sent. */
const gravest: readonly FailureKind[] = ['unknown', 'rejected', 'notSent', 'unreachable', 'failed']

/** The gravest of several outcomes; undefined without a failure. */
export const gravestOf = (all: readonly Pick<Told, 'kind'>[]): FailureKind | undefined =>
  gravest.find((each) => all.some(({ kind }) => kind === each))

/** Maximum calls awaiting answers at once: more would time out in the call queue. */
export const callsMax = 8

/**
 * Cancels orders by their ids. Sends every cancel, in the given order, before looking at the results. As in the desk
 * without a question, because a cancel only lowers risk.
 */
export const runOrderCancel: Run = (given, io, tools) => {
  const ids = readIds(given.words)
  if (!ids.ok) return Promise.resolve(wrongUsage(ids.error))
  return withWriting({ given, io, tools, isCancel: true }, async (scene) => {
    const { writing } = scene
    const own = new OwnOrders(scene)
    const toSend = takingTurns(callsMax)
    const sent = await Promise.all(
      ids.value.map(async (orderId) => {
        const leaving = await toSend(() => leave(orderId, own, scene))
        return await leaving?.ended
      }),
    )
    if (sent.some((each) => each?.outcome.kind === 'unknown')) await writing.settle(ownPatienceMs)
    const toLook = takingTurns(callsMax)
    const seen = await Promise.all(
      ids.value.map((orderId, at) => toLook(() => tellCancel(orderId, sent[at] ?? null, scene))),
    )
    const left = await stillListed(
      seen.flatMap(({ canceled = [] }) => canceled),
      scene,
    )
    const told = seen.map((each, at) => contradicted(each, left.get(ids.value[at] ?? '')))
    const canceled = ids.value.filter((_, at) => told[at]?.kind === null)
    if (canceled.length > 0) await tellPlans((_, { orderId }) => orderId !== null && canceled.includes(orderId), scene)
    return await tellCancels(told, scene)
  })
}

/** The outcome of a cancel, the error of its call, how the recorded terms of its order are found, and when it left. */
type Sent = {
  outcome: CancelOutcome | NotSent
  failed: ExchangeError | null
  lookUpWas: () => Promise<KnownOrder | null>
  sentAtMs: number
}

/** Sends one cancel, and waits for its answer but not for the end of the order; null when the command ended before. */
async function leave(
  orderId: string,
  own: OwnOrders,
  { writing, io, tools }: WriteScene,
): Promise<{ ended: Promise<Sent> } | null> {
  if (io.signal.aborted) return null
  const lookUpWas = () => own.find(orderId)
  const call = writing.cancelCall(orderId)
  const sentAtMs = tools.clock.now()
  const ended = writing.trading.orders
    .cancel(orderId, { lookUpWas })
    .then((outcome) => ({ outcome, failed: call.failed(), lookUpWas, sentAtMs }))
  // Without a call, for example when nothing may be sent, the outcome comes first.
  await Promise.race([call.answered, ended])
  return { ended }
}

async function tellCancel(orderId: string, sent: Sent | null, scene: WriteScene): Promise<Told> {
  const told: Tell = (kind, word, line, order) => {
    const row = { exOrdId: BigInt(orderId), outcome: word, ordStatus: kind === null ? undefined : order?.status }
    const canceled = kind === null && order !== undefined ? { canceled: order } : {}
    return { kind, line: `Order ${orderId} ${line}.`, row, ...canceled }
  }
  if (sent === null) return told('notSent', 'notSent', 'not canceled: ended before it was sent')
  const { outcome, failed, lookUpWas, sentAtMs } = sent
  const own = async (order: Order | null): Promise<Order | null> => {
    const known = await lookUpWas()
    // A report about another order says nothing about this one.
    return order === null || (known !== null && orderMismatches(known, order).length > 0) ? null : order
  }
  const seen = async (looks?: number) => await own(await lookUp(orderId, scene, looks))
  switch (outcome.kind) {
    case 'canceled':
      return told(null, 'canceled', 'canceled', outcome.order)
    case 'ended':
      return told('rejected', 'ended', `not canceled: it is ${outcome.order.status}`, outcome.order)
    case 'refused': {
      // An ended order is not explained: a cancel delivered twice is answered like this too, and has canceled.
      const hasEnded = failed?.status === 409
      // "Unknown" or "ended" may be wrong: the order's own report counts.
      const order = (await seen(hasEnded ? looksMax : 1)) ?? (await listedUnknown(orderId, failed, scene))
      if (order !== null) return tellSeen(order, outcome.reason, told)
      if (hasEnded) return told('unknown', 'unknown', `has ended, final state unknown (${outcome.reason})`)
      return told('rejected', 'refused', `not canceled: ${outcome.reason}`)
    }
    case 'notSent':
      return notTaken(`not canceled, not sent: ${outcome.reason}`, refusalKind('notSent', failed), told, scene)
    case 'unknown': {
      const order = (await seen()) ?? (await own(await listedToTheEnd(orderId, sentAtMs, scene)))
      if (order === null) {
        if (outcome.cause === 'noAnswer' && scene.writing.isNowhere(orderId))
          return told('rejected', 'refused', `not canceled: the exchange knows no such order (${outcome.reason})`)
        const so = failed?.status === 409 ? 'has ended, final state unknown' : 'may still be working'
        return told('unknown', 'unknown', `${so} (${outcome.reason})`)
      }
      return tellSeen(order, null, told)
    }
  }
}

/** The result of a cancel that was not sent: the exchange still has the order, even if the hub cannot reach it. */
function notTaken(line: string, kind: FailureKind, told: Tell, scene: WriteScene): Told {
  if (!isOfHub({ code: exitCodes[kind] }, scene)) return told(kind, 'notSent', line)
  return { ...told(kind, 'notSent', `${line}. It goes on working`), todo: atExchange }
}

/** True when a hub kept it from being sent. */
export const isOfHub = ({ code }: Pick<Ending, 'code'>, { session }: WriteScene): boolean =>
  code === exitCodes.unreachable && isHubToken(session.token)

export const atExchange = 'While no hub answers, cancel at the exchange itself: on its web page, or with its own key.'

type Tell = (kind: FailureKind | null, word: string, line: string, order?: Order) => Told

/** The result by the order's report after its cancel; `refusal` is the exchange's reason for not canceling, if any. */
function tellSeen(order: Order, refusal: string | null, told: Tell): Told {
  if (order.status === 'CANCELED') return told(null, 'canceled', 'canceled', order)
  if (!isWorking(order)) return told('rejected', 'ended', `not canceled: it is ${order.status}`, order)
  const why = refusal === null ? '' : `, the exchange refused it (${refusal})`
  return told('failed', 'working', `not canceled: it is still ${order.status}${why}`, order)
}

/** Maximum looks at an order that the exchange does not report. */
const looksMax = 4
const orderPauseMs = 500

/** The order as reported; null when the exchange does not report it within `looksEndMs`. */
export const lookUp = (orderId: string, { session, io, tools }: WriteScene, looks = looksMax): Promise<Order | null> =>
  limited(
    async (late) => {
      const signal = AbortSignal.any([io.signal, late])
      for (let look = 0; look < looks && !signal.aborted; look += 1) {
        if (look > 0) await tools.clock.sleep(orderPauseMs, signal)
        try {
          return await session.client.fetchOrder(orderId, signal)
        } catch (error) {
          if (!(error instanceof ExchangeError)) throw error
        }
      }
      return null
    },
    looksEndMs,
    tools.clock,
  )

/** Corrects the result for an order reported as canceled but still listed as working. */
function contradicted(told: Told, listed: Order | undefined): Told {
  if (told.kind !== null || listed === undefined) return told
  const id = listed.orderId ?? listed.clientOrderId
  const seen = `Order ${id} is reported as CANCELED by its id, and still listed as ${listed.status}`
  const line = `${seen}: it may still be working.`
  return { kind: 'unknown', line, row: { ...told.row, outcome: 'unknown', ordStatus: undefined } }
}

async function tellCancels(told: readonly Told[], { given, io }: WriteScene): Promise<Ending> {
  const isTable = formOf(given, io.stdout) === 'table'
  for (const { kind, line } of told) if (isTable && kind === null) await io.print(line)
  const rows = told.map(({ row }) => row)
  const wrong = told.filter(({ kind }) => kind !== null)
  const kind = gravestOf(wrong)
  if (kind === undefined) {
    if (!isTable) await io.print(jsonLine(rows))
    return { code: 0, did: told.map(({ line }) => line).join(' ') }
  }
  const sentence = wrong.map(({ line }) => line).join(' ')
  // For a single order the error says everything.
  const more = told.length === 1 ? {} : { beside: { orders: rows } }
  const next =
    kind === 'unknown' ? 'Cancel again: it does no harm.' : wrong.find(({ todo }) => todo !== undefined)?.todo
  return failure(kind, sentence, next === undefined ? more : { ...more, todo: next })
}
