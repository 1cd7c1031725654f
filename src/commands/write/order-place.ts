import { ExchangeError, isNotFound } from '../../api/errors.ts'
import { momentOf, mostSince } from '../../base/clock.ts'
import type { CommandIo, CommandTools } from '../../base/command-io.ts'
import { withSuggestion } from '../../base/nearest-name.ts'
import { plainText } from '../../base/plain-text.ts'
import type { Session } from '../../desk/profile.ts'
import { readTypedAmount } from '../../domain/amount-text.ts'
import type { Instruments } from '../../domain/balance.ts'
import { type Check, type CheckRule, unconfirmed } from '../../domain/orders/checks/check.ts'
import { type CheckContext, orderChecks } from '../../domain/orders/checks/pre-trade.ts'
import type { OrderDraft } from '../../domain/orders/order.ts'
import type { Venue } from '../../store/mode.ts'
import { orderSentence } from '../../ui/text/trade-words.ts'
import { fromNewOrder } from '../../wire/order-requests.ts'
import type { Arguments } from '../cli/arguments.ts'
import type { Run } from '../cli/command.ts'
import { done, type Ending, exitCodes, failure, wrongUsage } from '../cli/exit-codes.ts'
import { formOf, jsonLine } from '../cli/output.ts'
import { type Consent, confirmed, consentOf } from '../cli/prompt.ts'
import { passLock } from '../lock/pass-lock.ts'
import { fetchCheckContext } from './check-context.ts'
import { type AcceptWord, blockText, checkLines, orderWordsOf, readOrderAccepted, unacceptedOrder } from './checks.ts'
import { readDraft } from './order-draft.ts'
import { earlierOrder, isClientOrderId, sentUnder, tellOutcome } from './order-result.ts'
import { withWriting } from './with-writing.ts'
import type { Writing } from './writing.ts'

/** A view of the market older than this is taken anew before an order goes out. */
const freshMs = 5_000
const nothing = 'Nothing was placed.'

/** Places one order, after the same checks as a ticket's, and prints what became of it. */
export const runOrderPlace: Run = (given, io, tools) => {
  const draft = readDraft(given)
  if (!draft.ok) return Promise.resolve(wrongUsage(draft.error))
  const accepted = readOrderAccepted(given)
  if (!accepted.ok) return Promise.resolve(wrongUsage(accepted.error))
  const clientOrderId = given.value('client-order-id') ?? null
  if (clientOrderId !== null && !isClientOrderId(clientOrderId))
    return Promise.resolve(wrongUsage('--client-order-id takes 1 to 20 letters and digits'))
  const isDry = given.has('dry-run')
  const consent = isDry ? ({ ok: true, value: 'given' } as const) : consentOf(given, io)
  if (!consent.ok) return Promise.resolve(wrongUsage(consent.error))
  return withWriting({ given, io, tools, isDry }, (session, writing) => {
    const asked = { draft: draft.value, accepted: accepted.value, clientOrderId }
    const placing: Placing = { ...asked, given, io, tools, session, writing }
    return knownSymbol(placing, () => (isDry ? dryRun(placing) : place(placing, consent.value)))
  })
}

type Placing = {
  draft: OrderDraft
  /** What a script has accepted by name. */
  accepted: ReadonlySet<AcceptWord>
  /** The id that a script has given it, so that it can be asked for again; null: one is made for it. */
  clientOrderId: string | null
  given: Arguments
  io: CommandIo
  tools: CommandTools
  session: Session
  writing: Writing
}

