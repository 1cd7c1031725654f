import { readTypedAmount } from '../domain/amount-text.ts'
import type { Instruments } from '../domain/amounts-of.ts'
import { type Check, type CheckRule, unconfirmed } from '../domain/check.ts'
import type { OrderDraft } from '../domain/order.ts'
import { isWorking, type Order } from '../domain/order.ts'
import type { NotSent, OrderOutcome } from '../domain/order-outcome.ts'
import { plainText } from '../domain/plain-text.ts'
import { type CheckContext, orderChecks } from '../domain/pre-trade.ts'
import { describeEnd } from '../store/describe.ts'
import type { Venue } from '../store/state.ts'
import { orderSentence } from '../ui/panes/ticket/order-sentence.ts'
import { fromNewOrder } from '../wire/new-order.ts'
import { fromOrder } from '../wire/order.ts'
import type { Arguments } from './arguments.ts'
import { blockText, checkLines } from './check-lines.ts'
import { type CommandTools, done, type Ending, failed, type Run, wrongUsage } from './command.ts'
import { confirmed, consentOf } from './confirm.ts'
import type { CommandIo } from './io.ts'
import { fetchCheckContext } from './order-context.ts'
import { readDraft } from './order-draft.ts'
import { orderColumns } from './order-reads.ts'
import { formOf, jsonLine, one, printReading } from './read-output.ts'
import type { Session } from './session.ts'
import { withWriting } from './with-writing.ts'
import { ownPatienceMs, type Writing } from './writing.ts'

/** A picture of the market older than this is taken anew before an order goes out. */
const freshMs = 5_000

/** Places one order, after the same checks as a ticket's, and prints what became of it. */
export const runOrderPlace: Run = (given, io, tools) => {
  const draft = readDraft(given)
  if (!draft.ok) return Promise.resolve(wrongUsage(draft.error))
  const isDry = given.has('dry-run')
  const consent = isDry ? ({ ok: true, value: 'given' } as const) : consentOf(given, io)
  if (!consent.ok) return Promise.resolve(wrongUsage(consent.error))
  return withWriting({ given, io, tools, isDry }, (session, writing) => {
    const placing: Placing = { draft: draft.value, given, io, tools, session, writing }
    return isDry ? dryRun(placing) : place(placing, consent.value)
  })
}

type Placing = {
  draft: OrderDraft
  given: Arguments
  io: CommandIo
  tools: CommandTools
  session: Session
  writing: Writing
}

type Judged = { context: CheckContext; checks: Check[]; sentence: string }

/** Asks for everything that the order depends on, and judges it. */
async function judge({ draft, io, tools, session, writing }: Placing): Promise<Judged> {
  const context = await fetchCheckContext(draft.symbol, session, writing.journal, { ...tools, signal: io.signal })
  const checks = orderChecks(draft, context)
  const { profileName, venueKind: kind } = session.settings
  const venue: Venue = { profileName, kind }
  const sentence = context.instrument.kind === 'fresh' ? orderSentence(draft, context.instrument.value, venue) : ''
  return { context, checks, sentence: plainText(sentence) }
}

/** What would be sent, and every check, without sending it. Exit 1 when a check blocks. */
async function dryRun(placing: Placing): Promise<Ending> {
  const { draft, given, io } = placing
  const { checks, sentence } = await judge(placing)
  const { clOrdId: _made, ...request } = fromNewOrder({ ...draft, clientOrderId: 'madeWhenItIsSent' })
  if (formOf(given, io.stdout) === 'table') {
    await io.print(`Would send: ${sentence}`)
    await io.print(`POST /orders ${jsonLine(request)} with a clOrdId of its own`)
    for (const line of checkLines(checks)) await io.print(line)
  } else await io.print(jsonLine({ request, checks: checks.map(({ rule, level, text }) => ({ rule, level, text })) }))
  const blocked = blockText(checks)
  return blocked === '' ? done : failed(`it would not be sent: ${blocked}`)
}

async function place(placing: Placing, consent: 'asked' | 'given'): Promise<Ending> {
  const { io, tools } = placing
  const first = await judge(placing)
  const blocked = blockText(first.checks)
  if (blocked !== '') return failed(`not sent: ${blocked}. Nothing was placed.`)
  const concerns = first.checks.filter(({ level }) => level === 'ask' || level === 'warn')
  for (const { text } of concerns) io.complain(plainText(`Mind: ${text}.`))
  const { orderQuantity } = placing.draft
  // As in a ticket, a size that is easily a slip is confirmed by the quantity itself.
  const isUnusual = concerns.some(({ rule }) => rule === 'unusual')
  const question = `${first.sentence}\nType ${isUnusual ? `the quantity, ${orderQuantity},` : 'yes'} to send it:`
  const isYes = (typed: string) => (isUnusual ? readTypedAmount(typed)?.eq(orderQuantity) === true : typed === 'yes')
  if (!(await confirmed(consent, io, { question, isYes }))) return failed('left as it is: nothing was sent.')
  const isOld = tools.clock.now() - first.context.nowMs > freshMs
  const last = isOld ? await judge(placing) : first
  const accepted: CheckRule[] = concerns.map(({ rule }) => rule)
  const late = [...last.checks.filter(({ level }) => level === 'block'), ...unconfirmed(last.checks, accepted)]
  if (late.length > 0)
    return failed(`not sent, for meanwhile ${late.map(({ text }) => text).join('; ')}. Nothing was placed.`)
  if (io.signal.aborted) return failed('ended before it was sent. Nothing was placed.')
  placing.writing.judgedBy(last.context)
  const { instrument } = last.context
  const rules: Instruments = instrument.kind === 'fresh' ? new Map([[placing.draft.symbol, instrument.value]]) : null
  return tell(await placing.writing.trading.orders.submit(placing.draft), placing, rules)
}

async function tell(outcome: OrderOutcome | NotSent, placing: Placing, rules: Instruments): Promise<Ending> {
  switch (outcome.kind) {
    case 'accepted':
      return show(outcome.order, placing, rules)
    case 'notSent':
      return failed(`not sent: ${outcome.reason}. Nothing was placed.`)
    case 'rejected':
      return failed(`the exchange rejected it: ${outcome.reason}. Nothing was placed.`)
    case 'unknown': {
      placing.io.complain(
        `No answer for order ${outcome.clientOrderId}. It may be live: looking for it. Do not send it again.`,
      )
      await placing.writing.settle(ownPatienceMs)
      const order = placing.writing.found(outcome.clientOrderId)
      if (order !== undefined) return show(order, placing, rules)
      return failed(
        `the outcome of order ${outcome.clientOrderId} is not known (${outcome.reason}): it stays in the journal, and a like one is held back until it is settled`,
      )
    }
  }
}

async function show(order: Order, { given, io }: Placing, rules: Instruments): Promise<Ending> {
  const form = formOf(given, io.stdout)
  const row = fromOrder(order)
  if (form !== 'table') await printReading(one(row), orderColumns, form, io)
  else if (isWorking(order))
    await io.print(plainText(`Order ${order.orderId ?? order.clientOrderId} is working: ${order.status}.`))
  else await io.print(plainText(describeEnd(order, rules)))
  return order.status === 'REJECTED'
    ? failed(`the exchange rejected it: ${order.text ?? 'it gives no reason'}. Nothing was placed.`)
    : done
}
