import { ExchangeError } from '../../api/errors.ts'
import { limited } from '../../base/clock.ts'
import { someNamed } from '../../base/plain-text.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { takingTurns } from '../../base/serial.ts'
import { isHubToken } from '../../desk/behind-hub.ts'
import type { Session } from '../../desk/profile.ts'
import { isWorking, type Order, scopeText } from '../../domain/orders/order.ts'
import {
  type CancelAllOutcome,
  type CancelOutcome,
  type KnownOrder,
  orderMismatches,
  tallyText,
} from '../../domain/orders/order-outcome.ts'
import { needsWord, type Plan, type PlanOrder } from '../../domain/plans/plan.ts'
import type { NotSent } from '../../domain/write-outcome.ts'
import { failureSentence } from '../../services/failure-sentences.ts'
import { looksEndMs } from '../../services/orders/cancel-order.ts'
import { fetchAllWorking, leftOf } from '../../services/orders/order-pages.ts'
import { jsonLine } from '../../wire/json-pieces.ts'
import { readId, readSymbol, shown } from '../cli/arguments.ts'
import type { Run } from '../cli/command.ts'
import { done, type Ending, exitCodes, type FailureKind, type Fields, failure, wrongUsage } from '../cli/exit-codes.ts'
import { formOf } from '../cli/output.ts'
import { IncompleteList } from '../cli/paging.ts'
import { type Consent, confirmed, consentOf } from '../cli/prompt.ts'
import { placeOf, withSession } from '../cli/session.ts'
import { inFlightBeside, inFlightHere, OwnOrders, ownLeft } from './own-orders.ts'
import { openPlans, tellPlans, waitingBefore, wouldLose } from './plans-hit.ts'
import { listedToTheEnd, listedUnknown, lookPauseMs, stillListed, workingRows } from './still-listed.ts'
import { misnamedScope, strayScope } from './unknown-symbol.ts'
import { type WriteScene, withWriting } from './with-writing.ts'
import { isHubRefusal, ownPatienceMs, refusalKind } from './writing.ts'

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
const isOfHub = ({ code }: Pick<Ending, 'code'>, { session }: WriteScene): boolean =>
  code === exitCodes.unreachable && isHubToken(session.token)

const atExchange = 'While no hub answers, cancel at the exchange itself: on its web page, or with its own key.'

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

/** Maximum wait in ms for mere information before a cancel, which it must not delay. */
const knownWithinMs = 2_000

/** Requests mere information before a cancel, for at most `knownWithinMs`. */
const soon = <T>(ask: (late: AbortSignal) => Promise<T>, { io, tools }: WriteScene): Promise<T> =>
  limited((late) => ask(AbortSignal.any([io.signal, late])), knownWithinMs, tools.clock)

/** Cancels all working orders, of one symbol or of every symbol, after a question. */
export const runCancelAll: Run = (given, io, tools) => {
  if (given.words.length > 0) return strayScope(given, { io, tools })
  const read = readSymbol(given.value('symbol'))
  if (!read.ok) return Promise.resolve(wrongUsage(read.error))
  const isEvery = given.has('every-symbol')
  if (read.value !== undefined && isEvery)
    return Promise.resolve(wrongUsage('--symbol and --every-symbol are both given: use one of them'))
  if (read.value === undefined && !isEvery)
    return Promise.resolve(wrongUsage('scope missing: --symbol SYMBOL, or --every-symbol'))
  const isDry = given.has('dry-run')
  const consent: Result<Consent> = isDry ? ok('given') : consentOf(given, io, 'cancel')
  if (!consent.ok) return Promise.resolve(wrongUsage(consent.error))
  const symbol = read.value ?? null
  if (isDry) {
    return withSession(given, { io, tools, mayWrite: false }, async (session) => {
      const misnamed = symbol === null ? null : await misnamedScope(symbol, { session, given }, io.signal)
      if (misnamed !== null) return misnamed
      const count = await countWorking(symbol, session, io.signal)
      if (count === null) throw new IncompleteList()
      const isTable = formOf(given, io.stdout) === 'table'
      const words = `Would cancel ${count} working ${count === 1 ? 'order' : 'orders'} in ${scopeText(symbol)}.`
      await io.print(isTable ? words : jsonLine({ symbol, count }))
      return done
    })
  }
  return withWriting({ given, io, tools, isCancel: true }, async (scene): Promise<Ending> => {
    const misnamed = symbol === null ? null : await soon((late) => misnamedScope(symbol, scene, late), scene)
    if (misnamed !== null) return misnamed
    const question = consent.value === 'given' ? '' : await questionOf(symbol, scene)
    if (!(await confirmed(consent.value, io, { question, isYes: (typed) => typed === 'yes' })))
      return failure('notSent', 'not confirmed: nothing was canceled.')
    const before = await waitingBefore(scene)
    const outcome = await scene.writing.trading.orders.cancelAll(symbol)
    const ending = await tellCancelAll(symbol, outcome, scene)
    // With orders left or unseen, only those seen canceled by the process that runs the plans are lost.
    const isGone = (plan: Plan, order: PlanOrder) =>
      isIn(symbol)(plan) && !before.has(order.clientOrderId) && (ending.code === 0 || needsWord(order))
    await tellPlans(isGone, scene)
    return ending
  })
}