/** Runs, and says of a symbol that the exchange does not list that nothing was sent for it. */
async function knownSymbol({ draft, io, session }: Placing, run: () => Promise<Ending>): Promise<Ending> {
  try {
    return await run()
  } catch (error) {
    // A question before anything was sent, that the exchange knows no answer to.
    if (!isNotFound(error) || !(error instanceof ExchangeError) || error.outcome !== null) throw error
    const symbols = [...(await session.client.fetchSymbols(io.signal)).instruments.keys()]
    if (symbols.includes(draft.symbol)) throw error
    const unknown = withSuggestion(`unknown symbol ${draft.symbol}`, draft.symbol, symbols)
    return failure('notSent', `not sent: ${unknown} ${nothing}`, {
      todo: 'List them with pitdesk symbols.',
    })
  }
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

/** What would be sent, every check, and what a script would have to accept; sends nothing. */
async function dryRun(placing: Placing): Promise<Ending> {
  const { draft, clientOrderId, given, io } = placing
  const { checks, sentence } = await judge(placing)
  const { clOrdId, ...fields } = fromNewOrder({ ...draft, clientOrderId: clientOrderId ?? 'madeWhenItIsSent' })
  const request = clientOrderId === null ? fields : { clOrdId, ...fields }
  const accept = orderWordsOf(checks)
  const shown = { request, checks: checks.map(({ rule, level, text }) => ({ rule, level, text })), accept }
  const blocked = blockText(checks)
  if (formOf(given, io.stdout) === 'table') {
    await io.print(`Would send: ${sentence}`)
    await io.print(`POST /orders ${jsonLine(request)}${clientOrderId === null ? ' with a clOrdId of its own' : ''}`)
    for (const line of checkLines(checks)) await io.print(line)
    if (accept.length > 0) await io.print(`A script would need --accept ${accept.join(',')}`)
  } else if (blocked === '') await io.print(jsonLine(shown))
  return blocked === '' ? done : failure('notSent', `it would not be sent: ${blocked}`, { beside: shown })
}

/** The rules of one symbol, for amounts in words. */
function rulesOf({ draft }: Placing, { instrument }: CheckContext): Instruments {
  return instrument.kind === 'fresh' ? new Map([[draft.symbol, instrument.value]]) : null
}

/** What became of the order that the given id was used for before; null when it was not, or none was given. */
const earlier = async (placing: Placing, rules: Instruments): Promise<Ending | null> =>
  placing.clientOrderId === null
    ? null
    : await earlierOrder({ draft: placing.draft, clientOrderId: placing.clientOrderId }, placing, rules)

/**
 * Places the order, unless its id was used before: what became of that one is then the answer, also where it stands in
 * the way only now.
 */
async function place(placing: Placing, consent: Consent): Promise<Ending> {
  const before = await earlier(placing, null)
  if (before !== null) return before
  const ending = await placeNew(placing, consent)
  const isHeld = ending.code === exitCodes.notSent && placing.clientOrderId !== null
  return (isHeld ? await earlier(placing, null) : null) ?? ending
}

async function placeNew(placing: Placing, consent: Consent): Promise<Ending> {
  const { io, tools } = placing
  const asked = momentOf(tools.clock)
  const first = await judge(placing)
  const blocked = blockText(first.checks)
  if (blocked !== '') return failure('notSent', `not sent: ${blocked}. ${nothing}`)
  const concerns = first.checks.filter(({ level }) => level === 'ask' || level === 'warn')
  for (const { text } of concerns) io.printError(plainText(`Warning: ${text}.`))
  const refused = await agree(placing, first, consent)
  if (refused !== null) return refused
  const isOld = mostSince(asked, momentOf(tools.clock)) > freshMs
  const last = isOld ? await judge(placing) : first
  const agreed: CheckRule[] = concerns.map(({ rule }) => rule)
  const late = [...last.checks.filter(({ level }) => level === 'block'), ...unconfirmed(last.checks, agreed)]
  if (late.length > 0)
    return failure('notSent', `not sent, recheck failed: ${late.map(({ text }) => text).join('; ')}. ${nothing}`)
  if (io.signal.aborted) return failure('notSent', `ended before it was sent. ${nothing}`)
  return await send(placing, last.context)
}

/** Why the order is not sent without a confirmation; null when it is confirmed. */
async function agree(
  { draft, accepted, io, tools, session }: Placing,
  { checks, sentence }: Judged,
  consent: Consent,
): Promise<Ending | null> {
  if (consent === 'given') {
    const open = unacceptedOrder(checks, accepted)
    if (open !== null) return failure('notSent', `not sent: ${open.reason}. ${nothing}`, { todo: open.todo })
  }
  const opened = await passLock(session.settings, io, tools)
  if (!opened.ok) return failure('notSent', `${opened.error}. ${nothing}`)
  const { orderQuantity } = draft
  // As in a ticket, a size that is easily a slip is confirmed by the quantity itself.
  const isUnusual = checks.some(({ rule, level }) => rule === 'unusual' && level === 'ask')
  const question = `${sentence}\nType ${isUnusual ? `the quantity, ${orderQuantity},` : 'yes'} to send it:`
  const isYes = (typed: string) => (isUnusual ? readTypedAmount(typed)?.eq(orderQuantity) === true : typed === 'yes')
  return (await confirmed(consent, io, { question, isYes }))
    ? null
    : failure('notSent', 'not confirmed: nothing was sent.')
}

async function send(placing: Placing, context: CheckContext): Promise<Ending> {
  const { draft, clientOrderId, writing } = placing
  const rules = rulesOf(placing, context)
  writing.judgedBy(context)
  const outcome = await writing.trading.orders.submit(draft, {
    ...(clientOrderId === null ? {} : { clientOrderId }),
    // Nobody else can begin a write by now: what another command or desk has begun since the checks is on record.
    async lastLook() {
      const isUsed = clientOrderId !== null && (await sentUnder(writing.journal, clientOrderId)).entry !== undefined
      return isUsed
        ? `client order id ${clientOrderId} was used meanwhile`
        : blockText(await writing.blocks(draft)) || null
    },
  })
  return await tellOutcome(outcome, placing, rules)
}
