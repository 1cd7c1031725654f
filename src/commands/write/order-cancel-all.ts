import { ExchangeError } from '../../api/errors.ts'
import { limited } from '../../base/clock.ts'
import { ok, type Result } from '../../base/result.ts'
import { someNamed } from '../../base/text/plain-text.ts'
import type { Session } from '../../desk/account/profile.ts'
import { isWorking, type Order, scopeText } from '../../domain/orders/order.ts'
import { type CancelAllOutcome, tallyText } from '../../domain/orders/order-outcome.ts'
import { needsWord, type Plan, type PlanOrder } from '../../domain/plans/plan.ts'
import type { NotSent } from '../../domain/write-outcome.ts'
import { failureSentence } from '../../services/failure-sentences.ts'
import { fetchAllWorking, leftOf } from '../../services/orders/order-pages.ts'
import { jsonLine } from '../../wire/json-pieces.ts'
import { readSymbol } from '../cli/arguments.ts'
import type { Run } from '../cli/command.ts'
import { done, type Ending, exitCodes, failure, wrongUsage } from '../cli/exit-codes.ts'
import { formOf } from '../cli/output.ts'
import { IncompleteList } from '../cli/paging.ts'
import { type Consent, confirmed, consentOf } from '../cli/prompt.ts'
import { placeOf, withSession } from '../cli/session.ts'
import { atExchange, isOfHub } from './order-cancel.ts'
import { inFlightBeside, inFlightHere, ownLeft } from './own-orders.ts'
import { openPlans, tellPlans, waitingBefore, wouldLose } from './plans-hit.ts'
import { lookPauseMs, workingRows } from './still-listed.ts'
import { misnamedScope, strayScope } from './unknown-symbol.ts'
import { type WriteScene, withWriting } from './with-writing.ts'
import { isHubRefusal, ownPatienceMs } from './writing.ts'

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
    if (isHubRefusal(scene.writing.lastFailure())) return ending
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
      const failed = writing.lastFailure()
      // What a role may not is refused, whether an order works or not.
      if (failed !== null && isHubRefusal(failed))
        return failure('rejected', `${refusedBy('hub', scope, failureSentence(failed))} No order is listed.`)
      const tally = tallyText(outcome.tally)
      return await seenEmpty(symbol, `No order is working in ${scope}${tally === '' ? '' : `: ${tally}`}.`, scene)
    }
    case 'refused': {
      const isByHub = isHubRefusal(writing.lastFailure())
      const what = refusedBy(isByHub ? 'hub' : 'exchange', scope, outcome.reason)
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

const refusedBy = (whom: 'hub' | 'exchange', scope: string, reason: string): string =>
  `the ${whom} refused to cancel all in ${scope}: ${reason}.`

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