/** True when a plan is in the scope; null is every symbol. */
const isIn =
  (symbol: string | null) =>
  ({ terms }: Plan): boolean =>
    symbol === null || terms.symbol === symbol

/** The number of working orders, including unreadable ones; null for an incomplete list. */
async function countWorking(symbol: string | null, { client }: Session, signal: AbortSignal): Promise<number | null> {
  const list = await fetchAllWorking(client, signal, symbol)
  const { orders, unreadableCount } = leftOf(list, symbol)
  return list.isWhole ? orders.length + unreadableCount : null
}

/** The question, with the number of orders if known soon enough: uncounted orders can be canceled too. */
async function questionOf(symbol: string | null, scene: WriteScene): Promise<string> {
  const { session } = scene
  const count = await soon((late) => countWorking(symbol, session, late).catch(() => null), scene)
  const lost = wouldLose(await openPlans(scene), isIn(symbol))
  const what = `${countedText(count)} in ${scopeText(symbol)} on ${placeOf(session)}`
  const whose = session.client.isShared() ? ', whoever of the hub sent them' : ''
  return `Cancel ${what}${whose}${lost}\nType yes to cancel them:`
}

function countedText(count: number | null): string {
  if (count === null) return 'all working orders'
  if (count === 0) return 'any working order, of which none is listed,'
  return count === 1 ? 'your working order' : `all ${count} working orders`
}

async function tellCancelAll(
  symbol: string | null,
  outcome: CancelAllOutcome | NotSent,
  scene: WriteScene,
): Promise<Ending> {
  const { io, tools, writing } = scene
  const scope = scopeText(symbol)
  switch (outcome.kind) {
    case 'canceled': {
      const tally = tallyText(outcome.tally)
      return await seenEmpty(symbol, `No order is working in ${scope}${tally === '' ? '' : `: ${tally}`}.`, scene)
    }
    case 'refused': {
      const isByHub = isHubRefusal(writing.lastFailure())
      const what = `the ${isByHub ? 'hub' : 'exchange'} refused to cancel all in ${scope}: ${outcome.reason}.`
      if (outcome.left === null) return writing.refused('rejected', `${what} Orders may still be working.`)
      const still = await stillThere(outcome.left, scene, (ids) => `${what} ${ids}`)
      // A hub's refusal is about the user's role, and stays.
      return isByHub ? { ...still, code: exitCodes.rejected, todo: 'Look at pitdesk orders.' } : still
    }
    case 'notSent': {
      const ending = writing.refused('notSent', `not sent: ${outcome.reason}. Nothing was canceled.`)
      return isOfHub(ending, scene) ? { ...ending, todo: `Orders go on working. ${atExchange}` } : ending
    }
    case 'left':
    case 'unknown': {
      const so = outcome.kind === 'left' ? stillWorking(outcome.left) : `Not confirmed (${outcome.reason})`
      io.printError(`${so}: checking.`)
      const endMs = tools.clock.now() + ownPatienceMs
      await writing.settle(ownPatienceMs)
      return await lookAgain(symbol, endMs - tools.clock.now(), scene)
    }
  }
}

const isSeenWorking = (order: Order | undefined): boolean => order !== undefined && isWorking(order)

async function seenEmpty(symbol: string | null, did: string, scene: WriteScene): Promise<Ending> {
  const { given, io, tools, writing } = scene
  const before = inFlightHere(symbol, scene)
  let beside = await inFlightBeside(symbol, scene)
  if (before.length + beside.length > 0) {
    const endMs = tools.clock.now() + ownPatienceMs
    await writing.settle(ownPatienceMs)
    // What runs beside looks for its own.
    const isNoneBeside = async () => {
      beside = await inFlightBeside(symbol, scene)
      return beside.length === 0
    }
    await writing.until(isNoneBeside, endMs - tools.clock.now())
    const todo = 'Look at pitdesk journal --open and pitdesk orders, and cancel again: it does no harm.'
    const open = [...inFlightHere(symbol, scene), ...beside]
    const scope = scopeText(symbol)
    if (open.length > 0)
      return failure('unknown', `No order is listed in ${scope}, but ${open.join(', ')} may still arrive.`, { todo })
    const late = before.filter((id) => isSeenWorking(writing.found(id)))
    if (late.length > 0)
      return failure('failed', `Arrived after the cancel and working in ${scope}: ${late.join(', ')}.`, { todo })
  }
  const { working, unseen } = await ownLeft(symbol, scene)
  const where = ` in ${scopeText(symbol)}`
  if (working.length > 0) return await stillThere(working, scene, (words) => words, where)
  if (unseen.length > 0) {
    const may = `${someNamed(unseen, idsMax)} of your own may still be working: the exchange does not say.`
    return failure('unknown', `No order is listed${where}, but ${may}`, { todo })
  }
  await io.print(formOf(given, io.stdout) === 'table' ? did : jsonLine({ symbol, outcome: 'canceled' }))
  return { code: 0, did }
}

const stillWorking = (orders: readonly Order[]): string =>
  orders.length === 0
    ? 'An order listed is unreadable and may still be working'
    : `${orders.length === 1 ? '1 order is' : `${orders.length} orders are`} still working`

/** Maximum orders named in a sentence. */
const idsMax = 20

/** Reports the orders that the exchange lists as working after all waiting: no more than that is claimed. */
async function lookAgain(symbol: string | null, patienceMs: number, scene: WriteScene): Promise<Ending> {
  const scope = scopeText(symbol)
  let seen = await look(symbol, scene)
  await scene.writing.until(
    async () => {
      if (seen.kind === 'left') seen = await look(symbol, scene)
      return seen.kind !== 'left'
    },
    patienceMs,
    lookPauseMs,
  )
  switch (seen.kind) {
    case 'none':
      return await seenEmpty(symbol, `No order is working in ${scope}.`, scene)
    case 'unseen':
      return failure('unknown', `whether orders are still working in ${scope} is unknown: ${seen.reason}.`, { todo })
    case 'left':
      return await stillThere(seen.left, scene, (words) => words, ` in ${scope}`)
  }
}

const todo = 'Look at pitdesk orders, and cancel again: it does no harm.'

/** The failure of a cancel-all with orders seen working, each by its id. */
async function stillThere(
  left: readonly Order[],
  { writing }: WriteScene,
  sentenceOf: (words: string) => string,
  where = '',
): Promise<Ending> {
  const named = left.map(({ orderId, clientOrderId, status }) => `${orderId ?? clientOrderId} ${status}`)
  const ids = someNamed(named, idsMax)
  const words = `${stillWorking(left)}${where}${ids === '' ? '' : `: ${ids}`}.`
  return failure('failed', sentenceOf(words), { todo, beside: { working: await workingRows(left, writing) } })
}

type Seen = { kind: 'none' } | { kind: 'left'; left: readonly Order[] } | { kind: 'unseen'; reason: string }

async function look(symbol: string | null, { session, io }: WriteScene): Promise<Seen> {
  try {
    const list = await fetchAllWorking(session.client, io.signal, symbol)
    const { orders: left, unreadableCount } = leftOf(list, symbol)
    if (left.length > 0) return { kind: 'left', left }
    if (unreadableCount > 0 || !list.isWhole) return { kind: 'unseen', reason: 'the list is unreadable in part' }
    return { kind: 'none' }
  } catch (error) {
    if (error instanceof ExchangeError) return { kind: 'unseen', reason: failureSentence(error) }
    throw error
  }
}
